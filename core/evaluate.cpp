#include "core/evaluate.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/attention/projections.h"
#include "core/attention/qk_norm.h"
#include "core/error.h"
#include "core/io/available_memory.h"
#include "core/measures/gradient_norms.h"
#include "core/measures/row_measures.h"

namespace attn {
namespace {

/// Below this, asking the system how much memory is free would cost more than the evaluation.
constexpr std::uint64_t kSurelyFits = std::uint64_t{64} << 20;

/// The bytes of maps that results and workspace hold already, from a scene before.
template <class T>
std::uint64_t bytesHeld(const ResultsOf<T>& r, const HeadsWorkspace<T>& work) {
  Index numbers = 0;
  for (const StackOf<T>* map : {&r.rawScores, &r.scaledScores, &r.cappedScores, &r.scores, &r.probs,
                                &r.d.probs, &r.d.scores, &r.d.scaledScores, &r.d.rawScores, &work.dScaled})
    numbers += map->capacity();
  numbers += work.packed.capacity() + work.parts.capacity();
  for (const Buffer<T>& tile : work.tiles) numbers += tile.capacity();
  return static_cast<std::uint64_t>(numbers) * sizeof(T);
}

/// Whether a scene is so small that adding up its memory would take longer than it is worth.
bool isTiny(const Shapes& s) {
  constexpr Index kNumbers = 1 << 16;  // some tens of megabytes, with everything that is made of them
  const Index tokens = s.queries + s.keys;
  const Index widths = s.keyWidth + s.valueWidth + s.modelWidth + s.otherWidth + s.outWidth;
  return tokens < 1024 && widths < 1024 && s.heads * tokens * (tokens + widths) < kNumbers;
}

template <class T>
void expectEnoughMemory(const SceneOf<T>& scene, const Shapes& s, const Wanted& wanted, int threads,
                        const ResultsOf<T>& results, const HeadsWorkspace<T>& work) {
  if (isTiny(s)) return;
  const std::uint64_t needed = bytesNeeded(scene, wanted, threads), held = bytesHeld(results, work);
  if (needed <= std::max(kSurelyFits, held)) return;
  const std::uint64_t available = availableMemory();
  if (needed - held <= available) return;
  const auto mebibytes = [](std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
  throw Error(std::to_string(s.heads) + (s.heads == 1 ? " head" : " heads") + " of " +
              std::to_string(s.queries) + " queries × " + std::to_string(s.keys) + " keys: needs " +
              mebibytes(needed) + " of memory, " + mebibytes(available + held) + " are free");
}

template <class T>
void shapeMaps(const SceneOf<T>& scene, const Wanted& wanted, ResultsOf<T>& results) {
  const Shapes& s = results.shapes;
  const auto map = [&](bool made, StackOf<T>& stack) { makeIf(made, stack, s.heads, s.queries, s.keys); };
  map(wanted.rawScores, results.rawScores);
  map(wanted.scaledScores, results.scaledScores);
  // The way back through the cap starts from the capped score.
  map(wanted.cappedScores || (wanted.backward && scene.cap), results.cappedScores);
  map(wanted.scores, results.scores);
  const StackOf<T>& probs = results.probs;
  if (probs.heads() != s.heads || probs.rows() != s.queries || probs.cols() != s.keys)
    results.probsRanges.clear();
  map(wanted.needsProbs(), results.probs);
  results.headOut.resize(s.heads, s.queries, s.valueWidth);
  map(wanted.backward && wanted.dProbs, results.d.probs);
  map(wanted.backward && wanted.dScores, results.d.scores);
  map(wanted.backward && wanted.dScaledScores, results.d.scaledScores);
  map(wanted.backward && wanted.dRawScores, results.d.rawScores);
  makeIf(wanted.backward, results.d.q, s.heads, s.queries, s.keyWidth);
  makeIf(wanted.backward, results.d.k, s.heads, s.keys, s.keyWidth);
  makeIf(wanted.backward, results.d.v, s.heads, s.keys, s.valueWidth);
}

template <class T>
void bringToUnitLength(const SceneOf<T>& scene, ResultsOf<T>& results) {
  const Shapes& s = results.shapes;
  const bool on = scene.scale.qkNormGain.has_value();
  makeIf(on, results.unitQ, s.heads, s.queries, s.keyWidth);
  makeIf(on, results.unitK, s.heads, s.keys, s.keyWidth);
  makeIf(on, results.queryLengths, s.heads, s.queries, 1);
  makeIf(on, results.keyLengths, s.heads, s.keys, 1);
  for (Index h = 0; on && h < s.heads; ++h) {
    normaliseLengths(queriesOf(scene, results, h).data(), s.queries, s.keyWidth, results.unitQ.head(h),
                     results.queryLengths.head(h));
    normaliseLengths(keysOf(scene, results, h).data(), s.keys, s.keyWidth, results.unitK.head(h),
                     results.keyLengths.head(h));
  }
}

template <class T>
void backFromUnitLength(ResultsOf<T>& results) {
  const Shapes& s = results.shapes;
  for (Index h = 0; !results.unitQ.empty() && h < s.heads; ++h) {
    normaliseLengthsBackward(results.unitQ.head(h), results.queryLengths.head(h), s.queries, s.keyWidth,
                             results.d.q.head(h));
    normaliseLengthsBackward(results.unitK.head(h), results.keyLengths.head(h), s.keys, s.keyWidth,
                             results.d.k.head(h));
  }
}

/// dOut, and the number whose gradient it is.
template <class T>
void startBackward(const UpstreamOf<T>& upstream, const KernelsOf<T>& kernels, ResultsOf<T>& results) {
  using Kind = typename UpstreamOf<T>::Kind;
  const MatrixOf<T>& out = results.out;
  MatrixOf<T>& dOut = results.d.out;
  dOut.resize(out.rows(), out.cols());
  if (upstream.kind == Kind::ones) dOut.setOnes();
  if (upstream.kind == Kind::given) dOut = upstream.matrix;
  if (upstream.kind == Kind::target) dOut = out - upstream.matrix;
  if (upstream.kind == Kind::cell) {
    dOut.setZero();
    dOut(upstream.row, upstream.col) = 1;
  }
  const MatrixOf<T>& other = upstream.kind == Kind::target ? dOut : out;
  double loss = kernels.dot(dOut.data(), other.data(), out.size());
  if (!std::isfinite(loss)) {  // An output without gradient has no part in the loss, whatever it is.
    loss = 0;
    for (Index i = 0; i < out.size(); ++i)
      if (dOut.data()[i] != 0)
        loss += static_cast<double>(dOut.data()[i]) * static_cast<double>(other.data()[i]);
  }
  results.loss = upstream.kind == Kind::target ? loss / 2 : loss;
}

/// s = raw/divisor, so draw = ds/divisor; under QK-norm raw is also divided by both lengths.
template <class T>
void backToRawScores(const HeadsWorkspace<T>& work, ResultsOf<T>& results) {
  const Shapes& s = results.shapes;
  for (Index h = 0; h < s.heads; ++h)
    for (Index i = 0; i < s.queries; ++i)
      for (Index j = 0; j < s.keys; ++j) {
        T lengths = 1;  // a vector of length 0 has no direction to turn, and no gradient
        if (!results.unitQ.empty())
          lengths = results.queryLengths.at(h, i, 0) * results.keyLengths.at(h, j, 0);
        const T d = work.backward[static_cast<std::size_t>(h)].dScaled[i * s.keys + j];
        results.d.rawScores.at(h, i, j) =
            d == 0 || lengths == 0 ? T(0) : d / static_cast<T>(work.tasks[0].divisor) / lengths;
      }
}

/// What an evaluation before made and nobody wants now: its memory goes.
template <class T>
void forget(const Wanted& wanted, ResultsOf<T>& results) {
  if (results.made.backward && !wanted.backward) results.d = {}, results.loss = 0;
  if (results.made.measures && !wanted.measures) results.norms = {};
}

}  // namespace

template <class T>
struct EvaluatorOf<T>::Workspace {
  const KernelsOf<T>& kernels;
  Workers workers;
  HeadsWorkspace<T> heads;

