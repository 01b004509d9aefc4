#pragma once
#include "core/attention/head.h"

namespace attn {

/// score: s_ij = Σ_t q_it · k_jt
template <class T>
T score(const HeadTask<T>& task, Index i, Index j) {
  T sum = 0;
  for (Index t = 0; t < task.keyWidth; ++t)
    sum += task.q[i * task.keyWidth + t] * task.k[j * task.keyWidth + t];
  return sum;
}

/// Back from s_ij = Σ_t q_it · k_jt: the part of one pair in dq_i and dk_j.
template <class T>
void scoreBackward(const HeadTask<T>& task, Index i, Index j, T dScore, T* dQ, T* dK) {
  for (Index t = 0; t < task.keyWidth; ++t) {
    if (dQ) dQ[i * task.keyWidth + t] += dScore * task.k[j * task.keyWidth + t];
    if (dK) dK[j * task.keyWidth + t] += dScore * task.q[i * task.keyWidth + t];
  }
}

}  // namespace attn
