#pragma once
#include "core/matrix.h"

namespace attn {

/// Keys [begin, end).
struct KeyRange {
  Index begin = 0, end = 0;
  bool operator==(const KeyRange&) const = default;
};

}  // namespace attn
