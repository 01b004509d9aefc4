#include "app/views/explain.h"

#include <gtest/gtest.h>

#include "app/formula/derivation.h"
#include "app/views/explain_page.h"
#include "tests/core/scenes.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

/// Clicks a cell of a map, counted as it lies on the screen.
void clickCell(GuiDriver& gui, const std::string& map, Index across, Index down, Index columns, Index rows) {
  const ItemRect rect = gui.rect(map);
  const float x = (static_cast<float>(across) + 0.5f) / static_cast<float>(columns);
  const float y = (static_cast<float>(down) + 0.5f) / static_cast<float>(rows);
  gui.clickAt({rect.min.x + x * rect.size().x, rect.min.y + y * rect.size().y});
  gui.frames(2);
}

const ExplainPage& page(GuiDriver& gui) {
  return *gui.state().explain.page;
}

std::string clipboard() {
  return ImGui::GetClipboardText();
}

TEST(ExplainView, AClickOnACellExplainsIt) {
  GuiDriver gui;
  EXPECT_FALSE(gui.has("Explain/derivation"));
  clickCell(gui, "Weights/map", 2, 5, 8, 8);
  ASSERT_TRUE(gui.has("Explain/derivation"));
  EXPECT_EQ(gui.state().explain.cell, (Cell{Stage::probs, 0, 5, 2}));
  EXPECT_EQ(page(gui).printed.sections.back().cell, gui.state().explain.cell);
  clickCell(gui, "Scores/map", 3, 1, 8, 8);
  EXPECT_EQ(gui.state().explain.cell, (Cell{Stage::scores, 0, 1, 3}));
  clickCell(gui, "Output/map", 1, 4, 4, 8);
  EXPECT_EQ(gui.state().explain.cell, (Cell{Stage::headOut, 0, 4, 1}));
}

TEST(ExplainView, EveryMapIsExplained) {
  GuiDriver gui;
  runCommand(gui.app(), "maps.backward");
  gui.state().layout.show("Raw scores", true);
  const std::pair<const char*, Stage> kMaps[] = {{"Raw scores", Stage::rawScores},
                                                 {"Weights", Stage::probs},
                                                 {"Output", Stage::headOut},
                                                 {"dWeights", Stage::dProbs},
                                                 {"dScores", Stage::dScores},
                                                 {"dQ", Stage::dQ},
                                                 {"dK", Stage::dK},
                                                 {"dV", Stage::dV}};
  gui.frames(4);
  for (const auto& [panel, stage] : kMaps) {
    gui.click(std::string(panel) + "/map");
    gui.app().settle();
    gui.frames(3);
    EXPECT_EQ(gui.state().explain.cell.stage, stage) << panel;
    EXPECT_EQ(page(gui).key.cell, gui.state().explain.cell) << panel;
    EXPECT_EQ(gui.withoutPlace(), "") << panel;
  }
}

TEST(ExplainView, EnterExplainsTheCellOfTheKeyboard) {
  GuiDriver gui;
  for (int i = 0; i < 20 && gui.state().panels.focused != "Weights"; ++i) gui.press(ImGuiKey_F6);
  gui.press(ImGuiKey_DownArrow);
  gui.press(ImGuiKey_RightArrow);
  gui.press(ImGuiKey_RightArrow);
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.state().explain.cell, (Cell{Stage::probs, 0, 1, 2}));
}

TEST(ExplainView, AHiddenPanelStaysHiddenUntilItIsAskedFor) {
  GuiDriver gui;
  gui.state().layout.show("Explain", false);
  clickCell(gui, "Weights/map", 2, 5, 8, 8);
  EXPECT_TRUE(gui.state().layout.isHidden("Explain"));
  gui.press(ImGuiMod_Ctrl | ImGuiKey_I);
  gui.frames(2);
  EXPECT_FALSE(gui.state().layout.isHidden("Explain"));
  EXPECT_EQ(gui.state().panels.focused, "Explain");
  EXPECT_EQ(page(gui).key.cell, (Cell{Stage::probs, 0, 5, 2}));
}

TEST(ExplainView, AnOperandLeadsToItsOwnCellAndBack) {
  GuiDriver gui;
  clickCell(gui, "Output/map", 1, 4, 4, 8);
  const Cell before = gui.state().explain.cell;
  runCommand(gui.app(), "panel.maximise");
  gui.state().layout.maximised = "Explain";
  gui.frames(3);
  const int part = page(gui).links[0].part;
  const Cell target = page(gui).printed.targets[static_cast<std::size_t>(part - 1)];
  gui.click("Explain/operand 0");
  gui.frames(2);
  EXPECT_EQ(gui.state().explain.cell, target);
  gui.click("Explain/←");
  EXPECT_EQ(gui.state().explain.cell, before);
  gui.frames(2);
  gui.click("Explain/operand 0");
  EXPECT_EQ(gui.state().explain.cell, target);
  EXPECT_TRUE(runCommand(gui.app(), "explain.back"));
  EXPECT_EQ(gui.state().explain.cell, before);
}

TEST(ExplainView, OperandsAreReachedByKeys) {
  GuiDriver gui;
  clickCell(gui, "Output/map", 1, 4, 4, 8);
  runCommand(gui.app(), "explain.cell");
  gui.frames(3);
  gui.press(ImGuiKey_RightArrow);
  gui.press(ImGuiKey_RightArrow);
  EXPECT_EQ(gui.state().explain.link, 1);
  const Cell before = gui.state().explain.cell;
  const int part = page(gui).links[1].part;
  const Cell target = page(gui).printed.targets[static_cast<std::size_t>(part - 1)];
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.state().explain.cell, target);
  gui.press(ImGuiKey_Backspace);
  EXPECT_EQ(gui.state().explain.cell, before);
}

