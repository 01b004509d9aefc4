#pragma once

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

/// Whether the panel shows what W_O makes of all heads.
bool showsProjectedOutput(const ViewContext& context);

void drawOutput(ViewContext& context);
void wantOutput(const ViewState& state, Wanted& wanted);

}  // namespace attn
