#include "core/fill.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"

namespace attn {
namespace {

/// The known answers of Philox 4×32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3").
TEST(Random, PhiloxKnownAnswers) {
  const std::array<std::uint32_t, 4> zeros = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  EXPECT_EQ(Random(0).block(0), zeros);
}

TEST(Random, NumbersStayTheSameForever) {
  // Saved scenes keep seeds, not numbers: a generator that drew others would change them all.
  const Random random(42);
  const float pinned[] = {-0.970189691f, 0.19401893f, -1.23562074f, 1.92392659f};
  for (std::uint64_t i = 0; i < 4; ++i) EXPECT_EQ(random.normal(i), pinned[i]);
  EXPECT_EQ(random.uniform(0), 0.612959921f);
  EXPECT_EQ(Random(7).normal(1000003), 0.749042928f);
  EXPECT_NE(random.normal(0), Random(43).normal(0));
}

TEST(Random, NormalMoments) {
  const Random random(1);
  const int count = 1000000;
  double sums[5] = {};
  int beyondTwo = 0;
  for (int i = 0; i < count; ++i) {
    const double x = random.normal(static_cast<std::uint64_t>(i));
    for (int k = 1; k <= 4; ++k) sums[k] += std::pow(x, k);
    beyondTwo += std::abs(x) > 2;
  }
  const double n = count;
  EXPECT_NEAR(sums[1] / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(sums[2] / n, 1, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(sums[3] / n, 0, 5 * std::sqrt(15 / n));
  EXPECT_NEAR(sums[4] / n, 3, 5 * std::sqrt(96 / n));
  EXPECT_NEAR(beyondTwo / n, std::erfc(std::sqrt(2.0)), 0.001);
}

/// Box–Muller against the library's functions: the series are right to a few ulp.
TEST(Random, NormalsAreTheBoxMullerTransform) {
  const Random random(9);
  for (std::uint64_t block = 0; block < 20000; ++block) {
    const auto words = random.block(block);
    const double u = (static_cast<double>(words[0] >> 8) + 1) / 16777216.0;
    const double radius = std::sqrt(-2 * std::log(u)), angle = 2 * M_PI * words[1] / 4294967296.0;
    EXPECT_NEAR(random.normal(4 * block), radius * std::cos(angle), 1e-6);
    EXPECT_NEAR(random.normal(4 * block + 1), radius * std::sin(angle), 1e-6);
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
  EXPECT_NEAR(sum / count, 0.5, 5 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 0.002);
}

TEST(Fill, NormalHasItsMeanAndDeviation) {
  const MatrixOf<double> m =
      filled({.kind = Fill::Kind::normal, .mean = 3, .deviation = 0.5, .seed = 4}, 300, 300);
  EXPECT_NEAR(m.mean(), 3, 0.01);
  EXPECT_NEAR(std::sqrt((m.array() - 3).square().mean()), 0.5, 0.01);
}

TEST(Fill, UniformStaysInItsRange) {
  const MatrixOf<double> m = filled({.kind = Fill::Kind::uniform, .low = -2, .high = 5, .seed = 4}, 100, 100);
  EXPECT_GT(m.minCoeff(), -2);
  EXPECT_LE(m.maxCoeff(), 5);
  EXPECT_NEAR(m.mean(), 1.5, 0.1);
}

TEST(Fill, OrthonormalRowsOrColumns) {
  const Fill fill = {.kind = Fill::Kind::orthonormal, .seed = 4};
  const MatrixOf<double> wide = filled(fill, 5, 9), tall = filled(fill, 9, 5), square = filled(fill, 64, 64);
  EXPECT_LE((wide * wide.transpose() - MatrixOf<double>::Identity(5, 5)).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE((tall.transpose() * tall - MatrixOf<double>::Identity(5, 5)).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE((square * square.transpose() - MatrixOf<double>::Identity(64, 64)).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(Fill, IdentityAndTyped) {
  EXPECT_EQ(filled({.kind = Fill::Kind::identity}, 2, 3),
            (MatrixOf<double>(2, 3) << 1, 0, 0, 0, 1, 0).finished());
  InputOf<double> typed = {MatrixOf<double>::Constant(1, 1, 7), {}};
  refill(typed);
  EXPECT_EQ(typed.values(0, 0), 7);
}

}  // namespace
}  // namespace attn
