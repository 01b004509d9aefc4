#pragma once
#include "core/scene.h"

namespace attn {

/// The matrix that a fill describes: the same numbers on every machine.
/// normal, uniform: cell by cell in row order. identity: ones on the diagonal.
/// orthonormal: orthonormal rows (columns where there are more rows than columns), from a seeded draw.
MatrixOf<double> filled(const Fill& fill, Index rows, Index cols);

/// Replaces the values of `input` by its fill, in the shape that they have. A typed input stays.
template <class T>
void refill(InputOf<T>& input) {
  if (input.fill.kind != Fill::Kind::typed)
    input.values = filled(input.fill, input.values.rows(), input.values.cols()).template cast<T>();
}

}  // namespace attn
