#include "core/attention/projections.h"

#include <algorithm>

namespace attn {
namespace {

/// What the products of one evaluation share.
template <class T>
struct Products {
  const KernelsOf<T>& kernels;
  Workers& workers;
  HeadsWorkspace<T>& work;

  /// y (rows × cols) = x·w
  void apply(const MatrixOf<T>& x, const MatrixOf<T>& w, T* y) const {
    multiply(kernels, workers, work,
             Product<T>{.rows = x.rows(),
                        .cols = w.cols(),
                        .depth = x.cols(),
                        .a = x.data(),
                        .aStride = x.cols(),
                        .b = w.data(),
                        .bStride = w.cols(),
                        .c = y,
                        .cStride = w.cols()});
  }
  /// Back from y = x·w: dx (+)= dy·wᵀ
  void backToX(const T* dy, const MatrixOf<T>& w, MatrixOf<T>& dx, bool add) const {
    multiply(kernels, workers, work,
             Product<T>{.rows = dx.rows(),
                        .cols = w.rows(),
                        .depth = w.cols(),
                        .a = dy,
                        .aStride = w.cols(),
                        .b = w.data(),
                        .bStride = w.cols(),
                        .bTransposed = true,
                        .c = dx.data(),
                        .cStride = w.rows(),
                        .add = add});
  }
  /// Back from y = x·w: dw = xᵀ·dy. A token that is 0 or has no gradient adds nothing, even where the other
  /// one is a NaN: padding may hold anything.
  void backToW(const MatrixOf<T>& x, const T* dy, Index cols, T* dw) const {
    if (kernels.allFinite(x.data(), x.size()) && kernels.allFinite(dy, x.rows() * cols))
      return backToFiniteW(x, dy, cols, dw);
    MatrixOf<T> cleanX = x, cleanY = ConstMatrixView<T>(dy, x.rows(), cols);
    for (Index i = 0; i < x.rows(); ++i) {
      const bool idle = (cleanX.row(i).array() == 0).all() || (cleanY.row(i).array() == 0).all();
      if (idle) cleanX.row(i).setZero(), cleanY.row(i).setZero();
    }
    backToFiniteW(cleanX, cleanY.data(), cols, dw);
  }
  void backToFiniteW(const MatrixOf<T>& x, const T* dy, Index cols, T* dw) const {
    multiply(kernels, workers, work,
             Product<T>{.rows = x.cols(),
                        .cols = cols,
                        .depth = x.rows(),
                        .a = x.data(),
                        .aStride = x.cols(),
                        .aTransposed = true,
                        .b = dy,
                        .bStride = cols,
                        .c = dw,
                        .cStride = cols});
  }
};

template <class T>
const MatrixOf<T>& keySequence(const SourceOf<T>& source) {
  return source.other ? source.other->values : source.x.values;
}

}  // namespace

template <class T>
void projectInputs(const SceneOf<T>& scene, const KernelsOf<T>& kernels, Workers& workers,
                   HeadsWorkspace<T>& work, ResultsOf<T>& results) {
  const SourceOf<T>& source = scene.source;
  const Shapes& s = results.shapes;
  if (source.kind == SourceOf<T>::Kind::given) return results.q.clear(), results.k.clear(), results.v.clear();
  results.q.resize(s.heads, s.queries, s.keyWidth);
  results.k.resize(s.heads, s.keys, s.keyWidth);
  results.v.resize(s.heads, s.keys, s.valueWidth);
  const Products<T> products{kernels, workers, work};
  for (Index h = 0; h < s.heads; ++h) {
    const ProjectedHeadOf<T>& head = source.projected[static_cast<std::size_t>(h)];
    products.apply(source.x.values, head.wq.values, results.q.head(h));
    products.apply(keySequence(source), head.wk.values, results.k.head(h));
    products.apply(keySequence(source), head.wv.values, results.v.head(h));
  }
}

template <class T>
void projectInputsBackward(const SceneOf<T>& scene, const KernelsOf<T>& kernels, Workers& workers,
                           HeadsWorkspace<T>& work, ResultsOf<T>& results) {
  const SourceOf<T>& source = scene.source;
  const Shapes& s = results.shapes;
  GradientsOf<T>& d = results.d;
  if (source.kind == SourceOf<T>::Kind::given) {
    d.x.resize(0, 0), d.other.resize(0, 0);
    return d.wq.clear(), d.wk.clear(), d.wv.clear();
  }
  d.wq.resize(s.heads, s.modelWidth, s.keyWidth);
  d.wk.resize(s.heads, s.otherWidth, s.keyWidth);
  d.wv.resize(s.heads, s.otherWidth, s.valueWidth);
  d.x.resize(s.queries, s.modelWidth);
  source.other ? d.other.resize(s.keys, s.otherWidth) : d.other.resize(0, 0);
  MatrixOf<T>& dKeySequence = source.other ? d.other : d.x;
  const Products<T> products{kernels, workers, work};
  for (Index h = 0; h < s.heads; ++h) {
    const ProjectedHeadOf<T>& head = source.projected[static_cast<std::size_t>(h)];
    products.backToW(source.x.values, d.q.head(h), s.keyWidth, d.wq.head(h));
    products.backToW(keySequence(source), d.k.head(h), s.keyWidth, d.wk.head(h));
    products.backToW(keySequence(source), d.v.head(h), s.valueWidth, d.wv.head(h));
    products.backToX(d.q.head(h), head.wq.values, d.x, h > 0);
    products.backToX(d.k.head(h), head.wk.values, dKeySequence, h > 0 || !source.other);
    products.backToX(d.v.head(h), head.wv.values, dKeySequence, true);
  }
}

template <class T>
void projectOutput(const SceneOf<T>& scene, const KernelsOf<T>& kernels, Workers& workers,
                   HeadsWorkspace<T>& work, ResultsOf<T>& results) {
  const Shapes& s = results.shapes;
  if (!scene.source.wo) return results.concat.resize(0, 0);
  const MatrixOf<T>& concat = results.concat;
  results.out.resize(s.queries, s.outWidth);
  Products<T>{kernels, workers, work}.apply(concat, scene.source.wo->values, results.out.data());
  // 0·NaN: a query that sees nothing has output 0, whatever W_O holds.
  if (!kernels.allFinite(scene.source.wo->values.data(), scene.source.wo->values.size()))
    for (Index i = 0; i < s.queries; ++i)
      if ((concat.row(i).array() == 0).all()) results.out.row(i).setZero();
}

template <class T>
void projectOutputBackward(const SceneOf<T>& scene, const KernelsOf<T>& kernels, Workers& workers,
                           HeadsWorkspace<T>& work, ResultsOf<T>& results) {
  const Shapes& s = results.shapes;
  GradientsOf<T>& d = results.d;
  const MatrixOf<T>* dConcat = &d.out;
  if (scene.source.wo) {
    const Products<T> products{kernels, workers, work};
    d.wo.resize(s.heads * s.valueWidth, s.outWidth);
    products.backToW(results.concat, d.out.data(), s.outWidth, d.wo.data());
    work.dConcat.resize(s.queries, s.heads * s.valueWidth);
    products.backToX(d.out.data(), scene.source.wo->values, work.dConcat, false);
    dConcat = &work.dConcat;
  } else {
    d.wo.resize(0, 0);
  }
  d.headOut.resize(s.heads, s.queries, s.valueWidth);
  const Index width = s.heads * s.valueWidth;
  for (Index h = 0; h < s.heads; ++h)
    for (Index i = 0; i < s.queries; ++i) {
      const T* from = dConcat->data() + i * width + h * s.valueWidth;
      T* to = d.headOut.row(h, i);
      if (s.valueWidth > 16)
        std::copy_n(from, s.valueWidth, to);
      else  // a call would take longer than so few numbers do
        for (Index t = 0; t < s.valueWidth; ++t) to[t] = from[t];
    }
}

#define ATTN_INSTANTIATE(T)                                                                                 \
  template void projectInputs(const SceneOf<T>&, const KernelsOf<T>&, Workers&, HeadsWorkspace<T>&,         \
                              ResultsOf<T>&);                                                               \
  template void projectInputsBackward(const SceneOf<T>&, const KernelsOf<T>&, Workers&, HeadsWorkspace<T>&, \
                                      ResultsOf<T>&);                                                       \
  template void projectOutput(const SceneOf<T>&, const KernelsOf<T>&, Workers&, HeadsWorkspace<T>&,         \
                              ResultsOf<T>&);                                                               \
  template void projectOutputBackward(const SceneOf<T>&, const KernelsOf<T>&, Workers&, HeadsWorkspace<T>&, \
                                      ResultsOf<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
