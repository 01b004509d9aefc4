#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/results.h"

namespace attn {

/// The gradients whose norms are shown, in the order of the way back.
enum class GradientName { weights, scores, q, k, v, x, other, wq, wk, wv, wo };
constexpr std::size_t kGradientNames = 11;
const char* gradientText(GradientName name);  // "dW_Q"
const GradientNorms& normsOf(const AllGradientNorms& norms, GradientName name);
/// Of a head; of all where the gradient has no heads (dX, dW_O).
double normOfHead(const GradientNorms& norms, Index head);

/// The norms after one edit.
struct NormSample {
  double time = 0;   // seconds on the application's clock
  double place = 0;  // seconds of work: longer pauses count as kLongestPause
  std::vector<std::array<float, kGradientNames>> ofHead;  // the first kKeptHeads heads
};

/// The last minutes of edits: one sample an edit, the oldest make room for new ones. Edits that follow each
/// other faster than kShortest share a sample, so that a long drag stays inside.
class NormHistory {
 public:
  static constexpr std::size_t kCapacity = 2048;
  static constexpr Index kKeptHeads = 16;
  static constexpr double kShortest = 0.1, kLongestPause = 2;

  /// Keeps the norms of a scene that is not the last one. False where there was nothing new.
  bool record(const std::shared_ptr<const Scene>& scene, const Results& results, double time);
  void clear();

  std::size_t size() const { return samples_.size(); }
  /// From the oldest on.
  const NormSample& operator[](std::size_t i) const { return samples_[(first_ + i) % samples_.size()]; }
  /// Whether the sample follows a pause that was shortened.
  bool isAfterPause(std::size_t i) const;

 private:
  void push(NormSample sample);

  std::vector<NormSample> samples_;
  std::size_t first_ = 0;  // the oldest, once all places are taken
  std::shared_ptr<const Scene> last_;
};

}  // namespace attn
