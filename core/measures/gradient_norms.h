#pragma once
#include "core/results.h"

namespace attn {

/// Fills results.norms from results.d. A gradient that was not made has norm 0 and no rows.
template <class T>
void measureGradients(ResultsOf<T>& results);

}  // namespace attn
