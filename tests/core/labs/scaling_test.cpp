#include "core/labs/scaling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/evaluate.h"

namespace attn {
namespace {

using Measure = ScalingMeasure;
constexpr std::size_t kNone = 0, kRoot = 1, kWidth = 2;  // scales of the default setup

ScalingSetup setupOf(std::vector<Index> widths, Index trials, double mean = 0, double deviation = 1) {
  ScalingSetup setup = defaultScaling();
  setup.widths = std::move(widths), setup.trials = trials, setup.mean = mean, setup.deviation = deviation;
  return setup;
}

ScalingSweep complete(ScalingSetup setup, int threads = 1) {
  ScalingSweep sweep(std::move(setup), threads);
  sweep.advance(sweep.setup().trials);
  return sweep;
}

struct Estimate {
  double mean = 0, error = 0;  // the standard error of the mean
};

/// Trials are independent, keys of a trial are not: the error follows from how the trials' means differ.
template <class Of>
Estimate overTrials(const ScalingSweep& sweep, std::size_t width, const Of& of) {
  const Index keys = sweep.setup().keys, trials = sweep.done();
  double sum = 0, squares = 0;
  for (Index t = 0; t < trials; ++t) {
    double mean = 0;
    for (Index j = 0; j < keys; ++j)
      mean += of(static_cast<double>(sweep.dotProducts(width)[static_cast<std::size_t>(t * keys + j)]));
    mean /= static_cast<double>(keys);
    sum += mean, squares += mean * mean;
  }
  const double n = static_cast<double>(trials), mean = sum / n;
  return {mean, std::sqrt((squares / n - mean * mean) / n)};
}

TEST(Scaling, DotProductsHaveTheMeanAndVarianceOfTheory) {
  for (const auto& [mean, deviation] : {std::pair{0.0, 1.0}, {0.5, 1.0}, {-0.3, 0.2}, {1.0, 2.0}}) {
    const ScalingSweep sweep = complete(setupOf({1, 3, 64, 500}, 2000, mean, deviation));
    for (std::size_t w = 0; w < sweep.setup().widths.size(); ++w) {
      const Index width = sweep.setup().widths[w];
      const double expected = dotProductMean(sweep.setup(), width);
      const double variance = dotProductVariance(sweep.setup(), width);
      const Estimate found = overTrials(sweep, w, [](double s) { return s; });
      const Estimate spread = overTrials(sweep, w, [&](double s) { return (s - expected) * (s - expected); });
      EXPECT_NEAR(found.mean, expected, 4.5 * found.error) << width;
      EXPECT_NEAR(spread.mean, variance, 4.5 * spread.error) << width;
      EXPECT_LT(spread.error, 0.2 * variance) << "too few trials to tell anything";
      EXPECT_NEAR(sweep.band(Measure::scoreVariance, w, kNone).mean, spread.mean, 1e-4 * spread.mean);
      EXPECT_NEAR(sweep.band(Measure::scoreVariance, w, kRoot).mean * static_cast<double>(width), spread.mean,
                  1e-4 * spread.mean);
    }
  }
}

/// The same numbers through the whole pipeline, which shares none of the sweep's sums.
TEST(Scaling, EveryMeasureIsThatOfTheSceneItStandsFor) {
  ScalingSetup setup = setupOf({1, 2, 31, 64, 600}, 1, 0.1, 0.7);
  setup.keys = 21;
  setup.scales.push_back({.rule = Scale::Rule::number, .number = 3, .temperature = 1.5});
  const ScalingSweep sweep = complete(setup);
  for (std::size_t w = 0; w < setup.widths.size(); ++w)
    for (std::size_t r = 0; r < setup.scales.size(); ++r) {
      const Results results = evaluate(sceneOfTrial(setup, setup.widths[w], setup.scales[r], 0), Wanted());
      const auto expect = [&](Measure measure, double right) {
        EXPECT_NEAR(sweep.band(measure, w, r).mean, right, 2e-5 * std::abs(right) + 1e-7)
            << "d_k " << setup.widths[w] << ", scale " << r << ", measure " << static_cast<int>(measure);
      };
      expect(Measure::largestWeight, static_cast<double>(results.measures.largestWeight.at(0, 0, 0)));
      expect(Measure::entropy, static_cast<double>(results.measures.entropy.at(0, 0, 0)));
      expect(Measure::jacobianNorm, static_cast<double>(results.measures.jacobianNorm.at(0, 0, 0)));
      expect(Measure::queryGradient, results.norms.q.all);
      expect(Measure::keyGradient, results.norms.k.all);
    }
}

TEST(Scaling, WithoutAScaleSoftmaxSaturatesAndWithTheRootItDoesNot) {
  const ScalingSweep sweep = complete(setupOf({16, 4096}, 64));
  const auto mean = [&](Measure m, std::size_t width, std::size_t scale) {
    return sweep.band(m, width, scale).mean;
  };
  EXPECT_GT(mean(Measure::largestWeight, 1, kNone), 0.9);
  EXPECT_LT(mean(Measure::jacobianNorm, 1, kNone), 0.1);
  EXPECT_NEAR(mean(Measure::entropy, 1, kRoot), mean(Measure::entropy, 0, kRoot), 0.15);
  EXPECT_NEAR(mean(Measure::queryGradient, 1, kRoot), mean(Measure::queryGradient, 0, kRoot), 0.03);
  EXPECT_GT(mean(Measure::entropy, 1, kWidth), 0.999 * std::log(64.0));
}

TEST(Scaling, HowManyTrialsAtOnceAndByWhomChangesNothing) {
  const ScalingSetup setup = setupOf({5, 512, 1024}, 24, 0.2);
  const ScalingSweep atOnce = complete(setup), threaded = complete(setup, 2);
  ScalingSweep slowly(setup);
  for (const Index step : {1, 2, 8, 100}) slowly.advance(step);
  EXPECT_TRUE(slowly.isComplete());
  for (std::size_t w = 0; w < 3; ++w) {
    EXPECT_EQ(atOnce.dotProducts(w), slowly.dotProducts(w));
    EXPECT_EQ(atOnce.dotProducts(w), threaded.dotProducts(w));
    for (const Measure m : {Measure::entropy, Measure::queryGradient, Measure::keyGradient}) {
      EXPECT_EQ(atOnce.band(m, w, kRoot).mean, slowly.band(m, w, kRoot).mean);
      EXPECT_EQ(atOnce.band(m, w, kRoot).high, threaded.band(m, w, kRoot).high);
    }
  }
}

TEST(Scaling, BandsHoldFourOfFiveTrials) {
  const ScalingSweep sweep = complete(setupOf({64}, 200));
  const Band all = sweep.band(Measure::largestWeight, 0, kRoot);
  EXPECT_LT(all.low, all.mean);
  EXPECT_GT(all.high, all.mean);
  Index inside = 0;
  for (Index trial = 0; trial < 200; ++trial) {
    const Scene scene = sceneOfTrial(sweep.setup(), 64, sweep.setup().scales[kRoot], trial);
    const auto top = static_cast<double>(evaluate(scene, Wanted()).measures.largestWeight.at(0, 0, 0));
    inside += top >= all.low - 1e-6 && top <= all.high + 1e-6;
  }
  EXPECT_EQ(inside, 160);
}

TEST(Scaling, OtherSeedsAndTrialsDrawOtherNumbers) {
  ScalingSetup setup = setupOf({8}, 2), other = setup;
  other.seed = 2;
  const ScalingSweep one = complete(setup), two = complete(other);
  EXPECT_NE(one.dotProducts(0), two.dotProducts(0));
  EXPECT_NE(one.dotProducts(0)[0], one.dotProducts(0)[static_cast<std::size_t>(setup.keys)]);
}

TEST(Scaling, WhatCannotBeDrawnIsNamed) {
  const auto problem = [](auto change) {
    ScalingSetup setup = defaultScaling();
    change(setup);
    try {
      const ScalingSweep sweep(setup);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(problem([](ScalingSetup& s) { s.widths = {4, 0}; }), "d_k: found 0, expected 1 to 1048576");
  EXPECT_EQ(problem([](ScalingSetup& s) { s.trials = 0; }), "trials: found 0, expected 1 to 1048576");
  EXPECT_EQ(problem([](ScalingSetup& s) { s.keys = -1; }), "n: found -1, expected 1 to 65536");
  EXPECT_EQ(problem([](ScalingSetup& s) { s.widths = {}; }), "d_k: found none, expected at least one");
  EXPECT_NE(problem([](ScalingSetup& s) { s.deviation = 0; }).find("above 0"), std::string::npos);
  EXPECT_NE(problem([](ScalingSetup& s) { s.widths = {1 << 20}, s.keys = 1 << 16; }).find("expected at most"),
            std::string::npos);
  EXPECT_NE(problem([](ScalingSetup& s) { s.trials = 1 << 20; }).find("expected at most 100000000 scores"),
            std::string::npos);
}

}  // namespace
}  // namespace attn
