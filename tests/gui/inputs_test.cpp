#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/views/input_actions.h"
#include "core/evaluate.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

/// Three tokens of two dimensions, one head: all grids are in sight.
SharedScene smallScene() {
  Scene scene;
  scene.title = "small";
  scene.queryLabels = scene.keyLabels = {"a", "b", "c"};
  Matrix numbers(3, 2);
  numbers << 1, 2, 3, 4, 5, 6;
  scene.source.given.push_back({{numbers, {}}, {numbers, {}}, {numbers, {}}});
  return std::make_shared<const Scene>(scene);
}

struct InputsTest : testing::Test {
  GuiDriver gui{smallScene(), GuiDriver::Screen::none, 1280, 1000};

  const Matrix& q() const { return gui.scene().source.given[0].q.values; }
  InputsState& inputs() { return gui.state().inputs; }
  const std::string& refusal() { return gui.app().editor().refusal(); }
  std::size_t steps() { return gui.app().editor().steps(); }
  void hold(ImGuiKey modifier, bool isDown) {
    ImGui::GetIO().AddKeyEvent(modifier, isDown);
    gui.frame();
  }
  void typeInto(const char* cell, const char* text, ImGuiKeyChord end = ImGuiKey_Enter) {
    gui.click(cell);
    gui.type(text);
    gui.press(end);
    gui.frames(30);  // the next click is no double click
  }
};

TEST_F(InputsTest, TypingReplacesANumberAndEnterGoesDown) {
  typeInto("Inputs/Q[0][1]", "-7.25");
  EXPECT_EQ(q()(0, 1), -7.25f);
  EXPECT_EQ(inputs().cursor, (CellPlace{1, 1}));
  gui.type("8");
  gui.press(ImGuiKey_Tab);
  EXPECT_EQ(q()(1, 1), 8);
  EXPECT_EQ(inputs().cursor, (CellPlace{2, 0}));
  gui.type("9");
  gui.press(ImGuiKey_RightArrow);
  EXPECT_EQ(q()(2, 0), 9);
  EXPECT_EQ(inputs().cursor, (CellPlace{2, 1}));
  EXPECT_EQ(steps(), 3u);
}

TEST_F(InputsTest, EveryCharacterArrivesHoweverFastTheyAreTyped) {
  gui.click("Inputs/Q[0][0]");
  for (const char* c : {"1", "2", ".", "5"}) {
    ImGui::GetIO().AddInputCharactersUTF8(c);
    gui.frame();
  }
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(q()(0, 0), 12.5f);
}

TEST_F(InputsTest, EscapeKeepsTheOldNumber) {
  gui.click("Inputs/Q[0][0]");
  gui.type("99");
  EXPECT_TRUE(gui.has("Inputs/cell text"));
  gui.press(ImGuiKey_Escape);
  EXPECT_FALSE(gui.has("Inputs/cell text"));
  EXPECT_EQ(q()(0, 0), 1);
  EXPECT_EQ(steps(), 0u);
}

TEST_F(InputsTest, UndoWhileTypingIsTheTextsOwn) {
  typeInto("Inputs/Q[0][0]", "7");
  gui.type("99");
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Z);
  gui.press(ImGuiKey_Escape);
  EXPECT_EQ(q()(0, 0), 7);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(q()(0, 0), 1);
}

TEST_F(InputsTest, NothingIsCopiedOrClearedInAHiddenPanel) {
  gui.click("Inputs/Q[0][0]");
  gui.state().layout.show("Inputs", false);
  gui.frames(2);
  EXPECT_FALSE(runCommand(gui.app(), "inputs.zero"));
  EXPECT_FALSE(runCommand(gui.app(), "inputs.copy"));
  EXPECT_TRUE(runCommand(gui.app(), "inputs.focus"));
  gui.frames(3);
  EXPECT_TRUE(runCommand(gui.app(), "inputs.zero"));
  EXPECT_EQ(q()(0, 0), 0);
}

TEST_F(InputsTest, ACopyRightAfterAnUndoTakesCellsThatAreThere) {
  gui.click("Inputs/Q[2][0]");
  gui.press(ImGuiKey_Insert);
  EXPECT_EQ(inputs().cursor.row, 3);
  EXPECT_TRUE(runCommand(gui.app(), "edit.undo"));
  EXPECT_TRUE(runCommand(gui.app(), "inputs.copy"));
  EXPECT_STREQ(ImGui::GetClipboardText(), "5\n");
}

