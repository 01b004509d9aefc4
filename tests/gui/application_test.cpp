#include <gtest/gtest.h>

#include <set>

#include "app/views/view.h"
#include "core/evaluate.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

TEST(Window, ADragIsOneStepOfUndo) {
  GuiDriver gui;
  gui.drag("Scale/Temperature", {30, 0});
  EXPECT_GT(gui.scene().scale.temperature, 1);
  EXPECT_EQ(gui.app().editor().steps(), 1u);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(gui.scene().scale.temperature, 1);
  gui.press(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
  EXPECT_GT(gui.scene().scale.temperature, 1);
}

TEST(Window, AFastChordWithinOneFrameIsNotLost) {
  GuiDriver gui;
  gui.drag("Scale/Temperature", {30, 0});
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, true);
  gui.frame();
  io.AddKeyEvent(ImGuiKey_Z, true);
  io.AddKeyEvent(ImGuiMod_Ctrl, false);
  io.AddKeyEvent(ImGuiKey_Z, false);
  gui.frames(3);
  EXPECT_EQ(gui.scene().scale.temperature, 1);
  EXPECT_FALSE(ImGui::IsKeyDown(ImGuiKey_Z) || io.KeyCtrl);
}

TEST(Window, TwoDragsAreTwoSteps) {
  GuiDriver gui;
  gui.drag("Inputs/Q[0][0]", {20, 0});
  gui.frames(30);  // or the second press would be a double click
  gui.drag("Inputs/Q[0][0]", {20, 0});
  EXPECT_EQ(gui.app().editor().steps(), 2u);
}

TEST(Window, TypingInACellChangesTheWeights) {
  GuiDriver gui;
  const float before = gui.results().probs.at(0, 0, 1);
  gui.doubleClick("Inputs/Q[0][0]");
  gui.type("5.5");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.scene().source.given[0].q.values(0, 0), 5.5f);
  const float after = gui.results().probs.at(0, 0, 1);
  EXPECT_NE(after, before);
  EXPECT_EQ(after, evaluate(gui.scene()).probs.at(0, 0, 1));
}

TEST(Window, AnIdleFrameEvaluatesNothing) {
  GuiDriver gui;
  const auto count = gui.app().evaluations().count();
  gui.frames(10);
  EXPECT_EQ(gui.app().evaluations().count(), count);
  gui.drag("Scale/Temperature", {10, 0});
  EXPECT_GT(gui.app().evaluations().count(), count);
}

TEST(Window, ADoubleClickOnItsTitleMaximisesAPanel) {
  GuiDriver gui;
  gui.doubleClick("Weights/title");
  gui.frame();
  EXPECT_EQ(gui.state().layout.maximised, "Weights");
  EXPECT_FALSE(gui.has("Scores/title"));
  EXPECT_GT(gui.rect("Weights/title").size().x, 1200);
  gui.doubleClick("Weights/title");
  gui.frame();
  EXPECT_TRUE(gui.has("Scores/title"));
}

TEST(Window, ATabComesToTheFrontWhenClicked) {
  GuiDriver gui;
  gui.state().layout.stackWith("Heads", "Gradients");
  gui.frames(3);
  EXPECT_FALSE(gui.has("Gradients/title"));
  gui.click("Heads/tab Gradients");
  gui.frames(2);
  EXPECT_TRUE(gui.has("Gradients/title"));
  EXPECT_FALSE(gui.has("Heads/title"));
}

TEST(Window, TheFirstFrameDoesNotWaitForALargeScene) {
  Scene large = *defaultScene();
  for (auto& head : large.source.given) {
    for (auto* matrix : {&head.q, &head.k, &head.v}) *matrix = {};
    head.q.values = head.k.values = head.v.values = Matrix::Constant(1500, 64, 0.1f);
  }
  large.queryLabels.clear();
  large.keyLabels.clear();
  GuiDriver gui(std::make_shared<const Scene>(large));
  EXPECT_FALSE(gui.has("Weights/map"));
  EXPECT_TRUE(gui.app().isAnimating());
  gui.results();
  gui.frames(2);
  EXPECT_TRUE(gui.has("Weights/map"));
  EXPECT_FALSE(gui.app().isAnimating());
}

