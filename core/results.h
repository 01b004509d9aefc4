#pragma once
#include <vector>

#include "core/key_range.h"
#include "core/scene.h"

namespace attn {

/// What `evaluate` shall make. Outputs are always made; a map that is not wanted is not, unless something
/// that is wanted cannot do without it (the weights, on the way back and for eigenvalues).
struct Wanted {
  bool probs = true;
  bool rawScores = false;     // Q·Kᵀ
  bool scaledScores = false;  // after the divisor
  bool cappedScores = false;  // after the cap
  bool scores = false;        // after bias and mask: what is normalised
  bool measures = true;
  bool eigenvalues = false;  // the largest of each row's Jacobian
  bool backward = true;
  bool dProbs = false;
  bool dScores = false;  // with respect to `scores`
  bool dScaledScores = false;
  bool dRawScores = false;

  static Wanted everything() {
    return {.probs = true,
            .rawScores = true,
            .scaledScores = true,
            .cappedScores = true,
            .scores = true,
            .measures = true,
            .eigenvalues = true,
            .backward = true,
            .dProbs = true,
            .dScores = true,
            .dScaledScores = true,
            .dRawScores = true};
  }
  static Wanted forwardOnly() {
    Wanted wanted;
    wanted.backward = false;
    return wanted;
  }
  /// A forward pass that keeps no map at all: what a large n costs at least.
  static Wanted outputOnly() {
    Wanted wanted = forwardOnly();
    wanted.probs = false;
    return wanted;
  }
  bool needsProbs() const { return probs || backward || eigenvalues; }
  bool operator==(const Wanted&) const = default;
};

/// One number for every row (query) of every head: a stack with one column.
template <class T>
using PerRowOf = StackOf<T>;

/// What the weights of a row tell. NaN where the row holds a NaN, 0 where it sees no key.
template <class T>
struct MeasuresOf {
  PerRowOf<T> largestWeight;
  PerRowOf<T> entropy;        // −Σ p ln p, in nats
  PerRowOf<T> entropyShare;   // as a share of ln(visible keys)
  PerRowOf<T> effectiveKeys;  // exp of the entropy (of the weights brought to sum 1)
  PerRowOf<T> jacobianNorm;   // Frobenius norm of ∂p/∂s; for softmax of diag(p) − ppᵀ
  PerRowOf<T> jacobianEigenvalue;
};

/// Frobenius norms of one gradient: of all heads, of each head, of each row of each head.
struct GradientNorms {
  double all = 0;
  std::vector<double> ofHead;
  std::vector<double> ofRow;  // head-major
};

/// A gradient that has not been asked for is empty.
template <class T>
struct GradientsOf {
  MatrixOf<T> out;     // dOut: queries × outWidth
  StackOf<T> headOut;  // dO
  StackOf<T> probs;    // dP
  StackOf<T> scores;   // with respect to Results::scores
  StackOf<T> scaledScores;
  StackOf<T> rawScores;
  StackOf<T> q, k, v;
  MatrixOf<T> x, other;
  StackOf<T> wq, wk, wv;
  MatrixOf<T> wo;
};

struct AllGradientNorms {
  GradientNorms out, headOut, probs, scores, scaledScores, rawScores, q, k, v, x, other, wq, wk, wv, wo;
};

/// Everything computed from a Scene: a stage that is not kept cannot be drawn.
/// Stacks are (heads, queries, keys) unless said otherwise.
template <class T>
struct ResultsOf {
  Shapes shapes;
  Wanted made;

  StackOf<T> q, k, v;       // projections of X; empty where the scene gives Q, K and V
  StackOf<T> unitQ, unitK;  // q/‖q‖ and k/‖k‖ under QK-norm
  StackOf<T> queryLengths, keyLengths;
  StackOf<T> rawScores, scaledScores, cappedScores, scores;
  StackOf<T> probs;
  std::vector<KeyRange> probsRanges;  // of each row: outside, `probs` is 0 in every head
  StackOf<T> headOut;                 // (heads, queries, valueWidth)
  MatrixOf<T> concat;                 // queries × heads·valueWidth; empty where it is `out` itself
  MatrixOf<T> out;                    // queries × outWidth

  StackOf<std::uint8_t> maskedRows;     // (heads, queries, 1): sees no key
  StackOf<std::uint8_t> nonFiniteRows;  // a NaN or an infinity surfaced in its weights or outputs
  StackOf<std::uint8_t> saturatedRows;
  StackOf<std::int32_t> visibleKeys;

  MeasuresOf<T> measures;
  double loss = 0;  // the number whose gradient the backward pass is
  GradientsOf<T> d;
  AllGradientNorms norms;
};
using Results = ResultsOf<float>;
using PreciseResults = ResultsOf<double>;

/// Q, K and V of a head, wherever they come from.
template <class T>
ConstMatrixView<T> queriesOf(const SceneOf<T>& scene, const ResultsOf<T>& results, Index head);
template <class T>
ConstMatrixView<T> keysOf(const SceneOf<T>& scene, const ResultsOf<T>& results, Index head);
template <class T>
ConstMatrixView<T> valuesOf(const SceneOf<T>& scene, const ResultsOf<T>& results, Index head);

}  // namespace attn
