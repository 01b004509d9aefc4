#include "core/measures/difference.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/attention/visibility.h"
#include "core/evaluate.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

Scene scene(std::uint64_t seed, Index keyWidth = 3) {
  return narrow(randomScene({2, 4, 5, keyWidth, 2}, seed));
}

TEST(Difference, IsBMinusAInEveryStage) {
  const Results a = evaluate(scene(1), Wanted::everything()), b = evaluate(scene(50), Wanted::everything());
  Results difference;
  takeDifference(a, b, difference);
  for (Index i = 0; i < a.probs.size(); ++i) {
    EXPECT_EQ(difference.probs.data()[i], b.probs.data()[i] - a.probs.data()[i]);
    EXPECT_EQ(difference.d.scores.data()[i], b.d.scores.data()[i] - a.d.scores.data()[i]);
    EXPECT_EQ(difference.rawScores.data()[i], b.rawScores.data()[i] - a.rawScores.data()[i]);
  }
  EXPECT_EQ(difference.out(3, 1), b.out(3, 1) - a.out(3, 1));
  EXPECT_EQ(difference.d.k.at(1, 2, 1), b.d.k.at(1, 2, 1) - a.d.k.at(1, 2, 1));
  EXPECT_EQ(difference.measures.entropy.at(1, 2, 0),
            b.measures.entropy.at(1, 2, 0) - a.measures.entropy.at(1, 2, 0));
  EXPECT_EQ(difference.d.q.at(0, 1, 2), b.d.q.at(0, 1, 2) - a.d.q.at(0, 1, 2));
}

TEST(Difference, IsOfWhatBothHaveInOneShape) {
  const Results a = evaluate(scene(1, 3)),
                b = evaluate(scene(50, 7));  // another d_k: weights can be compared
  Results difference;
  takeDifference(a, b, difference);
  EXPECT_FALSE(difference.probs.empty());
  EXPECT_TRUE(difference.d.q.empty());
  const Results c = evaluate(narrow(randomScene({2, 4, 6, 3, 2}, 1)));
  takeDifference(a, c, difference);
  EXPECT_TRUE(difference.probs.empty());
  EXPECT_EQ(difference.out.rows(), 4);
}

TEST(Difference, OfScoresIsInfiniteWhereOneMasksThePair) {
  Scene x = scene(1), y = scene(50);
  y.masks.emplace_back(CausalRule{});
  const Results a = evaluate(x, Wanted::everything()), b = evaluate(y, Wanted::everything());
  Results difference;
  takeDifference(a, b, difference);
  EXPECT_EQ(difference.scores.at(0, 0, 4), -INFINITY);
  EXPECT_EQ(difference.probs.at(0, 0, 4), -a.probs.at(0, 0, 4));
  x.masks = y.masks;
  takeDifference(evaluate(x, Wanted::everything()), b, difference);
  EXPECT_TRUE(std::isnan(difference.scores.at(0, 0, 4)));
  EXPECT_TRUE(std::isfinite(difference.scores.at(0, 3, 1)));
}

TEST(Difference, KnowsItsOperands) {
  const Results a = evaluate(scene(1)), b = evaluate(scene(50));
  Results difference;
  takeDifference(a, b, difference);
  const float* number = difference.probs.row(1, 2) + 3;
  EXPECT_EQ(sameNumber(difference, number, a), a.probs.row(1, 2) + 3);
  EXPECT_EQ(sameNumber(difference, number, b), b.probs.row(1, 2) + 3);
  EXPECT_EQ(sameNumber(difference, difference.out.data() + 5, a), a.out.data() + 5);
  const float elsewhere = 0;
  EXPECT_EQ(sameNumber(difference, &elsewhere, a), nullptr);
  const Results c = evaluate(narrow(randomScene({2, 4, 6, 3, 2}, 1)));
  EXPECT_EQ(sameNumber(b, b.probs.data(), c), nullptr);
}

TEST(Difference, HidesAPairThatBothHide) {
  Scene x = scene(1), y = scene(50);
  x.masks.emplace_back(PaddingLengthRule{3});
  y.masks.emplace_back(CausalRule{});
  PaintedRule painted;
  painted.mayAttend = {Bytes::Constant(4, 5, 1), Bytes::Zero(4, 5)};
  y.masks.emplace_back(painted);
  const Shapes shapes = shapesOf(x);
  Visibility a, b, both;
  a.build(x, shapes), b.build(y, shapes), both.unite(a, b, shapes);
  for (Index h = 0; h < 2; ++h)
    for (Index i = 0; i < 4; ++i)
      for (Index j = 0; j < 5; ++j) EXPECT_EQ(both.sees(h, i, j), a.sees(h, i, j) || b.sees(h, i, j));
}

}  // namespace
}  // namespace attn
