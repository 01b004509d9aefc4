#include "app/gpu/pyramid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace attn {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<float> noise(Index rows, Index cols) {
  std::vector<float> values(static_cast<std::size_t>(rows * cols));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = std::sin(static_cast<float>(k * k + 3));
  return values;
}

/// One cell of a level by the definition.
float plainly(const std::vector<float>& values, const std::vector<std::uint8_t>& hidden, Index rows,
              Index cols, int level, Index row, Index col, Reduction reduction) {
  float largest = 0;
  double sum = 0, count = 0;
  for (Index i = row << level; i < std::min(rows, (row + 1) << level); ++i)
    for (Index j = col << level; j < std::min(cols, (col + 1) << level); ++j) {
      const auto at = static_cast<std::size_t>(i * cols + j);
      if (!hidden.empty() && hidden[at]) continue;
      if (std::abs(values[at]) > std::abs(largest)) largest = values[at];
      sum += values[at], count += 1;
    }
  if (reduction == Reduction::largest) return largest;
  return count > 0 ? static_cast<float>(sum / count) : 0.0f;
}

void expectRight(Index rows, Index cols, bool hasHidden, Reduction reduction) {
  const std::vector<float> values = noise(rows, cols);
  std::vector<std::uint8_t> hidden;
  if (hasHidden)
    for (Index k = 0; k < rows * cols; ++k) hidden.push_back(k % cols > k / cols ? 255 : 0);
  const auto pyramid =
      buildPyramid(values.data(), hasHidden ? hidden.data() : nullptr, rows, cols, 3, reduction);
  ASSERT_EQ(pyramid.size(), 3u);
  for (int level = 1; level <= 3; ++level) {
    const PyramidLevel& found = pyramid[static_cast<std::size_t>(level - 1)];
    ASSERT_EQ(found.rows, (rows + (1 << level) - 1) >> level);
    ASSERT_EQ(found.cols, (cols + (1 << level) - 1) >> level);
    for (Index i = 0; i < found.rows; ++i)
      for (Index j = 0; j < found.cols; ++j)
        EXPECT_NEAR(found.values[static_cast<std::size_t>(i * found.cols + j)],
                    plainly(values, hidden, rows, cols, level, i, j, reduction), 1e-6f)
            << rows << " × " << cols << ", level " << level << ", cell " << i << ", " << j;
  }
}

TEST(Pyramid, StandsForTheCellsBeneathIt) {
  for (const Index rows : {1, 7, 8, 13, 64})
    for (const Index cols : {1, 5, 16, 33})
      for (const bool hasHidden : {false, true})
        for (const Reduction reduction : {Reduction::largest, Reduction::average})
          expectRight(rows, cols, hasHidden, reduction);
}

TEST(Pyramid, IsHiddenOnlyWhereEveryCellIs) {
  const std::vector<float> values(16, 1.0f);
  std::vector<std::uint8_t> hidden(16, 255);
  hidden[5] = 0;
  const auto pyramid = buildPyramid(values.data(), hidden.data(), 4, 4, 2, Reduction::largest);
  EXPECT_EQ(pyramid[0].hidden, (std::vector<std::uint8_t>{0, 255, 255, 255}));
  EXPECT_EQ(pyramid[1].hidden, (std::vector<std::uint8_t>{0}));
}

TEST(Pyramid, ANaNNeverVanishes) {
  for (std::size_t place = 0; place < 64; ++place)
    for (const Reduction reduction : {Reduction::largest, Reduction::average}) {
      std::vector<float> values(64, 5.0f);
      values[place] = kNaN;
      const auto pyramid = buildPyramid(values.data(), nullptr, 8, 8, 3, reduction);
      EXPECT_TRUE(std::isnan(pyramid[2].values[0])) << place;
    }
}

TEST(Pyramid, HasNoLevelsThatNobodyNeeds) {
  EXPECT_EQ(levelsFor(8, 8), 0);
  EXPECT_EQ(levelsFor(127, 3), 0);
  EXPECT_EQ(levelsFor(128, 3), 1);
  EXPECT_EQ(levelsFor(2048, 2048), 5);
}

}  // namespace
}  // namespace attn
