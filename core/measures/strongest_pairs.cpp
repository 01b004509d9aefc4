#include "core/measures/strongest_pairs.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace attn {
namespace {

/// An order without ties, so that the same numbers always give the same pairs.
bool isStronger(const WeightedPair& a, const WeightedPair& b) {
  const float x = std::abs(a.weight), y = std::abs(b.weight);
  if (x != y) return x > y;
  return std::tie(a.matrix, a.query, a.key) < std::tie(b.matrix, b.query, b.key);
}

void keepStrongest(std::vector<WeightedPair>& pairs, std::size_t most) {
  if (pairs.size() <= most) return;
  std::nth_element(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(most), pairs.end(), isStronger);
  pairs.resize(most);
}

}  // namespace

StrongestPairs strongestPairs(std::span<const float* const> matrices, Index rows, Index cols, float least,
                              std::size_t most) {
  StrongestPairs strongest;
  std::vector<WeightedPair>& pairs = strongest.pairs;
  for (std::size_t m = 0; m < matrices.size(); ++m)
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) {
        const float weight = matrices[m][i * cols + j], size = std::abs(weight);
        if (!(size >= least) || size == 0 || std::isinf(size)) continue;
        ++strongest.outOf;
        pairs.push_back({m, i, j, weight});
        if (pairs.size() > 4 * most + 1024) keepStrongest(pairs, most);  // never all at once in memory
      }
  keepStrongest(pairs, most);
  std::sort(pairs.begin(), pairs.end(),
            [](const WeightedPair& a, const WeightedPair& b) { return isStronger(b, a); });
  return strongest;
}

}  // namespace attn
