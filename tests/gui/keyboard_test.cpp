// What can be done by keys alone: the mouse is never touched here.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cmath>

#include "app/views/view.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

constexpr auto kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift;

void goTo(GuiDriver& gui, const std::string& panel) {
  for (int i = 0; i < 20 && gui.state().panels.focused != panel; ++i) gui.press(ImGuiKey_F6);
  gui.frames(2);
  ASSERT_EQ(gui.state().panels.focused, panel);
}

bool hasKeyboard(GuiDriver& gui, const std::string& path) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (!g.NavWindow || !g.NavId || !gui.has(path)) return false;
  const ImRect at = ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[g.NavLayer]);
  const ItemRect item = gui.rect(path);
  return std::abs(at.Min.x - item.min.x) + std::abs(at.Min.y - item.min.y) < 8;
}

/// Presses the key until the item has the keyboard.
void walkTo(GuiDriver& gui, const std::string& path, ImGuiKey key) {
  for (int i = 0; i < 12 && !hasKeyboard(gui, path); ++i) gui.press(key);
  ASSERT_TRUE(hasKeyboard(gui, path)) << path;
}

std::shared_ptr<const Scene> causalScene() {
  Scene scene = *defaultScene();
  scene.masks.push_back(CausalRule{});
  return std::make_shared<const Scene>(scene);
}

TEST(Keyboard, IsSomewhereInEveryPanel) {
  GuiDriver gui;
  runCommand(gui.app(), "maps.backward");
  gui.frames(3);
  for (const View& view : allViews()) {
    if (gui.state().layout.isHidden(view.title)) continue;
    goTo(gui, view.title);
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    EXPECT_NE(g.NavId, 0u) << view.title;
    EXPECT_FALSE(g.NavDisableHighlight) << view.title;
    EXPECT_FALSE(hasKeyboard(gui, std::string(view.title) + "/title")) << view.title;
  }
}

TEST(Keyboard, ChoosesAHead) {
  GuiDriver gui;
  goTo(gui, "Heads");
  walkTo(gui, "Heads/Head 2", ImGuiKey_DownArrow);
  gui.press(ImGuiKey_Space);
  EXPECT_EQ(gui.state().selection.head, 1);
}

TEST(Keyboard, TakesARuleOfTheMaskAway) {
  GuiDriver gui(causalScene());
  goTo(gui, "Mask");
  walkTo(gui, "Mask/remove rule[0]", ImGuiKey_Tab);
  gui.press(ImGuiKey_Space);
  EXPECT_TRUE(gui.scene().masks.empty());
}

TEST(Keyboard, PaintsTheMaskAndMarksThePairEverywhere) {
  GuiDriver gui;
  goTo(gui, "Mask");
  walkTo(gui, "Mask/painter", ImGuiKey_DownArrow);
  gui.press(ImGuiKey_RightArrow);
  gui.press(ImGuiKey_DownArrow);
  gui.press(ImGuiKey_DownArrow);
  EXPECT_EQ(gui.state().hover.query, 2);
  EXPECT_EQ(gui.state().hover.key, 1);
  gui.press(ImGuiKey_Space);
  EXPECT_EQ(gui.results().probs.at(0, 2, 1), 0);
  gui.type("+");
  EXPECT_GT(gui.state().mask.zoom, 1);
  gui.type("0");
  EXPECT_EQ(gui.state().mask.zoom, 1);
}

TEST(Keyboard, ChoosesARowOfSaturation) {
  GuiDriver gui;
  goTo(gui, "Saturation");
  gui.press(ImGuiKey_DownArrow);  // the list
  gui.press(ImGuiKey_Enter);      // into it
  walkTo(gui, "Saturation/down", ImGuiKey_DownArrow);
  gui.press(ImGuiKey_Space);
  EXPECT_EQ(gui.state().selection.query, 3);
}

TEST(Keyboard, TypesTheThreshold) {
  GuiDriver gui;
  goTo(gui, "Saturation");
  walkTo(gui, "Saturation/threshold", ImGuiKey_Tab);  // which opens it for typing
  gui.press(kCtrl | ImGuiKey_A);
  gui.type("0.5");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.scene().saturationThreshold, 0.5);
}

