#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "core/matrix.h"

namespace attn {

/// One number of one of several matrices: how much a query (row) takes from a key (column).
struct WeightedPair {
  std::size_t matrix = 0;
  Index query = 0, key = 0;
  float weight = 0;
};

struct StrongestPairs {
  std::vector<WeightedPair> pairs;  // by magnitude, the weakest first
  Index outOf = 0;                  // how many there are of the least magnitude or above
};

/// The `most` pairs of greatest magnitude among those that reach `least`, in all matrices (rows × cols each)
/// together. Zeros and what is not finite never count.
StrongestPairs strongestPairs(std::span<const float* const> matrices, Index rows, Index cols, float least,
                              std::size_t most);

}  // namespace attn
