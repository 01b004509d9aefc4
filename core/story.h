#pragma once
#include <string>

#include "core/input_ref.h"

namespace attn {

/// What a story changes: one number of the scene, one of its widths, or one cell.
struct StoryTarget {
  enum class Kind { temperature, divisor, gain, cap, logit, threshold, keyWidth, valueWidth, cell };
  Kind kind = Kind::temperature;
  InputRef input;          // of a cell
  Index row = 0, col = 0;  // of a cell

  bool operator==(const StoryTarget&) const = default;
};

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
