#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "core/measures/strongest_pairs.h"

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

/// A token on either side.
struct LineEnd {
  bool isKey = false;
  Index token = 0;
  bool operator==(const LineEnd&) const = default;
};

/// The lines of one evaluation, looked for again only in new numbers.
struct FoundLines {
  std::uint64_t serial = 0;
  std::vector<const float*> matrices;
  float least = -1;
  float strongest = 1;  // the weight that is drawn with full strength
  StrongestPairs found;
};

struct LinesState {
  bool showsAllHeads = true;
  std::set<Index> hiddenHeads;  // among all
  float least = 0;              // weights below are not drawn
  bool isWhole = false;         // all tokens in the room that there is, without scrolling
  std::optional<LineEnd> kept;  // its lines alone are shown while nothing is pointed at
  FoundLines lines;
};

/// Queries on the left, keys on the right, a line for every weight: as thick and as opaque as it is large.
void drawLines(ViewContext& context);
void wantLines(const ViewState& state, Wanted& wanted);

}  // namespace attn
