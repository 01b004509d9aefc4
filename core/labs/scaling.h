#pragma once
#include <array>
#include <memory>

#include "core/kernels/kernels.h"
#include "core/parallel.h"

namespace attn {

/// The experiment behind "why √d_k": in each trial one query, `keys` keys and one value a key are drawn
/// afresh, for every width d_k, and softmax attends under every rule of scale.
struct ScalingSetup {
  double mean = 0, deviation = 1;  // of the numbers of q and k; values are standard normal
  Index keys = 64;
  Index trials = 256;
  std::uint64_t seed = 1;
  std::vector<Index> widths;  // d_k, each at least 1
  std::vector<Scale> scales;  // rule, number and temperature count
};
/// d_k = 1, 2, 4 … 4096 and no scale, √d_k and d_k.
ScalingSetup defaultScaling();
/// Throws Error that names what was found and what was expected.
void check(const ScalingSetup& setup);

/// What a trial tells of one width and scale. The loss is the output o = Σ p_j v_j, so that dP is v.
enum class ScalingMeasure {
  scoreVariance,  // mean of (s − E[s])² over the keys, with the mean that theory gives
  largestWeight,
  entropy,
  jacobianNorm,   // Frobenius norm of ∂p/∂s
  queryGradient,  // ‖∂o/∂q‖
  keyGradient     // ‖∂o/∂K‖
};
constexpr std::size_t kScalingMeasures = 6;
using ScalingValues = std::array<double, kScalingMeasures>;

/// What q·k of independent numbers has: mean d_k μ² and variance d_k (σ⁴ + 2σ²μ²), before any scale.
double dotProductMean(const ScalingSetup& setup, Index width);
double dotProductVariance(const ScalingSetup& setup, Index width);

/// What one trial at one width draws, as a scene: one query, the keys, values of width 1, under one of the
/// scales.
Scene sceneOfTrial(const ScalingSetup& setup, Index width, const Scale& scale, Index trial);

/// The mean over the trials, and between which values four of five of them lie.
struct Band {
  double mean = 0, low = 0, high = 0;
};

/// The experiment as far as it has been done: some trials at a time, each at every width. The numbers of a
/// trial depend on seed, width and trial alone, so how many are done at once, and by how many threads,
/// changes nothing.
class ScalingSweep {
 public:
  explicit ScalingSweep(ScalingSetup setup, int threads = 1, const Kernels& kernels = bestKernels());
  ~ScalingSweep();
  ScalingSweep(ScalingSweep&&) noexcept;
  ScalingSweep& operator=(ScalingSweep&&) noexcept;

  const ScalingSetup& setup() const { return setup_; }
  Index done() const { return done_; }
  bool isComplete() const { return done_ == setup_.trials; }
  /// Does so many more trials, or as many as are left.
  void advance(Index trials);

  /// Over the trials done, of which there must be one.
  Band band(ScalingMeasure measure, std::size_t width, std::size_t scale) const;
  /// q·k of all keys of the trials done, at one width.
  const std::vector<float>& dotProducts(std::size_t width) const { return dotProducts_[width]; }

 private:
  struct Scratch;
  void runTrial(std::size_t width, Index trial, Scratch& scratch);
  void drawKeys(Index width, Index trial, Scratch& scratch);
  void queryGradients(std::size_t width, Index trial, Scratch& scratch);
  std::size_t place(std::size_t width, std::size_t scale) const {
    return width * setup_.scales.size() + scale;
  }

  ScalingSetup setup_;
  const Kernels* kernels_;
  Workers workers_;
  Index done_ = 0;
  std::vector<std::vector<ScalingValues>> values_;   // of each place, one a trial
  std::vector<std::vector<float>> dotProducts_;      // of each width, keys × trials
  std::vector<std::unique_ptr<Scratch>> scratches_;  // one a thread
};

}  // namespace attn
