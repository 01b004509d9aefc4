#include "core/measures/gradient_norms.h"

#include <cmath>
#include <numeric>

namespace attn {
namespace {

template <class T>
void measure(const KernelsOf<T>& kernels, const T* d, Index heads, Index rows, Index cols,
             GradientNorms& norms) {
  if (heads * rows == 0) return norms.all = 0, norms.ofHead.clear(), norms.ofRow.clear();
  norms.ofHead.resize(static_cast<std::size_t>(heads));
  norms.ofRow.resize(static_cast<std::size_t>(heads * rows));
  kernels.squaresOfRows(d, heads * rows, cols, norms.ofRow.data());
  double all = 0;
  for (Index h = 0; h < heads; ++h) {
    const double* ofRow = norms.ofRow.data() + h * rows;
    const double head = std::accumulate(ofRow, ofRow + rows, 0.0);
    norms.ofHead[static_cast<std::size_t>(h)] = std::sqrt(head);
    all += head;
  }
  kernels.squareRoots(norms.ofRow.data(), heads * rows);
  norms.all = std::sqrt(all);
}

template <class T>
void measure(const KernelsOf<T>& kernels, const StackOf<T>& d, GradientNorms& norms) {
  measure(kernels, d.data(), d.heads(), d.rows(), d.cols(), norms);
}

template <class T>
void measure(const KernelsOf<T>& kernels, const MatrixOf<T>& d, GradientNorms& norms) {
  measure(kernels, d.data(), Index{d.size() > 0}, d.rows(), d.cols(), norms);
}

}  // namespace

template <class T>
void measureGradients(const KernelsOf<T>& kernels, ResultsOf<T>& results) {
  const GradientsOf<T>& d = results.d;
  AllGradientNorms& norms = results.norms;
  measure(kernels, d.out, norms.out);
  measure(kernels, d.headOut, norms.headOut);
  measure(kernels, d.probs, norms.probs);
  measure(kernels, d.scores, norms.scores);
  measure(kernels, d.scaledScores, norms.scaledScores);
  measure(kernels, d.rawScores, norms.rawScores);
  measure(kernels, d.q, norms.q);
  measure(kernels, d.k, norms.k);
  measure(kernels, d.v, norms.v);
  measure(kernels, d.x, norms.x);
  measure(kernels, d.other, norms.other);
  measure(kernels, d.wq, norms.wq);
  measure(kernels, d.wk, norms.wk);
  measure(kernels, d.wv, norms.wv);
  measure(kernels, d.wo, norms.wo);
}

template void measureGradients(const Kernels&, Results&);
template void measureGradients(const KernelsOf<double>&, PreciseResults&);

}  // namespace attn
