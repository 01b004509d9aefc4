#pragma once
#include <cstdint>
#include <memory>

#include "core/kernels/kernels.h"
#include "core/results.h"

namespace attn {

/// Turns scenes into results. Keeps its memory, and writes into results that keep theirs: a second
/// scene of the same shapes allocates nothing. One thread at a time may call it.
template <class T>
class EvaluatorOf {
 public:
  /// 0 threads stands for one a processor.
  explicit EvaluatorOf(const KernelsOf<T>& kernels, int threads = 0);
  ~EvaluatorOf();
  EvaluatorOf(EvaluatorOf&&) noexcept;
  EvaluatorOf& operator=(EvaluatorOf&&) noexcept;

  /// Throws Error where the scene does not fit together, or would not fit into memory.
  void evaluate(const SceneOf<T>& scene, const Wanted& wanted, ResultsOf<T>& results);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};
using Evaluator = EvaluatorOf<float>;

/// The same for a single scene: fast in float, by definition right in double.
Results evaluate(const Scene& scene, const Wanted& wanted = {});
PreciseResults evaluateReference(const PreciseScene& scene, const Wanted& wanted = {});

/// The bytes that the results of a scene and the work on them take, beside the scene itself.
template <class T>
std::uint64_t bytesNeeded(const SceneOf<T>& scene, const Wanted& wanted, int threads = 1);

}  // namespace attn
