#include "core/edits/stories.h"

#include <gtest/gtest.h>

#include "core/attention/scale.h"
#include "core/error.h"
#include "core/fill.h"
#include "core/io/scene_json.h"
#include "core/same_scene.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

using Kind = StoryTarget::Kind;

Scene filledScene() {
  Scene scene;
  const auto noise = [](Index rows, std::uint64_t seed) {
    const Fill fill{.kind = Fill::Kind::normal, .seed = seed};
    return InputOf<float>{filled(fill, rows, 4).cast<float>(), fill};
  };
  scene.source.given.push_back({noise(3, 1), noise(5, 2), noise(5, 3)});
  return scene;
}

StoryTarget target(Kind kind) {
  return {kind, {}, 0, 0};
}

Story story(Kind kind, double from, double to) {
  return {"", target(kind), from, to, 2, Story::Easing::linear, Story::Repeat::once};
}

TEST(Stories, GoFromOneValueToTheOther) {
  Story once = story(Kind::temperature, 1, 3);
  EXPECT_EQ(storyValue(once, 0), 1);
  EXPECT_EQ(storyValue(once, 1), 2);
  EXPECT_EQ(storyValue(once, 2), 3);
  EXPECT_EQ(storyValue(once, 9), 3);
  EXPECT_EQ(storyLength(once), 2);
  once.easing = Story::Easing::smooth;
  EXPECT_EQ(storyValue(once, 1), 2);
  EXPECT_LT(storyValue(once, 0.2), 1.1);
  EXPECT_EQ(storyValue(once, 2), 3);
}

TEST(Stories, LoopOrGoBackAndForth) {
  Story loop = story(Kind::temperature, 1, 3);
  loop.repeat = Story::Repeat::loop;
  EXPECT_EQ(storyValue(loop, 2.5), 1.5);
  loop.repeat = Story::Repeat::backAndForth;
  EXPECT_EQ(storyValue(loop, 2), 3);
  EXPECT_EQ(storyValue(loop, 2.5), 2.5);
  EXPECT_EQ(storyValue(loop, 4.5), 1.5);
  EXPECT_EQ(storyLength(loop), 4);
}

TEST(Stories, ChangeTheirNumberAndNothingElse) {
  const Scene scene = filledScene();
  const auto at = [&](Kind kind, double value) { return storyMoment(scene, story(kind, 1, 2), value); };
  EXPECT_EQ(at(Kind::temperature, 3).scale.temperature, 3);
  EXPECT_EQ(divisorOf(at(Kind::divisor, 7).scale, 4), 7);
  EXPECT_EQ(at(Kind::gain, 5).scale.qkNormGain, 5);
  EXPECT_EQ(at(Kind::cap, 6).cap, 6);
  EXPECT_EQ(at(Kind::logit, -2).normaliser.logit, -2);
  EXPECT_EQ(at(Kind::threshold, 0.5).saturationThreshold, 0.5);
  Scene changed = at(Kind::temperature, 3);
  changed.scale.temperature = 1;
  EXPECT_TRUE(sameScene(changed, scene));
}

TEST(Stories, MoveACell) {
  Story cell = story(Kind::cell, 0, 1);
  cell.target.input = {InputName::k, 0};
  cell.target.row = 4, cell.target.col = 2;
  const Scene moment = storyMoment(filledScene(), cell, 9);
  EXPECT_EQ(moment.source.given[0].k.values(4, 2), 9);
  EXPECT_EQ(targetText(moment, cell.target), "k [4, 2]");
  cell.target.row = 5;
  EXPECT_THROW(storyMoment(filledScene(), cell, 9), Error);
}

