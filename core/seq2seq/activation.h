#pragma once
#include <cmath>

namespace attn {

template <class T>
T sigmoid(T x) {
  return 1 / (1 + std::exp(-x));
}
/// tanh x = 2σ(2x) − 1: several times as fast as std::tanh, and as exact beside the 1 of a state.
template <class T>
T squash(T x) {
  return 2 * sigmoid(2 * x) - 1;
}

}  // namespace attn
