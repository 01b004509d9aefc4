// Numbers that are played from one value to another, and recorded.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>

#include "app/animated_png.h"
#include "app/views/story_bar.h"
#include "core/edits/stories.h"
#include "core/error.h"
#include "core/evaluate.h"
#include "core/fill.h"
#include "core/same_scene.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

using Kind = StoryTarget::Kind;

struct StoryTest : testing::Test {
  GuiDriver gui{defaultScene(), GuiDriver::Screen::none, 1280, 720};

  bool run(const char* command) {
    const bool isRun = runCommand(gui.app(), command);
    gui.frames(4);
    return isRun;
  }
  StoryState& state() { return gui.state().story; }
  Editor& editor() { return gui.app().editor(); }
  const std::vector<Story>& stories() { return editor().kept()->stories; }
  void change(const std::function<void(Story&)>& edit) {
    changeStories(editor(), state(), [&](Scene& scene) { edit(scene.stories.at(0)); });
    gui.frames(2);
  }
};

TEST_F(StoryTest, ASliderIsAnimatedByARightClick) {
  gui.click("Scale/Temperature", 1);
  gui.frames(3);
  gui.click("//Animate…");
  gui.frames(3);
  ASSERT_EQ(stories().size(), 1u);
  EXPECT_EQ(stories()[0].target.kind, Kind::temperature);
  EXPECT_EQ(stories()[0].from, 1);
  EXPECT_TRUE(gui.has("Story/Play"));
  EXPECT_EQ(editor().steps(), 1u);
  EXPECT_EQ(gui.scene().scale.temperature, 1);
}

TEST_F(StoryTest, ACellIsAnimatedFromItsMenu) {
  gui.click("Inputs/Q[5][0]", 1);
  gui.frames(3);
  gui.click("//Animate…");
  gui.frames(3);
  ASSERT_EQ(stories().size(), 1u);
  EXPECT_EQ(stories()[0].target, (StoryTarget{Kind::cell, {InputName::q, 0}, 5, 0}));
  EXPECT_EQ(static_cast<float>(stories()[0].from), gui.scene().source.given[0].q.values(5, 0));
}

TEST_F(StoryTest, SlopesAreAnimatedByARightClick) {
  editor().change([](Scene& scene) { scene.alibi = Alibi{}; });
  gui.state().layout.maximised = "Scale";
  gui.frames(3);
  gui.click("Scale/slope", 1);
  gui.frames(3);
  gui.click("//Animate…");
  gui.frames(3);
  ASSERT_EQ(stories().size(), 1u);
  EXPECT_EQ(stories()[0].target.kind, Kind::slope);
  change([](Story& story) { story.seconds = 0.1; });
  run("story.play");
  gui.frames(20);
  EXPECT_EQ(alibiSlope(gui.scene().alibi, 0, shapesOf(gui.scene()).heads), stories()[0].to);
  EXPECT_TRUE(editor().kept()->alibi->slopes.empty());
}

TEST_F(StoryTest, LengthsOfMaskRulesAreAnimatedByARightClick) {
  editor().change([](Scene& scene) { scene.masks = {CausalRule{}, WindowRule{2}}; });
  gui.state().layout.maximised = "Mask";
  gui.frames(3);
  gui.click("Mask/rule[1]");
  gui.frames(3);
  gui.click("//width", 1);
  gui.frames(3);
  gui.click("//Animate…");
  gui.frames(3);
  ASSERT_EQ(stories().size(), 1u);
  EXPECT_EQ(stories()[0].target, (StoryTarget{.kind = Kind::ruleLength, .rule = 1}));
  EXPECT_EQ(stories()[0].from, 2);
}

