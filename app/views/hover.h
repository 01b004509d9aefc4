#pragma once
#include <optional>

#include "core/matrix.h"

namespace attn {

/// What the pointer is on, in terms of the scene: the same pair lights up in every panel.
struct Hover {
  std::optional<Index> query, key, dimension;
};

}  // namespace attn
