#pragma once
#include "core/matrix.h"

namespace attn {

/// The matrices that a person can type in.
enum class InputName { q, k, v, x, other, wq, wk, wv, wo, bias };

/// One of them; `head` counts for q, k, v, wq, wk, wv, and for a bias that differs by head.
struct InputRef {
  InputName name = InputName::q;
  Index head = 0;

  bool operator==(const InputRef&) const = default;
};

}  // namespace attn
