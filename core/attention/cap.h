#pragma once
#include <cmath>

namespace attn {

/// cap: c·tanh(s/c), which bends scores into (−c, c). c = 0 leaves them.
template <class T>
T capped(T s, T c) {
  return c == 0 ? s : c * std::tanh(s / c);
}

/// Back from c·tanh(s/c): its slope 1 − tanh²(s/c), from the capped value itself.
template <class T>
T capSlope(T cappedScore, T c) {
  if (c == 0) return 1;
  const T t = cappedScore / c;
  return (1 - t) * (1 + t);
}

}  // namespace attn
