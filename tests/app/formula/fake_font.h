#pragma once
#include "app/formula/layout.h"

namespace attn {

/// A font with simple numbers: every character is 0.6 wide and 0.7 high, g, j, p, q and y reach 0.2 below,
/// ∑ and brackets both more above and below.
class FakeFont : public FontMeasure {
 public:
  RunSize measure(std::string_view text, float size, FontStyle) const override {
    RunSize extent;
    for (const char c : text) {
      if ((static_cast<unsigned char>(c) & 0xc0) == 0x80) continue;
      const bool high = std::string_view("()[]{}|").find(c) != std::string_view::npos || c == '\xe2';
      const bool deep = high || std::string_view("gjpqyQ").find(c) != std::string_view::npos;
      extent.advance += 0.6f * size;
      extent.ascent = std::max(extent.ascent, (high ? 0.8f : 0.7f) * size);
      extent.descent = std::max(extent.descent, (deep ? 0.2f : 0.0f) * size);
    }
    return extent;
  }
};

}  // namespace attn
