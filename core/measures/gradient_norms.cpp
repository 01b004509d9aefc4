#include "core/measures/gradient_norms.h"

#include <cmath>

namespace attn {
namespace {

/// Σ d² in double, as eight sums side by side that the compiler can keep in vectors.
template <class T>
double squares(const T* d, Index count) {
  double sums[8] = {};
  Index t = 0;
  for (; t + 8 <= count; t += 8)
    for (Index lane = 0; lane < 8; ++lane)
      sums[lane] += static_cast<double>(d[t + lane]) * static_cast<double>(d[t + lane]);
  for (; t < count; ++t) sums[0] += static_cast<double>(d[t]) * static_cast<double>(d[t]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

template <class T>
void measure(const T* d, Index heads, Index rows, Index cols, GradientNorms& norms) {
  norms.ofHead.resize(static_cast<std::size_t>(heads));
  norms.ofRow.resize(static_cast<std::size_t>(heads * rows));
  double all = 0;
  for (Index h = 0; h < heads; ++h) {
    double head = 0;
    for (Index i = 0; i < rows; ++i, d += cols) {
      const double row = squares(d, cols);
      norms.ofRow[static_cast<std::size_t>(h * rows + i)] = std::sqrt(row);
      head += row;
    }
    norms.ofHead[static_cast<std::size_t>(h)] = std::sqrt(head);
    all += head;
  }
  norms.all = std::sqrt(all);
}

template <class T>
void measure(const StackOf<T>& d, GradientNorms& norms) {
  measure(d.data(), d.heads(), d.rows(), d.cols(), norms);
}

template <class T>
void measure(const MatrixOf<T>& d, GradientNorms& norms) {
  measure(d.data(), Index{d.size() > 0}, d.rows(), d.cols(), norms);
}

}  // namespace

template <class T>
void measureGradients(ResultsOf<T>& results) {
  const GradientsOf<T>& d = results.d;
  AllGradientNorms& norms = results.norms;
  measure(d.out, norms.out);
  measure(d.headOut, norms.headOut);
  measure(d.probs, norms.probs);
  measure(d.scores, norms.scores);
  measure(d.scaledScores, norms.scaledScores);
  measure(d.rawScores, norms.rawScores);
  measure(d.q, norms.q);
  measure(d.k, norms.k);
  measure(d.v, norms.v);
  measure(d.x, norms.x);
  measure(d.other, norms.other);
  measure(d.wq, norms.wq);
  measure(d.wk, norms.wk);
  measure(d.wv, norms.wv);
  measure(d.wo, norms.wo);
}

template void measureGradients(Results&);
template void measureGradients(PreciseResults&);

}  // namespace attn
