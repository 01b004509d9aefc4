#pragma once
#include <vector>

#include "core/attention/visibility.h"

namespace attn {

/// What a picture of a matrix must know of its numbers to colour them.
struct Extent {
  float low = 0, high = 0;  // of the finite numbers; 0 and 0 where there is none
  float smallest = 0;       // the least magnitude above 0; 0 where there is none
  Index finite = 0, notNumbers = 0, infinities = 0;

  bool operator==(const Extent&) const = default;
};

/// Flags of queries × keys cells, 255 where the mask hides the pair from each of the `heads` heads that begin
/// with `head`.
void findHidden(const Visibility& visibility, Index head, Index heads, Index queries, Index keys,
                std::vector<std::uint8_t>& hidden);

/// Of `count` numbers; those whose flag in `hidden` is not 0 do not count. Null: all do.
Extent extentOf(const float* values, Index count, const std::uint8_t* hidden = nullptr);

/// Of two matrices taken as one.
Extent joined(const Extent& a, const Extent& b);

/// One sum a row, in double.
std::vector<double> rowSums(const float* values, Index rows, Index cols);

}  // namespace attn
