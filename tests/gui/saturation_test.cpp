#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <string>

#include "core/measures/jacobian.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

constexpr auto kNoScreen = GuiDriver::Screen::none;

TEST(SaturationPanel, TheThresholdIsDraggedAndTyped) {
  GuiDriver gui(defaultScene(), kNoScreen, 1920, 1080);
  gui.drag("Saturation/threshold", {-50, 0});
  EXPECT_LT(gui.scene().saturationThreshold, 0.95);
  EXPECT_EQ(gui.app().editor().steps(), 1u);
  gui.frames(30);
  gui.doubleClick("Saturation/threshold");
  gui.press(ImGuiMod_Ctrl | ImGuiKey_A);
  gui.type("0.8");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.scene().saturationThreshold, 0.8);
}

TEST(SaturationPanel, SaturatedAndBlindRowsHaveASign) {
  GuiDriver gui(defaultScene(), kNoScreen, 1920, 1080);
  EXPECT_FALSE(gui.has("Saturation/saturated[5]"));
  gui.app().editor().change([](Scene& scene) {
    scene.saturationThreshold = 0.8;
    Bytes cells = Bytes::Ones(8, 8);
    cells.row(2).setZero();
    scene.masks = {PaintedRule{{cells}}};
  });
  gui.frames(3);
  EXPECT_TRUE(gui.has("Saturation/saturated[5]"));
  EXPECT_FALSE(gui.has("Saturation/saturated[2]"));
  EXPECT_TRUE(gui.has("Saturation/no key[2]"));
}

/// How far the table of rows can be scrolled sideways, in pixels.
float sidewaysOfRows() {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->Active && std::string(window->Name).find("##rows") != std::string::npos)
      return window->ScrollMax.x;
  return -1;
}

TEST(SaturationPanel, ScrollsRatherThanCutItsNumbers) {
  GuiDriver gui(defaultScene(), kNoScreen, 1280, 720);
  gui.frames(3);
  EXPECT_EQ(sidewaysOfRows(), 0);
  gui.state().appearance.scale = 2;
  gui.frames(6);
  EXPECT_GT(sidewaysOfRows(), 0);
}

/// "##" begins what Dear ImGui leaves unsaid; pieces of words begin so too.
TEST(SaturationPanel, ALabelMayBeginWithSigns) {
  Scene scene = *defaultScene();
  scene.queryLabels[3] = scene.keyLabels[3] = "##down";
  GuiDriver gui(std::make_shared<const Scene>(scene), kNoScreen, 1920, 1080);
  const ItemRect above = gui.rect("Saturation/sat"), below = gui.rect("Saturation/because");
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  const float right = above.min.x + above.size().x / 5;  // the names; bars and numbers are beyond
  int letters = 0;
  for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
    for (const ImDrawVert& corner : list->VtxBuffer)
      letters += corner.pos.x > above.min.x && corner.pos.x < right && corner.pos.y > above.max.y &&
                 corner.pos.y < below.min.y && std::abs(corner.uv.y - white.y) > 0.01f;
  EXPECT_GE(letters / 4, 6);
}

TEST(SaturationPanel, TheJacobianIsThatOfTheChosenRow) {
  GuiDriver gui;
  gui.click("Saturation/Jacobian");
  gui.frames(3);
  ASSERT_TRUE(gui.has("Saturation/Jacobian map"));
  gui.state().selection.query = 5;
  gui.frames(3);
  const auto& kept = gui.state().saturation.jacobian;
  EXPECT_EQ(kept.query, 5);
  const auto expected = jacobianOf(gui.scene(), gui.results(), 0, 5);
  EXPECT_TRUE(kept.values->isApprox(expected.cast<float>()));
  const Matrix* before = kept.values.get();
  gui.frames(5);
  EXPECT_EQ(kept.values.get(), before);  // an idle frame makes nothing
  gui.click("Saturation/next row");
  gui.frames(2);
  EXPECT_EQ(gui.state().selection.query, 6);
  EXPECT_EQ(kept.query, 6);
}

TEST(SaturationPanel, TheHistogramAsksForItsScores) {
  GuiDriver gui;
  gui.state().layout.show("Scores", false);
  gui.frames(2);
  gui.click("Saturation/scores");
  gui.frames(5);
  ASSERT_TRUE(gui.has("Saturation/histogram"));
  EXPECT_EQ(gui.state().saturation.scores.histogram.count, 64);
  gui.app().editor().change([](Scene& scene) { scene.masks = {CausalRule{}}; });
  gui.frames(3);
  EXPECT_EQ(gui.state().saturation.scores.histogram.count, 36);
  gui.click("Saturation/rows");
  gui.frames(2);
  gui.drag("Scale/Temperature", {10, 0});
  EXPECT_FALSE(gui.results().made.scaledScores);
}

TEST(SaturationPanel, AWidePanelShowsAllPages) {
  GuiDriver gui;
  gui.state().layout.maximised = "Saturation";
  gui.frames(5);
  EXPECT_TRUE(gui.has("Saturation/Jacobian map"));
  EXPECT_TRUE(gui.has("Saturation/histogram"));
}

/// Under the average, the maps are of no head: what is measured is still of one, and says so.
TEST(SaturationPanel, TellsWhichHeadItMeasures) {
  GuiDriver gui(defaultScene(), kNoScreen, 1920, 1080);
  EXPECT_TRUE(gui.has("Saturation/of head 1"));
  runCommand(gui.app(), "heads.next");
  gui.frames(3);
  EXPECT_TRUE(gui.has("Saturation/of head 2"));
  runCommand(gui.app(), "heads.average");
  gui.frames(3);
  EXPECT_FALSE(gui.has("Saturation/of head 2"));
  EXPECT_TRUE(gui.has("Saturation/of head 2 alone"));
}

TEST(SaturationPanel, AClickOnARowChoosesIt) {
  GuiDriver gui(defaultScene(), kNoScreen, 1920, 1080);
  gui.click("Saturation/because");
  EXPECT_EQ(gui.state().selection.query, 4);
}

}  // namespace
}  // namespace attn
