#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

constexpr auto kCtrl = ImGuiMod_Ctrl;

/// Goes there by F6 alone, as one does without a mouse.
void goTo(GuiDriver& gui, const std::string& panel) {
  for (int i = 0; i < 20 && gui.state().panels.focused != panel; ++i) gui.press(ImGuiKey_F6);
  gui.frames(2);
  ASSERT_EQ(gui.state().panels.focused, panel);
}

void expectAt(GuiDriver& gui, Index query, Index key) {
  EXPECT_EQ(gui.state().hover.query, query);
  EXPECT_EQ(gui.state().hover.key, key);
}

void press(GuiDriver& gui, ImGuiKeyChord key, int times) {
  for (int i = 0; i < times; ++i) gui.press(key);
}

std::shared_ptr<const Scene> manyTokens(Index count) {
  Scene scene = *defaultScene();
  for (auto& head : scene.source.given)
    for (auto* matrix : {&head.q, &head.k, &head.v}) {
      *matrix = {};
      matrix->values = Matrix::Random(count, 4);
    }
  scene.queryLabels.clear();
  scene.keyLabels.clear();
  return std::make_shared<const Scene>(scene);
}

TEST(MapKeys, ArrowsPointAtCells) {
  GuiDriver gui;
  goTo(gui, "Weights");
  expectAt(gui, 0, 0);
  press(gui, ImGuiKey_DownArrow, 5);
  gui.press(ImGuiKey_RightArrow);
  expectAt(gui, 5, 1);
  gui.press(ImGuiKey_UpArrow);
  expectAt(gui, 4, 1);
  press(gui, ImGuiKey_LeftArrow, 3);
  expectAt(gui, 4, 0);
  EXPECT_EQ(gui.state().panels.focused, "Weights");
}

TEST(MapKeys, JumpsGoToTheEnds) {
  GuiDriver gui(manyTokens(40));
  goTo(gui, "Scores");
  gui.press(ImGuiKey_End);
  expectAt(gui, 0, 39);
  gui.press(ImGuiKey_PageDown);
  expectAt(gui, 10, 39);
  gui.press(ImGuiKey_Home);
  expectAt(gui, 10, 0);
  gui.press(ImGuiKey_PageUp);
  expectAt(gui, 0, 0);
  gui.press(kCtrl | ImGuiKey_DownArrow);
  expectAt(gui, 39, 0);
  gui.press(kCtrl | ImGuiKey_RightArrow);
  expectAt(gui, 39, 39);
}

TEST(MapKeys, EveryMapHasACursor) {
  GuiDriver gui;
  runCommand(gui.app(), "maps.backward");
  gui.state().layout.show("Raw scores", true);
  gui.frames(4);
  for (const char* panel :
       {"Scores", "Raw scores", "Weights", "Output", "dWeights", "dScores", "dQ", "dK", "dV"}) {
    gui.state().maps.cursor = {};
    goTo(gui, panel);
    gui.press(ImGuiKey_DownArrow);
    gui.press(ImGuiKey_RightArrow);
    const Hover& hover = gui.state().hover;
    const bool isOfKeys = panel == std::string("dK") || panel == std::string("dV");
    EXPECT_EQ(isOfKeys ? hover.key : hover.query, 1) << panel;
    const bool isOfPairs = hover.query && hover.key;
    EXPECT_EQ(isOfPairs ? hover.key : hover.dimension, 1) << panel;
  }
}

TEST(MapKeys, TheNextMapBeginsAtTheSamePair) {
  GuiDriver gui;
  goTo(gui, "Scores");
  press(gui, ImGuiKey_DownArrow, 3);
  press(gui, ImGuiKey_RightArrow, 2);
  goTo(gui, "Weights");
  expectAt(gui, 3, 2);
  goTo(gui, "Output");
  EXPECT_EQ(gui.state().hover.query, 3);
}

TEST(MapKeys, ArrowsGoAsTheMapLies) {
  GuiDriver gui;
  runCommand(gui.app(), "maps.transpose");
  goTo(gui, "Weights");
  press(gui, ImGuiKey_RightArrow, 3);
  gui.press(ImGuiKey_DownArrow);
  expectAt(gui, 3, 1);
}

