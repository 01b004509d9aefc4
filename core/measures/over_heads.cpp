#include "core/measures/over_heads.h"

#include <vector>

namespace attn {
namespace {

void averageRow(const StackOf<float>& stack, Index row, std::vector<double>& sums, float* result) {
  std::fill(sums.begin(), sums.end(), 0.0);
  for (Index head = 0; head < stack.heads(); ++head) {
    const float* values = stack.row(head, row);
    for (Index col = 0; col < stack.cols(); ++col) sums[static_cast<std::size_t>(col)] += values[col];
  }
  const auto heads = static_cast<double>(stack.heads());
  for (Index col = 0; col < stack.cols(); ++col)
    result[col] = static_cast<float>(sums[static_cast<std::size_t>(col)] / heads);
}

void maximumOfRow(const StackOf<float>& stack, Index row, float* result) {
  std::copy_n(stack.row(0, row), stack.cols(), result);
  for (Index head = 1; head < stack.heads(); ++head) {
    const float* values = stack.row(head, row);
    for (Index col = 0; col < stack.cols(); ++col) {
      const float value = values[col], largest = result[col];
      result[col] = value > largest || value != value ? value : largest;  // a NaN is never replaced
    }
  }
}

}  // namespace

void takeTogether(const StackOf<float>& stack, OverHeads how, StackOf<float>& result) {
  result.resize(1, stack.rows(), stack.cols());
  if (stack.empty()) return;
  std::vector<double> sums(static_cast<std::size_t>(stack.cols()));
  for (Index row = 0; row < stack.rows(); ++row)
    if (how == OverHeads::average)
      averageRow(stack, row, sums, result.row(0, row));
    else
      maximumOfRow(stack, row, result.row(0, row));
}

}  // namespace attn
