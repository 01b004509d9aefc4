#pragma once
#include <cstdint>
#include <vector>

#include "core/matrix.h"

namespace attn {

/// What stands for several cells where they are smaller than a pixel: the one of largest magnitude, so that
/// a thin line never vanishes, or their average.
enum class Reduction { largest, average };

/// A matrix at a half, a quarter, an eighth … of its size.
struct PyramidLevel {
  Index rows = 0, cols = 0;
  std::vector<float> values;         // a NaN among the cells stays one
  std::vector<std::uint8_t> hidden;  // 255 where every cell is hidden; empty where none is
};

/// The cells of level k stand for 2ᵏ × 2ᵏ cells each, fewer at the right and lower edge. Level 0, the matrix
/// itself, is not part of it: the first entry is level 1. `hidden` may be null; hidden cells do not count.
std::vector<PyramidLevel> buildPyramid(const float* values, const std::uint8_t* hidden, Index rows,
                                       Index cols, int levels, Reduction reduction);

/// As many levels as leave the longer side at least this long.
int levelsFor(Index rows, Index cols, Index shortest = 64);

}  // namespace attn