TEST(MapKeys, EnterChoosesTheQuery) {
  GuiDriver gui;
  goTo(gui, "Weights");
  press(gui, ImGuiKey_DownArrow, 4);
  EXPECT_EQ(gui.state().selection.query, 0);
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.state().selection.query, 4);
  gui.press(ImGuiKey_DownArrow);
  gui.press(ImGuiKey_Space);
  EXPECT_EQ(gui.state().selection.query, 5);
  expectAt(gui, 5, 0);
}

TEST(MapKeys, PlusAndMinusZoomAboutTheCursorAndTheViewFollows) {
  GuiDriver gui(manyTokens(40));
  goTo(gui, "Weights");
  const MapZoom& zoom = gui.state().maps.zooms["Weights/map"];
  press(gui, ImGuiKey_PageDown, 2);
  for (int i = 0; i < 3; ++i) gui.type("+");
  EXPECT_LT(zoom.bottom - zoom.top, 20);
  EXPECT_LE(zoom.top, 20);
  EXPECT_GE(zoom.bottom, 21);
  gui.press(kCtrl | ImGuiKey_DownArrow);
  EXPECT_DOUBLE_EQ(zoom.bottom, 40);
  gui.press(kCtrl | ImGuiKey_RightArrow);
  EXPECT_EQ(zoom.right, 40);
  gui.type("-");
  EXPECT_GT(zoom.bottom - zoom.top, 15);
  for (int i = 0; i < 20; ++i) gui.type("=");
  EXPECT_NEAR(zoom.right - zoom.left, 1, 1e-9);
  gui.type("0");
  EXPECT_EQ(zoom.left, 0);
  EXPECT_EQ(zoom.right, 40);
  EXPECT_DOUBLE_EQ(zoom.bottom, 40);
  EXPECT_EQ(gui.state().appearance.scale, 1);
}

TEST(MapKeys, CtrlPlusIsStillTheInterfaces) {
  GuiDriver gui;
  goTo(gui, "Weights");
  gui.press(kCtrl | ImGuiKey_Equal);
  EXPECT_GT(gui.state().appearance.scale, 1);
  EXPECT_EQ(gui.state().maps.zooms["Weights/map"].right, 8);
}

TEST(MapKeys, EscapeGivesTheArrowsBackAndEnterTakesThemAgain) {
  GuiDriver gui;
  goTo(gui, "Weights");
  gui.press(ImGuiKey_DownArrow);
  gui.press(ImGuiKey_Escape);
  EXPECT_FALSE(gui.state().hover.query);
  gui.press(ImGuiKey_Enter);
  expectAt(gui, 1, 0);
  EXPECT_EQ(gui.state().selection.query, 0);
  gui.press(ImGuiKey_Escape);
  gui.press(ImGuiKey_UpArrow);
  EXPECT_FALSE(gui.state().hover.query);
  EXPECT_EQ(gui.state().maps.cursor.plot, 0u);
  for (int i = 0; i < 3 && !gui.state().maps.options["Weights"].isLogarithmic; ++i) {
    gui.press(ImGuiKey_LeftArrow);
    gui.press(ImGuiKey_Space);
  }
  EXPECT_TRUE(gui.state().maps.options["Weights"].isLogarithmic);
}

TEST(MapKeys, TabLeavesTheMap) {
  GuiDriver gui;
  goTo(gui, "Weights");
  ASSERT_NE(gui.state().maps.cursor.plot, 0u);
  gui.press(ImGuiKey_Tab);
  EXPECT_EQ(gui.state().maps.cursor.plot, 0u);
  EXPECT_EQ(gui.state().panels.focused, "Weights");
}

TEST(MapKeys, AClickedMapGoesOnFromThePointer) {
  GuiDriver gui;
  const ItemRect map = gui.rect("Weights/map");
  gui.clickAt({map.min.x + map.size().x * 2.5f / 8, map.min.y + map.size().y * 6.5f / 8});
  gui.press(ImGuiKey_RightArrow);
  expectAt(gui, 6, 3);
}

TEST(MapKeys, ThePanelsKeysAreItsMaps) {
  GuiDriver gui;
  gui.click("Weights/title");
  gui.press(ImGuiKey_RightArrow);
  expectAt(gui, 0, 1);
}