TEST_F(StoryTest, TheFillIsAnimatedByARightClick) {
  gui.click("Inputs/Fill Q");
  gui.frames(3);
  gui.click("//σ", 1);
  gui.frames(3);
  gui.click("//Animate…");
  gui.frames(3);
  ASSERT_EQ(stories().size(), 1u);
  EXPECT_EQ(stories()[0].target, (StoryTarget{.kind = Kind::deviation, .input = {InputName::q, 0}}));
  change([](Story& story) { story.seconds = 0.1; });
  run("story.play");
  gui.frames(20);
  EXPECT_EQ(gui.scene().source.given[0].q.fill.deviation, stories()[0].to);
}

TEST_F(StoryTest, TheKeyboardAnimatesTheControlThatItIsOn) {
  EXPECT_FALSE(run("story.control"));
  gui.state().panels.toFocus = "Scale";
  gui.frames(3);
  for (int i = 0; i < 30 && gui.app().items().focused() != "Scale/Temperature"; ++i) {
    gui.press(ImGuiKey_DownArrow);
    gui.frames(2);
  }
  ASSERT_EQ(gui.app().items().focused(), "Scale/Temperature");
  gui.press(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_M);
  gui.frames(3);
  ASSERT_EQ(stories().size(), 1u);
  EXPECT_EQ(stories()[0].target.kind, Kind::temperature);
  EXPECT_TRUE(gui.has("Story/Play"));
  gui.press(ImGuiMod_Ctrl | ImGuiKey_G);
  gui.frames(3);
  gui.press(ImGuiKey_DownArrow);
  gui.frames(2);
  gui.press(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_M);
  gui.frames(3);
  ASSERT_EQ(stories().size(), 2u);
  EXPECT_EQ(stories()[1].target, (StoryTarget{Kind::cell, {InputName::q, 0}, 1, 0}));
}

TEST_F(StoryTest, IsAlsoASlide) {
  run("story.temperature");
  change([](Story& story) { story.seconds = 0.2, story.to = 4; });
  gui.press(ImGuiKey_F5);
  gui.frames(2);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_1);
  ASSERT_EQ(gui.scene().slides.size(), 1u);
  EXPECT_EQ(gui.scene().slides[0].story, 0u);
  gui.press(ImGuiKey_Escape);
  run("story.close");
  gui.press(ImGuiMod_Alt | ImGuiKey_1);
  gui.frames(2);
  EXPECT_FALSE(state().isPlaying);
  EXPECT_EQ(gui.scene().scale.temperature, 1);
  gui.press(ImGuiKey_PageDown);
  EXPECT_TRUE(state().isPlaying);
  gui.frames(40);
  EXPECT_EQ(gui.scene().scale.temperature, 4);
  EXPECT_EQ(state().caption, "temperature = 4.00");
  EXPECT_EQ(editor().kept()->scale.temperature, 1);
  gui.press(ImGuiKey_PageUp);
  gui.frames(2);
  EXPECT_EQ(gui.scene().scale.temperature, 1);
  EXPECT_EQ(state().caption, "");
}

TEST_F(StoryTest, IsFoundInThePalette) {
  run("story.temperature");
  run("story.close");
  gui.press(ImGuiMod_Ctrl | ImGuiKey_P);
  gui.frames(2);
  gui.type("play temperature");
  gui.frames(2);
  gui.press(ImGuiKey_Enter);
  gui.frames(5);
  EXPECT_TRUE(state().isPlaying);
}

TEST_F(StoryTest, SpacePlaysAndPausesAndTheSceneStays) {
  run("story.temperature");
  const SharedScene before = editor().kept();
  gui.moveTo({600, 5});
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Space);
  EXPECT_TRUE(state().isPlaying);
  gui.frames(30);
  const double seen = gui.scene().scale.temperature;
  EXPECT_GT(seen, 1);
  EXPECT_EQ(gui.results().probs.at(0, 5, 1), evaluate(gui.scene()).probs.at(0, 5, 1));
  EXPECT_EQ(editor().kept(), before);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Space);
  EXPECT_FALSE(state().isPlaying);
  const double paused = gui.scene().scale.temperature;
  gui.frames(20);
  EXPECT_EQ(gui.scene().scale.temperature, paused);
  EXPECT_EQ(editor().steps(), 1u);  // the story itself; playing it is none
  EXPECT_TRUE(run("story.stop"));
  EXPECT_EQ(gui.scene().scale.temperature, 1);
  EXPECT_FALSE(editor().isLooking());
}

