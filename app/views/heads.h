#pragma once

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

struct HeadsState {};

void drawHeads(ViewContext& context);
void wantHeads(const ViewState& state, Wanted& wanted);

}  // namespace attn
