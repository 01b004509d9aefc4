// How numbers and places are written: settings that maps, tables, tooltips, derivations and copied text
// follow.
#include "app/formula/notation.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/session_keeper.h"
#include "app/views/explain_page.h"
#include "app/views/explain_words.h"
#include "app/views/input_grid.h"
#include "app/views/labels.h"
#include "app/views/map_frame.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/core/scenes.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

std::shared_ptr<const Scene> plainScene() {
  return std::make_shared<const Scene>(
      narrow(givenScene(matrix({{1.5, 2}, {0.25, 1}}), matrix({{2, 0.25}, {1, 0.5}}), matrix({{3.5}, {1}}))));
}

std::string clipboard() {
  return ImGui::GetClipboardText();
}

TEST(Notation, NumbersOfDerivationsKeepWhatCounts) {
  EXPECT_EQ(writeNumber(2.828427, {}), "2.828");
  EXPECT_EQ(writeNumber(-0.0127001, {}), "−0.0127");
  EXPECT_EQ(writeNumber(0.5, {}), "0.5");
  EXPECT_EQ(writeNumber(1.23456e-7, {}), "1.23·10⁻⁷");
  EXPECT_EQ(writeNumber(-1.0 / 0.0, {}), "−∞");
  EXPECT_EQ(writeNumber(2.828427, {.digits = 1, .decimalComma = true}), "2,8");
  EXPECT_EQ(writeLatexNumber(2.828427, {.digits = 1, .decimalComma = true}), "2{,}8");
  EXPECT_EQ(writeLatexNumber(-1.23456e-7, {}), "-1.23 \\cdot 10^{-7}");
}

TEST(Notation, LabelsNumbersAndTicksFollow) {
  const auto scene = plainScene();
  const Notation one{.digits = 3, .decimalComma = true, .first = 1};
  EXPECT_EQ(queryLabel({}, *scene, 0), "q0");
  EXPECT_EQ(queryLabel(one, *scene, 0), "q1");
  EXPECT_EQ(keyLabel(one, *scene, 1), "k2");
  EXPECT_EQ(dimensionLabel(one, 0), "1");
  EXPECT_EQ(axisLabel(one, *scene, Map::Axis::dimensions, 2), "3");
  EXPECT_EQ(rowTitle(one, *scene, InputName::q, 0), "q1");
  EXPECT_EQ(columnTitle(one, *scene, InputName::q, 0), "1");
  EXPECT_EQ(numberText(one, -1.25), "−1,250");
  EXPECT_EQ(cellText({.digits = 0}, 1.25f, 0, 0), "1");
  EXPECT_EQ(tickText(one, 0.25), "0,25");
  EXPECT_EQ(exactText(one, 0.1f), "0,1");
  EXPECT_EQ(cellWords(one, *scene, {Stage::probs, 0, 0, 1}), "Weight, q1 → k2");
}

TEST(Notation, CommandsChangeIt) {
  GuiDriver gui(plainScene());
  const Notation& notation = gui.state().notation;
  runCommand(gui.app(), "notation.fromOne");
  EXPECT_EQ(notation.first, 1);
  runCommand(gui.app(), "notation.fromOne");
  EXPECT_EQ(notation.first, 0);
  runCommand(gui.app(), "notation.comma");
  EXPECT_TRUE(notation.decimalComma);
  runCommand(gui.app(), "notation.moreDigits");
  EXPECT_EQ(notation.digits, 4);
  runCommand(gui.app(), "notation.fewerDigits");
  runCommand(gui.app(), "notation.fewerDigits");
  EXPECT_EQ(notation.digits, 2);
  for (int i = 0; i < 20; ++i) runCommand(gui.app(), "notation.fewerDigits");
  EXPECT_EQ(notation.digits, 0);
  runCommand(gui.app(), "notation.automaticDigits");
  EXPECT_EQ(notation.digits, Notation::kAutomatic);
  runCommand(gui.app(), "maps.transpose");
  EXPECT_TRUE(notation.queriesAreColumns);
  EXPECT_TRUE(gui.state().maps.options["Weights"].isTransposed);
}

