#pragma once
#include "core/scene.h"

namespace attn {

/// The scene in double: for what has to be computed as exactly as can be.
PreciseScene widen(const Scene& scene);

}  // namespace attn
