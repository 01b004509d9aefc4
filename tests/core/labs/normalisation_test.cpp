#include "core/labs/normalisation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/evaluate.h"

namespace attn {
namespace {

constexpr double kGain = 1.75, kShift = -0.5;

/// As a textbook writes it: plain loops over one vector.
double normalised(const std::vector<double>& x, std::size_t at, double epsilon) {
  double mean = 0, variance = 0;
  for (const double value : x) mean += value / static_cast<double>(x.size());
  for (const double value : x) variance += (value - mean) * (value - mean) / static_cast<double>(x.size());
  return kGain * (x[at] - mean) / std::sqrt(variance + epsilon) + kShift;
}

TEST(Normalisation, LayerNormGoesByRowsAndBatchNormByColumns) {
  const NormLab lab;
  const Batch x = batchOf(lab);
  for (const double epsilon : {0.0, 0.3}) {
    const Batch layer = layerNorm(x, kGain, kShift, epsilon), batch = batchNorm(x, kGain, kShift, epsilon);
    for (Index i = 0; i < x.rows(); ++i)
      for (Index j = 0; j < x.cols(); ++j) {
        std::vector<double> row, col;
        for (Index k = 0; k < x.cols(); ++k) row.push_back(x(i, k));
        for (Index k = 0; k < x.rows(); ++k) col.push_back(x(k, j));
        EXPECT_NEAR(layer(i, j), normalised(row, static_cast<std::size_t>(j), epsilon), 1e-12);
        EXPECT_NEAR(batch(i, j), normalised(col, static_cast<std::size_t>(i), epsilon), 1e-12);
      }
  }
}

TEST(Normalisation, TheLengthIsThatOfTheLaw) {
  NormLab lab;
  for (lab.width = 3; lab.width <= 12; ++lab.width)
    for (const double epsilon : {0.0, 1e-5, 0.7, 10.0}) {
      const Batch x = batchOf(lab), y = layerNorm(x, kGain, kShift, epsilon);
      for (Index i = 0; i < x.rows(); ++i) {
        EXPECT_NEAR(lengthAround(y, i, kShift), predictedLength(x, i, kGain, epsilon), 1e-12);
        if (epsilon == 0)
          EXPECT_NEAR(lengthAround(y, i, kShift), kGain * std::sqrt(static_cast<double>(lab.width)), 1e-12);
        else
          EXPECT_LT(lengthAround(y, i, kShift), kGain * std::sqrt(static_cast<double>(lab.width)));
      }
    }
}

/// Central differences err by h²/6 of the third derivative, here far below 1e-7.
TEST(Normalisation, TheJacobiansAreTheSlopesThatDifferencesShow) {
  const NormLab lab;
  constexpr double h = 1e-5;
  for (const double epsilon : {0.0, 0.3})
    for (Index i = 0; i < lab.batch; ++i)
      for (Index j = 0; j < lab.width; ++j) {
        Batch more = batchOf(lab), less = more;
        more(i, j) += h, less(i, j) -= h;
        const Batch x = batchOf(lab);
        const Batch layer =
            (layerNorm(more, kGain, 0, epsilon) - layerNorm(less, kGain, 0, epsilon)) / (2 * h);
        const Batch batch =
            (batchNorm(more, kGain, 0, epsilon) - batchNorm(less, kGain, 0, epsilon)) / (2 * h);
        EXPECT_LT((layer - layerNormJacobian(x, i, j, kGain, epsilon)).cwiseAbs().maxCoeff(), 1e-7);
        EXPECT_LT((batch - batchNormJacobian(x, i, j, kGain, epsilon)).cwiseAbs().maxCoeff(), 1e-7);
      }
}

/// Which y depend on x_ij: its row with layer norm, its column with batch norm, and nothing else.
TEST(Normalisation, OnlyARowOrAColumnMoves) {
  NormLab lab;
  const Batch before = batchOf(lab);
  lab.change = 0.8;
  const Batch after = batchOf(lab);
  EXPECT_EQ((before.array() != after.array()).count(), 1);
  const Batch layer = layerNorm(after, 1, 0, 0) - layerNorm(before, 1, 0, 0);
  const Batch batch = batchNorm(after, 1, 0, 0) - batchNorm(before, 1, 0, 0);
  for (Index i = 0; i < lab.batch; ++i)
    for (Index j = 0; j < lab.width; ++j) {
      EXPECT_EQ(layer(i, j) != 0, i == lab.row) << i << ", " << j;
      EXPECT_EQ(batch(i, j) != 0, j == lab.col) << i << ", " << j;
    }
}

TEST(Normalisation, TheSceneHoldsTheNormalisedVectors) {
  NormLab lab;
  lab.change = 2;
  const Scene scene = sceneOf(lab);
  check(scene);
  const Batch y = layerNorm(batchOf(lab), lab.gain, lab.shift, lab.epsilon);
  EXPECT_TRUE(scene.source.given[0].k.values.isApprox(y.cast<float>()));
  EXPECT_EQ(evaluate(scene).shapes.keys, lab.batch);
}

}  // namespace
}  // namespace attn
