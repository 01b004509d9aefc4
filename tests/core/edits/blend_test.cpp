#include "core/edits/blend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/attention/scale.h"
#include "core/evaluate.h"
#include "core/same_scene.h"
#include "tests/core/edits/random_scene.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

Scene given(std::uint64_t seed) {
  return narrow(randomScene({2, 4, 5, 3, 2}, seed));
}

TEST(Blend, TheEndsAreTheScenesThemselves) {
  const Scene a = given(1), b = given(50);
  EXPECT_TRUE(sameScene(blend(a, b, 0), a));
  EXPECT_TRUE(sameScene(blend(a, b, 1), b));
}

TEST(Blend, NumbersGoStraight) {
  Scene a = given(1), b = given(50);
  a.scale.temperature = 1, b.scale.temperature = 3;
  a.cap = 10, b.cap = 20;
  a.normaliser.logit = -1, b.normaliser.logit = 1;
  a.saturationThreshold = 0.5, b.saturationThreshold = 0.9;
  const Scene between = blend(a, b, 0.25);
  for (std::size_t h = 0; h < 2; ++h)
    for (Index i = 0; i < 4 * 3; ++i) {
      const float x = a.source.given[h].q.values.data()[i], y = b.source.given[h].q.values.data()[i];
      EXPECT_NEAR(between.source.given[h].q.values.data()[i], 0.75f * x + 0.25f * y, 1e-6f);
    }
  EXPECT_DOUBLE_EQ(between.scale.temperature, 1.5);
  EXPECT_DOUBLE_EQ(*between.cap, 12.5);
  EXPECT_DOUBLE_EQ(between.normaliser.logit, -0.5);
  EXPECT_DOUBLE_EQ(between.saturationThreshold, 0.6);
}

TEST(Blend, ProjectionsAndWhatTheyProjectGoOver) {
  const Scene a = narrow(projectedScene(2, 3, 4, true, 1)), b = narrow(projectedScene(2, 3, 4, true, 90));
  const Scene half = blend(a, b, 0.5);
  const auto middle = [](const Matrix& x, const Matrix& y) { return Matrix((x + y) / 2); };
  EXPECT_TRUE(half.source.x.values.isApprox(middle(a.source.x.values, b.source.x.values)));
  EXPECT_TRUE(half.source.other->values.isApprox(middle(a.source.other->values, b.source.other->values)));
  EXPECT_TRUE(half.source.projected[1].wk.values.isApprox(
      middle(a.source.projected[1].wk.values, b.source.projected[1].wk.values)));
  EXPECT_TRUE(half.source.wo->values.isApprox(middle(a.source.wo->values, b.source.wo->values)));
  EXPECT_NO_THROW(check(half));
}

TEST(Blend, AnotherRuleIsAnotherDivisor) {
  Scene a = given(1), b = given(1);
  a.scale.rule = Scale::Rule::none, b.scale.rule = Scale::Rule::keyWidth;
  EXPECT_DOUBLE_EQ(divisorOf(blend(a, b, 0.5).scale, 3), 2);
}