TEST(Window, ASplitterMovesTheBorder) {
  GuiDriver gui;
  const float before = gui.rect("Inputs/title").max.x;
  const ImVec2 between(before + 13, gui.rect("Inputs/title").max.y + 60);
  gui.dragFrom(between, {80, 0});
  EXPECT_NEAR(gui.rect("Inputs/title").max.x, before + 80, 2);
}

TEST(Window, HoveringACellMarksThePairEverywhere) {
  GuiDriver gui;
  const ItemRect map = gui.rect("Weights/map");
  gui.moveTo({map.min.x + map.size().x * 1.5f / 8, map.min.y + map.size().y * 5.5f / 8});
  gui.frames(2);
  EXPECT_EQ(gui.state().hover.query, 5);
  EXPECT_EQ(gui.state().hover.key, 1);
}

TEST(Window, MenusRunCommands) {
  GuiDriver gui;
  gui.menu("Mask", "Causal");
  ASSERT_EQ(gui.scene().masks.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<CausalRule>(gui.scene().masks[0]));
  gui.menu("Edit", "Undo");
  EXPECT_TRUE(gui.scene().masks.empty());
}

TEST(Window, OnlyWhatIsOpenIsMade) {
  GuiDriver gui;
  EXPECT_TRUE(gui.results().made.backward);
  gui.state().layout.show("Gradients", false);
  gui.frames(2);
  gui.drag("Scale/Temperature", {10, 0});
  EXPECT_FALSE(gui.results().made.backward);
}

TEST(Window, GradientsAloneAreMade) {
  GuiDriver gui;
  for (const View& view : allViews())
    gui.state().layout.show(view.title, view.title == std::string("Gradients"));
  gui.frames(2);
  gui.app().editor().change([](Scene& scene) { scene.scale.temperature = 2; });
  gui.results();
  gui.frames(2);
  const Results& results = gui.results();
  EXPECT_TRUE(results.made.backward);
  EXPECT_GT(normsOf(results.norms, GradientName::q).all, 0);
  EXPECT_TRUE(gui.has("Gradients/dQ"));
}

TEST(Window, TheScreensScaleEnlargesEverything) {
  GuiDriver gui;
  const float title = gui.rect("Weights/title").size().y, letters = gui.app().theme().words->FontSize;
  for (const float scale : {1.5f, 2.0f}) {
    gui.app().setScreenScale(scale);
    gui.resize(static_cast<int>(1280 * scale), static_cast<int>(720 * scale));
    gui.frames(3);
    EXPECT_NEAR(gui.app().theme().words->FontSize, letters * scale, 1);
    EXPECT_NEAR(gui.rect("Weights/title").size().y, title * scale, 2);
    EXPECT_EQ(gui.state().appearance.scale, 1);  // the person's own, which settings keep
    gui.press(ImGuiMod_Ctrl | ImGuiKey_Equal);
    gui.frames(2);
    EXPECT_NEAR(gui.app().theme().scale, 1.1f * scale, 0.01f);
    gui.press(ImGuiMod_Ctrl | ImGuiKey_0);
    gui.frames(2);
    EXPECT_EQ(gui.app().theme().scale, scale);
  }
}

TEST(Commands, HaveIdsAndShortcutsOfTheirOwn) {
  std::set<std::string> ids;
  std::set<ImGuiKeyChord> shortcuts;
  for (const Command& command : allCommands()) {
    EXPECT_TRUE(ids.insert(command.id).second) << command.id;
    EXPECT_TRUE(!command.shortcut || shortcuts.insert(command.shortcut).second) << command.id;
    EXPECT_TRUE(command.run) << command.id;
  }
}

TEST(Commands, KeysAreNamedAsTheyAreWritten) {
  EXPECT_EQ(shortcutText(ImGuiMod_Ctrl | ImGuiKey_Equal), "Ctrl++");
  EXPECT_EQ(shortcutText(ImGuiMod_Shift | ImGuiMod_Alt | ImGuiKey_UpArrow), "Shift+Alt+↑");
  EXPECT_EQ(shortcutText(ImGuiMod_Ctrl | ImGuiKey_PageDown), "Ctrl+Page down");
  EXPECT_EQ(shortcutText(0), "");
}

}  // namespace
}  // namespace attn
