#pragma once
#include <type_traits>

#include "core/attention/heads.h"

namespace attn {

template <class T>
const KernelsOf<T>& trainingKernels();
template <>
inline const KernelsOf<float>& trainingKernels() {
  return bestKernels();
}
template <>
inline const KernelsOf<double>& trainingKernels() {
  return referenceKernels<double>();
}

/// A matrix as a product reads or writes it.
template <class T>
struct Block {
  using Whole = std::conditional_t<std::is_const_v<T>, const MatrixOf<std::remove_const_t<T>>, MatrixOf<T>>;
  T* data;
  Index rows, cols, stride;

  Block(T* first, Index rowCount, Index columns, Index rowStride)
      : data(first), rows(rowCount), cols(columns), stride(rowStride) {}
  Block(Whole& m) : Block(m.data(), m.rows(), m.cols(), m.cols()) {}
};

/// Matrix products on the kernels, with the memory that they work in. The number of threads changes no bit.
template <class T>
class Products {
 public:
  explicit Products(int threads) : workers_(threads) {}

  /// C = A·B, or C += A·B with `add`.
  void times(Block<const T> a, Block<const T> b, Block<T> c, bool add = false) {
    run({.rows = a.rows, .cols = b.cols, .depth = a.cols}, a, b, c, add);
  }
  /// C += Aᵀ·B
  void addTransposedTimes(Block<const T> a, Block<const T> b, Block<T> c) {
    run({.rows = a.cols, .cols = b.cols, .depth = a.rows, .aTransposed = true}, a, b, c, true);
  }
  /// C = A·Bᵀ, or C += A·Bᵀ with `add`.
  void timesTransposed(Block<const T> a, Block<const T> b, Block<T> c, bool add = false) {
    run({.rows = a.rows, .cols = b.rows, .depth = a.cols, .bTransposed = true}, a, b, c, add);
  }

 private:
  void run(Product<T> product, const Block<const T>& a, const Block<const T>& b, const Block<T>& c,
           bool add) {
    product.a = a.data, product.aStride = a.stride;
    product.b = b.data, product.bStride = b.stride;
    product.c = c.data, product.cStride = c.stride;
    product.add = add;
    multiply(trainingKernels<T>(), workers_, work_, product);
  }

  Workers workers_;
  HeadsWorkspace<T> work_;
};

}  // namespace attn
