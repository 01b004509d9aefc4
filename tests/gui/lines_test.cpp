// The lines from token to token.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "core/fill.h"
#include "tests/core/scenes.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

SharedScene noiseScene(Index heads, Index queries, Index keys) {
  Scene scene;
  std::uint64_t seed = 1;
  const auto noise = [&](Index rows) {
    const Fill fill{.kind = Fill::Kind::normal, .seed = seed++};
    return InputOf<float>{filled(fill, rows, 4).cast<float>(), fill};
  };
  for (Index h = 0; h < heads; ++h) scene.source.given.push_back({noise(queries), noise(keys), noise(keys)});
  return std::make_shared<const Scene>(std::move(scene));
}

struct LinesTest : testing::Test {
  std::unique_ptr<GuiDriver> gui;

  void open(SharedScene scene) {
    gui = std::make_unique<GuiDriver>(std::move(scene), GuiDriver::Screen::none, 1280, 900);
    EXPECT_TRUE(runCommand(gui->app(), "maps.lines"));
    gui->frames(4);
  }
  LinesState& lines() { return gui->state().lines; }
  const StrongestPairs& found() { return lines().lines.found; }
};

/// How a line looks where it ends at a key: how many pixels high, and how far from the paper at most.
struct Look {
  int height = 0, ink = 0;
};

Look lookAt(const Image& image, const ItemRect& key) {
  const int x = static_cast<int>(key.min.x) - 30;
  const std::uint8_t* paper = image.at(x, static_cast<int>(key.min.y) + 2);
  Look look;
  for (int y = static_cast<int>(key.min.y) + 2; y < static_cast<int>(key.max.y) - 2; ++y) {
    const std::uint8_t* pixel = image.at(x, y);
    const int ink =
        std::abs(pixel[0] - paper[0]) + std::abs(pixel[1] - paper[1]) + std::abs(pixel[2] - paper[2]);
    look.height += ink > 12;
    look.ink = std::max(look.ink, ink);
  }
  return look;
}

TEST(LinesLook, ALargeWeightIsThickerAndMoreOpaque) {
  GuiDriver gui(std::make_shared<const Scene>(
                    narrow(givenScene(matrix({{1}}), matrix({{1.5}, {0}}), matrix({{1}, {1}})))),
                GuiDriver::Screen::offscreen);
  gui.state().layout.show("Lines", true);
  gui.state().layout.maximised = "Lines";
  gui.moveTo({2, 2});
  gui.frames(4);
  const Image image = gui.picture();
  const Look strong = lookAt(image, gui.rect("Lines/k 0")), weak = lookAt(image, gui.rect("Lines/k 1"));
  EXPECT_GE(weak.height, 1);
  EXPECT_GT(strong.height, weak.height + 2);
  EXPECT_GT(strong.ink, 2 * weak.ink);
}

TEST_F(LinesTest, ThereIsOneForEveryWeightOfEveryHead) {
  open(defaultScene());
  const StackOf<float>& probs = gui->results().probs;
  const float faintest = 0.015f;
  const auto seen = std::count_if(probs.data(), probs.data() + probs.size(),
                                  [&](float weight) { return weight >= faintest; });
  EXPECT_EQ(found().outOf, seen);
  EXPECT_EQ(found().pairs.size(), static_cast<std::size_t>(seen));
  const WeightedPair& strongest = found().pairs.back();
  EXPECT_EQ(strongest.weight, *std::max_element(probs.data(), probs.data() + probs.size()));
}

TEST_F(LinesTest, PointingAtATokenMarksItInEveryPanel) {
  open(defaultScene());
  gui->hover("Lines/q 5");
  EXPECT_EQ(gui->state().hover.query, 5);
  EXPECT_FALSE(gui->state().hover.key);
  gui->hover("Lines/k 2");
  EXPECT_EQ(gui->state().hover.key, 2);
  EXPECT_FALSE(gui->state().hover.query);
}

TEST_F(LinesTest, AClickKeepsTheLinesOfATokenAndChoosesTheQuery) {
  open(defaultScene());
  gui->click("Lines/q 4");
  EXPECT_EQ(gui->state().selection.query, 4);
  EXPECT_EQ(lines().kept, (LineEnd{false, 4}));
  gui->click("Lines/k 1");
  EXPECT_EQ(gui->state().selection.query, 4);
  EXPECT_EQ(lines().kept, (LineEnd{true, 1}));
  gui->click("Lines/k 1");
  EXPECT_FALSE(lines().kept.has_value());
}

