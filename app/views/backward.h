#pragma once

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

/// The way back: how the loss changes with each number, as maps.
void drawWeightGradients(ViewContext& context);
void drawScoreGradients(ViewContext& context);
void drawQueryGradients(ViewContext& context);
void drawKeyGradients(ViewContext& context);
void drawValueGradients(ViewContext& context);
/// Of X, and of the other sequence where there is one.
void drawSequenceGradients(ViewContext& context);

void wantWeightGradients(const ViewState& state, Wanted& wanted);
void wantScoreGradients(const ViewState& state, Wanted& wanted);
void wantInputGradients(const ViewState& state, Wanted& wanted);

}  // namespace attn