TEST(Stories, DrawNoiseAnewAsDkGrows) {
  const Scene scene = filledScene();
  const Scene wide = storyMoment(scene, story(Kind::keyWidth, 4, 64), 31.6);
  EXPECT_EQ(shapesOf(wide).keyWidth, 32);
  const Fill& fill = wide.source.given[0].q.fill;
  EXPECT_EQ(fill, scene.source.given[0].q.fill);
  EXPECT_EQ(wide.source.given[0].q.values, filled(fill, 3, 32).cast<float>());
  EXPECT_EQ(wide.source.given[0].v.values, scene.source.given[0].v.values);
  EXPECT_TRUE(sameScene(storyMoment(scene, story(Kind::keyWidth, 4, 64), 4), scene));
  EXPECT_EQ(shapesOf(storyMoment(scene, story(Kind::keyWidth, 4, 1), 1)).keyWidth, 1);
  EXPECT_THROW(storyMoment(scene, story(Kind::keyWidth, 4, 0), 0), Error);
  EXPECT_THROW(storyMoment(scene, story(Kind::keyWidth, 4, 0), 1e9), Error);
}

TEST(Stories, KeepWhatWasTypedAsWidthsGrow) {
  Scene scene = filledScene();
  scene.source.given[0].k.fill = {};
  const Scene wide = storyMoment(scene, story(Kind::keyWidth, 4, 64), 6);
  EXPECT_EQ(wide.source.given[0].k.values.leftCols(4), scene.source.given[0].k.values);
  EXPECT_TRUE(wide.source.given[0].k.values.rightCols(2).isZero());
}

TEST(Stories, WidenTheValuesWithWO) {
  const Scene scene = narrow(projectedScene(2, 3, 3, false, 1));
  const Scene wide = storyMoment(scene, story(Kind::valueWidth, 2, 8), 5);
  EXPECT_EQ(shapesOf(wide).valueWidth, 5);
  EXPECT_EQ(wide.source.wo->values.rows(), 10);
  EXPECT_NO_THROW(check(wide));
}

TEST(Stories, BeginWithThePresentValue) {
  const Scene scene = filledScene();
  for (int kind = 0; kind <= static_cast<int>(Kind::cell); ++kind) {
    const Story suggested = suggestedStory(scene, target(static_cast<Kind>(kind)));
    EXPECT_NE(suggested.from, suggested.to) << kind;
    EXPECT_NO_THROW(storyMoment(scene, suggested, suggested.from)) << kind;
    EXPECT_NO_THROW(storyMoment(scene, suggested, suggested.to)) << kind;
  }
  EXPECT_EQ(suggestedStory(scene, target(Kind::keyWidth)).from, 4);
  EXPECT_EQ(suggestedStory(scene, target(Kind::divisor)).from, 2);
}

TEST(Stories, SurviveWritingAndReading) {
  Scene scene = filledScene();
  Story cell = story(Kind::cell, -1, 1.5);
  cell.title = "a key moves";
  cell.target = {Kind::cell, {InputName::k, 0}, 4, 2};
  cell.repeat = Story::Repeat::backAndForth;
  scene.stories = {story(Kind::keyWidth, 4, 64), cell};
  const Scene read = narrow(readSceneJson(writeSceneJson(scene), "scene.json"));
  EXPECT_EQ(read.stories, scene.stories);
  EXPECT_TRUE(sameScene(read, scene));
  scene.stories[0].seconds = 5;
  EXPECT_FALSE(sameScene(read, scene));
}

TEST(Stories, ThatCannotBeAreRefusedByName) {
  Scene scene = filledScene();
  const auto refused = [&](const std::string& member, const std::string& by) {
    scene.stories = {story(Kind::temperature, 1, 3)};
    std::string text = writeSceneJson(scene);
    text.replace(text.find(member), member.size(), by);
    try {
      readSceneJson(text, "scene.json");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused("\"seconds\": 2", "\"seconds\": 0"),
            "scene.json: stories: seconds 0, expected a number above 0, at most 3600");
  EXPECT_NE(refused("\"linear\"", "\"jumpy\"").find("stories[0].easing"), std::string::npos);
  EXPECT_NE(refused("\"to\": 3", "\"to\": \"nan\"").find("finite"), std::string::npos);
}

}  // namespace
}  // namespace attn