TEST_F(LinesTest, HeadsAreSwitchedOffAndOn) {
  open(defaultScene());
  gui->click("Lines/line head 1");
  EXPECT_EQ(lines().lines.matrices, std::vector<const float*>{gui->results().probs.head(1)});
  gui->frames(60);  // not the second click of a double one
  gui->click("Lines/line head 1");
  EXPECT_EQ(lines().lines.matrices.size(), 2u);
  gui->frames(60);
  gui->doubleClick("Lines/line head 1");
  EXPECT_EQ(lines().lines.matrices, std::vector<const float*>{gui->results().probs.head(0)});
}

TEST_F(LinesTest, OfOneHeadTheyAreWhatTheMapsShow) {
  open(defaultScene());
  gui->click("Lines/all heads");
  gui->frames(2);
  EXPECT_EQ(lines().lines.matrices, std::vector<const float*>{gui->results().probs.head(0)});
  runCommand(gui->app(), "heads.next");
  gui->frames(2);
  EXPECT_EQ(lines().lines.matrices, std::vector<const float*>{gui->results().probs.head(1)});
  EXPECT_FALSE(gui->has("Lines/line head 1"));
  runCommand(gui->app(), "heads.average");
  gui->frames(2);
  ASSERT_EQ(lines().lines.matrices.size(), 1u);
  const StackOf<float>& probs = gui->results().probs;
  EXPECT_FLOAT_EQ(lines().lines.matrices[0][3], (probs.at(0, 0, 3) + probs.at(1, 0, 3)) / 2);
}

TEST_F(LinesTest, WeakOnesAreLeftOut) {
  open(defaultScene());
  gui->drag("Lines/least", {60, 0});
  EXPECT_GT(lines().least, 0.05f);
  for (const WeightedPair& pair : found().pairs) EXPECT_GE(pair.weight, lines().least);
}

TEST_F(LinesTest, WhatTheMaskHidesHasNoLine) {
  open(defaultScene());
  runCommand(gui->app(), "mask.causal");
  gui->frames(3);
  ASSERT_FALSE(found().pairs.empty());
  for (const WeightedPair& pair : found().pairs) EXPECT_LE(pair.key, pair.query);
}

TEST_F(LinesTest, GoFromFewTokensToOthers) {
  open(noiseScene(1, 3, 5));
  EXPECT_TRUE(gui->has("Lines/q 2"));
  EXPECT_FALSE(gui->has("Lines/q 3"));
  EXPECT_TRUE(gui->has("Lines/k 4"));
  EXPECT_FALSE(gui->has("Lines/fit"));
  gui->hover("Weights/map");
  ASSERT_TRUE(gui->state().hover.query && gui->state().hover.key);
  EXPECT_EQ(gui->withoutPlace(), "");
}

TEST_F(LinesTest, OfManyTokensTheStrongestAreDrawnAndTheRestIsReachedByScrolling) {
  open(noiseScene(4, 512, 512));
  gui->app().settle();
  gui->frames(3);
  EXPECT_EQ(found().pairs.size(), 4000u);
  EXPECT_GT(found().outOf, 4000);
  EXPECT_FALSE(gui->has("Lines/q 511"));
  ASSERT_TRUE(gui->has("Lines/fit"));
  EXPECT_TRUE(runCommand(gui->app(), "maps.allTokens"));
  gui->frames(3);
  EXPECT_TRUE(gui->has("Lines/q 511"));
  EXPECT_LT(gui->rect("Lines/q 511").max.y, 900);
  gui->hover("Lines/q 300");
  EXPECT_TRUE(gui->state().hover.query.has_value());
  EXPECT_EQ(gui->withoutPlace(), "");
}

TEST_F(LinesTest, FollowTheKeyboard) {
  open(defaultScene());
  for (int i = 0; i < 20 && gui->state().panels.focused != "Lines"; ++i) gui->press(ImGuiKey_F6);
  ASSERT_EQ(gui->state().panels.focused, "Lines");
  gui->press(ImGuiKey_DownArrow);
  gui->press(ImGuiKey_DownArrow);
  EXPECT_EQ(gui->state().hover.query, 2);
  gui->press(ImGuiKey_Space);
  EXPECT_EQ(gui->state().selection.query, 2);
  EXPECT_EQ(lines().kept, (LineEnd{false, 2}));
  gui->press(ImGuiKey_RightArrow);
  EXPECT_EQ(gui->state().hover.key, 2);
  EXPECT_FALSE(gui->state().hover.query);
}

TEST_F(LinesTest, OfNumbersThatAreNoneThereIsNoLine) {
  Scene scene = *noiseScene(1, 3, 3);
  scene.source.given[0].q.values(1, 0) = std::numeric_limits<float>::quiet_NaN();
  open(std::make_shared<const Scene>(scene));
  for (const WeightedPair& pair : found().pairs) EXPECT_NE(pair.query, 1);
  gui->hover("Lines/q 1");
  EXPECT_EQ(gui->withoutPlace(), "");
}

}  // namespace
}  // namespace attn
