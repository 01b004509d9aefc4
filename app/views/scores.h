#pragma once

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

/// The scores at the chosen stage: raw, scaled, or as they are normalised.
void drawScores(ViewContext& context);
void wantScores(const ViewState& state, Wanted& wanted);

/// The raw ones, to be looked at beside a later stage.
void drawRawScores(ViewContext& context);
void wantRawScores(const ViewState& state, Wanted& wanted);

}  // namespace attn