TEST(ExplainView, PageDownUnfoldsStepByStepAndPageUpFoldsAway) {
  GuiDriver gui;
  clickCell(gui, "Weights/map", 2, 5, 8, 8);
  runCommand(gui.app(), "explain.cell");
  gui.frames(3);
  const int steps = page(gui).steps;
  ASSERT_GT(steps, 20);
  EXPECT_FALSE(gui.state().explain.shown);
  gui.press(ImGuiKey_PageDown);
  EXPECT_EQ(gui.state().explain.shown, 1);
  gui.press(ImGuiKey_PageDown);
  gui.press(ImGuiKey_PageDown);
  EXPECT_EQ(gui.state().explain.shown, 3);
  gui.press(ImGuiKey_PageUp);
  EXPECT_EQ(gui.state().explain.shown, 2);
  clickCell(gui, "Weights/map", 1, 1, 8, 8);  // the next one begins folded: its answer is not given away
  EXPECT_EQ(gui.state().explain.shown, 1);
  while (stepForward(gui.state())) gui.frame();
  EXPECT_EQ(gui.state().explain.shown, page(gui).steps);
  runCommand(gui.app(), "explain.whole");
  EXPECT_FALSE(gui.state().explain.shown);
}

TEST(ExplainView, CommandsStepBothWays) {
  GuiDriver gui;
  clickCell(gui, "Weights/map", 2, 5, 8, 8);
  runCommand(gui.app(), "explain.forward");
  runCommand(gui.app(), "explain.forward");
  EXPECT_EQ(gui.state().explain.shown, 2);
  runCommand(gui.app(), "explain.backward");
  EXPECT_EQ(gui.state().explain.shown, 1);
  EXPECT_FALSE(stepBack(gui.state()));
}

TEST(ExplainView, CopiesAsTextAndAsLatex) {
  GuiDriver gui;
  clickCell(gui, "Weights/map", 2, 5, 8, 8);
  runCommand(gui.app(), "explain.copyText");
  EXPECT_NE(clipboard().find("p⁽¹⁾[5,2] = "), std::string::npos) << clipboard();
  runCommand(gui.app(), "explain.copyLatex");
  EXPECT_NE(clipboard().find("p_{5,2}^{(1)} &= "), std::string::npos) << clipboard();
  EXPECT_TRUE(clipboard().starts_with("\\begin{align*}"));
  gui.click("Explain/copy");
  EXPECT_NE(clipboard().find("p⁽¹⁾[5,2] = "), std::string::npos);
  gui.state().panels.focused = "Explain";
  runCommand(gui.app(), "panel.copy");
  EXPECT_NE(clipboard().find("p⁽¹⁾[5,2] = "), std::string::npos);
}

std::shared_ptr<const Scene> large() {
  return std::make_shared<const Scene>(narrow(randomScene({1, 4, 128, 64, 3}, 5)));
}

TEST(ExplainView, LongSumsAreShortUntilEveryTermIsAskedFor) {
  GuiDriver gui(large());
  explainCell(gui.state(), {Stage::probs, 0, 1, 100});
  gui.frames(3);
  const std::size_t brief = page(gui).pieces.size();
  EXPECT_TRUE(page(gui).printed.hasLeftOut);
  EXPECT_LT(brief, 120u);
  runCommand(gui.app(), "explain.everyTerm");
  gui.frames(2);
  EXPECT_GT(page(gui).pieces.size(), 3 * brief);
  EXPECT_FALSE(page(gui).printed.hasLeftOut);
}

TEST(ExplainView, NothingIsWiderThanThePanel) {
  GuiDriver gui(large());
  for (const Cell cell :
       {Cell{Stage::probs, 0, 1, 100}, Cell{Stage::headOut, 0, 1, 1}, Cell{Stage::dQ, 0, 1, 60}}) {
    explainCell(gui.state(), cell);
    gui.frames(2);
    gui.app().settle();
    gui.frames(2);
    ASSERT_EQ(page(gui).key.cell, cell);
    for (const auto& piece : page(gui).pieces)
      EXPECT_LE(piece.x + piece.layout.width, page(gui).key.width + 1) << stageName(cell.stage);
  }
}

TEST(ExplainView, FollowsTheSceneAndStaysInside) {
  GuiDriver gui;
  clickCell(gui, "Weights/map", 7, 7, 8, 8);
  gui.app().editor().change([](Scene& scene) { scene.scale.rule = Scale::Rule::keyWidth; });
  gui.frames(3);
  bool namesTheWidth = false;
  for (const PrintedLine& line : page(gui).printed.sections[0].lines)
    for (const PrintedPiece& piece : line.symbols) namesTheWidth |= piece.text == "raw⁽¹⁾[7,7] / d_k";
  EXPECT_TRUE(namesTheWidth);
  gui.app().editor().change([](Scene& scene) { scene = narrow(randomScene({1, 2, 3, 2, 2}, 1)); });
  gui.frames(3);
  EXPECT_EQ(page(gui).key.cell, (Cell{Stage::probs, 0, 1, 2}));
}

}  // namespace
}  // namespace attn
