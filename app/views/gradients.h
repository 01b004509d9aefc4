#pragma once
#include "app/norm_history.h"

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

struct GradientsState {
  enum class Page { all, heads, rows, edits, upstream };
  Page page = Page::all;
  GradientName chosen = GradientName::q;  // what `heads` and `rows` are about
  NormHistory history;
  Index row = 0, col = 0;  // the cell of a given gradient or target that is being edited
};

void drawGradients(ViewContext& context);
void wantGradients(const ViewState& state, Wanted& wanted);

}  // namespace attn
