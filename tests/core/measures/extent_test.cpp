#include "core/measures/extent.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace attn {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// The same by the definition, one number after the other.
Extent plainly(const std::vector<float>& values, const std::vector<std::uint8_t>& hidden) {
  Extent extent;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!hidden.empty() && hidden[k]) continue;
    const float value = values[k];
    if (std::isnan(value)) ++extent.notNumbers;
    if (std::isinf(value)) ++extent.infinities;
    if (!std::isfinite(value)) continue;
    extent.low = extent.finite ? std::min(extent.low, value) : value;
    extent.high = extent.finite ? std::max(extent.high, value) : value;
    if (value != 0 && (extent.smallest == 0 || std::abs(value) < extent.smallest))
      extent.smallest = std::abs(value);
    ++extent.finite;
  }
  return extent;
}

TEST(Extent, AgreesWithTheDefinitionAtEveryLength) {
  for (std::size_t length = 0; length < 70; ++length) {
    std::vector<float> values(length);
    std::vector<std::uint8_t> hidden(length);
    for (std::size_t k = 0; k < length; ++k) {
      values[k] = std::sin(static_cast<float>(7 * k + length)) * 3;
      hidden[k] = k % 5 == 2 ? 255 : 0;
      if (k % 11 == 3) values[k] = kNaN;
      if (k % 13 == 6) values[k] = k % 2 ? kInfinity : -kInfinity;
      if (k % 17 == 9) values[k] = 0;
    }
    const auto count = static_cast<Index>(length);
    EXPECT_EQ(extentOf(values.data(), count), plainly(values, {})) << length;
    EXPECT_EQ(extentOf(values.data(), count, hidden.data()), plainly(values, hidden)) << length;
  }
}

TEST(Extent, OfTwoIsThatOfBothInARow) {
  const std::vector<float> first{1, -2, 0.5f}, second{-7, 3, kNaN, 0.25f}, none{kInfinity, kNaN};
  const auto of = [](const std::vector<float>& values) {
    return extentOf(values.data(), static_cast<Index>(values.size()));
  };
  const auto both = [&](std::vector<float> a, const std::vector<float>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return of(a);
  };
  EXPECT_EQ(joined(of(first), of(second)), both(first, second));
  EXPECT_EQ(joined(of(none), of(first)), both(none, first));
  EXPECT_EQ(joined(of(first), of(none)), both(first, none));
  EXPECT_EQ(joined(of(none), of(none)), both(none, none));
}

TEST(Extent, APairIsHiddenWhereEveryHeadHidesIt) {
  Scene scene;
  GivenHeadOf<float> head;
  head.q.values = head.k.values = head.v.values = Matrix::Ones(2, 1);
  scene.source.given = {head, head};
  Bytes first(2, 2), second(2, 2);
  first << 1, 0, 0, 0;
  second << 0, 0, 1, 0;
  scene.masks = {PaintedRule{{first, second}}};
  Visibility visibility;
  visibility.build(scene, shapesOf(scene));
  std::vector<std::uint8_t> hidden;
  findHidden(visibility, 0, 1, 2, 2, hidden);
  EXPECT_EQ(hidden, (std::vector<std::uint8_t>{0, 255, 255, 255}));
  findHidden(visibility, 0, 2, 2, 2, hidden);
  EXPECT_EQ(hidden, (std::vector<std::uint8_t>{0, 255, 0, 255}));
}

TEST(Extent, RowsAreSummedInDouble) {
  const std::vector<float> values{1e8f, 1, -1e8f, 0.5f, 0.25f, 0.25f};
  EXPECT_EQ(rowSums(values.data(), 2, 3), (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace attn