TEST(Keyboard, WalksTheJacobianOfAnotherRow) {
  GuiDriver gui;
  goTo(gui, "Saturation");
  walkTo(gui, "Saturation/Jacobian", ImGuiKey_RightArrow);
  gui.press(ImGuiKey_Enter);
  gui.frames(3);
  walkTo(gui, "Saturation/next row", ImGuiKey_Tab);
  gui.press(ImGuiKey_Space);
  EXPECT_EQ(gui.state().selection.query, 1);
  for (int i = 0; i < 4 && gui.state().maps.cursor.plot == 0; ++i) gui.press(ImGuiKey_DownArrow);
  gui.press(ImGuiKey_DownArrow);
  gui.press(ImGuiKey_RightArrow);
  gui.press(ImGuiKey_RightArrow);
  EXPECT_EQ(gui.state().maps.cursor.map, "Saturation/Jacobian map");
  EXPECT_EQ(gui.state().maps.cursor.row, 1);
  EXPECT_EQ(gui.state().maps.cursor.col, 2);
}

TEST(Keyboard, ChoosesAGradient) {
  GuiDriver gui;
  goTo(gui, "Gradients");
  gui.press(ImGuiKey_DownArrow);
  gui.press(ImGuiKey_Enter);
  walkTo(gui, "Gradients/dK", ImGuiKey_DownArrow);
  gui.press(ImGuiKey_Space);
  EXPECT_EQ(gui.state().gradients.chosen, GradientName::k);
}

TEST(Keyboard, GoesIntoTheNumbers) {
  GuiDriver gui;
  goTo(gui, "Inputs");
  gui.press(ImGuiKey_RightArrow);
  gui.type("7");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.scene().source.given[0].q.values(0, 1), 7);
}

TEST(Keyboard, SavesAPictureFromThePanelsMenu) {
  GuiDriver gui;
  goTo(gui, "Weights");
  gui.press(kShift | ImGuiKey_F10);
  gui.frames(2);
  walkTo(gui, "//Save picture", ImGuiKey_DownArrow);
  gui.press(ImGuiKey_RightArrow);
  gui.frames(2);
  walkTo(gui, "//at 4×", ImGuiKey_DownArrow);
  gui.press(ImGuiKey_Enter);
  const auto request = gui.app().takePictureRequest();
  ASSERT_TRUE(request);
  EXPECT_EQ(request->panel, "Weights");
  EXPECT_EQ(request->factor, 4);
}

TEST(Keyboard, TypesAFixedRangeForTheColours) {
  GuiDriver gui;
  goTo(gui, "Scores");
  gui.press(kCtrl | kShift | ImGuiKey_O);
  gui.frames(2);
  walkTo(gui, "//Fixed", ImGuiKey_Tab);
  gui.press(ImGuiKey_Space);
  gui.frames(2);
  ASSERT_TRUE(gui.state().maps.options["Scores"].range);
  walkTo(gui, "//Highest", ImGuiKey_Tab);
  gui.press(kCtrl | ImGuiKey_A);
  gui.type("12.5");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.state().maps.options["Scores"].range->high, 12.5f);
}

TEST(Keyboard, OpensARecentFile) {
  GuiDriver gui;
  gui.app().documents().recent() = {ATTNSCOPE_SOURCE_DIR "/assets/scenes/by_hand.json"};
  gui.press(ImGuiKey_F10);
  gui.press(ImGuiKey_DownArrow);
  gui.frames(2);
  walkTo(gui, "//Open recent", ImGuiKey_DownArrow);
  gui.press(ImGuiKey_RightArrow);
  gui.frames(2);
  walkTo(gui, "//by_hand.json", ImGuiKey_DownArrow);
  gui.press(ImGuiKey_Enter);
  gui.results();
  gui.frames(2);
  EXPECT_EQ(gui.app().documentTitle(), "by_hand.json");
}

}  // namespace
}  // namespace attn