TEST(Notation, TheDerivationAndItsTextFollow) {
  GuiDriver gui(plainScene());
  explainCell(gui.state(), {Stage::rawScores, 0, 0, 1});
  runCommand(gui.app(), "notation.fromOne");
  runCommand(gui.app(), "notation.comma");
  runCommand(gui.app(), "explain.copyText");
  EXPECT_EQ(clipboard(), "raw[1,2] = q[1,1]·k[2,1] + q[1,2]·k[2,2] = 1,5·1 + 2·0,5 = 2,5\n");
  explainCell(gui.state(), {Stage::probs, 0, 0, 1});
  runCommand(gui.app(), "explain.copyLatex");
  EXPECT_NE(clipboard().find(";\\;"), std::string::npos) << clipboard();  // between numbers with commas
  explainCell(gui.state(), {Stage::rawScores, 0, 0, 1});
  runCommand(gui.app(), "maps.transpose");
  runCommand(gui.app(), "explain.copyText");
  EXPECT_EQ(clipboard(), "raw[2,1] = q[1,1]·k[1,2] + q[2,1]·k[2,2] = 1,5·1 + 2·0,5 = 2,5\n");
  gui.frames(2);
  EXPECT_EQ(gui.state().explain.page->key.notation, gui.state().notation);
}

TEST(Notation, CopiedTablesLieAsTheMapDoes) {
  GuiDriver gui(plainScene());
  gui.state().maps.showsHeadOutput = true;
  runCommand(gui.app(), "notation.comma");
  gui.state().maps.scores = ScoreStage::raw;
  gui.frames(3);
  gui.app().copyPanel("Scores");
  EXPECT_EQ(clipboard(), "3,5\t2,5\n0,75\t0,75\n");
  runCommand(gui.app(), "maps.transpose");
  gui.app().copyPanel("Scores");
  EXPECT_EQ(clipboard(), "3,5\t0,75\n2,5\t0,75\n");
}

void useComma(GuiDriver& gui) {
  runCommand(gui.app(), "notation.comma");
  gui.frames(2);
}

std::string typedText() {
  const ImGuiInputTextState& state = ImGui::GetCurrentContext()->InputTextState;
  std::string text;
  for (int i = 0; i < state.CurLenW; ++i) text += static_cast<char>(state.TextW[i]);
  return text;
}

TEST(Notation, ControlsHaveACommaAndTakeEitherMark) {
  GuiDriver gui;
  useComma(gui);
  gui.doubleClick("Saturation/threshold");
  gui.frames(3);
  EXPECT_EQ(typedText(), "0,990");
  gui.type("0,75");
  gui.press(ImGuiKey_Enter);
  gui.frames(2);
  EXPECT_EQ(gui.scene().saturationThreshold, 0.75);
  gui.frames(40);  // else these would be the third and fourth click
  gui.doubleClick("Saturation/threshold");
  gui.frames(3);
  gui.type("0.5");
  gui.press(ImGuiKey_Enter);
  gui.frames(2);
  EXPECT_EQ(gui.scene().saturationThreshold, 0.5);
  gui.drag("Saturation/threshold", {20, 0});
  EXPECT_GT(gui.scene().saturationThreshold, 0.5);
  gui.drag("Scale/Temperature", {30, 0});
  EXPECT_GT(gui.scene().scale.temperature, 1);
}

TEST(Notation, ControlsDrawTheComma) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::offscreen);
  gui.moveTo({5, 5});
  gui.frames(2);
  const ItemRect rect = gui.rect("Scale/Temperature");
  const Image point = gui.picture();
  useComma(gui);
  const Image comma = gui.picture();
  EXPECT_EQ(gui.rect("Scale/Temperature").size().x, rect.size().x);
  const auto ink = [&](const Image& image, int x, int y) { return image.at(x, y)[0]; };
  int differing = 0, inked = 0;
  for (int y = static_cast<int>(rect.min.y); y < static_cast<int>(rect.max.y); ++y)
    for (int x = static_cast<int>(rect.min.x); x < static_cast<int>(rect.max.x); ++x) {
      differing += ink(point, x, y) != ink(comma, x, y);
      inked += std::abs(ink(comma, x, y) - ink(comma, static_cast<int>(rect.min.x) + 30, y)) > 60;
    }
  EXPECT_GT(differing, 0);
  EXPECT_LT(differing, 200);  // one mark, and what it moves
  EXPECT_GT(inked, 60);       // the number and the label are there
}

