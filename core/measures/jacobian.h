#pragma once
#include "core/results.h"

namespace attn {

/// The whole Jacobian ∂p/∂s of one row, keys × keys: diag(u) − κuuᵀ, see core/attention/normalise.h. The
/// results must keep their weights.
template <class T>
MatrixOf<double> jacobianOf(const SceneOf<T>& scene, const ResultsOf<T>& results, Index head, Index query);

/// The largest eigenvalue of that Jacobian for a row of `count` weights, in O(count) a step: the root of
/// the secular equation 1 = κ Σ u²/(u − λ) between the two largest u.
template <class T>
double largestJacobianEigenvalue(Normaliser::Kind kind, const T* weights, Index count);

}  // namespace attn