TEST_F(InputsTest, AClickElsewhereTakesWhatWasTyped) {
  gui.click("Inputs/Q[0][0]");
  gui.type("42");
  gui.click("Inputs/Q[2][1]");
  EXPECT_EQ(q()(0, 0), 42);
  EXPECT_EQ(inputs().cursor, (CellPlace{2, 1}));
}

TEST_F(InputsTest, F2AndADoubleClickShowTheOldNumberAndItsArrowsMoveTheCaret) {
  gui.click("Inputs/Q[1][1]");
  gui.press(ImGuiKey_F2);
  gui.press(ImGuiKey_End);
  gui.press(ImGuiKey_LeftArrow);
  gui.type("1");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(q()(1, 1), 14);
}

TEST_F(InputsTest, TextThatIsNoNumberGivesOneLineAndKeepsTheNumber) {
  for (const char* text : {"abc", "1e999", "1..2", "--1", "0x10", "1,2,3"}) {
    typeInto("Inputs/Q[0][0]", text);
    EXPECT_EQ(q()(0, 0), 1) << text;
    EXPECT_NE(refusal().find("expected"), std::string::npos) << refusal();
    EXPECT_EQ(refusal().find('\n'), std::string::npos);
  }
  EXPECT_EQ(steps(), 0u);
}

TEST_F(InputsTest, ADecimalCommaCanBeTyped) {
  const std::pair<const char*, float> numbers[] = {
      {"1,5", 1.5f}, {"-,25", -0.25f}, {"1,234", 1.234f}, {"1,5/2,5", 0.6f}, {"2,5e1", 25}};
  for (const auto& [text, number] : numbers) {
    typeInto("Inputs/Q[0][0]", text);
    EXPECT_FLOAT_EQ(q()(0, 0), number) << text;
  }
}

TEST_F(InputsTest, NonFiniteAndHugeNumbersCanBeTypedAndAreShownShort) {
  typeInto("Inputs/Q[0][0]", "inf");
  EXPECT_EQ(q()(0, 0), std::numeric_limits<float>::infinity());
  typeInto("Inputs/Q[0][0]", "nan");
  EXPECT_TRUE(std::isnan(q()(0, 0)));
  typeInto("Inputs/Q[0][0]", "-3e38");
  EXPECT_EQ(q()(0, 0), -3e38f);
}

TEST_F(InputsTest, ArrowsMoveAndGoOnIntoTheNextMatrix) {
  gui.click("Inputs/Q[2][0]");
  gui.press(ImGuiKey_RightArrow);
  EXPECT_EQ(inputs().cursor, (CellPlace{2, 1}));
  gui.press(ImGuiKey_DownArrow);
  EXPECT_EQ(inputs().grid, InputName::k);
  EXPECT_EQ(inputs().cursor, (CellPlace{0, 1}));
  gui.press(ImGuiKey_UpArrow);
  EXPECT_EQ(inputs().grid, InputName::q);
  EXPECT_EQ(inputs().cursor, (CellPlace{2, 1}));
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Home);
  EXPECT_EQ(inputs().cursor, (CellPlace{0, 0}));
  gui.press(ImGuiMod_Ctrl | ImGuiKey_End);
  EXPECT_EQ(inputs().cursor, (CellPlace{2, 1}));
  gui.press(ImGuiMod_Shift | ImGuiKey_Tab);
  EXPECT_EQ(inputs().cursor, (CellPlace{2, 0}));
}

TEST_F(InputsTest, ShiftAndArrowsSelectABlockAndDeleteSetsItToZero) {
  gui.click("Inputs/Q[0][0]");
  gui.press(ImGuiMod_Shift | ImGuiKey_DownArrow);
  gui.press(ImGuiMod_Shift | ImGuiKey_RightArrow);
  EXPECT_EQ(selectedBlock(inputs()), (CellBlock{0, 0, 2, 2}));
  gui.press(ImGuiKey_Delete);
  EXPECT_EQ(q().topRows(2).cwiseAbs().sum(), 0);
  EXPECT_EQ(q()(2, 0), 5);
  EXPECT_EQ(steps(), 1u);
}

TEST_F(InputsTest, ADragDownSelectsAndShiftClickExtends) {
  const ImVec2 from = gui.rect("Inputs/Q[0][0]").centre(), to = gui.rect("Inputs/Q[2][1]").centre();
  gui.dragFrom(from, {0, to.y - from.y});
  EXPECT_EQ(selectedBlock(inputs()), (CellBlock{0, 0, 3, 1}));
  EXPECT_EQ(steps(), 0u);
  gui.frames(30);
  hold(ImGuiMod_Shift, true);
  gui.clickAt(to);
  hold(ImGuiMod_Shift, false);
  EXPECT_EQ(selectedBlock(inputs()), (CellBlock{0, 0, 3, 2}));
}

