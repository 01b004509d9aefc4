#include "core/measures/score_distribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/evaluate.h"
#include "core/fill.h"

namespace attn {
namespace {

Scene randomScene(Index tokens, Index width, double queryMean, double keyMean) {
  Scene scene;
  scene.source.given.resize(1);
  auto& head = scene.source.given[0];
  head.q.values.resize(tokens, width), head.k.values.resize(tokens, width);
  head.v.values = Matrix::Ones(tokens, 2);
  head.q.fill = {Fill::Kind::normal, queryMean, 0.8, -1, 1, 7};
  head.k.fill = {Fill::Kind::normal, keyMean, 1.5, -1, 1, 8};
  refill(head.q), refill(head.k);
  return scene;
}

Wanted scaled() {
  Wanted wanted = Wanted::forwardOnly();
  wanted.scaledScores = true;
  return wanted;
}

Visibility visibilityOf(const Scene& scene) {
  Visibility visibility;
  visibility.build(scene, shapesOf(scene));
  return visibility;
}

TEST(ScoreDistribution, TheoryMeetsTheScoresOfRandomInputs) {
  for (const double mean : {0.0, 0.4}) {
    const Scene scene = randomScene(400, 64, mean, -mean / 2);
    const Results results = evaluate(scene, scaled());
    const Moments theory = predictedScores(scene, results, 0);
    const ScoreHistogram found = histogramOf(results.scaledScores[0], visibilityOf(scene), 0);
    const double deviation = std::sqrt(theory.variance);
    EXPECT_NEAR(found.moments.mean, theory.mean, 0.05 * deviation);
    EXPECT_NEAR(std::sqrt(found.moments.variance) / deviation, 1, 0.03);
  }
}

TEST(ScoreDistribution, TheoryByHand) {
  Scene scene = randomScene(2, 4, 0, 0);
  scene.source.given[0].q.values << 1, 3, 1, 3, 3, 1, 3, 1;  // mean 2, variance 1
  scene.source.given[0].k.values << 0, 4, 0, 4, 4, 0, 4, 0;  // mean 2, variance 4
  scene.scale.rule = Scale::Rule::none;
  const Results results = evaluate(scene, scaled());
  const Moments plain = predictedScores(scene, results, 0);
  EXPECT_DOUBLE_EQ(plain.mean, 4 * 2 * 2);
  EXPECT_DOUBLE_EQ(plain.variance, 4 * (1 * 4 + 1 * 4 + 4 * 4));
  scene.scale.rule = Scale::Rule::sqrtKeyWidth;
  scene.scale.temperature = 3;
  const Moments divided = predictedScores(scene, results, 0);
  EXPECT_NEAR(divided.mean, plain.mean / 6, 1e-12);
  EXPECT_NEAR(divided.variance, plain.variance / 36, 1e-12);
}

TEST(ScoreDistribution, QkNormPredictsCosines) {
  Scene scene = randomScene(400, 32, 0, 0);
  scene.scale.qkNormGain = 5;
  const Results results = evaluate(scene, scaled());
  const Moments theory = predictedScores(scene, results, 0);
  const ScoreHistogram found = histogramOf(results.scaledScores[0], visibilityOf(scene), 0);
  EXPECT_EQ(theory.mean, 0);
  EXPECT_NEAR(std::sqrt(found.moments.variance / theory.variance), 1, 0.03);
}

TEST(ScoreDistribution, CountsEveryVisibleScoreOnce) {
  Scene scene = randomScene(30, 8, 0, 0);
  scene.masks = {CausalRule{}};
  const Results results = evaluate(scene, scaled());
  const ScoreHistogram found = histogramOf(results.scaledScores[0], visibilityOf(scene), 0);
  EXPECT_EQ(found.count, 30 * 31 / 2);
  EXPECT_EQ(std::accumulate(found.counts.begin(), found.counts.end(), Index{0}), found.count);
  EXPECT_GT(found.counts.front(), 0);  // the ends of the range are scores themselves
  EXPECT_GT(found.counts.back(), 0);
}

TEST(ScoreDistribution, OddScoresAreCountedApart) {
  const Scene scene = randomScene(2, 2, 0, 0);
  Matrix scores(2, 2);
  scores << 1, NAN, INFINITY, 1;
  const ConstMatrixView<float> view(scores.data(), 2, 2);
  const ScoreHistogram found = histogramOf(view, visibilityOf(scene), 0);
  EXPECT_EQ(found.count, 2);
  EXPECT_EQ(found.nonFinite, 2);
  EXPECT_LT(found.low, 1);  // all alike: the range is widened
  EXPECT_GT(found.high, 1);
  Scene blind = scene;
  blind.masks = {PaddingLengthRule{0}};
  EXPECT_TRUE(histogramOf(view, visibilityOf(blind), 0).counts.empty());
}

TEST(ScoreDistribution, TheCurveHoldsAllDraws) {
  const Moments normal{1, 4};
  double sum = 0;
  for (double x = -15; x < 17; x += 0.01) sum += expectedInBin(normal, x, 0.01, 1000);
  EXPECT_NEAR(sum, 1000, 0.1);
  EXPECT_EQ(expectedInBin({1, 0}, 1, 0.1, 1000), 0);
}

}  // namespace
}  // namespace attn
