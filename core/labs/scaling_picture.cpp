#include "core/labs/scaling_picture.h"

#include <algorithm>

#include "core/attention/scale.h"
#include "core/fill.h"

namespace attn {

Scale scaleOf(const ScalingLab& lab, ScalingLab::Rule rule) {
  constexpr Scale::Rule kRules[] = {Scale::Rule::none, Scale::Rule::sqrtKeyWidth, Scale::Rule::keyWidth,
                                    Scale::Rule::number};
  return {.rule = kRules[static_cast<std::size_t>(rule)], .number = lab.number};
}

ScalingSetup setupOf(const ScalingLab& lab) {
  ScalingSetup setup = defaultScaling();
  setup.mean = lab.mean, setup.deviation = lab.deviation;
  setup.keys = lab.keys, setup.trials = lab.trials, setup.seed = lab.seed;
  setup.scales.clear();
  for (std::size_t rule = 0; rule < kScalingRules; ++rule)
    setup.scales.push_back(scaleOf(lab, static_cast<ScalingLab::Rule>(rule)));
  return setup;
}

bool needsSameSweep(const ScalingLab& a, const ScalingLab& b) {
  return a.mean == b.mean && a.deviation == b.deviation && a.keys == b.keys && a.trials == b.trials &&
         a.number == b.number && a.seed == b.seed;
}

ScalingPicture pictureOf(const ScalingSweep& sweep) {
  ScalingPicture picture{sweep.setup(), sweep.done(), {}, {}};
  const std::size_t widths = picture.setup.widths.size();
  for (std::size_t measure = 0; measure < kScalingMeasures; ++measure)
    for (std::size_t scale = 0; scale < picture.setup.scales.size(); ++scale)
      for (std::size_t width = 0; width < widths; ++width)
        picture.bands.push_back(sweep.band(static_cast<ScalingMeasure>(measure), width, scale));
  for (std::size_t width = 0; width < widths; ++width)
    picture.histograms.push_back(histogramOf(sweep.dotProducts(width)));
  return picture;
}

double scaledVariance(const ScalingSetup& setup, Index width, const Scale& scale) {
  const double divisor = divisorOf(scale, width);
  return dotProductVariance(setup, width) / (divisor * divisor);
}

Scene sceneOf(const ScalingLab& lab) {
  constexpr Index kMostTokens = 64, kValueWidth = 8;
  const Index tokens = std::min(lab.keys, kMostTokens);
  Scene scene;
  scene.scale = scaleOf(lab, lab.rule);
  const auto drawn = [&](Index width, double mean, double deviation, std::uint64_t seed) {
    InputOf<float> input{Matrix(tokens, width),
                         {.kind = Fill::Kind::normal, .mean = mean, .deviation = deviation, .seed = seed}};
    refill(input);
    return input;
  };
  scene.source.given = {{drawn(lab.keyWidth, lab.mean, lab.deviation, lab.seed),
                         drawn(lab.keyWidth, lab.mean, lab.deviation, lab.seed + 1),
                         drawn(kValueWidth, 0, 1, lab.seed + 2)}};
  return scene;
}

}  // namespace attn
