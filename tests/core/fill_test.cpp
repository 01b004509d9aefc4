#include "core/fill.h"

#include <gtest/gtest.h>

#include <cmath>

namespace attn {
namespace {

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
