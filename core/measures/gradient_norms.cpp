#include "core/measures/gradient_norms.h"

#include <cmath>

namespace attn {
namespace {

template <class T>
void measure(const T* d, Index heads, Index rows, Index cols, GradientNorms& norms) {
  norms.ofHead.resize(static_cast<std::size_t>(heads));
  norms.ofRow.resize(static_cast<std::size_t>(heads * rows));
  double all = 0;
  for (Index h = 0; h < heads; ++h) {
    double head = 0;
    for (Index i = 0; i < rows; ++i, d += cols) {
      double row = 0;
      for (Index t = 0; t < cols; ++t) row += static_cast<double>(d[t]) * static_cast<double>(d[t]);
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
