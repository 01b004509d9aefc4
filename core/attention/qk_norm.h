#pragma once
#include <algorithm>
#include <cmath>

#include "core/results.h"

namespace attn {

/// QK-norm: û = x/‖x‖ for every row; a row of zeros stays. Lengths are summed in double, where the
/// square of no float overflows.
template <class T>
void normaliseLengths(const T* x, Index rows, Index width, T* unit, T* lengths) {
  for (Index i = 0; i < rows; ++i, x += width, unit += width) {
    double squares = 0;
    for (Index t = 0; t < width; ++t) squares += static_cast<double>(x[t]) * static_cast<double>(x[t]);
    const double length = std::sqrt(squares);
    lengths[i] = static_cast<T>(length);
    for (Index t = 0; t < width; ++t)
      unit[t] = length == 0 ? T(0) : static_cast<T>(static_cast<double>(x[t]) / length);
  }
}

/// Back from û = x/‖x‖: dx = (dû − û(û·dû))/‖x‖, in place over dû. 0 where x is 0, and where dû is: a hidden
/// key without gradient may hold anything.
template <class T>
void normaliseLengthsBackward(const T* unit, const T* lengths, Index rows, Index width, T* d) {
  for (Index i = 0; i < rows; ++i, unit += width, d += width) {
    if (std::all_of(d, d + width, [](T value) { return value == 0; })) continue;
    T along = 0;
    for (Index t = 0; t < width; ++t) along += unit[t] * d[t];
    for (Index t = 0; t < width; ++t) d[t] = lengths[i] == 0 ? T(0) : (d[t] - unit[t] * along) / lengths[i];
  }
}

}  // namespace attn
