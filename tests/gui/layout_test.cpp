#include "app/layout.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/files/example_scenes.h"
#include "core/error.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

const std::vector<std::string> kKnown = {"Inputs", "Scores", "Weights",    "Output",   "Heads",
                                         "Mask",   "Scale",  "Saturation", "Gradients"};
const std::vector<std::string> kHidden = {"Explain",
                                          "Lesson",
                                          "Raw scores",
                                          "Lines",
                                          "dX",
                                          "dQ",
                                          "dK",
                                          "dV",
                                          "dScores",
                                          "dWeights",
                                          "Scaling lab",
                                          "Query lab",
                                          "Cost lab",
                                          "Normalisation lab",
                                          "Receptive field lab",
                                          "Mask lab"};

TEST(Layout, PanelsFillTheAreaWithoutOverlap) {
  Layout layout = defaultLayout();
  const Arrangement arrangement = arrange(layout, {0, 0}, {1280, 720}, 6);
  ASSERT_EQ(arrangement.panels.size(), kKnown.size());
  float area = 0;
  for (const PanelRect& panel : arrangement.panels) area += panel.size.x * panel.size.y;
  const float gaps = 6 * 1280 + 3 * 6 * 428.0f + 4 * 6 * 286.0f;  // one across; three above, four beneath
  EXPECT_NEAR(area, 1280 * 720 - gaps, 0.01f * area);
}

TEST(Layout, AHiddenPanelLeavesItsRoomToTheOthers) {
  Layout layout = defaultLayout();
  layout.show("Inputs", false);
  const Arrangement arrangement = arrange(layout, {0, 0}, {1280, 720}, 6);
  EXPECT_EQ(arrangement.panels.front().panel, "Scores");
  EXPECT_EQ(arrangement.panels.front().min.x, 0);
  for (const std::string& panel : kKnown) layout.show(panel, false);
  layout.show("Explain", false);
  EXPECT_TRUE(arrange(layout, {0, 0}, {1280, 720}, 6).panels.empty());
}

TEST(Layout, SurvivesWritingAndReading) {
  Layout layout = defaultLayout();
  layout.show("Mask", false);
  moveSplitter(arrange(layout, {0, 0}, {1280, 720}, 6).splitters.back(), 50);
  const std::string text = writeLayout(layout);
  auto known = kKnown;
  known.insert(known.end(), kHidden.begin(), kHidden.end());
  EXPECT_EQ(writeLayout(readLayout(text, known)), text);
}

TEST(Layout, GainsPanelsThatAnOlderFileLacks) {
  auto known = kKnown;
  known.push_back("Lessons");
  Layout layout = readLayout(writeLayout(defaultLayout()), known);
  EXPECT_EQ(arrange(layout, {0, 0}, {1280, 720}, 6).panels.back().panel, "Lessons");
}

TEST(Layout, LabsThatAnOlderFileLacksStayClosed) {
  const std::string older = R"({"tiles": {"column": [{"panel": "Inputs"}]}, "hidden": []})";
  Layout layout = readLayout(older, {"Inputs", "Weights", "Query lab"});
  EXPECT_TRUE(layout.isHidden("Query lab"));
  EXPECT_FALSE(layout.isHidden("Weights"));
  layout.show("Query lab", true);
  EXPECT_EQ(arrange(layout, {0, 0}, {1280, 720}, 6).panels.back().panel, "Query lab");
}

TEST(Layout, PanelsCanShareAPlaceAndPartAgain) {
  Layout layout = defaultLayout();
  layout.unstack("Explain");
  layout.show("Explain", false);
  const std::size_t places = arrange(layout, {0, 0}, {1280, 720}, 6).panels.size();
  layout.stackWith("Heads", "Gradients");
  Arrangement arrangement = arrange(layout, {0, 0}, {1280, 720}, 6);
  EXPECT_EQ(arrangement.panels.size(), places - 1);
  EXPECT_EQ(arrangement.panels.back().panel, "Heads");
  EXPECT_EQ(arrangement.panels.back().tabs, (std::vector<std::string>{"Gradients", "Heads"}));
  const auto inSight = panelsInSight(layout);
  EXPECT_EQ(std::count(inSight.begin(), inSight.end(), "Gradients"), 0);
  layout.bringToFront("Gradients");
  EXPECT_EQ(panelsInSight(layout).back(), "Gradients");
  const std::string text = writeLayout(layout);
  std::vector<std::string> all = kKnown;
  all.insert(all.end(), kHidden.begin(), kHidden.end());
  EXPECT_EQ(writeLayout(readLayout(text, all)), text);
  layout.show("Gradients", false);
  EXPECT_EQ(panelsInSight(layout).back(), "Heads");
  EXPECT_TRUE(arrange(layout, {0, 0}, {1280, 720}, 6).panels.back().tabs.empty());
  layout.show("Gradients", true);
  layout.unstack("Heads");
  EXPECT_FALSE(layout.isStacked("Gradients"));
  EXPECT_EQ(arrange(layout, {0, 0}, {1280, 720}, 6).panels.size(), places);
}

