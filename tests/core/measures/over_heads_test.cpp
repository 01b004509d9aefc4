#include "core/measures/over_heads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace attn {
namespace {

StackOf<float> stackOf(Index heads, Index rows, Index cols) {
  StackOf<float> stack(heads, rows, cols);
  for (Index k = 0; k < stack.size(); ++k) stack.data()[k] = std::sin(static_cast<float>(3 * k + 1));
  return stack;
}

TEST(OverHeads, TheAverageAndTheMaximumOfEveryCell) {
  const StackOf<float> stack = stackOf(3, 4, 5);
  StackOf<float> average, maximum;
  takeTogether(stack, OverHeads::average, average);
  takeTogether(stack, OverHeads::maximum, maximum);
  ASSERT_EQ(average.heads(), 1);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 5; ++j) {
      const double a = stack.at(0, i, j), b = stack.at(1, i, j), c = stack.at(2, i, j);
      EXPECT_EQ(average.at(0, i, j), static_cast<float>((a + b + c) / 3));
      EXPECT_EQ(maximum.at(0, i, j), static_cast<float>(std::max({a, b, c})));
    }
}

TEST(OverHeads, OneHeadIsItself) {
  const StackOf<float> stack = stackOf(1, 2, 7);
  StackOf<float> result;
  for (const OverHeads how : {OverHeads::average, OverHeads::maximum}) {
    takeTogether(stack, how, result);
    for (Index k = 0; k < stack.size(); ++k) EXPECT_EQ(result.data()[k], stack.data()[k]);
  }
}

TEST(OverHeads, ANaNInAnyHeadIsNotLost) {
  for (Index head = 0; head < 3; ++head) {
    StackOf<float> stack = stackOf(3, 1, 2), result;
    stack.at(head, 0, 1) = std::numeric_limits<float>::quiet_NaN();
    for (const OverHeads how : {OverHeads::average, OverHeads::maximum}) {
      takeTogether(stack, how, result);
      EXPECT_TRUE(std::isnan(result.at(0, 0, 1))) << head;
      EXPECT_FALSE(std::isnan(result.at(0, 0, 0))) << head;
    }
  }
}

}  // namespace
}  // namespace attn
