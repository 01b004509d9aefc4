#pragma once
#include <array>
#include <vector>

#include "core/labs/scaling.h"
#include "core/measures/score_distribution.h"

namespace attn {

/// What the lab's parameters ask for: d_k = 1, 2, 4 … 4096 under all four rules, in the order of
/// ScalingLab::Rule.
ScalingSetup setupOf(const ScalingLab& lab);
Scale scaleOf(const ScalingLab& lab, ScalingLab::Rule rule);
constexpr std::size_t kScalingRules = 4;

/// Whether both draw the same numbers and measure the same of them.
bool needsSameSweep(const ScalingLab& a, const ScalingLab& b);

/// All that is drawn of a sweep, as far as that has come.
struct ScalingPicture {
  ScalingSetup setup;
  Index done = 0;
  std::vector<Band> bands;                 // by measure, scale and width
  std::vector<ScoreHistogram> histograms;  // of q·k, one a width

  /// The bands of all widths.
  const Band* of(ScalingMeasure measure, std::size_t scale) const {
    const std::size_t place = static_cast<std::size_t>(measure) * setup.scales.size() + scale;
    return bands.data() + place * setup.widths.size();
  }
};
ScalingPicture pictureOf(const ScalingSweep& sweep);

/// The variance of the scores that theory gives under a scale.
double scaledVariance(const ScalingSetup& setup, Index width, const Scale& scale);

/// As many queries as keys, up to 64 of each, drawn in the same way and divided by the marked rule: one trial
/// has a single query, which is little to look at.
Scene sceneOf(const ScalingLab& lab);

}  // namespace attn