TEST(Notation, NumbersOfTheInputsAreTypedAndCopiedWithTheComma) {
  GuiDriver gui(plainScene());
  useComma(gui);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_G);
  gui.frames(3);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_A);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_C);
  EXPECT_EQ(clipboard(), "1,5\t2\n0,25\t1\n");
  runCommand(gui.app(), "inputs.copyLatex");
  EXPECT_NE(clipboard().find("1{,}5 & 2"), std::string::npos);
  runCommand(gui.app(), "inputs.paste");
  EXPECT_EQ(gui.scene().source.given[0].q.values(0, 0), 1.5f);
  runCommand(gui.app(), "inputs.copyNumpy");
  EXPECT_NE(clipboard().find("1.5"), std::string::npos);
  ImGui::SetClipboardText("1,234\t2\n3\t4");
  runCommand(gui.app(), "inputs.paste");
  EXPECT_EQ(gui.scene().source.given[0].q.values(0, 0), 1.234f);
  gui.doubleClick("Inputs/Q[0][0]");
  gui.frames(3);
  EXPECT_EQ(typedText(), "1,234");
  gui.type("0,75");
  gui.press(ImGuiKey_Enter);
  gui.frames(2);
  EXPECT_EQ(gui.scene().source.given[0].q.values(0, 0), 0.75f);
}

TEST(Notation, TheMaskPainterTurnsWithTheMaps) {
  GuiDriver gui(plainScene());
  gui.state().layout.maximised = "Mask";
  gui.frames(3);
  runCommand(gui.app(), "maps.transpose");
  gui.frames(3);
  const ItemRect cells = gui.rect("Mask/painter");
  gui.clickAt({cells.min.x + 0.75f * cells.size().x, cells.min.y + 0.25f * cells.size().y});
  gui.frames(2);
  ASSERT_EQ(gui.scene().masks.size(), 1u);
  const Bytes& may = std::get<PaintedRule>(gui.scene().masks[0]).mayAttend.at(0);
  EXPECT_EQ(may(1, 0), 0);  // the second column is the second query
  EXPECT_EQ(may(0, 1), 1);
}

TEST(Notation, TheCellOfAGradientIsCountedFromOne) {
  GuiDriver gui;
  gui.app().editor().change([](Scene& scene) { scene.upstream.kind = UpstreamOf<float>::Kind::cell; });
  gui.state().layout.maximised = "Gradients";
  gui.frames(3);
  if (gui.has("Gradients/upstream")) gui.click("Gradients/upstream");
  runCommand(gui.app(), "notation.fromOne");
  gui.frames(3);
  gui.doubleClick("Gradients/row");
  gui.frames(2);
  EXPECT_EQ(typedText(), "1");
  gui.type("3");
  gui.press(ImGuiKey_Enter);
  gui.frames(2);
  EXPECT_EQ(gui.scene().upstream.row, 2);
}

class NotationFiles : public TemporaryDirectory {};

TEST_F(NotationFiles, FilesKeepThePointAndSettingsAreFoundAgain) {
  Folders folders;
  folders.config = in("config"), folders.state = in("state");
  {
    GuiDriver gui(plainScene());
    gui.app().remember(folders);
    gui.state().notation = {.digits = 4, .decimalComma = true, .first = 1, .queriesAreColumns = true};
    gui.frames(2);
    runCommand(gui.app(), "file.saveAs");
    gui.app().documents().dialog().setTyped(in("a.json").string());
    gui.app().documents().dialog().accept();
    gui.app().finish();
  }
  EXPECT_NE(read(in("a.json")).find("1.5"), std::string::npos);
  EXPECT_EQ(read(in("a.json")).find("1,5"), std::string::npos);
  GuiDriver again(plainScene());
  again.app().remember(folders);
  const Notation expected{.digits = 4, .decimalComma = true, .first = 1, .queriesAreColumns = true};
  EXPECT_EQ(again.state().notation, expected);
  EXPECT_TRUE(again.state().maps.options["Scores"].isTransposed);
}

}  // namespace
}  // namespace attn
