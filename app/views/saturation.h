#pragma once

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

struct SaturationState {};

void drawSaturation(ViewContext& context);
void wantSaturation(const ViewState& state, Wanted& wanted);

}  // namespace attn
