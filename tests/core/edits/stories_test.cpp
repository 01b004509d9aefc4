#include "core/edits/stories.h"

#include <gtest/gtest.h>

#include "core/attention/scale.h"
#include "core/edits/inputs.h"
#include "core/edits/mask_rules.h"
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

Story moving(const StoryTarget& moved) {
  Story made;
  made.target = moved;
  return made;
}

Slide slideWith(int number, std::optional<std::size_t> played) {
  Slide slide;
  slide.number = number;
  slide.panels.panel = "Weights";
  slide.story = played;
  return slide;
}

/// One that has every number that a story can change.
Scene fullScene() {
  Scene scene = filledScene();
  scene.alibi = Alibi{};
  scene.masks = {CausalRule{}, WindowRule{2}, PaddingLengthRule{4}, PrefixRule{1}};
  scene.upstream.kind = UpstreamOf<float>::Kind::target;
  scene.upstream.matrix = Matrix::Constant(3, 4, 0.5f);
  scene.source.given[0].v.fill = {.kind = Fill::Kind::uniform, .seed = 3};
  return scene;
}

TEST(Stories, MoveSlopesLengthsAndTheGradientThatIsGiven) {
  const Scene scene = fullScene();
  const auto at = [&](const StoryTarget& moved, double value) {
    return storyMoment(scene, moving(moved), value);
  };
  EXPECT_EQ(alibiSlope(at({.kind = Kind::slope}, 0.75).alibi, 0, 1), 0.75);
  EXPECT_EQ(std::get<WindowRule>(at({.kind = Kind::ruleLength, .rule = 1}, 3.4).masks[1]).width, 3);
  EXPECT_EQ(std::get<PaddingLengthRule>(at({.kind = Kind::ruleLength, .rule = 2}, 2).masks[2]).length, 2);
  EXPECT_EQ(std::get<PrefixRule>(at({.kind = Kind::ruleLength, .rule = 3}, 5).masks[3]).length, 5);
  EXPECT_EQ(at({.kind = Kind::upstream, .row = 2, .col = 3}, 7).upstream.matrix(2, 3), 7);
  EXPECT_EQ(targetText(scene, {.kind = Kind::slope}), "slope of head 1");
  EXPECT_EQ(targetText(scene, {.kind = Kind::ruleLength, .rule = 1}), "width of the window");
  EXPECT_EQ(targetText(scene, {.kind = Kind::upstream, .row = 2, .col = 3}, {1, true}), "target [4, 3]");
}

TEST(Stories, FillAMatrixAnew) {
  const Scene scene = fullScene();
  const auto fillAt = [&](Kind kind, InputName name, double value) {
    const Scene moment = storyMoment(scene, moving({.kind = kind, .input = {name, 0}}), value);
    const InputOf<float>& input = *findInput(moment, {name, 0});
    EXPECT_EQ(input.values, filled(input.fill, input.values.rows(), input.values.cols()).cast<float>());
    return input.fill;
  };
  EXPECT_EQ(fillAt(Kind::mean, InputName::q, 2.5).mean, 2.5);
  EXPECT_EQ(fillAt(Kind::deviation, InputName::q, 3).deviation, 3);
  EXPECT_EQ(fillAt(Kind::deviation, InputName::q, 3).seed, 1u);  // the same draws, wider apart
  EXPECT_EQ(fillAt(Kind::low, InputName::v, -4).low, -4);
  EXPECT_EQ(fillAt(Kind::high, InputName::v, 4).high, 4);
  EXPECT_EQ(fillAt(Kind::seed, InputName::v, 8.6).seed, 9u);
  const Scene even = storyMoment(scene, moving({.kind = Kind::constant, .input = {InputName::k, 0}}), 2);
  EXPECT_EQ(even.source.given[0].k.values, Matrix::Constant(5, 4, 2.0f));
  EXPECT_EQ(targetText(scene, {.kind = Kind::deviation}), "σ of q");
}

TEST(Stories, ThatAreNotInTheSceneSayWhy) {
  Scene scene = fullScene();
  const auto trouble = [&](const StoryTarget& moved, double value) {
    try {
      storyMoment(scene, moving(moved), value);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("played");
  };
  EXPECT_EQ(trouble({.kind = Kind::ruleLength, .rule = 0}, 2),
            "masks: rule 1 has no length, expected padding from a key on, a window or a prefix");
  EXPECT_EQ(trouble({.kind = Kind::ruleLength, .rule = 4}, 2), "masks: rule 5, expected one of 4");
  EXPECT_NE(trouble({.kind = Kind::ruleLength, .rule = 1}, 0).find("expected at least 1"), std::string::npos);
  EXPECT_EQ(trouble({.kind = Kind::slope, .input = {InputName::q, 1}}, 2),
            "slope: of head 2, expected one of 1");
  EXPECT_NE(trouble({.kind = Kind::deviation}, -1).find("at least 0"), std::string::npos);
  scene.upstream = {};
  EXPECT_EQ(trouble({.kind = Kind::upstream}, 2),
            "upstream: no matrix in use, expected a given gradient or a target");
}

TEST(Stories, GoWithTheirMaskRuleAndSlidesGoWithTheirStory) {
  Scene scene = fullScene();
  for (const std::size_t rule : {1u, 2u, 3u})
    scene.stories.push_back(suggestedStory(scene, {.kind = Kind::ruleLength, .rule = rule}));
  scene.slides = {slideWith(1, 1), slideWith(2, 2)};
  removeRule(scene, 2);
  ASSERT_EQ(scene.stories.size(), 2u);
  EXPECT_EQ(scene.stories[0].target.rule, 1u);
  EXPECT_EQ(scene.stories[1].target.rule, 2u);
  EXPECT_TRUE(std::holds_alternative<PrefixRule>(scene.masks[2]));
  EXPECT_EQ(scene.slides[0].story, std::nullopt);
  EXPECT_EQ(scene.slides[1].story, 1u);
}

TEST(Stories, OfEveryKindSurviveWritingAndReading) {
  Scene scene = fullScene();
  for (int kind = 0; kind <= static_cast<int>(Kind::upstream); ++kind) {
    StoryTarget each{.kind = static_cast<Kind>(kind)};
    if (isOfMatrix(each.kind)) each.input.name = InputName::v;
    if (isOfCell(each.kind)) each.row = 2, each.col = 1;
    if (each.kind == Kind::ruleLength) each.rule = 3;
    const Story suggested = suggestedStory(scene, each);
    EXPECT_NE(suggested.from, suggested.to) << kind;
    EXPECT_NO_THROW(storyMoment(scene, suggested, suggested.to)) << kind;
    scene.stories.push_back(suggested);
  }
  scene.slides = {slideWith(3, 9)};
  scene.slides[0].explains = ExplainedCell{"d_scores", 0, 2, 1};
  const Scene read = narrow(readSceneJson(writeSceneJson(scene), "scene.json"));
  EXPECT_EQ(read.stories, scene.stories);
  EXPECT_EQ(read.slides, scene.slides);
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
