#pragma once
#include <span>
#include <vector>

#include "core/attention/visibility.h"
#include "core/results.h"

namespace attn {

struct Moments {
  double mean = 0, variance = 0;
};

/// Mean and variance of all entries of a matrix, as a population.
template <class T>
Moments momentsOf(ConstMatrixView<T> values);

/// Mean and variance that theory predicts for the scaled scores of a head, before cap, bias and mask.
/// It takes the entries of Q as independent draws with one mean μ_q and variance σ_q², those of K with μ_k
/// and σ_k², and measures these four in the head's own Q and K. Then q·k, a sum of d_k independent products,
/// has
///   mean d_k μ_q μ_k   and   variance d_k (σ_q²σ_k² + σ_q²μ_k² + σ_k²μ_q²),
/// and for many dimensions is close to normal. Under QK-norm directions are taken as uniform on the sphere:
/// the cosine has mean 0 and variance 1/d_k. Both are then divided as the scene says.
template <class T>
Moments predictedScores(const SceneOf<T>& scene, const ResultsOf<T>& results, Index head);

/// How the scores of the visible pairs of a head are spread.
struct ScoreHistogram {
  double low = 0, high = 1;   // from the smallest finite score to the largest
  std::vector<Index> counts;  // in bins of equal width
  Index count = 0;            // finite scores of visible pairs
  Index nonFinite = 0;        // those that are NaN or infinite
  Moments moments;            // of the finite ones

  double binWidth() const { return (high - low) / static_cast<double>(counts.size()); }
};

/// `scores` is queries × keys. About √count bins, but neither few nor many; none where there is no score.
template <class T>
ScoreHistogram histogramOf(ConstMatrixView<T> scores, const Visibility& visibility, Index head);
ScoreHistogram histogramOf(std::span<const float> scores);

/// How many of `count` draws from a normal distribution are expected in a bin of this width around x.
double expectedInBin(const Moments& normal, double x, double binWidth, Index count);

}  // namespace attn