TEST_F(StoryTest, PlayedOnceItStaysAtItsEndAndBeginsAgain) {
  run("story.temperature");
  change([](Story& story) { story.seconds = 0.5, story.to = 4; });
  EXPECT_TRUE(run("story.play"));
  gui.frames(60);
  EXPECT_FALSE(state().isPlaying);
  EXPECT_EQ(gui.scene().scale.temperature, 4);
  run("story.play");
  EXPECT_LT(gui.scene().scale.temperature, 3);
}

TEST_F(StoryTest, AChangeBeginsFromWhatIsSeenAndEndsTheStory) {
  run("story.temperature");
  change([](Story& story) { story.to = 3, story.seconds = 0.1; });
  run("story.play");
  gui.frames(20);
  ASSERT_EQ(gui.scene().scale.temperature, 3);
  editor().change([](Scene& scene) { scene.cap = 7; });
  gui.frames(4);
  EXPECT_EQ(editor().kept()->scale.temperature, 3);
  EXPECT_FALSE(state().isShown);
  run("edit.undo");
  EXPECT_EQ(gui.scene().scale.temperature, 1);
}

TEST_F(StoryTest, WhatHappensAsDkGrows) {
  Scene noise;
  const auto input = [](std::uint64_t seed) {
    const Fill fill{.kind = Fill::Kind::normal, .seed = seed};
    return InputOf<float>{filled(fill, 4, 2).cast<float>(), fill};
  };
  noise.source.given.push_back({input(1), input(2), input(3)});
  GuiDriver other(std::make_shared<const Scene>(noise), GuiDriver::Screen::none, 1280, 720);
  other.press(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_K);
  EXPECT_TRUE(other.state().story.isPlaying);
  EXPECT_TRUE(runCommand(other.app(), "story.keyWidth"));
  for (int i = 0; i < 400; ++i) other.frame();
  EXPECT_EQ(shapesOf(other.scene()).keyWidth, 64);
  EXPECT_EQ(shapesOf(*other.app().editor().kept()).keyWidth, 2);
  EXPECT_EQ(other.app().editor().kept()->stories.size(), 1u);  // asked for again, it is the same story
}

TEST_F(StoryTest, CommandsAnimateEveryNumber) {
  EXPECT_FALSE(run("story.next"));
  const std::pair<const char*, Kind> commands[] = {{"story.valueWidth", Kind::valueWidth},
                                                   {"story.cell", Kind::cell},
                                                   {"story.temperature", Kind::temperature},
                                                   {"story.divisor", Kind::divisor},
                                                   {"story.gain", Kind::gain},
                                                   {"story.cap", Kind::cap},
                                                   {"story.logit", Kind::logit},
                                                   {"story.threshold", Kind::threshold}};
  for (const auto& [id, kind] : commands) {
    EXPECT_TRUE(run(id)) << id;
    ASSERT_FALSE(stories().empty());
    EXPECT_EQ(stories().back().target.kind, kind) << id;
  }
  EXPECT_EQ(stories().size(), std::size(commands));
  EXPECT_TRUE(run("story.next"));
  EXPECT_EQ(state().chosen, 0u);
  EXPECT_TRUE(run("story.close"));
  EXPECT_FALSE(state().isOpen);
  EXPECT_FALSE(gui.has("Story/Play"));
}