TEST(Blend, NoAlibiIsOneOfSlopeZeroAndNoBiasOneOfZeros) {
  Scene a = given(1), b = given(1);
  b.alibi = Alibi{{1, 0.5}};
  b.bias.push_back({Matrix::Constant(4, 5, 2), {}});
  const Scene half = blend(a, b, 0.5);
  EXPECT_EQ(half.alibi->slopes, (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(half.bias[0].values(3, 4), 1);
  EXPECT_NO_THROW(check(half));
}

TEST(Blend, WhatIsNoNumberSwitchesInTheMiddleAndIsNamed) {
  Scene a = given(1), b = given(1);
  b.masks.emplace_back(CausalRule{});
  b.normaliser.kind = Normaliser::Kind::sparsemax;
  b.cap = 5;
  EXPECT_TRUE(blend(a, b, 0.49).masks.empty());
  EXPECT_EQ(blend(a, b, 0.51).masks.size(), 1u);
  EXPECT_FALSE(blend(a, b, 0.49).cap.has_value());
  EXPECT_EQ(blend(a, b, 0.51).normaliser.kind, Normaliser::Kind::sparsemax);
  EXPECT_EQ(whatSwitches(a, b), "masks, normaliser, cap");
  EXPECT_EQ(whatSwitches(a, a), "");
}

TEST(Blend, AnInfinityOrANaNSwitchesAlone) {
  const float inf = std::numeric_limits<float>::infinity();
  Scene a = given(1), b = given(50);
  b.bias.push_back({Matrix::Zero(4, 5), {}});
  b.bias[0].values(1, 2) = -inf;
  b.bias[0].values(0, 0) = 4;
  EXPECT_EQ(blend(a, b, 0.25).bias[0].values(1, 2), 0);
  EXPECT_EQ(blend(a, b, 0.75).bias[0].values(1, 2), -inf);
  EXPECT_EQ(blend(a, b, 0.25).bias[0].values(0, 0), 1);
  a.source.given[0].q.values(0, 0) = std::nanf("");
  EXPECT_TRUE(std::isnan(blend(a, b, 0.25).source.given[0].q.values(0, 0)));
  EXPECT_FALSE(std::isnan(blend(a, b, 0.75).source.given[0].q.values(0, 0)));
}

TEST(Blend, MatricesThatAreNoFillAnyMoreDoNotSayThatTheyAre) {
  Scene a = given(1), b = given(1);
  a.source.given[0].q.fill = b.source.given[0].q.fill = {.kind = Fill::Kind::normal, .seed = 4};
  EXPECT_EQ(blend(a, b, 0.5).source.given[0].q.fill.kind, Fill::Kind::normal);  // the same numbers
  b.source.given[0].q.values(0, 0) += 1;
  EXPECT_EQ(blend(a, b, 0.5).source.given[0].q.fill.kind, Fill::Kind::typed);
}

TEST(Blend, SaysWhyNothingLiesBetween) {
  const Scene a = given(1);
  EXPECT_EQ(whyNotBlendable(a, given(9)), "");
  EXPECT_EQ(whyNotBlendable(a, narrow(randomScene({2, 4, 6, 3, 2}, 1))), "A has 5 keys, B has 6");
  EXPECT_EQ(whyNotBlendable(narrow(randomScene({1, 4, 5, 3, 2}, 1)), a), "A has 1 head, B has 2");
  const Scene x = narrow(projectedScene(2, 4, 4, false, 1));
  EXPECT_EQ(whyNotBlendable(a, x), "A gives Q, K and V themselves, B projects them from X");
  EXPECT_EQ(whyNotBlendable(x, a), "B gives Q, K and V themselves, A projects them from X");
  Scene y = x;
  y.source.wo.reset();
  EXPECT_NE(whyNotBlendable(x, y), "");
}

TEST(Blend, WhateverIsBlendableFitsTogether) {
  int blendable = 0;
  for (std::uint64_t seed = 1; seed < 400; ++seed) {
    Dice dice(seed);
    const auto kind = static_cast<AnySource>(dice.below(3));
    const Scene a = anyScene(dice, kind);
    const Scene other = anyScene(dice, kind);
    Scene b = other;
    if (dice.oneIn(2)) {
      b = a;
      b.scale = other.scale, b.cap = other.cap, b.normaliser = other.normaliser;
      b.masks.clear(), b.bias.clear(), b.alibi.reset();
    }
    if (!whyNotBlendable(a, b).empty()) continue;
    for (const double share : {0.1, 0.5, 0.9}) {
      Scene between;
      ASSERT_NO_THROW(check(between = blend(a, b, share))) << seed;
      ASSERT_EQ(shapesOf(between), shapesOf(a)) << seed;
    }
    ++blendable;
  }
  EXPECT_GT(blendable, 20);
}

}  // namespace
}  // namespace attn
