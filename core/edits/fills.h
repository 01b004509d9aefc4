#pragma once
#include "core/edits/inputs.h"

namespace attn {

/// The fill to begin with where someone wants to fill a matrix: the one it has, or standard noise with a seed
/// that the scene does not have yet.
Fill suggestedFill(const Scene& scene, const InputRef& ref);

/// The same kind of random numbers with another seed; standard noise where there was nothing random.
/// Throws Error where there is no such matrix.
void fillAnew(Scene& scene, const InputRef& ref);

}  // namespace attn
