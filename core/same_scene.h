#pragma once
#include "core/scene.h"

namespace attn {

/// Whether two scenes hold the same: every number bit by bit (a NaN is the same as itself), every label,
/// rule and fill, also of what is not in use.
bool sameScene(const Scene& a, const Scene& b);

/// Whether two scenes differ at most in what nothing is computed of: title, slides, stories and labs.
bool sameResults(const Scene& a, const Scene& b);

/// Whether two matrices have the same shape and the same bits.
bool sameBits(const Matrix& a, const Matrix& b);

}  // namespace attn
