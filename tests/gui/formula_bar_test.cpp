#include "app/views/formula_bar.h"

#include <gtest/gtest.h>

#include "tests/core/scenes.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

/// A scene in which every stage of the formula has a part.
std::shared_ptr<const Scene> everyStage() {
  PreciseScene scene = projectedScene(2, 3, 3, false, 3);
  scene.masks = {CausalRule{}};
  scene.cap = 5;
  scene.alibi = Alibi{};
  scene.scale.qkNormGain = 4;
  return std::make_shared<const Scene>(narrow(scene));
}

TEST(FormulaBar, StandsAboveThePanels) {
  GuiDriver gui;
  EXPECT_LT(gui.rect("Formula/score").max.y, gui.rect("Weights/title").min.y);
  EXPECT_LT(gui.rect("Formula/score").min.x, gui.rect("Formula/mix").min.x);
  runCommand(gui.app(), "view.formula");
  gui.frames(2);
  EXPECT_FALSE(gui.has("Formula/score"));
  runCommand(gui.app(), "view.formula");
  gui.frames(2);
  EXPECT_TRUE(gui.has("Formula/score"));
}

TEST(FormulaBar, AClickOnAPartGoesToItsStage) {
  GuiDriver gui(everyStage());
  const std::pair<const char*, const char*> kParts[] = {
      {"source", "Inputs"}, {"qk-norm", "Scale"}, {"score", "Scores"}, {"scale", "Scores"},
      {"cap", "Scale"},     {"bias", "Scores"},   {"mask", "Mask"},    {"normaliser", "Weights"},
      {"mix", "Output"},    {"output", "Output"}};
  for (const auto& [part, panel] : kParts) {
    gui.click(std::string("Formula/") + part);
    gui.frames(3);
    EXPECT_EQ(gui.state().panels.focused, panel) << part;
  }
}

TEST(FormulaBar, APartChoosesTheStageWithinItsPanel) {
  GuiDriver gui(everyStage());
  const std::pair<const char*, ScoreStage> kParts[] = {
      {"score", ScoreStage::raw}, {"scale", ScoreStage::scaled}, {"bias", ScoreStage::masked}};
  for (const auto& [part, stage] : kParts) {
    gui.click(std::string("Formula/") + part);
    EXPECT_EQ(gui.state().maps.scores, stage) << part;
  }
  gui.click("Formula/mix");
  EXPECT_TRUE(gui.state().maps.showsHeadOutput);
  gui.click("Formula/output");
  EXPECT_FALSE(gui.state().maps.showsHeadOutput);
}

TEST(FormulaBar, AHiddenPanelOpens) {
  GuiDriver gui;
  gui.state().layout.show("Weights", false);
  gui.frames(2);
  gui.click("Formula/normaliser");
  gui.frames(2);
  EXPECT_FALSE(gui.state().layout.isHidden("Weights"));
}

TEST(FormulaBar, PointingAtAPartLightsItsPanel) {
  GuiDriver gui;
  gui.hover("Formula/normaliser");
  EXPECT_EQ(gui.state().formulaBar.litPanel, "Weights");
  gui.hover("Formula/mix");
  EXPECT_EQ(gui.state().formulaBar.litPanel, "Output");
  gui.moveTo({3, 700});
  gui.frames(2);
  EXPECT_EQ(gui.state().formulaBar.litPanel, "");
}

TEST(FormulaBar, FollowsTheSwitches) {
  GuiDriver gui;
  EXPECT_FALSE(gui.has("Formula/cap"));
  gui.app().editor().change([](Scene& scene) { scene.cap = 3; });
  gui.frames(2);
  EXPECT_TRUE(gui.has("Formula/cap"));
}

TEST(FormulaBar, FitsANarrowWindow) {
  GuiDriver gui(everyStage(), GuiDriver::Screen::none, 800, 600);
  for (const char* part : {"score", "normaliser", "output"}) {
    EXPECT_GE(gui.rect(std::string("Formula/") + part).min.x, 0) << part;
    EXPECT_LE(gui.rect(std::string("Formula/") + part).max.x, 800) << part;
  }
}

}  // namespace
}  // namespace attn
