#pragma once

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

void drawWeights(ViewContext& context);
void wantWeights(const ViewState& state, Wanted& wanted);

}  // namespace attn
