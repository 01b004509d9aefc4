#pragma once
#include "core/attention/head.h"
#include "core/kernels/kernels.h"
#include "core/results.h"

namespace attn {

/// Fills results.measures and the row flags from the sums that the kernels took.
/// `headsAreFinite`: that there is no need to look for other numbers in the heads' outputs. `sums` is (heads,
/// queries); null where no measures are wanted.
template <class T>
void measureRows(const SceneOf<T>& scene, const KernelsOf<T>& kernels, const Visibility& visible,
                 bool headsAreFinite, const RowSums* sums, ResultsOf<T>& results);

}  // namespace attn