TEST(MapKeys, TheMouseTakesOverWhenItMoves) {
  GuiDriver gui;
  const ItemRect scores = gui.rect("Scores/map");
  gui.moveTo({scores.min.x + scores.size().x * 4.5f / 8, scores.min.y + scores.size().y * 4.5f / 8});
  gui.frames(2);
  expectAt(gui, 4, 4);
  goTo(gui, "Weights");
  press(gui, ImGuiKey_DownArrow, 2);
  expectAt(gui, 6, 4);  // begins where the pointer was, which says no more
  gui.moveTo({scores.min.x + scores.size().x * 1.5f / 8, scores.min.y + scores.size().y * 1.5f / 8});
  gui.frames(2);
  expectAt(gui, 1, 1);
  gui.moveTo({2, 2});
  gui.frames(2);
  EXPECT_FALSE(gui.state().hover.query);
  gui.press(ImGuiKey_DownArrow);
  expectAt(gui, 7, 4);
}

TEST(MapKeys, TheWheelTurnsNoMapFromElsewhere) {
  GuiDriver gui;
  gui.moveTo(gui.rect("Scores/map").centre());
  goTo(gui, "Weights");
  gui.press(ImGuiKey_DownArrow);
  gui.wheel(3);
  EXPECT_EQ(gui.state().maps.zooms["Weights/map"].right, 8);
}

TEST(MapKeys, TheCursorStaysInsideAMapThatShrinks) {
  GuiDriver gui;
  goTo(gui, "Weights");
  gui.press(kCtrl | ImGuiKey_DownArrow);
  gui.press(kCtrl | ImGuiKey_RightArrow);
  expectAt(gui, 7, 7);
  gui.app().editor().change([](Scene& scene) { scene = *manyTokens(3); });
  gui.frames(4);
  expectAt(gui, 2, 2);
  gui.press(ImGuiKey_LeftArrow);
  expectAt(gui, 2, 1);
}

TEST(MapKeys, TextAndMenusKeepTheirKeys) {
  GuiDriver gui;
  goTo(gui, "Weights");
  gui.press(ImGuiKey_DownArrow);
  gui.press(ImGuiKey_F1);
  gui.frames(3);
  gui.type("0+");
  gui.press(ImGuiKey_LeftArrow);
  EXPECT_EQ(gui.state().helpSearch, "0+");
  EXPECT_EQ(gui.state().maps.cursor.row, 1);
  EXPECT_EQ(gui.state().maps.zooms["Weights/map"].right, 8);
  gui.press(ImGuiKey_Escape);
  gui.press(ImGuiKey_Escape);
  ASSERT_FALSE(gui.state().isHelpOpen);
  goTo(gui, "Weights");
  gui.press(ImGuiKey_F10);
  gui.press(ImGuiKey_DownArrow);
  gui.press(ImGuiKey_DownArrow);
  EXPECT_EQ(gui.state().maps.cursor.row, 1);
  gui.press(ImGuiKey_Escape);
  gui.press(ImGuiKey_Escape);
  EXPECT_EQ(gui.state().selection.query, 0);
}

TEST(MapKeys, OptionsOpenFromTheKeyboard) {
  GuiDriver gui;
  goTo(gui, "Weights");
  ASSERT_TRUE(runCommand(gui.app(), "maps.options"));
  gui.frames(3);
  ASSERT_TRUE(gui.has("//Logarithmic"));
  gui.press(ImGuiKey_DownArrow);
  for (int i = 0; i < 3 && !gui.state().maps.options["Weights"].isLogarithmic; ++i) {
    gui.press(ImGuiKey_RightArrow);
    gui.press(ImGuiKey_Space);
  }
  EXPECT_TRUE(gui.state().maps.options["Weights"].isLogarithmic);
  EXPECT_FALSE(gui.state().maps.options["Scores"].isLogarithmic);
  gui.press(ImGuiKey_Escape);
  EXPECT_FALSE(gui.has("//Logarithmic"));
  gui.press(ImGuiKey_DownArrow);
  expectAt(gui, 1, 0);  // back in the map
  gui.press(ImGuiKey_Menu);
  EXPECT_TRUE(gui.has("//Logarithmic"));
}

TEST(MapKeys, APanelWithoutAMapHasNoOptions) {
  GuiDriver gui;
  goTo(gui, "Scale");
  EXPECT_FALSE(runCommand(gui.app(), "maps.options"));
}

}  // namespace
}  // namespace attn
