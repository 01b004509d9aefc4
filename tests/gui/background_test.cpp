#include "app/background.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

namespace attn {
namespace {

using namespace std::chrono_literals;

TEST(Background, ANewTaskAbandonsTheOneBefore) {
  std::atomic<int> abandoned = 0, finished = 0;
  const auto endless = [&](const std::stop_token& isAbandoned) {
    while (!isAbandoned.stop_requested()) std::this_thread::sleep_for(1ms);
    ++abandoned;
  };
  {
    Background background;
    EXPECT_FALSE(background.isBusy());
    background.start(endless);
    EXPECT_TRUE(background.isBusy());
    EXPECT_TRUE(background.poll());
    background.start([&](const std::stop_token&) { ++finished; });
    EXPECT_EQ(abandoned, 1);  // it has ended before the next one begins
    background.settle();
    EXPECT_EQ(finished, 1);
    EXPECT_FALSE(background.isBusy());
    background.start(endless);
  }
  EXPECT_EQ(abandoned, 2);  // and with its owner
}

/// The end of a task is only seen when somebody looks: whatever it made is taken over in the same frame.
TEST(Background, IsBusyUntilItIsLookedAt) {
  Background background;
  std::atomic<bool> isDone = false;
  background.start([&](const std::stop_token&) { isDone = true; });
  while (!isDone) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(20ms);
  EXPECT_TRUE(background.isBusy());
  EXPECT_FALSE(background.poll());
  EXPECT_FALSE(background.isBusy());
}

TEST(Background, AFailureEndsTheTaskAndIsKept) {
  Background background;
  background.start([](const std::stop_token&) { throw std::runtime_error("too little memory"); });
  background.settle();
  EXPECT_FALSE(background.isBusy());
  EXPECT_EQ(background.failure(), "too little memory");
  background.start([](const std::stop_token&) {});
  EXPECT_EQ(background.failure(), "");
  background.settle();
  EXPECT_EQ(background.failure(), "");
}

TEST(Background, NothingIsTouchedOnceATaskIsAbandoned) {
  int touched = 0;  // no atomic one: abandoning waits
  Background background;
  background.start([&](const std::stop_token& isAbandoned) {
    while (!isAbandoned.stop_requested()) std::this_thread::sleep_for(1ms);
    ++touched;
  });
  background.abandon();
  EXPECT_EQ(touched, 1);
  EXPECT_FALSE(background.isBusy());
}

}  // namespace
}  // namespace attn
