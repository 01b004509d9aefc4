#pragma once
#include <cmath>

#include "core/scene.h"

namespace attn {

/// What the rule and the temperature divide by.
inline double plainDivisor(const Scale& scale, Index keyWidth) {
  double divisor = 1;
  if (scale.rule == Scale::Rule::sqrtKeyWidth) divisor = std::sqrt(static_cast<double>(keyWidth));
  if (scale.rule == Scale::Rule::keyWidth) divisor = static_cast<double>(keyWidth);
  if (scale.rule == Scale::Rule::number) divisor = scale.number;
  return divisor * scale.temperature;
}

/// scale: s = raw / divisor. A gain is a divisor below 1; a gain of 0 is an infinite one.
inline double divisorOf(const Scale& scale, Index keyWidth) {
  return plainDivisor(scale, keyWidth) / scale.qkNormGain.value_or(1);
}

}  // namespace attn
