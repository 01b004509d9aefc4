#pragma once

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

struct InputsState {
  float step = 0.02f;  // what one pixel of a drag changes a number by
};

void drawInputs(ViewContext& context);

}  // namespace attn
