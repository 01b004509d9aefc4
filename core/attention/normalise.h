#pragma once
#include <vector>

#include "core/attention/head.h"

namespace attn {

/// normalise: the weights of the visible scores of one row, in place, in the plain way that a textbook
/// writes them. A NaN or +∞ among the scores makes all weights NaN; the sigmoid, which knows nothing of
/// neighbours, gives NaN for that NaN and 1 for +∞. Returns the weight of the sink: 0 where there is none.
///   softmax    p_j = exp(s_j − max s) / Σ exp(s_l − max s)
///   sink       the same with one more key of score b whose weight is not used
///   sparsemax  p_j = max(s_j − τ, 0) with Σ p = 1
///   entmax15   p_j = max(s_j/2 − τ, 0)² with Σ p = 1
///   sigmoid    p_j = 1 / (1 + exp(−(s_j + b)))
template <class T>
T normalise(Normaliser::Kind kind, T logit, T* scores, Index count);

/// Every normaliser's Jacobian ∂p/∂s is diag(u) − κ·u·uᵀ:
///   softmax, sink  u = p           κ = 1
///   sparsemax      u = [p > 0]     κ = 1/Σu
///   entmax15       u = √p          κ = 1/Σu
///   sigmoid        u = p·(1 − p)   κ = 0
template <class T>
T jacobianWeight(Normaliser::Kind kind, T p);
template <class T>
T jacobianCoupling(Normaliser::Kind kind, const T* u, Index count);

/// Back from p = normalise(s): ds_j = u_j · (dp_j − κ Σ_l u_l dp_l), in place over dp.
template <class T>
void normaliseBackward(Normaliser::Kind kind, const T* p, T* dp, Index count);

/// From total and entropy to what is made of them; an entropy that rounding made negative becomes 0.
void completeEntropy(RowSums& sums);

/// Sums over one row of weights; `sinkWeight` is what `normalise` returned.
template <class T>
RowSums sumsOf(Normaliser::Kind kind, const T* p, Index count, T sinkWeight);

/// ‖diag(u) − κuuᵀ‖ of a row from sums that leave the largest weight m out:
///   ‖J‖² = m²(1−κm)² + Σ'u² − 2κΣ'u³ + κ²(Σ'u²)² + 2κ²m²Σ'u²
/// which is Σu² − 2κΣu³ + κ²(Σu²)² without its cancellation where one weight is nearly 1. There,
/// 1 − κm is κ·(Σ'u + sink), since κ = 1/(Σu + sink).
double jacobianNorm(double coupling, double largest, double restSum, double restSquares, double restCubes);

}  // namespace attn
