#include "core/labs/cost_curves.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/evaluate.h"

namespace attn {
namespace {

/// Counts by doing: every loop of a textbook's multi-head attention, with nothing in it but the counting.
struct Counter {
  std::uint64_t multiplications = 0, others = 0;

  void product(Index rows, Index cols, Index depth) {
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j)
        for (Index k = 0; k < depth; ++k) {
          ++multiplications;
          if (k > 0) ++others;  // an addition to what is there already
        }
  }
  std::uint64_t total() const { return multiplications + others; }
};

Counter projectionsOf(const CostLab& lab) {
  Counter counter;
  const Index headWidth = lab.modelWidth / lab.heads;
  for (Index head = 0; head < lab.heads; ++head) {
    counter.product(lab.queries, headWidth, lab.modelWidth);
    counter.product(lab.keys, headWidth, lab.modelWidth);
    counter.product(lab.keys, headWidth, lab.modelWidth);
  }
  counter.product(lab.queries, lab.modelWidth, lab.modelWidth);
  return counter;
}

/// Scaling, the largest and subtracting it, exponentials, their sum, the ratios.
std::uint64_t softmaxOf(const CostLab& lab) {
  std::uint64_t count = 0;
  for (Index head = 0; head < lab.heads; ++head)
    for (Index i = 0; i < lab.queries; ++i)
      for (Index j = 0; j < lab.keys; ++j) count += 1 + (j > 0) + 1 + 1 + (j > 0) + 1;
  return count;
}

TEST(CostCurves, CountsAreThoseOfTheLoops) {
  for (const CostLab& lab : {CostLab{.queries = 5, .keys = 5, .modelWidth = 12, .heads = 3},
                             CostLab{.queries = 3, .keys = 7, .modelWidth = 8, .heads = 2},
                             CostLab{.queries = 1, .keys = 1, .modelWidth = 1, .heads = 1}}) {
    const CostShares shares = sharesOf(lab);
    EXPECT_EQ(shares.projections, static_cast<double>(projectionsOf(lab).total()));
    Counter scores, mix;
    for (Index head = 0; head < lab.heads; ++head) {
      scores.product(lab.queries, lab.keys, lab.modelWidth / lab.heads);
      mix.product(lab.queries, lab.modelWidth / lab.heads, lab.keys);
    }
    EXPECT_EQ(shares.scores, static_cast<double>(scores.total()));
    EXPECT_EQ(shares.mix, static_cast<double>(mix.total()));
    EXPECT_EQ(shares.softmax, static_cast<double>(softmaxOf(lab)));
  }
}

/// By trying every length and every width in turn.
TEST(CostCurves, TheCrossoverIsWhereASearchFindsIt) {
  for (const Index width : {16, 64}) {
    CostLab lab{.queries = 10, .keys = 10, .modelWidth = width, .heads = 4};
    Index n = 1;
    const auto isAttention = [](const CostLab& there) {
      const CostShares shares = sharesOf(there);
      return shares.attention() >= shares.projections;
    };
    while (!isAttention(resized(lab, CostLab::Over::length, n))) ++n;
    EXPECT_EQ(lengthOfCrossover(lab), n);
    EXPECT_LT(n, 2 * width);  // softmax counts, too
    EXPECT_GT(n, width);
    lab.queries = lab.keys = 100;
    Index most = lab.heads;
    while (isAttention(resized(lab, CostLab::Over::modelWidth, most + lab.heads))) most += lab.heads;
    EXPECT_EQ(widthOfCrossover(lab), most);
  }
}

/// Of products alone, 4nd² of the projections meet 2n²d of attention at n = 2d.
TEST(CostCurves, ForWideModelsTheCrossoverIsAtTwiceTheWidth) {
  const CostLab lab{.queries = 1, .keys = 1, .modelWidth = 8192, .heads = 4};
  EXPECT_NEAR(static_cast<double>(lengthOfCrossover(lab)) / 8192, 2, 0.01);
}

TEST(CostCurves, TheSceneHasTheShapesThatAreCounted) {
  for (const Index keys : {6, 9}) {
    const CostLab lab{.queries = 6, .keys = keys, .modelWidth = 8, .heads = 2};
    const Scene scene = sceneOf(lab);
    check(scene);
    EXPECT_EQ(totalOf(forwardCost(scene)), totalOf(costOf(lab)));
    const CostTiming timing = timed(lab, 6);
    EXPECT_GT(timing.seconds, 0);
    EXPECT_LT(timing.seconds, 1);
  }
}

TEST(CostCurves, WhatIsTooLargeIsNotTimedOrShown) {
  CostLab lab{.queries = 4096, .keys = 4096, .modelWidth = 16, .heads = 1};
  EXPECT_TRUE(canBeTimed(lab) && canBeShown(lab));
  lab.heads = 2;  // twice the weights
  EXPECT_TRUE(canBeTimed(lab));
  EXPECT_FALSE(canBeShown(lab));
  lab.modelWidth = 4096;  // four matrices of 16 million numbers
  EXPECT_FALSE(canBeTimed(lab));
}

TEST(CostCurves, ThePaceIsTheMedian) {
  EXPECT_DOUBLE_EQ(paceOf({{1, 10, 10}, {2, 10, 30}, {3, 10, 1000}}), 3);
  EXPECT_EQ(paceOf({}), 0);
}

}  // namespace
}  // namespace attn
