#include "core/labs/scaling_picture.h"

#include <gtest/gtest.h>

#include <cmath>

namespace attn {
namespace {

ScalingPicture completed(const ScalingLab& lab) {
  ScalingSweep sweep(setupOf(lab));
  sweep.advance(lab.trials);
  return pictureOf(sweep);
}

/// Of standard normal numbers, a trial's score variance is |q|²·χ²ₙ/n: mean d, and variance
/// (d² + 2d)(1 + 2/n) − d². Over the trials its mean errs by the root of that over their number.
TEST(ScalingPicture, TheVarianceOfTheScoresIsThatOfTheoryUnderEveryRule) {
  ScalingLab lab;
  lab.trials = 200;
  const ScalingPicture picture = completed(lab);
  const auto n = static_cast<double>(lab.keys);
  for (std::size_t w = 0; w < picture.setup.widths.size(); ++w) {
    const auto d = static_cast<double>(picture.setup.widths[w]);
    const double deviation =
        std::sqrt(((d * d + 2 * d) * (1 + 2 / n) - d * d) / static_cast<double>(lab.trials));
    const double divisors[] = {1, std::sqrt(d), d, lab.number};
    for (std::size_t rule = 0; rule < kScalingRules; ++rule) {
      const double square = divisors[rule] * divisors[rule];
      EXPECT_NEAR(picture.of(ScalingMeasure::scoreVariance, rule)[w].mean, d / square, 4 * deviation / square)
          << "d_k " << d << ", rule " << rule;
      EXPECT_NEAR(scaledVariance(picture.setup, picture.setup.widths[w], picture.setup.scales[rule]),
                  d / square, 1e-12 * d / square);
    }
  }
}

/// All products of all keys and trials are in the histogram. Their mean is d μ²: the n products of a trial
/// share a query, so over the trials it errs by √(dσ²(σ²/n + μ²(1 + 1/n)) / trials).
TEST(ScalingPicture, TheHistogramHoldsEveryProduct) {
  ScalingLab lab;
  lab.mean = 0.6, lab.deviation = 0.8, lab.trials = 300, lab.keys = 32;
  const ScalingPicture picture = completed(lab);
  const double n = 32, mu = lab.mean * lab.mean, sigma = lab.deviation * lab.deviation;
  for (std::size_t w = 0; w < picture.setup.widths.size(); ++w) {
    const auto d = static_cast<double>(picture.setup.widths[w]);
    const ScoreHistogram& histogram = picture.histograms[w];
    EXPECT_EQ(histogram.count, lab.trials * lab.keys);
    Index inBins = 0;
    for (const Index count : histogram.counts) inBins += count;
    EXPECT_EQ(inBins, histogram.count);
    const double deviation = std::sqrt(d * sigma * (sigma / n + mu * (1 + 1 / n)) / 300);
    EXPECT_NEAR(histogram.moments.mean, d * mu, 4 * deviation) << "d_k " << d;
  }
}

/// n² scores of n queries and n keys. The squares of two that share a query (or a key) have the covariance
/// Var |q|² = 2d, those of one have Var = 2d² + 6d: so the mean square errs by √((2d² + 6d + 4d(n − 1))/n²).
TEST(ScalingPicture, TheSceneIsDrawnInTheSameWay) {
  ScalingLab lab;
  lab.rule = ScalingLab::Rule::none;
  for (const Index width : {1, 64, 1024}) {
    lab.keyWidth = width;
    const Scene scene = sceneOf(lab);
    check(scene);
    const auto& head = scene.source.given[0];
    const Eigen::MatrixXd q = head.q.values.cast<double>(), k = head.k.values.cast<double>();
    const double square = (q * k.transpose()).array().square().mean();
    const auto d = static_cast<double>(width);
    EXPECT_NEAR(square, d, 4 * std::sqrt((2 * d * d + 6 * d + 4 * d * 63) / 4096)) << width;
  }
  lab.mean = 1, lab.deviation = 0.5;
  const Matrix q = sceneOf(lab).source.given[0].q.values;
  EXPECT_NEAR(q.cast<double>().mean(), 1, 4 * 0.5 / std::sqrt(static_cast<double>(q.size())));
  EXPECT_EQ(sceneOf(lab).scale.rule, Scale::Rule::none);
}

TEST(ScalingPicture, OnlyWhatIsDrawnAsksForAnotherSweep) {
  const ScalingLab lab;
  ScalingLab other = lab;
  other.keyWidth = 8, other.rule = ScalingLab::Rule::none;
  EXPECT_TRUE(needsSameSweep(lab, other));
  other.number = 9;
  EXPECT_FALSE(needsSameSweep(lab, other));
}

}  // namespace
}  // namespace attn
