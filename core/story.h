#pragma once
#include <cstddef>
#include <string>

#include "core/input_ref.h"

namespace attn {

/// What a story changes: one number of the scene, one of its widths, one cell, or how a matrix is filled.
struct StoryTarget {
  enum class Kind {
    temperature,
    divisor,
    gain,
    cap,
    logit,
    threshold,
    keyWidth,
    valueWidth,
    cell,
    slope,       // of ALiBi, for one head
    ruleLength,  // of a mask rule: how many keys count, how wide a window is, how long a prefix
    mean,        // these five: of a matrix's fill
    deviation,
    low,
    high,
    seed,
    constant,  // every number of a matrix
    upstream   // one number of the gradient that is given, or of the target
  };
  Kind kind = Kind::temperature;
  InputRef input = {};     // of a cell, a fill; its head: of a slope
  Index row = 0, col = 0;  // of a cell, of upstream
  std::size_t rule = 0;    // of a mask rule

  bool operator==(const StoryTarget&) const = default;
};

/// Whether a story of this kind names a matrix, a head (which each that names a matrix does), a cell.
constexpr bool isOfMatrix(StoryTarget::Kind kind) {
  using Kind = StoryTarget::Kind;
  return kind == Kind::cell || (kind >= Kind::mean && kind <= Kind::constant);
}
constexpr bool isOfHead(StoryTarget::Kind kind) {
  return isOfMatrix(kind) || kind == StoryTarget::Kind::slope;
}
constexpr bool isOfCell(StoryTarget::Kind kind) {
  return kind == StoryTarget::Kind::cell || kind == StoryTarget::Kind::upstream;
}

constexpr double kLongestStory = 3600;  // seconds

/// "What happens as d_k grows": a number that goes from one value to another.
struct Story {
  enum class Easing { linear, smooth };            // smooth: slow at both ends
  enum class Repeat { once, loop, backAndForth };  // loop: from the start again
  std::string title;                               // empty: named after what it changes
  StoryTarget target;
  double from = 0, to = 1;
  double seconds = 4;  // from one end to the other
  Easing easing = Easing::smooth;
  Repeat repeat = Repeat::once;

  bool operator==(const Story&) const = default;
};

}  // namespace attn
