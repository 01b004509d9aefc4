#include "app/evaluation.h"

#include <gtest/gtest.h>

#include "app/files.h"
#include "core/fill.h"

namespace attn {
namespace {

std::shared_ptr<const Scene> largeScene(std::uint64_t seed) {
  Scene scene;
  GivenHeadOf<float> head;
  for (InputOf<float>* input : {&head.q, &head.k, &head.v}) {
    input->fill.kind = Fill::Kind::normal;
    input->fill.seed = seed++;
    input->values.resize(512, 32);
    refill(*input);
  }
  scene.source.given = {head};
  return std::make_shared<const Scene>(scene);
}

TEST(Evaluations, ASmallSceneIsThereAtOnce) {
  Evaluations evaluations;
  const auto scene = defaultScene();
  ASSERT_TRUE(isSmall(*scene));
  evaluations.request(scene, Wanted{});
  ASSERT_TRUE(evaluations.current());
  EXPECT_EQ(evaluations.current()->scene, scene);
  EXPECT_FALSE(evaluations.isBusy());
}

TEST(Evaluations, TheOldPictureStaysUntilTheNewestIsDone) {
  Evaluations evaluations;
  const auto small = defaultScene();
  evaluations.request(small, Wanted{});
  const auto first = largeScene(1), second = largeScene(2), third = largeScene(3);
  ASSERT_FALSE(isSmall(*first));
  evaluations.request(first, Wanted{});
  evaluations.request(second, Wanted{});
  evaluations.request(third, Wanted{});
  EXPECT_TRUE(evaluations.isBusy());
  EXPECT_EQ(evaluations.current()->scene, small);
  evaluations.settle();
  EXPECT_EQ(evaluations.current()->scene, third);
  EXPECT_EQ(evaluations.count(), 3u) << "the one in between was made for nothing";
  const Results expected = evaluate(*third);
  EXPECT_EQ(evaluations.current()->results.probs.at(0, 7, 11), expected.probs.at(0, 7, 11));
}

TEST(Evaluations, AskingAgainForLessDoesNothing) {
  Evaluations evaluations;
  const auto scene = defaultScene();
  evaluations.request(scene, Wanted::everything());
  evaluations.request(scene, Wanted::outputOnly());
  EXPECT_EQ(evaluations.count(), 1u);
  EXPECT_TRUE(evaluations.current()->results.made.eigenvalues);
}

/// Dragged in a lab beside a large scene, each step would evaluate that again.
TEST(Evaluations, WhatNothingIsComputedOfIsThereAtOnce) {
  Evaluations evaluations;
  const auto large = largeScene(1);
  evaluations.request(large, Wanted{});
  evaluations.settle();
  const std::uint64_t serial = evaluations.current()->serial;
  Scene changed = *large;
  changed.labs.scaling.mean = 0.5;
  changed.title = "another";
  changed.stories.resize(1);
  changed.slides.resize(1);
  const auto beside = std::make_shared<const Scene>(changed);
  evaluations.request(beside, Wanted{});
  EXPECT_FALSE(evaluations.isBusy());
  EXPECT_EQ(evaluations.current()->scene, beside);
  EXPECT_EQ(evaluations.current()->serial, serial);
  EXPECT_EQ(evaluations.count(), 1u);
}

TEST(Evaluations, WhatIsAskedForMeanwhileIsNotMadeTwice) {
  Evaluations evaluations;
  const auto large = largeScene(1);
  evaluations.request(large, Wanted{});
  Scene changed = *large;
  changed.labs.scaling.mean = 0.5;
  const auto beside = std::make_shared<const Scene>(changed);
  evaluations.request(beside, Wanted{});
  evaluations.settle();
  EXPECT_EQ(evaluations.current()->scene, beside);
  EXPECT_EQ(evaluations.count(), 1u);
}

TEST(Evaluations, AChangedNumberIsEvaluatedAgain) {
  Evaluations evaluations;
  const auto large = largeScene(1);
  evaluations.request(large, Wanted{});
  evaluations.settle();
  Scene changed = *large;
  changed.source.given[0].v.values(511, 31) += 1;
  evaluations.request(std::make_shared<const Scene>(changed), Wanted{});
  evaluations.settle();
  EXPECT_EQ(evaluations.count(), 2u);
  evaluations.request(std::make_shared<const Scene>(changed), Wanted::everything());
  evaluations.settle();
  EXPECT_EQ(evaluations.count(), 3u) << "more was wanted than there is";
}

TEST(Evaluations, AFailureLeavesTheLastPictureUp) {
  Evaluations evaluations;
  const auto scene = defaultScene();
  evaluations.request(scene, Wanted{});
  Scene broken = *scene;
  broken.source.given[0].k.values.resize(2, 4);
  evaluations.request(std::make_shared<const Scene>(broken), Wanted{});
  EXPECT_NE(evaluations.failure(), "");
  EXPECT_EQ(evaluations.current()->scene, scene);
}

}  // namespace
}  // namespace attn
