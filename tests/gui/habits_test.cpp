// What people try without having read anything: keys they know from elsewhere, and panels that stay theirs.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

constexpr auto kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift;

void setTemperature(GuiDriver& gui, float value) {
  gui.app().editor().change([=](Scene& scene) { scene.scale.temperature = value; });
  gui.frames(2);
}

TEST(Habits, PlusIsPlusWhereverItLies) {
  for (const ImGuiKeyChord plus : {kCtrl | ImGuiKey_Equal, kCtrl | kShift | ImGuiKey_Equal,
                                   kCtrl | ImGuiKey_KeypadAdd}) {
    GuiDriver gui;
    gui.press(plus);
    EXPECT_GT(gui.state().appearance.scale, 1) << plus;
  }
  GuiDriver gui;
  gui.press(kCtrl | ImGuiKey_KeypadSubtract);
  EXPECT_LT(gui.state().appearance.scale, 1);
  gui.press(kCtrl | ImGuiKey_Keypad0);
  EXPECT_EQ(gui.state().appearance.scale, 1);
}

TEST(Habits, CtrlYIsRedoToo) {
  GuiDriver gui;
  setTemperature(gui, 3);
  gui.press(kCtrl | ImGuiKey_Z);
  ASSERT_EQ(gui.scene().scale.temperature, 1);
  gui.press(kCtrl | ImGuiKey_Y);
  EXPECT_EQ(gui.scene().scale.temperature, 3);
}

TEST(Habits, MenusOpenFromTheKeyboard) {
  GuiDriver gui;
  gui.click("Weights/title");
  ASSERT_TRUE(runCommand(gui.app(), "view.menus"));
  gui.frames(2);
  EXPECT_STREQ(ImGui::GetCurrentContext()->NavWindow->Name, "##MainMenuBar");
  gui.click("Weights/title");
  gui.press(ImGuiKey_F10);
  gui.press(ImGuiKey_RightArrow);
  gui.press(ImGuiKey_DownArrow);
  EXPECT_TRUE(gui.has("//Redo"));
}

TEST(Habits, APanelThatWasMaximisedKeepsTheKeyboard) {
  GuiDriver gui;
  gui.click("Weights/title");
  gui.press(ImGuiKey_F11);
  ASSERT_EQ(gui.state().layout.maximised, "Weights");
  gui.press(ImGuiKey_F11);
  gui.frames(2);
  EXPECT_EQ(gui.state().panels.focused, "Weights");
  gui.press(kCtrl | ImGuiKey_W);
  EXPECT_TRUE(gui.state().layout.isHidden("Weights"));
  EXPECT_FALSE(gui.state().layout.isHidden("Gradients"));
}

TEST(Habits, ATabThatIsClickedGetsTheKeyboard) {
  GuiDriver gui;
  gui.state().layout.stackWith("Heads", "Gradients");
  gui.frames(3);
  gui.click("Heads/tab Gradients");
  gui.frames(2);
  EXPECT_EQ(gui.state().panels.focused, "Gradients");
}

TEST(Habits, APanelThatIsAskedForComesIntoSight) {
  GuiDriver gui;
  gui.doubleClick("Weights/title");
  gui.frame();
  gui.menu("View", "dQ");
  gui.frames(2);
  EXPECT_TRUE(gui.has("dQ/title"));
  gui.doubleClick("Weights/title");
  gui.frame();
  runCommand(gui.app(), "maps.backward");
  gui.frames(2);
  EXPECT_TRUE(gui.has("dScores/title"));
}

TEST(Habits, WhatChangesNothingIsNoStep) {
  GuiDriver gui;
  setTemperature(gui, 3);
  gui.press(kCtrl | ImGuiKey_Z);
  runCommand(gui.app(), "inputs.given");
  gui.frames(2);
  EXPECT_FALSE(gui.app().editor().canUndo());
  EXPECT_TRUE(gui.app().editor().canRedo());
}

}  // namespace
}  // namespace attn
