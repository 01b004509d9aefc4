#pragma once
#include "core/kernels/kernels.h"
#include "core/results.h"

namespace attn {

/// Fills results.norms from results.d. A gradient that was not made has norm 0 and no rows.
template <class T>
void measureGradients(const KernelsOf<T>& kernels, ResultsOf<T>& results);

}  // namespace attn
