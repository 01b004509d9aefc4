#include "core/labs/scaling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/attention/normalise.h"
#include "core/attention/scale.h"
#include "core/error.h"

namespace attn {
namespace {

constexpr Index kMostWidth = Index{1} << 20, kMostKeys = Index{1} << 16, kMostTrials = Index{1} << 20;
void expectWithin(const char* what, Index found, Index most) {
  if (found < 1 || found > most)
    throw Error(std::string(what) + ": found " + std::to_string(found) + ", expected 1 to " +
                std::to_string(most));
}

/// Where the numbers of a trial stand among those of a width's seed, far enough apart never to overlap.
struct Numbers {
  std::uint64_t seed, query, values, keys;
  Numbers(const ScalingSetup& setup, Index width, Index trial)
      : seed(setup.seed + 0x9E3779B97F4A7C15u * static_cast<std::uint64_t>(width)),
        query(static_cast<std::uint64_t>(trial) << 38),
        values(query + (std::uint64_t{1} << 36)),
        keys(query + (std::uint64_t{1} << 37)) {}
};

float* resized(Matrix& matrix, Index rows, Index cols) {
  matrix.resize(rows, cols);
  return matrix.data();
}

/// Numbers of the setup's distribution.
void draw(const Kernels& kernels, const ScalingSetup& setup, std::uint64_t seed, std::uint64_t first,
          float* to, Index count) {
  kernels.normals(seed, first, to, count);
  const auto mean = static_cast<float>(setup.mean), deviation = static_cast<float>(setup.deviation);
  if (mean == 0 && deviation == 1) return;
  for (Index i = 0; i < count; ++i) to[i] = mean + deviation * to[i];
}

/// Floats from one key to the next. Long ones lie an odd number of cache lines apart: at a power of two, the
/// same place of all keys would fall into the same few places of the cache.
Index strideOf(Index width) {
  constexpr Index kLine = 16, kLong = 512;
  return width < kLong ? width : ((width + kLine - 1) / kLine | 1) * kLine;
}

double lengthOf(const Kernels& kernels, const float* x, Index count) {
  return std::sqrt(kernels.dot(x, x, count));
}

}  // namespace

ScalingSetup defaultScaling() {
  ScalingSetup setup;
  for (Index width = 1; width <= 4096; width *= 2) setup.widths.push_back(width);
  for (const Scale::Rule rule : {Scale::Rule::none, Scale::Rule::sqrtKeyWidth, Scale::Rule::keyWidth})
    setup.scales.push_back({.rule = rule});
  return setup;
}

void check(const ScalingSetup& setup) {
  if (setup.widths.empty()) throw Error("d_k: found none, expected at least one");
  if (setup.scales.empty()) throw Error("scales: found none, expected at least one");
  for (const Index width : setup.widths) expectWithin("d_k", width, kMostWidth);
  expectWithin("n", setup.keys, kMostKeys);
  expectWithin("trials", setup.trials, kMostTrials);
  if (!std::isfinite(setup.mean)) throw Error("mean: expected a finite number");
  if (!(setup.deviation > 0) || !std::isfinite(setup.deviation))
    throw Error("deviation: found " + std::to_string(setup.deviation) + ", expected a number above 0");
  const Index widest = *std::max_element(setup.widths.begin(), setup.widths.end());
  if (static_cast<double>(widest) * static_cast<double>(setup.keys) > 1e9)
    throw Error(std::to_string(setup.keys) + " keys of width " + std::to_string(widest) +
                ": expected at most 1000000000 numbers a trial");
  const double scores =
      static_cast<double>(setup.keys * setup.trials) * static_cast<double>(setup.widths.size());
  if (scores > 1e8)
    throw Error(std::to_string(setup.keys) + " keys, " + std::to_string(setup.trials) + " trials and " +
                std::to_string(setup.widths.size()) + " widths: expected at most 100000000 scores");
}

double dotProductMean(const ScalingSetup& setup, Index width) {
  return static_cast<double>(width) * setup.mean * setup.mean;
}

double dotProductVariance(const ScalingSetup& setup, Index width) {
  const double variance = setup.deviation * setup.deviation;
  return static_cast<double>(width) * variance * (variance + 2 * setup.mean * setup.mean);
}

Scene sceneOfTrial(const ScalingSetup& setup, Index width, const Scale& scale, Index trial) {
  const Numbers numbers(setup, width, trial);
  const Kernels& kernels = bestKernels();
  Scene scene;
  scene.scale = scale;
  GivenHeadOf<float>& head = scene.source.given.emplace_back();
  draw(kernels, setup, numbers.seed, numbers.query, resized(head.q.values, 1, width), width);
  draw(kernels, setup, numbers.seed, numbers.keys, resized(head.k.values, setup.keys, width),
       setup.keys * width);
  kernels.normals(numbers.seed, numbers.values, resized(head.v.values, setup.keys, 1), setup.keys);
  return scene;
}

/// What a thread works in.
struct ScalingSweep::Scratch {
  Buffer<float> keys, query, values, gradient, packed, tile;
  std::vector<float> dScores;  // scales × keys
  std::vector<double> scores,
      weights;  // of all keys: raw scores, then one scale's weights and their gradient
};

ScalingSweep::ScalingSweep(ScalingSetup setup, int threads, const Kernels& kernels)
    : setup_(std::move(setup)), kernels_(&kernels), workers_(threads) {
  check(setup_);
  values_.resize(setup_.widths.size() * setup_.scales.size());
  dotProducts_.resize(setup_.widths.size());
  for (int thread = 0; thread < workers_.threads(); ++thread)
    scratches_.push_back(std::make_unique<Scratch>());
}
ScalingSweep::~ScalingSweep() = default;
ScalingSweep::ScalingSweep(ScalingSweep&&) noexcept = default;
ScalingSweep& ScalingSweep::operator=(ScalingSweep&&) noexcept = default;

void ScalingSweep::advance(Index trials) {
  const Index count = std::min(trials, setup_.trials - done_), all = done_ + count;
  for (auto& values : values_) values.resize(static_cast<std::size_t>(all));
  for (auto& products : dotProducts_) products.resize(static_cast<std::size_t>(all * setup_.keys));
  const Index widths = static_cast<Index>(setup_.widths.size());
  const double numbers =
      static_cast<double>(setup_.keys * count) *
      static_cast<double>(std::accumulate(setup_.widths.begin(), setup_.widths.end(), Index{0}));
  workers_.run(count * widths, numbers, [&](Index piece, int thread) {
    runTrial(static_cast<std::size_t>(piece % widths), done_ + piece / widths,
             *scratches_[static_cast<std::size_t>(thread)]);
  });
  done_ = all;
}

namespace {

/// p = softmax(raw/divisor), its measures, and ds = J·v in place of the weights.
RowSums attend(std::vector<double>& row, double divisor, const float* values) {
  const auto keys = static_cast<Index>(row.size());
  for (double& s : row) s /= divisor;
  normalise(Normaliser::Kind::softmax, 0.0, row.data(), keys);
  const RowSums sums = sumsOf(Normaliser::Kind::softmax, row.data(), keys, 0.0);
  double shared = 0;  // Σ p·v, which is the output
  for (Index j = 0; j < keys; ++j)
    shared += row[static_cast<std::size_t>(j)] * static_cast<double>(values[j]);
  for (Index j = 0; j < keys; ++j)
    row[static_cast<std::size_t>(j)] *= static_cast<double>(values[j]) - shared;
  return sums;
}

double meanSquare(const std::vector<double>& raw, double mean) {
  double sum = 0;
  for (const double s : raw) sum += (s - mean) * (s - mean);
  return sum / static_cast<double>(raw.size());
}

}  // namespace

/// The keys and their raw scores. They are drawn some at a time, so that they are multiplied while they are
/// in the nearest cache.
void ScalingSweep::drawKeys(Index width, Index trial, Scratch& s) {
  const Numbers numbers(setup_, width, trial);
  constexpr Index kNumbersAtOnce = 4096;
  const Index keys = setup_.keys, stride = strideOf(width);
  const Index together = stride == width ? std::max<Index>(1, kNumbersAtOnce / width) : 1;
  float* k = s.keys.reserve(keys * stride);
  s.scores.resize(static_cast<std::size_t>(keys));
  for (Index begin = 0; begin < keys; begin += together) {
    const Index end = std::min(keys, begin + together);
    draw(*kernels_, setup_, numbers.seed, numbers.keys + static_cast<std::uint64_t>(begin * width),
         k + begin * stride, (end - begin) * width);
    for (Index j = begin; j < end; ++j)
      s.scores[static_cast<std::size_t>(j)] = kernels_->dot(s.query.data(), k + j * stride, width);
  }
}

void ScalingSweep::runTrial(std::size_t at, Index trial, Scratch& s) {
  const Index width = setup_.widths[at], keys = setup_.keys,
              scales = static_cast<Index>(setup_.scales.size());
  const Numbers numbers(setup_, width, trial);
  float* query = s.query.reserve(width);
  float* values = s.values.reserve(keys);
  draw(*kernels_, setup_, numbers.seed, numbers.query, query, width);
  kernels_->normals(numbers.seed, numbers.values, values, keys);
  drawKeys(width, trial, s);
  std::copy(s.scores.begin(), s.scores.end(), dotProducts_[at].begin() + trial * keys);

  const double variance = meanSquare(s.scores, dotProductMean(setup_, width));
  const double queryLength = lengthOf(*kernels_, query, width);
  s.dScores.resize(static_cast<std::size_t>(scales * keys));
  for (Index r = 0; r < scales; ++r) {
    const double divisor = plainDivisor(setup_.scales[static_cast<std::size_t>(r)], width);
    s.weights = s.scores;
    const RowSums sums = attend(s.weights, divisor, values);
    float* ds = s.dScores.data() + r * keys;
    std::copy(s.weights.begin(), s.weights.end(), ds);
    values_[place(at, static_cast<std::size_t>(r))][static_cast<std::size_t>(trial)] = {
        variance / (divisor * divisor),
        sums.largest,
        sums.entropy,
        sums.jacobianNorm,
        0,
        lengthOf(*kernels_, ds, keys) * queryLength / divisor};
  }
  queryGradients(at, trial, s);
}

/// dq = dsᵀ·K/divisor, of all scales in one pass over the keys.
void ScalingSweep::queryGradients(std::size_t at, Index trial, Scratch& s) {
  const Index width = setup_.widths[at], keys = setup_.keys,
              scales = static_cast<Index>(setup_.scales.size());
  const Product<float> product = {.rows = scales,
                                  .cols = width,
                                  .depth = keys,
                                  .a = s.dScores.data(),
                                  .aStride = keys,
                                  .b = s.keys.data(),
                                  .bStride = strideOf(width),
                                  .c = s.gradient.reserve(scales * width),
                                  .cStride = width};
  float* packed = s.packed.reserve(kernels_->productPackedSize(product));
  kernels_->packProduct(product, packed);
  kernels_->multiplyRows(product, packed, s.tile.reserve(kernels_->productTileSize(product)), {0, scales});
  for (Index r = 0; r < scales; ++r) {
    const double divisor = plainDivisor(setup_.scales[static_cast<std::size_t>(r)], width);
    values_[place(at, static_cast<std::size_t>(r))][static_cast<std::size_t>(trial)]
           [static_cast<std::size_t>(ScalingMeasure::queryGradient)] =
               lengthOf(*kernels_, product.c + r * width, width) / divisor;
  }
}

Band ScalingSweep::band(ScalingMeasure measure, std::size_t width, std::size_t scale) const {
  std::vector<double> sorted;
  for (const ScalingValues& values : values_[place(width, scale)])
    sorted.push_back(values[static_cast<std::size_t>(measure)]);
  if (sorted.empty()) throw Error("scaling: found no trial, expected at least one");
  Band band;
  band.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t cut = sorted.size() / 10;
  band.low = sorted[cut], band.high = sorted[sorted.size() - 1 - cut];
  return band;
}

}  // namespace attn
