#pragma once
#include <optional>

#include "core/matrix.h"

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

/// What the maps of scores and weights show: the chosen head, or all heads as one.
enum class HeadChoice { one, average, maximum };

struct HeadsState {
  HeadChoice choice = HeadChoice::one;
  bool isSolo = false;            // only the chosen head, large
  std::optional<Index> compared;  // a second head beside the chosen one
  bool showsDifference = false;   // chosen − compared, in place of both
};

void drawHeads(ViewContext& context);
void wantHeads(const ViewState& state, Wanted& wanted);

}  // namespace attn
