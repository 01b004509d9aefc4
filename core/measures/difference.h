#pragma once
#include "core/results.h"

namespace attn {

/// b − a, number by number: stages, measures and gradients that both have in the same shape. The others are
/// empty: there is nothing to subtract. A pair that only one of them masks has an infinite difference of
/// scores, one that both mask has a NaN.
void takeDifference(const Results& a, const Results& b, Results& difference);

/// The same number in another Results: where `number` lies in `from`, there in `to`. Null where it lies in no
/// stage or measure of `from`, or where `to` has that one in another shape.
const float* sameNumber(const Results& from, const float* number, const Results& to);

}  // namespace attn