TEST_F(InputsTest, AltDragSelectsSideways) {
  hold(ImGuiMod_Alt, true);
  const ImVec2 from = gui.rect("Inputs/Q[1][0]").centre(), to = gui.rect("Inputs/Q[1][1]").centre();
  gui.dragFrom(from, {to.x - from.x, 0});
  hold(ImGuiMod_Alt, false);
  EXPECT_EQ(selectedBlock(inputs()), (CellBlock{1, 0, 1, 2}));
  EXPECT_EQ(steps(), 0u);
}

TEST_F(InputsTest, ADragSidewaysScrubsFinelyWithShiftAndOnWholeStepsWithCtrl) {
  gui.drag("Inputs/Q[0][0]", {40, 0});
  const float coarse = q()(0, 0) - 1;
  EXPECT_NEAR(coarse, 0.8f, 0.11f);
  // A number that a person could have typed: the very float of its three digits.
  EXPECT_EQ(q()(0, 0), static_cast<float>(std::round(static_cast<double>(q()(0, 0)) * 1000) / 1000));
  EXPECT_EQ(steps(), 1u);
  gui.frames(30);
  hold(ImGuiMod_Shift, true);
  gui.drag("Inputs/Q[1][0]", {40, 0});
  hold(ImGuiMod_Shift, false);
  EXPECT_NEAR(q()(1, 0) - 3, coarse / 10, 0.01f);
  gui.frames(30);
  hold(ImGuiMod_Ctrl, true);
  gui.drag("Inputs/Q[2][0]", {40, 0});
  hold(ImGuiMod_Ctrl, false);
  EXPECT_TRUE(q()(2, 0) == 5.5f || q()(2, 0) == 6) << q()(2, 0);
}

TEST_F(InputsTest, ADragInASelectionScrubsAllOfIt) {
  gui.click("Inputs/Q[0][0]");
  gui.press(ImGuiMod_Shift | ImGuiKey_DownArrow);
  gui.frames(30);
  gui.drag("Inputs/Q[1][0]", {30, 0});
  EXPECT_GT(q()(0, 0), 1.3f);
  EXPECT_FLOAT_EQ(q()(1, 0) - q()(0, 0), 2);
  EXPECT_EQ(q()(2, 0), 5);
  EXPECT_EQ(steps(), 1u);
}

TEST_F(InputsTest, EscapeInADragGivesTheNumberBack) {
  const ImVec2 from = gui.rect("Inputs/Q[0][0]").centre();
  gui.moveTo(from);
  ImGui::GetIO().AddMouseButtonEvent(0, true);
  gui.frame();
  gui.moveTo({from.x + 20, from.y});
  gui.moveTo({from.x + 40, from.y});
  EXPECT_GT(q()(0, 0), 1);
  gui.press(ImGuiKey_Escape);
  EXPECT_EQ(q()(0, 0), 1);
  gui.moveTo({from.x + 90, from.y});
  ImGui::GetIO().AddMouseButtonEvent(0, false);
  gui.frames(2);
  EXPECT_EQ(q()(0, 0), 1);
  EXPECT_EQ(steps(), 0u);
}

TEST_F(InputsTest, AltAndArrowsChangeANumberFromTheKeyboard) {
  gui.click("Inputs/Q[0][0]");
  gui.press(ImGuiMod_Alt | ImGuiKey_UpArrow);
  EXPECT_FLOAT_EQ(q()(0, 0), 1.1f);
  gui.press(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_DownArrow);
  EXPECT_FLOAT_EQ(q()(0, 0), 0.1f);
  EXPECT_EQ(inputs().cursor, (CellPlace{0, 0}));
}

TEST_F(InputsTest, CopiesInThreeFormatsAndPastesEach) {
  gui.click("Inputs/Q[0][0]");
  gui.press(ImGuiMod_Ctrl | ImGuiKey_A);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_C);
  EXPECT_STREQ(ImGui::GetClipboardText(), "1\t2\n3\t4\n5\t6\n");
  const std::pair<ImGuiKeyChord, const char*> formats[] = {
      {ImGuiMod_Ctrl | ImGuiKey_C, "\t"},
      {ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_N, "array"},
      {ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_L, "bmatrix"}};
  for (const auto& [chord, mark] : formats) {
    gui.press(chord);
    EXPECT_NE(std::string(ImGui::GetClipboardText()).find(mark), std::string::npos);
    gui.press(ImGuiKey_Delete);
    EXPECT_EQ(q()(2, 1), 0);
    gui.press(ImGuiMod_Ctrl | ImGuiKey_V);
    EXPECT_EQ(q()(2, 1), 6) << mark;
    EXPECT_EQ(q()(0, 0), 1) << mark;
  }
}

