#include "app/views/map_range.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/views/map_labels.h"

namespace attn {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Extent extent(float low, float high, float smallest = 1e-3f) {
  return {.low = low, .high = high, .smallest = smallest, .finite = 4};
}

TEST(MapRange, RoundsUpToFewNumbers) {
  for (const auto& [value, expected] : {std::pair{1.0f, 1.0f},
                                        {1.01f, 1.2f},
                                        {0.041f, 0.05f},
                                        {73.0f, 80.0f},
                                        {9.1f, 10.0f},
                                        {2.0f, 2.0f},
                                        {8e-5f, 8e-5f}})
    EXPECT_NEAR(roundedUp(value), expected, 1e-5f * expected) << value;
}

TEST(MapRange, WeightsHaveTheWholeUnlessAllAreSmall) {
  EXPECT_EQ(automaticRange(extent(0, 0.9f), true, false, false), (MapRange{0, 1}));
  EXPECT_EQ(automaticRange(extent(0, 0.51f), true, false, false), (MapRange{0, 1}));
  EXPECT_NEAR(automaticRange(extent(0, 0.0019f), true, false, false).high, 0.002f, 1e-8f);
}

TEST(MapRange, SignedNumbersHaveZeroInTheMiddle) {
  EXPECT_EQ(automaticRange(extent(-3.5f, 1), false, true, false), (MapRange{-4, 4}));
  EXPECT_EQ(automaticRange(extent(-3.5f, 1), false, false, false), (MapRange{-4, 1}));
  EXPECT_EQ(automaticRange(extent(2, 7), false, false, false), (MapRange{0, 8}));
}

TEST(MapRange, LogarithmicOnesHoldTheSmallestWithinSixDecades) {
  const MapRange near = automaticRange(extent(0, 1, 0.0035f), true, false, true);
  EXPECT_NEAR(near.low, 0.001f, 1e-8f);
  const MapRange far = automaticRange(extent(0, 1, 1e-20f), true, false, true);
  EXPECT_NEAR(far.low, 1e-6f, 1e-10f);
  EXPECT_EQ(far.high, 1);
}

TEST(MapRange, AreUsableWhateverIsFoundOrTyped) {
  const float odd[] = {0, -0.0f, 1, -1, 1e-38f, 3e38f, -3e38f, kInfinity, -kInfinity, kNaN, 1e-45f};
  for (const float low : odd)
    for (const float high : odd)
      for (const bool isDiverging : {false, true})
        for (const bool isLogarithmic : {false, true}) {
          const auto expectUsable = [&](const MapRange& range) {
            EXPECT_TRUE(std::isfinite(range.low) && std::isfinite(range.high - range.low))
                << low << " " << high;
            EXPECT_LT(range.low, range.high) << low << " " << high;
            EXPECT_TRUE(!isLogarithmic || range.low > 0) << low << " " << high;
            const ColourScale scale{range.low, range.high, isLogarithmic, isDiverging};
            EXPECT_NEAR(shareOf(scale, range.high), 1, 1e-4f) << low << " " << high;
          };
          expectUsable(usableRange({low, high}, isDiverging, isLogarithmic));
          if (std::isfinite(low) && std::isfinite(high) && low <= high) {
            const float least = std::min(std::abs(low), std::abs(high));
            expectUsable(automaticRange(extent(low, high, least), false, isDiverging, isLogarithmic));
          }
        }
}

TEST(MapRange, SmallNumbersAreWrittenAsMultiples) {
  EXPECT_EQ(exponentFor({0, 1}), 0);
  EXPECT_EQ(exponentFor({-0.5f, 0.5f}), 0);
  EXPECT_EQ(exponentFor({0, 0.15f}), 0);
  EXPECT_EQ(digitsFor({0, 0.15f}), 3);
  EXPECT_EQ(digitsFor({0, 1}), 2);
  EXPECT_EQ(exponentFor({-0.002f, 0.002f}), -3);
  EXPECT_EQ(digitsFor({-0.002f, 0.002f}), 2);
  EXPECT_EQ(exponentFor({0, 20000}), 4);
}

TEST(ColourScale, TheLogarithmKeepsSignsApart) {
  const ColourScale scale{1e-4f, 1, true, true};
  EXPECT_NEAR(shareOf(scale, 1), 1, 1e-6f);
  EXPECT_NEAR(shareOf(scale, -1), 0, 1e-6f);
  EXPECT_NEAR(shareOf(scale, 0), 0.5f, 1e-6f);
  EXPECT_NEAR(shareOf(scale, 1e-2f), 0.75f, 1e-5f);
  EXPECT_NEAR(shareOf(scale, -1e-2f), 0.25f, 1e-5f);
  EXPECT_TRUE(std::isnan(shareOf(scale, kNaN)));
}

TEST(BarTicks, GoFromEndToEnd) {
  EXPECT_EQ(barTicks({-4, 4, false, true}, 9), (std::vector<float>{-4, -2, 0, 2, 4}));
  EXPECT_EQ(barTicks({0, 1, false, false}, 3), (std::vector<float>{0, 0.5f, 1}));
  const std::vector<float> decades = barTicks({1e-4f, 1, true, false}, 8);
  ASSERT_EQ(decades.size(), 5u);
  EXPECT_NEAR(decades.front(), 1e-4f, 1e-9f);
  EXPECT_LE(barTicks({1e-12f, 1, true, true}, 5).size(), 5u);
}

TEST(PlaceLabels, NeverTouchAndNeverPassTheLimit) {
  const Index marked[] = {7, 300};
  for (const Index count : {1, 3, 8, 64, 512, 2048})
    for (const float needed : {14.0f, 40.0f, 90.0f})
      for (const double begin : {0.0, 0.37})
        for (const double share : {1.0, 0.21}) {
          const double end = begin + (static_cast<double>(count) - begin) * share;
          const auto placed = placeLabels(begin, end, 100, 350, count, needed, 352, marked);
          EXPECT_FALSE(count > 8 && placed.empty());
          for (std::size_t a = 0; a < placed.size(); ++a) {
            EXPECT_GE(placed[a].centre, 100) << count;
            EXPECT_LE(placed[a].centre + 0.9f * needed / 2, 352.01f) << count;
            for (std::size_t b = 0; b < a; ++b)
              EXPECT_GE(std::abs(placed[a].centre - placed[b].centre), needed * 0.89f) << count;
          }
        }
}

TEST(PlaceLabels, TheLastOneIsMovedInwardsAndKept) {
  const auto placed = placeLabels(0, 512, 400, 650, 512, 46, 660, {});
  ASSERT_FALSE(placed.empty());
  EXPECT_EQ(placed.back().index, 500);
}

TEST(PlaceLabels, TheMarkedOneIsAlwaysThere) {
  const Index marked[] = {301};
  const auto placed = placeLabels(0, 2048, 0, 400, 2048, 40, 400, marked);
  ASSERT_FALSE(placed.empty());
  EXPECT_EQ(placed[0].index, 301);
  EXPECT_TRUE(placed[0].isMarked);
  EXPECT_NEAR(placed[0].centre, 301.5f / 2048 * 400, 0.01f);
}

}  // namespace
}  // namespace attn