TEST_F(StoryTest, TheBarChangesTheStoryAndRemovesIt) {
  run("story.temperature");
  gui.doubleClick("Story/to");
  gui.type("2.5");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(stories().at(0).to, 2.5);
  gui.drag("Story/place", {30, 0});
  EXPECT_GT(gui.scene().scale.temperature, 1);
  EXPECT_EQ(editor().kept()->scale.temperature, 1);
  gui.click("Story/Remove");
  gui.frames(3);
  EXPECT_TRUE(stories().empty());
  EXPECT_FALSE(gui.has("Story/Play"));
  EXPECT_EQ(gui.scene().scale.temperature, 1);
}

TEST_F(StoryTest, WhatCannotBePlayedSaysWhy) {
  run("story.temperature");
  change([](Story& story) { story.to = -1, story.seconds = 0.2; });
  run("story.play");
  gui.frames(30);
  EXPECT_FALSE(state().isPlaying);
  EXPECT_NE(state().trouble.find("temperature"), std::string::npos);
  EXPECT_EQ(gui.scene().scale.temperature, 1);
}

TEST_F(StoryTest, ComesWithTheScene) {
  Scene scene = *defaultScene();
  scene.stories.push_back(suggestedStory(scene, {Kind::cap, {}, 0, 0}));
  editor().open(std::make_shared<const Scene>(scene));
  gui.frames(3);
  EXPECT_TRUE(run("story.next"));
  EXPECT_TRUE(gui.has("Story/Play"));
}

class RecordTest : public TemporaryDirectory {
 protected:
  GuiDriver start() {
    Desktop desktop;
    desktop.environment = [home =
                               directory_.string()](const std::string& name) -> std::optional<std::string> {
      if (name == "HOME") return home;
      return std::nullopt;
    };
    return GuiDriver(defaultScene(), GuiDriver::Screen::offscreen, 640, 400, desktop);
  }
};

struct Chunk {
  std::string type, data;
};

std::uint32_t numberAt(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value * 256 + static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

/// The chunks of a PNG, each with its checksum checked.
std::vector<Chunk> chunksOf(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(1, 3), "PNG");
  std::vector<Chunk> chunks;
  for (std::size_t at = 8; at < bytes.size();) {
    const std::uint32_t length = numberAt(bytes, at);
    const std::string body = bytes.substr(at + 4, length + 4);
    const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    EXPECT_EQ(numberAt(bytes, at + 8 + length), sum);
    chunks.push_back({body.substr(0, 4), body.substr(4)});
    at += length + 12;
  }
  return chunks;
}

Image plain(int width, int height, std::uint8_t grey) {
  return {width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width * height) * 4, grey)};
}

TEST(AnimatedPngs, KeepTheFirstPictureWholeAndOfTheOthersWhatChanged) {
  AnimatedPng file(3, 25, 0);
  Image image = plain(8, 6, 200);
  file.add(image);
  image.rgba[4 * (2 * 8 + 3)] = 10;
  image.rgba[4 * (4 * 8 + 5)] = 20;
  file.add(image);
  file.add(image);  // nothing changed
  const std::vector<Chunk> chunks = chunksOf(file.finished());
  std::string types;
  for (const Chunk& chunk : chunks) types += chunk.type + " ";
  EXPECT_EQ(types, "IHDR acTL fcTL IDAT fcTL fdAT fcTL fdAT IEND ");
  EXPECT_EQ(numberAt(chunks[1].data, 0), 3u);
  const std::string& second = chunks[4].data;
  EXPECT_EQ(numberAt(second, 0), 1u);   // in sequence
  EXPECT_EQ(numberAt(second, 4), 3u);   // width
  EXPECT_EQ(numberAt(second, 8), 3u);   // height
  EXPECT_EQ(numberAt(second, 12), 3u);  // left
  EXPECT_EQ(numberAt(second, 16), 2u);  // top
  EXPECT_EQ(numberAt(chunks[5].data, 0), 2u);
  EXPECT_EQ(numberAt(chunks[6].data, 4), 1u);
}

