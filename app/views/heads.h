#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/matrix.h"

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

/// What the maps of scores and weights show: the chosen head, or all heads as one.
enum class HeadChoice { one, average, maximum };

/// A map made of the weights of several heads, kept while they are the same.
struct HeadsTogether {
  std::uint64_t serial = 0;
  StackOf<float> values;
};

struct HeadsState {
  HeadChoice choice = HeadChoice::one;
  bool isSolo = false;                            // only the chosen head, large
  std::optional<Index> compared;                  // a second head beside the chosen one
  bool showsDifference = false;                   // chosen − compared, in place of both
  std::map<std::string, HeadsTogether> together;  // by the label of the map
};

void drawHeads(ViewContext& context);
void wantHeads(const ViewState& state, Wanted& wanted);

}  // namespace attn
