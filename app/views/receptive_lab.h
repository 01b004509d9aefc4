#pragma once

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

/// How far a node sees when each head looks at one place: its tree, and how overlap makes that smaller.
void drawReceptiveLab(ViewContext& context);
void wantReceptiveLab(const ViewState& state, Wanted& wanted);

}  // namespace attn
