#include "core/fill.h"

#include <cmath>

#include "core/kernels/kernels.h"
#include "core/random.h"

namespace attn {
namespace {

template <class Draw>
MatrixOf<double> cellByCell(Index rows, Index cols, Draw draw) {
  MatrixOf<double> m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = draw(static_cast<std::uint64_t>(i));
  return m;
}

MatrixOf<double> normals(std::uint64_t seed, Index rows, Index cols) {
  Matrix drawn(rows, cols);
  bestKernels().normals(seed, 0, drawn.data(), drawn.size());
  return drawn.cast<double>();
}

double dot(const MatrixOf<double>& m, Index i, Index j) {
  double sum = 0;
  for (Index t = 0; t < m.cols(); ++t) sum += m(i, t) * m(j, t);
  return sum;
}

/// Gram–Schmidt on the rows, each one twice: once leaves rounding errors that the second pass removes. In
/// plain loops, whose order of sums no library changes.
MatrixOf<double> orthonormalRows(MatrixOf<double> m) {
  for (Index i = 0; i < m.rows(); ++i) {
    for (int pass = 0; pass < 2; ++pass)
      for (Index j = 0; j < i; ++j) {
        const double along = dot(m, i, j);
        for (Index t = 0; t < m.cols(); ++t) m(i, t) -= along * m(j, t);
      }
    const double length = std::sqrt(dot(m, i, i));
    for (Index t = 0; t < m.cols(); ++t) m(i, t) /= length;
  }
  return m;
}

}  // namespace

MatrixOf<double> filled(const Fill& fill, Index rows, Index cols) {
  const Random random(fill.seed);
  switch (fill.kind) {
    case Fill::Kind::normal:
      return (fill.mean + fill.deviation * normals(fill.seed, rows, cols).array()).matrix();
    case Fill::Kind::uniform:
      return cellByCell(
          rows, cols, [&](std::uint64_t i) { return fill.low + (fill.high - fill.low) * random.uniform(i); });
    case Fill::Kind::orthonormal:
      if (rows <= cols) return orthonormalRows(normals(fill.seed, rows, cols));
      return orthonormalRows(normals(fill.seed, cols, rows)).transpose();
    case Fill::Kind::identity:
      return MatrixOf<double>::Identity(rows, cols);
    case Fill::Kind::typed:
      break;
  }
  return MatrixOf<double>::Zero(rows, cols);
}

}  // namespace attn
