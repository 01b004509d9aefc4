#pragma once
#include <cmath>

#include "core/attention/head.h"

namespace attn {

/// bias: what is added to the score of a pair: −slope·|i−j| and the free matrix.
template <class T>
T bias(const HeadTask<T>& task, Index i, Index j) {
  const T alibi = static_cast<T>(-task.slope) * static_cast<T>(std::abs(i - j));
  return task.bias ? alibi + task.bias[i * task.keys + j] : alibi;
}

}  // namespace attn