  void forward(const SceneOf<T>& scene, ResultsOf<T>& results) {
    projectInputs(scene, kernels, workers, heads, results);
    bringToUnitLength(scene, results);
    prepareHeads(scene, results, heads);
    if (results.made.rawScores && scene.scale.qkNormGain) rawScores(scene, results);
    forwardHeads(kernels, workers, heads, scene.source.wo.has_value(), results);
    projectOutput(scene, kernels, workers, heads, results);
  }

  void rawScores(const SceneOf<T>& scene, ResultsOf<T>& results) {
    const Shapes& s = results.shapes;
    for (Index h = 0; h < s.heads; ++h)
      multiply(kernels, workers, heads,
               Product<T>{.rows = s.queries,
                          .cols = s.keys,
                          .depth = s.keyWidth,
                          .a = queriesOf(scene, results, h).data(),
                          .aStride = s.keyWidth,
                          .b = keysOf(scene, results, h).data(),
                          .bStride = s.keyWidth,
                          .bTransposed = true,
                          .c = results.rawScores.head(h),
                          .cStride = s.keys});
  }

  void backward(const SceneOf<T>& scene, ResultsOf<T>& results) {
    startBackward(scene.upstream, kernels, results);
    projectOutputBackward(scene, kernels, workers, heads, results);
    backwardHeads(kernels, workers, heads, results);
    if (results.made.dRawScores) backToRawScores(heads, results);
    backFromUnitLength(results);
    projectInputsBackward(scene, kernels, workers, heads, results);
  }
};

template <class T>
EvaluatorOf<T>::EvaluatorOf(const KernelsOf<T>& kernels, int threads)
    : workspace_(new Workspace{kernels, Workers(threads), {}}) {}
template <class T>
EvaluatorOf<T>::~EvaluatorOf() = default;
template <class T>
EvaluatorOf<T>::EvaluatorOf(EvaluatorOf&&) noexcept = default;
template <class T>
EvaluatorOf<T>& EvaluatorOf<T>::operator=(EvaluatorOf&&) noexcept = default;

template <class T>
void EvaluatorOf<T>::evaluate(const SceneOf<T>& scene, const Wanted& wanted, ResultsOf<T>& results) {
  check(scene);
  const Shapes shapes = shapesOf(scene);
  expectEnoughMemory(scene, shapes, wanted, workspace_->workers.threads(), results, workspace_->heads);
  forget(wanted, results);
  results.shapes = shapes;
  results.made = wanted;
  shapeMaps(scene, wanted, results);
  workspace_->forward(scene, results);
  const HeadsWorkspace<T>& heads = workspace_->heads;
  const bool areFinite = std::all_of(heads.finite.begin(), heads.finite.end(), [](auto f) { return f != 0; });
  measureRows(scene, workspace_->kernels, heads.visible, areFinite,
              wanted.measures ? heads.sums.data() : nullptr, results);
  if (wanted.backward) workspace_->backward(scene, results);
  if (wanted.measures) measureGradients(workspace_->kernels, results);
}

Results evaluate(const Scene& scene, const Wanted& wanted) {
  Results results;
  Evaluator(bestKernels()).evaluate(scene, wanted, results);
  return results;
}

PreciseResults evaluateReference(const PreciseScene& scene, const Wanted& wanted) {
  PreciseResults results;
  EvaluatorOf<double>(referenceKernels<double>()).evaluate(scene, wanted, results);
  return results;
}

template <class T>
std::uint64_t bytesNeeded(const SceneOf<T>& scene, const Wanted& wanted, int threads) {
  const Shapes s = shapesOf(scene);
  const auto wide = [](Index n) { return static_cast<double>(n); };
  const double heads = wide(s.heads), tokens = wide(s.queries) + wide(s.keys);
  const double pairs = heads * wide(s.queries) * wide(s.keys);
  double maps = wanted.needsProbs() + wanted.rawScores + wanted.scaledScores + wanted.scores;
  if (wanted.cappedScores || (wanted.backward && scene.cap)) ++maps;
  if (wanted.backward) {
    maps += wanted.dProbs + wanted.dScores + wanted.dRawScores;
    maps += wanted.dScaledScores || wanted.dRawScores;  // the one is made from the other
  }
  // Q, K, V, their gradients and their packed copies; then what all heads share.
  const double headNumbers = 6 * heads * tokens * (wide(s.keyWidth) + wide(s.valueWidth));
  const double weights =
      heads * (wide(s.modelWidth) + wide(s.otherWidth)) * (wide(s.keyWidth) + wide(s.valueWidth));
  const double shared = 3 * tokens * (wide(s.modelWidth) + wide(s.otherWidth) + wide(s.outWidth));
  const double tiles =
      (wanted.backward ? 200 : 26) * wide(s.keys) * threads;  // a block of rows for each thread
  const double partNumbers = wide(s.keys) * (wide(s.keyWidth) + wide(s.valueWidth) + 64);  // padded
  const double parts = wanted.backward ? heads * wide(partsOf(s)) * partNumbers : 0;
  const double perRow = 24 * heads * wide(s.queries);                          // measures, flags and norms
  const double flags = scene.masks.empty() && scene.bias.empty() ? 0 : pairs;  // a byte a pair
  const double bytes =
      (maps * pairs + headNumbers + weights + shared + tiles + parts + perRow) * sizeof(T) + flags;
  return bytes < 1.8e19 ? static_cast<std::uint64_t>(bytes) : ~std::uint64_t{0};
}

namespace {
template <class T>
bool isGiven(const SceneOf<T>& scene) {
  return scene.source.kind == SourceOf<T>::Kind::given;
}
template <class T>
ConstMatrixView<T> viewOf(const MatrixOf<T>& m) {
  return {m.data(), m.rows(), m.cols()};
}
}  // namespace

template <class T>
ConstMatrixView<T> queriesOf(const SceneOf<T>& scene, const ResultsOf<T>& results, Index head) {
  return isGiven(scene) ? viewOf(scene.source.given[static_cast<std::size_t>(head)].q.values)
                        : results.q[head];
}
template <class T>
ConstMatrixView<T> keysOf(const SceneOf<T>& scene, const ResultsOf<T>& results, Index head) {
  return isGiven(scene) ? viewOf(scene.source.given[static_cast<std::size_t>(head)].k.values)
                        : results.k[head];
}
template <class T>
ConstMatrixView<T> valuesOf(const SceneOf<T>& scene, const ResultsOf<T>& results, Index head) {
  return isGiven(scene) ? viewOf(scene.source.given[static_cast<std::size_t>(head)].v.values)
                        : results.v[head];
}

template class EvaluatorOf<float>;
template class EvaluatorOf<double>;
template std::uint64_t bytesNeeded(const Scene&, const Wanted&, int);
template std::uint64_t bytesNeeded(const PreciseScene&, const Wanted&, int);
#define ATTN_INSTANTIATE(T)                                                             \
  template ConstMatrixView<T> queriesOf(const SceneOf<T>&, const ResultsOf<T>&, Index); \
  template ConstMatrixView<T> keysOf(const SceneOf<T>&, const ResultsOf<T>&, Index);    \
  template ConstMatrixView<T> valuesOf(const SceneOf<T>&, const ResultsOf<T>&, Index);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