TEST(Layout, RefusesWhatIsNoLayout) {
  EXPECT_THROW(readLayout("{", kKnown), Error);
  EXPECT_THROW(readLayout(R"({"tiles": {"row": [{"panel": "Inputs", "share": -1}]}})", kKnown), Error);
  EXPECT_THROW(readLayout(R"({"tiles": 3})", kKnown), Error);
}

/// Three steps of Ctrl and + in the smallest window: what stands at the top of a panel goes on the next line
/// where it does not fit.
TEST(LargeType, LeavesTheHeadsOfPanelsWhole) {
  GuiDriver gui;
  for (int i = 0; i < 3; ++i) gui.press(ImGuiMod_Ctrl | ImGuiKey_Equal);
  gui.frames(6);
  const std::pair<const char*, std::vector<const char*>> heads[] = {
      {"Scores", {"raw", "masked", "⚙"}},
      {"Weights", {"log colour", "⚙"}},
      {"Heads", {"+ head", "solo"}},
      {"Mask", {"+ rule", "preset", "this head only"}},
      {"Saturation", {"rows", "Jacobian", "scores", "threshold"}},
      {"Gradients", {"all", "heads", "rows", "edits", "upstream"}}};
  for (const auto& [panel, items] : heads) {
    const ItemRect title = gui.rect(std::string(panel) + "/title");
    for (const char* item : items) {
      const ItemRect rect = gui.rect(std::string(panel) + "/" + item);
      constexpr float kSlack = 6;  // what can be chosen reaches a little beyond its word
      EXPECT_LE(rect.max.x, title.max.x + kSlack) << panel << ": " << item;
      EXPECT_GE(rect.min.x, title.min.x - kSlack) << panel << ": " << item;
    }
  }
}

TEST(LargeType, MenusThatDoNotFitAreUnderMore) {
  GuiDriver gui;
  EXPECT_FALSE(gui.has("MainMenuBar/More"));
  gui.state().appearance.scale = 2;
  gui.frames(4);
  ASSERT_TRUE(gui.has("MainMenuBar/More"));
  EXPECT_LE(gui.rect("MainMenuBar/More").max.x, 1280);
  EXPECT_FALSE(gui.has("MainMenuBar/Help"));
  gui.click("MainMenuBar/More");
  gui.frames(3);
  gui.click("//Help");
  gui.frames(3);
  gui.click("//All commands and keys");
  gui.frames(2);
  EXPECT_TRUE(gui.state().isHelpOpen);
}

TEST(LargeType, ScoresAreChosenFromAListWhereTheyDoNotFit) {
  GuiDriver gui;
  gui.state().appearance.scale = 1.7f;
  gui.frames(6);
  ASSERT_FALSE(gui.has("Scores/raw"));
  EXPECT_LE(gui.rect("Scores/stage").max.x, gui.rect("Scores/⚙").min.x);
  EXPECT_LE(gui.rect("Scores/⚙").max.x, gui.rect("Scores/title").max.x + 6);
  gui.click("Scores/stage");
  gui.frames(2);
  gui.click("//raw");
  EXPECT_EQ(gui.state().maps.scores, ScoreStage::raw);
}

TEST(LargeType, AnAudienceSeesAllStagesOfTheScores) {
  GuiDriver gui;
  gui.press(ImGuiKey_F5);
  gui.frames(4);
  EXPECT_TRUE(gui.has("Scores/raw"));
  EXPECT_LE(gui.rect("Scores/masked").max.x, gui.rect("Scores/title").max.x + 6);
}

TEST(LargeType, BarsOfGradientsKeepRoom) {
  GuiDriver gui;
  gui.state().appearance.scale = 1.5f;
  gui.frames(6);
  EXPECT_GE(gui.rect("Gradients/bar of dQ").size().x, 2 * gui.app().theme().small->FontSize);
}

TEST(NarrowMaps, KeepTheirGear) {
  GuiDriver gui(openExample(exampleScenes()[2]));  // with X, and W_O
  ASSERT_TRUE(runCommand(gui.app(), "maps.backward"));
  gui.frames(4);
  for (const char* panel : {"dX", "dQ", "dScores"})
    EXPECT_LE(gui.rect(std::string(panel) + "/⚙").max.x, gui.rect(std::string(panel) + "/title").max.x + 6)
        << panel;
}

TEST(ComparedHeads, HaveMoreOfTheirRow) {
  GuiDriver gui;
  const float before = gui.rect("Heads/title").size().x;
  const std::string layout = writeLayout(gui.state().layout);
  ASSERT_TRUE(runCommand(gui.app(), "heads.compare"));
  gui.frames(4);
  EXPECT_GT(gui.rect("Heads/title").size().x, 1.6f * before);
  for (const char* map : {"Heads/chosen", "Heads/compared"}) EXPECT_GT(gui.rect(map).size().x, 120) << map;
  EXPECT_EQ(writeLayout(gui.state().layout), layout);  // what is kept is as it was
  gui.click("Heads/all");
  gui.frames(2);
  EXPECT_EQ(gui.rect("Heads/title").size().x, before);
}

}  // namespace
}  // namespace attn
