#include "core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "core/kernels/kernels.h"

namespace attn {
namespace {

// Every bound below is this many standard deviations of what it bounds: a sound generator passes, and the
// numbers of a seed never change.
constexpr double kDeviations = 5;

std::vector<float> normals(std::uint64_t seed, std::size_t count) {
  std::vector<float> drawn(count);
  bestKernels().normals(seed, 0, drawn.data(), static_cast<Index>(count));
  return drawn;
}

/// The known answers of Philox 4×32-7 (the authors' own, in Random123).
TEST(Random, PhiloxKnownAnswers) {
  const std::array<std::uint32_t, 4> zeros = {0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48};
  EXPECT_EQ(Random(0).block(0), zeros);
}

TEST(Random, NumbersStayTheSameForever) {
  // Saved scenes keep seeds, not numbers: a generator that drew others would change them all.
  const Random random(42);
  EXPECT_EQ(random.normal(0), 0.261810422f);
  EXPECT_EQ(random.normal(1), -0.313106716f);
  EXPECT_EQ(random.normal(16), -1.02162778f);
  EXPECT_EQ(random.normal(40), 0.393679678f);
  EXPECT_EQ(random.uniform(0), 0.573421597f);
  EXPECT_EQ(Random(7).normal(1000003), -1.13760459f);
  EXPECT_NE(random.normal(0), Random(43).normal(0));
}

/// Every bit of seed and position turns every bit of the block in half of the cases.
TEST(Random, EveryBitOfABlockHangsOnEveryBit) {
  constexpr int kTrials = 2000;
  for (int bit = 0; bit < 128; ++bit) {
    int turned[128] = {};
    const std::uint64_t one = std::uint64_t{1} << (bit % 64);
    for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
      const std::uint64_t seed = 3 * trial, position = 1000 + trial;
      const auto before = Random(seed).block(position);
      const auto after = bit < 64 ? Random(seed ^ one).block(position) : Random(seed).block(position ^ one);
      for (std::size_t i = 0; i < 128; ++i)
        turned[i] += static_cast<int>((before[i / 32] ^ after[i / 32]) >> (i % 32) & 1u);
    }
    for (const int count : turned)  // the largest of 128·128 deviations: one more than elsewhere
      ASSERT_NEAR(count, kTrials / 2, (kDeviations + 1) * std::sqrt(kTrials) / 2) << "bit " << bit;
  }
}

/// Box–Muller against the library's functions: the polynomials are right to a few ulp.
TEST(Random, NormalsAreTheBoxMullerTransform) {
  const Random random(9);
  double largest = 0;
  for (std::uint64_t block = 0; block < 20000; ++block) {
    const auto words = random.block(block);
    for (const std::size_t pair : {0u, 2u}) {
      const double u = (static_cast<float>(words[pair] >> 1) + 0.5f) * 0x1p-31;
      const double angle = static_cast<double>(static_cast<std::int32_t>(words[pair + 1] << 2)) * 0x1p-31;
      const double side = words[pair + 1] >> 31 ? -1 : 1, radius = std::sqrt(-2 * std::log(u));
      double first = side * radius * std::cos(angle * M_PI / 4), second = radius * std::sin(angle * M_PI / 4);
      if (words[pair + 1] >> 30 & 1u) std::swap(first, second);
      const std::uint64_t at = block / 16 * 64 + block % 16 + 16 * pair;
      largest = std::max(largest, std::abs(random.normal(at) - first));
      largest = std::max(largest, std::abs(random.normal(at + 16) - second));
    }
  }
  EXPECT_LE(largest, 1e-6);
}

TEST(Random, MomentsOfNormals) {
  const std::vector<float> drawn = normals(1, 1 << 24);
  const auto n = static_cast<double>(drawn.size());
  double sums[5] = {};
  for (const double x : drawn) {
    const double x2 = x * x;
    sums[1] += x, sums[2] += x2, sums[3] += x2 * x, sums[4] += x2 * x2;
  }
  EXPECT_NEAR(sums[1] / n, 0, kDeviations / std::sqrt(n));
  EXPECT_NEAR(sums[2] / n, 1, kDeviations * std::sqrt(2 / n));
  EXPECT_NEAR(sums[3] / n, 0, kDeviations * std::sqrt(15 / n));
  EXPECT_NEAR(sums[4] / n, 3, kDeviations * std::sqrt(96 / n));
}

/// How many lie beyond ±1, ±1.5 … ±5: a generator with too few digits near 0 has a ragged tail.
TEST(Random, TailsOfNormals) {
  double beyond[2][11] = {};
  constexpr int kSeeds = 8;
  constexpr std::size_t kEach = 1 << 23;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    for (const float x : normals(100 + seed, kEach))
      for (int k = 2; k <= 10 && std::abs(x) > 0.5f * static_cast<float>(k); ++k) ++beyond[x > 0][k];
  for (const auto& side : beyond)
    for (int k = 2; k <= 10; ++k) {
      const double share = std::erfc(0.5 * k / std::sqrt(2)) / 2, expected = share * kSeeds * kEach;
      EXPECT_NEAR(side[k], expected, kDeviations * std::sqrt(expected * (1 - share))) << 0.5 * k;
    }
}

/// Kolmogorov and Smirnov: no share of the numbers below any x is far from the true one.
TEST(Random, DistributionOfNormals) {
  std::vector<float> drawn = normals(5, 1 << 22);
  std::sort(drawn.begin(), drawn.end());
  const auto n = static_cast<double>(drawn.size());
  double distance = 0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const double share = std::erfc(-static_cast<double>(drawn[i]) / std::sqrt(2)) / 2;
    const auto rank = static_cast<double>(i);
    distance = std::max({distance, share - rank / n, (rank + 1) / n - share});
  }
  EXPECT_LE(std::sqrt(n) * distance, 1.95);  // one sound generator in a thousand would exceed it
}

