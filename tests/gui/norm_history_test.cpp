#include "app/norm_history.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

Results resultsWith(double norm, Index heads = 2) {
  Results results;
  results.made.backward = true;
  results.shapes.heads = heads;
  results.norms.q.all = norm * 10;
  for (Index h = 0; h < heads; ++h) results.norms.q.ofHead.push_back(norm + static_cast<double>(h));
  results.norms.x.all = norm / 2;
  return results;
}

std::shared_ptr<const Scene> scene() {
  return std::make_shared<const Scene>();
}

constexpr auto kQ = static_cast<std::size_t>(GradientName::q), kX = static_cast<std::size_t>(GradientName::x);

TEST(NormHistory, KeepsOneSampleAnEdit) {
  NormHistory history;
  const auto first = scene();
  EXPECT_TRUE(history.record(first, resultsWith(1), 0));
  EXPECT_FALSE(history.record(first, resultsWith(1), 1));  // the same scene, made again with more stages
  EXPECT_TRUE(history.record(scene(), resultsWith(2), 1.5));
  ASSERT_EQ(history.size(), 2u);
  EXPECT_EQ(history[1].ofHead[1][kQ], 3);
  EXPECT_EQ(history[1].ofHead[1][kX], 1);  // dX has no heads
  EXPECT_EQ(history[1].place, 1.5);
  Results forward = resultsWith(1);
  forward.made.backward = false;
  EXPECT_FALSE(history.record(scene(), forward, 2));
}

TEST(NormHistory, PausesAreShortened) {
  NormHistory history;
  history.record(scene(), resultsWith(1), 10);
  history.record(scene(), resultsWith(1), 11);
  history.record(scene(), resultsWith(1), 500);
  EXPECT_EQ(history[2].place, 1 + NormHistory::kLongestPause);
  EXPECT_TRUE(history.isAfterPause(2));
  EXPECT_FALSE(history.isAfterPause(1));
}

TEST(NormHistory, AQuickDragEndsWithItsLastNumbers) {
  NormHistory history;
  for (int i = 0; i <= 60; ++i) history.record(scene(), resultsWith(i), i / 60.0);
  EXPECT_GE(history.size(), 9u);
  EXPECT_LE(history.size(), 13u);
  EXPECT_EQ(history[0].ofHead[0][kQ], 0);  // what was there before the drag
  EXPECT_EQ(history[history.size() - 1].ofHead[0][kQ], 60);
}

TEST(NormHistory, TheOldestMakeRoom) {
  NormHistory history;
  const int count = static_cast<int>(NormHistory::kCapacity) + 10;
  for (int i = 0; i < count; ++i) history.record(scene(), resultsWith(i), i);
  ASSERT_EQ(history.size(), NormHistory::kCapacity);
  EXPECT_EQ(history[0].ofHead[0][kQ], 10);
  EXPECT_EQ(history[history.size() - 1].ofHead[0][kQ], count - 1);
  EXPECT_EQ(history[1].time, 11);
}

TEST(NormHistory, ManyHeadsAreNotAllKept) {
  NormHistory history;
  history.record(scene(), resultsWith(1, 100), 0);
  EXPECT_EQ(static_cast<Index>(history[0].ofHead.size()), NormHistory::kKeptHeads);
}

}  // namespace
}  // namespace attn
