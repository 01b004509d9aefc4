#pragma once

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

struct ScaleState {
  int markedStage = -1;  // the switch under the pointer: its part of the formula is marked
};

void drawScale(ViewContext& context);

}  // namespace attn
