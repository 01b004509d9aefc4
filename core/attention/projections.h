#pragma once
#include "core/attention/heads.h"

namespace attn {

/// Q = X·W_Q, K = X·W_K, V = X·W_V for every head (K and V from the other sequence where there is one).
template <class T>
void projectInputs(const SceneOf<T>& scene, const KernelsOf<T>& kernels, Workers& workers,
                   HeadsWorkspace<T>& work, ResultsOf<T>& results);

/// From results.d.q, k, v back to dX, dW_Q, dW_K and dW_V.
template <class T>
void projectInputsBackward(const SceneOf<T>& scene, const KernelsOf<T>& kernels, Workers& workers,
                           HeadsWorkspace<T>& work, ResultsOf<T>& results);

/// out = concat(heads)·W_O, or the concatenation itself where there is no W_O.
template <class T>
void projectOutput(const SceneOf<T>& scene, const KernelsOf<T>& kernels, Workers& workers,
                   HeadsWorkspace<T>& work, ResultsOf<T>& results);

/// From results.d.out back to dW_O and results.d.headOut.
template <class T>
void projectOutputBackward(const SceneOf<T>& scene, const KernelsOf<T>& kernels, Workers& workers,
                           HeadsWorkspace<T>& work, ResultsOf<T>& results);

}  // namespace attn
