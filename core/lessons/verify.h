#pragma once
#include <string>
#include <vector>

#include "core/lessons/lesson.h"

namespace attn {

struct Verification {
  std::vector<std::string> complaints;  // one line each: "line 12: …"
  std::size_t questions = 0;
  std::size_t computed =
      0;  // answers and facts that the engine computed, and mistakes that it made on purpose
};

/// Computes every answer of a lesson and holds what is printed against it. A mistake must lead to another
/// answer than the right one, or nobody would hear of it.
Verification verify(const Lesson& lesson);

}  // namespace attn
