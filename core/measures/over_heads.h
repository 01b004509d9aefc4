#pragma once
#include "core/matrix.h"

namespace attn {

enum class OverHeads { average, maximum };

/// All heads of a stack as one matrix, cell by cell: (heads, rows, cols) → (1, rows, cols).
/// A NaN in any head stays one; averages are summed in double.
void takeTogether(const StackOf<float>& stack, OverHeads how, StackOf<float>& result);

}  // namespace attn
