#pragma once

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

void drawScores(ViewContext& context);
void wantScores(const ViewState& state, Wanted& wanted);

}  // namespace attn
