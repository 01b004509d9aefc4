#include "core/measures/score_distribution.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/attention/scale.h"

namespace attn {
namespace {

constexpr double kFewestBins = 8, kMostBins = 60;

/// Calls the function with every score of a visible pair.
template <class T, class Function>
void forVisible(ConstMatrixView<T> scores, const Visibility& visibility, Index head,
                const Function& function) {
  const std::uint8_t* cells = visibility.cellsOf(head);
  for (Index i = 0; i < scores.rows(); ++i) {
    const KeyRange range = visibility.ranges()[static_cast<std::size_t>(i)];
    const T* row = scores.data() + i * scores.cols();
    for (Index j = range.begin; j < range.end; ++j)
      if (!cells || cells[i * scores.cols() + j]) function(static_cast<double>(row[j]));
  }
}

void widenIfFlat(ScoreHistogram& histogram) {
  if (histogram.high > histogram.low) return;
  const double reach = std::max(0.5, std::abs(histogram.low) * 1e-3);
  histogram.low -= reach, histogram.high += reach;
}

}  // namespace

template <class T>
Moments momentsOf(ConstMatrixView<T> values) {
  if (values.size() == 0) return {};
  const double mean = values.template cast<double>().mean();
  return {mean, (values.template cast<double>().array() - mean).square().mean()};
}

template <class T>
Moments predictedScores(const SceneOf<T>& scene, const ResultsOf<T>& results, Index head) {
  const auto width = static_cast<double>(results.shapes.keyWidth);
  const double divisor = divisorOf(scene.scale, results.shapes.keyWidth);
  if (scene.scale.qkNormGain) return {0, 1 / (width * divisor * divisor)};
  const Moments q = momentsOf(queriesOf(scene, results, head)), k = momentsOf(keysOf(scene, results, head));
  const double spread = q.variance * k.variance + q.variance * k.mean * k.mean + k.variance * q.mean * q.mean;
  return {width * q.mean * k.mean / divisor, width * spread / (divisor * divisor)};
}

namespace {

/// `forEach` calls a function with every score, the same ones each time.
template <class ForEach>
ScoreHistogram gathered(const ForEach& forEach) {
  ScoreHistogram histogram;
  double sum = 0, low = INFINITY, high = -INFINITY;
  forEach([&](double score) {
    if (!std::isfinite(score)) {
      ++histogram.nonFinite;
      return;
    }
    ++histogram.count;
    sum += score;
    low = std::min(low, score), high = std::max(high, score);
  });
  if (histogram.count == 0) return histogram;
  const auto count = static_cast<double>(histogram.count);
  histogram.low = low, histogram.high = high;
  histogram.moments.mean = sum / count;
  widenIfFlat(histogram);
  const double bins = std::clamp(std::round(std::sqrt(count)), kFewestBins, kMostBins);
  histogram.counts.assign(static_cast<std::size_t>(bins), 0);
  const double scale = bins / (histogram.high - histogram.low);
  double squares = 0;
  forEach([&](double score) {
    if (!std::isfinite(score)) return;
    const double place = std::clamp((score - histogram.low) * scale, 0.0, bins - 1);
    ++histogram.counts[static_cast<std::size_t>(place)];
    squares += (score - histogram.moments.mean) * (score - histogram.moments.mean);
  });
  histogram.moments.variance = squares / count;
  return histogram;
}

}  // namespace

template <class T>
ScoreHistogram histogramOf(ConstMatrixView<T> scores, const Visibility& visibility, Index head) {
  return gathered([&](const auto& take) { forVisible<T>(scores, visibility, head, take); });
}

ScoreHistogram histogramOf(std::span<const float> scores) {
  return gathered([&](const auto& take) {
    for (const float score : scores) take(static_cast<double>(score));
  });
}

double expectedInBin(const Moments& normal, double x, double binWidth, Index count) {
  const double deviation = std::sqrt(normal.variance);
  if (!(deviation > 0)) return 0;
  const double z = (x - normal.mean) / deviation;
  return static_cast<double>(count) * binWidth * std::exp(-z * z / 2) /
         (deviation * std::sqrt(2 * std::numbers::pi));
}

template Moments momentsOf(ConstMatrixView<float>);
template Moments momentsOf(ConstMatrixView<double>);
template Moments predictedScores(const Scene&, const Results&, Index);
template Moments predictedScores(const PreciseScene&, const PreciseResults&, Index);
template ScoreHistogram histogramOf(ConstMatrixView<float>, const Visibility&, Index);
template ScoreHistogram histogramOf(ConstMatrixView<double>, const Visibility&, Index);

}  // namespace attn
