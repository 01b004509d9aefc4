#include "app/gpu/pyramid.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

/// A matrix whose cells stand for `weight` cells each. No weights: each for one.
struct Layer {
  Index rows = 0, cols = 0;
  const float* values = nullptr;
  const float* weights = nullptr;
  const std::uint8_t* hidden = nullptr;
};

/// A comparison with NaN is false: a NaN in `kept` stays, one in `other` is taken.
float larger(float kept, float other) {
  return std::abs(other) > std::abs(kept) || other != other ? other : kept;
}

struct Cell {
  float value = 0, weight = 0;
  bool isHidden = true;
};

Cell reduce(const Layer& layer, Index row, Index col, Reduction reduction) {
  Cell cell;
  float sum = 0;
  for (Index i = row; i < std::min(row + 2, layer.rows); ++i)
    for (Index j = col; j < std::min(col + 2, layer.cols); ++j) {
      const Index at = i * layer.cols + j;
      if (layer.hidden && layer.hidden[at]) continue;
      const float weight = layer.weights ? layer.weights[at] : 1;
      cell.value = larger(cell.value, layer.values[at]);
      sum += weight * layer.values[at];
      cell.weight += weight;
      cell.isHidden = false;
    }
  if (reduction == Reduction::average && cell.weight > 0) cell.value = sum / cell.weight;
  return cell;
}

/// The whole blocks of a level of which nothing is hidden: most of the work, without a branch.
void reduceLargest(const Layer& layer, Index row, float* result) {
  const float* above = layer.values + 2 * row * layer.cols;
  const float* below = above + layer.cols;
  for (Index j = 0; j < layer.cols / 2; ++j)
    result[j] = larger(larger(above[2 * j], above[2 * j + 1]), larger(below[2 * j], below[2 * j + 1]));
}

PyramidLevel halved(const Layer& layer, Reduction reduction, std::vector<float>& weights) {
  PyramidLevel level;
  level.rows = (layer.rows + 1) / 2, level.cols = (layer.cols + 1) / 2;
  const auto size = static_cast<std::size_t>(level.rows * level.cols);
  level.values.resize(size);
  weights.resize(size);
  if (layer.hidden) level.hidden.resize(size);
  const bool isPlain = reduction == Reduction::largest && !layer.hidden;
  for (Index i = 0; i < level.rows; ++i) {
    const bool isFast = isPlain && 2 * i + 1 < layer.rows;
    if (isFast) reduceLargest(layer, i, level.values.data() + i * level.cols);
    for (Index j = isFast ? layer.cols / 2 : 0; j < level.cols; ++j) {
      const Cell cell = reduce(layer, 2 * i, 2 * j, reduction);
      const auto at = static_cast<std::size_t>(i * level.cols + j);
      level.values[at] = cell.value;
      weights[at] = cell.weight;
      if (layer.hidden) level.hidden[at] = cell.isHidden ? 255 : 0;
    }
  }
  return level;
}

}  // namespace

std::vector<PyramidLevel> buildPyramid(const float* values, const std::uint8_t* hidden, Index rows,
                                       Index cols, int levels, Reduction reduction) {
  std::vector<PyramidLevel> pyramid;
  std::vector<float> weights, finer;
  Layer layer{rows, cols, values, nullptr, hidden};
  for (int k = 0; k < levels; ++k) {
    pyramid.push_back(halved(layer, reduction, weights));
    const PyramidLevel& level = pyramid.back();
    finer.swap(weights);
    layer = {level.rows, level.cols, level.values.data(),
             reduction == Reduction::average ? finer.data() : nullptr,
             level.hidden.empty() ? nullptr : level.hidden.data()};
  }
  return pyramid;
}

int levelsFor(Index rows, Index cols, Index shortest) {
  int levels = 0;
  for (Index side = std::max(rows, cols); side >= 2 * shortest; side = (side + 1) / 2) ++levels;
  return levels;
}

}  // namespace attn
