#pragma once

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

void drawOutput(ViewContext& context);
void wantOutput(const ViewState& state, Wanted& wanted);

}  // namespace attn
