#include "core/measures/strongest_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {
namespace {

TEST(StrongestPairs, AreTheOnesOfGreatestMagnitudeWeakestFirst) {
  const float a[] = {0.1f, 0.7f, 0.2f, 0, 0.5f, 0.5f}, b[] = {0.9f, 0, 0.1f, -0.8f, 0.1f, 0.1f};
  const float* const both[] = {a, b};
  const StrongestPairs found = strongestPairs(both, 2, 3, 0.15f, 3);
  EXPECT_EQ(found.outOf, 6);
  ASSERT_EQ(found.pairs.size(), 3u);
  EXPECT_EQ(found.pairs[0].weight, 0.7f);
  EXPECT_EQ(found.pairs[1].weight, -0.8f);
  EXPECT_EQ(found.pairs[1].matrix, 1u);
  EXPECT_EQ(found.pairs[1].query, 1);
  EXPECT_EQ(found.pairs[1].key, 0);
  EXPECT_EQ(found.pairs[2].weight, 0.9f);
}

TEST(StrongestPairs, ZerosAndWhatIsNotFiniteNeverCount) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const float a[] = {nan, 0, inf, -inf, 0.25f, -0.0f};
  const float* const one[] = {a};
  const StrongestPairs found = strongestPairs(one, 3, 2, 0, 10);
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.outOf, 1);
  EXPECT_EQ(found.pairs[0].query, 2);
}

TEST(StrongestPairs, ManyAreCulledToTheSameOnesWhateverTheOrder) {
  constexpr Index kSide = 200;
  std::vector<float> values(kSide * kSide);
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = static_cast<float>((k * 7919) % values.size()) / static_cast<float>(values.size());
  const float* const one[] = {values.data()};
  const StrongestPairs found = strongestPairs(one, kSide, kSide, 0, 50);
  ASSERT_EQ(found.pairs.size(), 50u);
  EXPECT_EQ(found.outOf, kSide * kSide - 1);  // one is 0
  std::sort(values.begin(), values.end());
  for (std::size_t k = 0; k < 50; ++k) EXPECT_EQ(found.pairs[k].weight, values[values.size() - 50 + k]);
}

TEST(StrongestPairs, OfEqualOnesTheFirstAreKept) {
  const std::vector<float> values(36, 0.5f);
  const float* const one[] = {values.data()};
  const StrongestPairs found = strongestPairs(one, 6, 6, 0, 6);
  ASSERT_EQ(found.pairs.size(), 6u);
  for (const WeightedPair& pair : found.pairs) EXPECT_EQ(pair.query, 0);
}

}  // namespace
}  // namespace attn
