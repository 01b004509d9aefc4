#pragma once

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

struct ScaleState {};

void drawScale(ViewContext& context);

}  // namespace attn
