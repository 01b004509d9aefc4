#pragma once
#include "core/attention/head.h"

namespace attn {

/// mix: o_i = Σ_j p_ij · v_j; this adds the part of one key.
template <class T>
void mix(const HeadTask<T>& task, Index j, T p, T* outRow) {
  for (Index t = 0; t < task.valueWidth; ++t) outRow[t] += p * task.v[j * task.valueWidth + t];
}

/// Back from o_i = Σ_j p_ij · v_j: dp_ij = Σ_t do_it · v_jt
template <class T>
T mixBackwardProb(const HeadTask<T>& task, Index j, const T* dOutRow) {
  T sum = 0;
  for (Index t = 0; t < task.valueWidth; ++t) sum += dOutRow[t] * task.v[j * task.valueWidth + t];
  return sum;
}

/// Back from o_i = Σ_j p_ij · v_j: dv_j += p_ij · do_i
template <class T>
void mixBackwardValue(const HeadTask<T>& task, Index j, T p, const T* dOutRow, T* dV) {
  for (Index t = 0; t < task.valueWidth; ++t) dV[j * task.valueWidth + t] += p * dOutRow[t];
}

}  // namespace attn