TEST_F(InputsTest, CutTakesAndOneNumberPastesOverTheWholeSelection) {
  gui.click("Inputs/Q[1][1]");
  gui.press(ImGuiMod_Ctrl | ImGuiKey_X);
  EXPECT_EQ(q()(1, 1), 0);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_A);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_V);
  EXPECT_EQ(q(), Matrix::Constant(3, 2, 4));
}

TEST_F(InputsTest, APasteThatDoesNotFitOrIsNoNumbersIsRefused) {
  gui.click("Inputs/Q[1][1]");
  for (const char* text : {"1\t2\t3", "1\tabc", "", "1\n2\n3", "\xff\xfe\xc3", "[[1,2],[3"}) {
    ImGui::SetClipboardText(text);
    gui.press(ImGuiMod_Ctrl | ImGuiKey_V);
    EXPECT_EQ(q()(1, 1), 4) << text;
    EXPECT_FALSE(refusal().empty()) << text;
    EXPECT_EQ(refusal().find('\n'), std::string::npos) << refusal();
  }
  EXPECT_EQ(steps(), 0u);
}

TEST_F(InputsTest, CtrlEnterFillsTheSelection) {
  gui.click("Inputs/Q[0][0]");
  gui.press(ImGuiMod_Ctrl | ImGuiKey_A);
  gui.type("0.5");
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Enter);
  EXPECT_EQ(q(), Matrix::Constant(3, 2, 0.5f));
}

TEST_F(InputsTest, HoveringARowMarksItsTokenEverywhere) {
  gui.hover("Inputs/Q[1][0]");
  EXPECT_EQ(gui.state().hover.query, 1);
  gui.hover("Inputs/V[2][1]");
  EXPECT_EQ(gui.state().hover.key, 2);
  EXPECT_EQ(gui.state().hover.dimension, 1);
}

TEST_F(InputsTest, TheKeyboardComesInByACommandAndLeavesByEscape) {
  EXPECT_FALSE(inputs().hasCursor);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_G);
  EXPECT_TRUE(inputs().hasCursor);
  EXPECT_TRUE(inputs().isFocused);
  gui.type("3.5");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(q()(0, 0), 3.5f);
  gui.press(ImGuiKey_Escape);
  EXPECT_FALSE(inputs().hasCursor);
  gui.press(ImGuiKey_Delete);  // means nothing without a cursor
  EXPECT_EQ(steps(), 1u);
}

TEST_F(InputsTest, AnotherPanelTakesTheCursorAway) {
  gui.click("Inputs/Q[0][0]");
  EXPECT_TRUE(inputs().hasCursor);
  gui.click("Scale/Cap");
  gui.frames(2);
  EXPECT_FALSE(inputs().hasCursor);
}

TEST(Inputs, FiveHundredRowsDrawOnlyWhatIsSeen) {
  Scene scene = *smallScene();
  scene.queryLabels = scene.keyLabels = {};
  const Matrix large = Matrix::Random(512, 64);
  scene.source.given[0] = {{large, {}}, {large, {}}, {large, {}}};
  GuiDriver gui(std::make_shared<const Scene>(scene));
  gui.results();
  const auto vertices = [&] {
    gui.frames(2);
    return ImGui::GetDrawData()->TotalVtxCount;
  };
  gui.state().layout.show("Inputs", false);
  const int without = vertices();
  gui.state().layout.show("Inputs", true);
  EXPECT_LT(vertices() - without, 15000);
  gui.click("Inputs/Q[0][0]");
  gui.press(ImGuiMod_Ctrl | ImGuiKey_End);
  gui.frames(2);
  EXPECT_EQ(gui.state().inputs.cursor, (CellPlace{511, 63}));
  ASSERT_TRUE(gui.has("Inputs/Q[511][63]"));
  const ItemRect panel = gui.rect("Inputs/title"), cell = gui.rect("Inputs/Q[511][63]");
  EXPECT_LE(cell.max.x, panel.max.x + 1);
  gui.type("7");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.scene().source.given[0].q.values(511, 63), 7);
}

}  // namespace
}  // namespace attn