TEST(AnimatedPngs, HoldThePixels) {
  AnimatedPng file(1, 25, 1);
  Image image = plain(3, 2, 0);
  for (std::size_t i = 0; i < image.rgba.size(); ++i) image.rgba[i] = static_cast<std::uint8_t>(11 * i);
  file.add(image);
  const std::string data = chunksOf(file.finished()).at(3).data;
  std::vector<std::uint8_t> lines(2 * (1 + 3 * 3));
  uLongf length = static_cast<uLongf>(lines.size());
  ASSERT_EQ(uncompress(lines.data(), &length, reinterpret_cast<const Bytef*>(data.data()),
                       static_cast<uLong>(data.size())),
            Z_OK);
  ASSERT_EQ(length, lines.size());
  for (int x = 0; x < 3; ++x)
    for (int c = 0; c < 3; ++c) {
      const std::size_t i = 1 + static_cast<std::size_t>(3 * x + c);
      EXPECT_EQ(lines[i], image.at(x, 0)[c]);
      EXPECT_EQ(static_cast<std::uint8_t>(lines[10 + i] + lines[i]), image.at(x, 1)[c]);
    }
}

TEST(AnimatedPngs, RefuseAnotherSize) {
  AnimatedPng file(2, 25, 1);
  file.add(plain(4, 4, 0));
  EXPECT_THROW(file.add(plain(4, 5, 0)), Error);
}

TEST_F(RecordTest, AStoryBecomesAFileWithAPictureForEveryMoment) {
  GuiDriver gui = start();
  runCommand(gui.app(), "story.temperature");
  changeStories(gui.app().editor(), gui.state().story, [](Scene& scene) { scene.stories[0].seconds = 0.4; });
  gui.frames(3);
  const std::size_t steps = gui.app().editor().steps();
  EXPECT_TRUE(runCommand(gui.app(), "story.record"));
  gui.frames(3);
  EXPECT_TRUE(gui.app().isRecording());
  EXPECT_TRUE(gui.has("Story/Cancel"));
  EXPECT_EQ(fileCount(), 0);  // nothing before it is whole
  for (int i = 0; i < 60 && gui.app().isRecording(); ++i) gui.frame();
  ASSERT_EQ(fileCount(), 1) << gui.state().status;
  const std::vector<Chunk> chunks = chunksOf(read(gui.app().lastPicture()));
  EXPECT_EQ(numberAt(chunks.at(1).data, 0), 11u);
  EXPECT_EQ(numberAt(chunks.at(0).data, 0), 640u);
  EXPECT_LT(numberAt(chunks.at(0).data, 4), 400u);  // without the bars
  gui.frames(2);
  EXPECT_FALSE(gui.state().story.isShown);
  EXPECT_EQ(gui.scene().scale.temperature, 1);
  EXPECT_EQ(gui.app().editor().steps(), steps);
}

TEST_F(RecordTest, APanelAloneOrNothingWhereItIsCancelled) {
  GuiDriver gui = start();
  runCommand(gui.app(), "story.temperature");
  gui.state().panels.focused = "Weights";
  gui.frames(2);
  EXPECT_TRUE(runCommand(gui.app(), "story.recordPanel"));
  gui.frames(5);
  EXPECT_TRUE(runCommand(gui.app(), "story.cancel"));
  gui.frames(3);
  EXPECT_FALSE(gui.app().isRecording());
  EXPECT_EQ(fileCount(), 0);
  changeStories(gui.app().editor(), gui.state().story, [](Scene& scene) { scene.stories[0].seconds = 0.1; });
  gui.state().panels.focused = "Weights";
  EXPECT_TRUE(runCommand(gui.app(), "story.recordPanel"));
  for (int i = 0; i < 30 && gui.app().isRecording(); ++i) gui.frame();
  ASSERT_EQ(fileCount(), 1);
  EXPECT_LT(numberAt(chunksOf(read(gui.app().lastPicture())).at(0).data, 0), 320u);
}

}  // namespace
}  // namespace attn