/// The correlation of x with y, and of their squares: the two coordinates of a point share a radius.
void expectIndependent(const float* x, const float* y, std::size_t count, const std::string& of) {
  double products = 0, ofSquares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double a = x[i], b = y[i];
    products += a * b, ofSquares += (a * a - 1) * (b * b - 1);
  }
  const auto n = static_cast<double>(count);
  EXPECT_NEAR(products / n, 0, kDeviations / std::sqrt(n)) << of;
  EXPECT_NEAR(ofSquares / n, 0, kDeviations * 2 / std::sqrt(n)) << of;
}

TEST(Random, NeighboursAreIndependent) {
  const std::vector<float> drawn = normals(6, 1 << 21);
  for (std::size_t lag = 1; lag <= 130; ++lag)
    expectIndependent(drawn.data(), drawn.data() + lag, drawn.size() - lag, "lag " + std::to_string(lag));
}

TEST(Random, SeedsAreIndependent) {
  constexpr std::size_t kCount = 1 << 21;
  const std::vector<float> drawn = normals(1, kCount);
  for (int bit = 0; bit < 64; ++bit) {
    const std::uint64_t other = 1 ^ (std::uint64_t{1} << bit);
    expectIndependent(drawn.data(), normals(other, kCount).data(), kCount, "seed " + std::to_string(other));
  }
}

TEST(Random, UniformMoments) {
  const Random random(2);
  const int count = 1000000;
  double sum = 0, squares = 0;
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform(static_cast<std::uint64_t>(i));
    ASSERT_GT(x, 0);
    ASSERT_LE(x, 1);
    sum += x, squares += x * x;
  }
  EXPECT_NEAR(sum / count, 0.5, kDeviations * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(squares / count, 1.0 / 3, kDeviations * std::sqrt(4.0 / 45 / count));
}

}  // namespace
}  // namespace attn
