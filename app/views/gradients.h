#pragma once

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

struct GradientsState {};

void drawGradients(ViewContext& context);
void wantGradients(const ViewState& state, Wanted& wanted);

}  // namespace attn
