#include <gtest/gtest.h>

#include "app/views/input_actions.h"
#include "core/io/block_text.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

struct InputStructureTest : testing::Test {
  GuiDriver gui{defaultScene(), GuiDriver::Screen::none, 1280, 1400};

  const GivenHeadOf<float>& head() const { return gui.scene().source.given[0]; }
  InputsState& inputs() { return gui.state().inputs; }
  void rightClick(const char* path) {
    gui.click(path, 1);
    gui.frames(2);
  }
  void choose(const char* path, const char* item) {
    rightClick(path);
    gui.click(std::string("//") + item);
    gui.frames(2);
  }
  bool run(const char* command) {
    const bool isRun = runCommand(gui.app(), command);
    gui.frames(3);
    return isRun;
  }
};

TEST_F(InputStructureTest, CellsAreSelectedCopiedCutAndPastedByCommand) {
  const Matrix q = head().q.values;
  gui.click("Inputs/Q[0][0]");
  EXPECT_TRUE(run("inputs.selectAll"));
  EXPECT_EQ(selectedBlock(inputs()).rows, q.rows());
  EXPECT_EQ(selectedBlock(inputs()).cols, q.cols());
  EXPECT_TRUE(run("inputs.copyNumpy"));
  EXPECT_EQ(std::string(ImGui::GetClipboardText()).find("array("), 0u);
  EXPECT_TRUE(run("inputs.copyLatex"));
  EXPECT_NE(std::string(ImGui::GetClipboardText()).find("bmatrix"), std::string::npos);
  EXPECT_TRUE(run("inputs.copy"));
  EXPECT_EQ(readBlock(ImGui::GetClipboardText()), q);
  EXPECT_TRUE(run("inputs.zero"));
  EXPECT_EQ(head().q.values, Matrix::Zero(q.rows(), q.cols()));
  EXPECT_TRUE(run("edit.undo"));
  EXPECT_EQ(head().q.values, q);
  EXPECT_TRUE(run("inputs.cut"));
  EXPECT_EQ(head().q.values, Matrix::Zero(q.rows(), q.cols()));
  EXPECT_TRUE(run("inputs.paste"));
  EXPECT_EQ(head().q.values, q);
}

TEST_F(InputStructureTest, ATokenIsRenamedAndTheFillOpenedByCommand) {
  gui.click("Inputs/Q[1][0]");
  EXPECT_TRUE(run("inputs.renameRow"));
  gui.type("zebra");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.scene().queryLabels[1], "zebra");
  EXPECT_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
  EXPECT_TRUE(run("inputs.fill"));
  EXPECT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
}

TEST_F(InputStructureTest, ADoubleClickOnALabelRenamesTheToken) {
  gui.doubleClick("Inputs/Q row 1");
  gui.type("dog");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.scene().queryLabels[1], "dog");
  EXPECT_EQ(gui.scene().keyLabels[1], "dog");
  EXPECT_EQ(gui.app().editor().steps(), 1u);
}

TEST_F(InputStructureTest, TabGoesOnToTheNextLabel) {
  gui.click("Inputs/Q[0][0]");
  gui.press(ImGuiMod_Ctrl | ImGuiKey_R);
  gui.type("A");
  gui.press(ImGuiKey_Tab);
  gui.type("bird");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.scene().queryLabels[0], "A");
  EXPECT_EQ(gui.scene().queryLabels[1], "bird");
}

TEST_F(InputStructureTest, OneSideOnlyWhenTheyAreNotTied) {
  inputs().editsBothSides = false;
  gui.doubleClick("Inputs/K row 0");
  gui.type("key");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.scene().keyLabels[0], "key");
  EXPECT_EQ(gui.scene().queryLabels[0], "The");
}

TEST_F(InputStructureTest, TheMenuOfARowAddsDuplicatesMovesAndRemoves) {
  choose("Inputs/Q[1][0]", "Add row below");
  EXPECT_EQ(head().q.values.rows(), 9);
  EXPECT_EQ(head().k.values.rows(), 9);
  EXPECT_EQ(head().q.values.row(2).cwiseAbs().sum(), 0);
  EXPECT_EQ(inputs().cursor.row, 2);
  choose("Inputs/Q row 1", "Duplicate row");
  EXPECT_EQ(head().q.values.row(2), head().q.values.row(1));
  EXPECT_EQ(gui.scene().queryLabels[2], "cat");
  const Matrix before = head().q.values;
  choose("Inputs/Q row 0", "Move row down");
  EXPECT_EQ(head().q.values.row(1), before.row(0));
  choose("Inputs/Q row 1", "Move row up");
  EXPECT_EQ(head().q.values, before);
  choose("Inputs/Q row 3", "Remove rows");
  choose("Inputs/Q row 2", "Remove rows");
  EXPECT_EQ(head().q.values, defaultScene()->source.given[0].q.values);
}

TEST_F(InputStructureTest, TheMenuOfAColumnChangesBothQAndK) {
  choose("Inputs/Q column 1", "Add column after");
  EXPECT_EQ(head().q.values.cols(), 5);
  EXPECT_EQ(head().k.values.cols(), 5);
  EXPECT_EQ(head().v.values.cols(), 4);
  choose("Inputs/Q column 0", "Move column right");
  EXPECT_EQ(head().k.values.col(1), defaultScene()->source.given[0].k.values.col(0));
  choose("Inputs/V column 3", "Remove columns");
  EXPECT_EQ(head().v.values.cols(), 3);
  choose("Inputs/V column 0", "Duplicate column");
  EXPECT_EQ(head().v.values.col(0), head().v.values.col(1));
}

TEST_F(InputStructureTest, ManySelectedRowsGoAtOnceButNeverAllOfThem) {
  gui.click("Inputs/Q row 2");
  gui.press(ImGuiMod_Shift | ImGuiKey_DownArrow);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Delete);
  EXPECT_EQ(head().q.values.rows(), 6);
  EXPECT_EQ(gui.app().editor().steps(), 1u);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_A);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Delete);
  EXPECT_EQ(head().q.values.rows(), 6);
  EXPECT_FALSE(gui.app().editor().refusal().empty());
}

TEST_F(InputStructureTest, ARowIsMovedByDraggingItsLabel) {
  const float height = gui.rect("Inputs/Q row 0").size().y;
  gui.drag("Inputs/Q row 0", {0, 2 * height});
  EXPECT_EQ(gui.scene().queryLabels[2], "The");
  EXPECT_EQ(gui.scene().queryLabels[0], "cat");
  EXPECT_EQ(head().q.values.row(2), defaultScene()->source.given[0].q.values.row(0));
}

TEST_F(InputStructureTest, HeadersSelectRowsAndColumns) {
  gui.click("Inputs/K row 3");
  EXPECT_EQ(selectedBlock(inputs()), (CellBlock{3, 0, 1, 4}));
  gui.click("Inputs/K column 2");
  EXPECT_EQ(selectedBlock(inputs()), (CellBlock{0, 2, 8, 1}));
  EXPECT_EQ(inputs().grid, InputName::k);
}

TEST_F(InputStructureTest, CommandsDoWhatTheMenusDo) {
  gui.click("Inputs/Q[1][1]");
  EXPECT_TRUE(run("inputs.addRow"));
  EXPECT_EQ(head().q.values.rows(), 9);
  EXPECT_TRUE(run("inputs.duplicateRow"));
  EXPECT_EQ(head().q.values.rows(), 10);
  EXPECT_TRUE(run("inputs.rowUp"));
  EXPECT_EQ(inputs().cursor.row, 2);
  EXPECT_TRUE(run("inputs.rowDown"));
  EXPECT_EQ(inputs().cursor.row, 3);
  EXPECT_TRUE(run("inputs.removeRow"));
  EXPECT_EQ(head().q.values.rows(), 9);
  EXPECT_TRUE(run("inputs.addColumn"));
  EXPECT_EQ(head().q.values.cols(), 5);
  EXPECT_TRUE(run("inputs.duplicateColumn"));
  EXPECT_EQ(head().q.values.cols(), 6);
  EXPECT_TRUE(run("inputs.columnLeft"));
  EXPECT_EQ(inputs().cursor.col, 2);
  EXPECT_TRUE(run("inputs.columnRight"));
  EXPECT_EQ(inputs().cursor.col, 3);
  EXPECT_TRUE(run("inputs.removeColumn"));
  EXPECT_EQ(head().q.values.cols(), 5);
  EXPECT_TRUE(run("inputs.bias"));
  EXPECT_EQ(gui.scene().bias.size(), 1u);
  EXPECT_EQ(gui.scene().bias[0].values.rows(), 9);
  EXPECT_TRUE(run("inputs.bias"));
  EXPECT_TRUE(gui.scene().bias.empty());
  EXPECT_TRUE(run("inputs.outputProjection"));
  EXPECT_TRUE(gui.scene().source.wo.has_value());
  EXPECT_TRUE(run("inputs.outputProjection"));
  EXPECT_FALSE(gui.scene().source.wo.has_value());
  EXPECT_FALSE(run("inputs.cross"));  // only for projections
}

TEST_F(InputStructureTest, GivenAndProjectedSwitchWithoutLoss) {
  const Matrix q = head().q.values;
  const StackOf<float> weights = gui.results().probs;
  gui.click("Inputs/Source");
  gui.frames(2);
  gui.click("//Projections of X");
  gui.frames(3);
  EXPECT_EQ(gui.scene().source.kind, SourceOf<float>::Kind::projected);
  EXPECT_TRUE(gui.has("Inputs/X[0][0]"));
  EXPECT_TRUE(gui.has("Inputs/W_Q[0][0]"));
  EXPECT_FALSE(gui.has("Inputs/Q[0][0]"));
  EXPECT_NEAR(gui.results().probs.at(0, 5, 1), weights.at(0, 5, 1), 1e-5f);
  EXPECT_TRUE(run("inputs.cross"));
  EXPECT_TRUE(gui.has("Inputs/Y[0][0]"));
  EXPECT_TRUE(run("inputs.cross"));
  EXPECT_TRUE(run("inputs.given"));
  EXPECT_EQ(head().q.values, q);
  EXPECT_TRUE(run("inputs.projections"));
  EXPECT_TRUE(gui.has("Inputs/X[0][0]"));
}

TEST_F(InputStructureTest, TheSecondSequenceGrowsAlone) {
  EXPECT_TRUE(run("inputs.projections"));
  EXPECT_TRUE(run("inputs.cross"));
  gui.click("Inputs/go to Y");
  gui.frames(2);
  EXPECT_TRUE(run("inputs.addRow"));
  EXPECT_EQ(gui.results().shapes.keys, 9);
  EXPECT_EQ(gui.results().shapes.queries, 8);
}

TEST_F(InputStructureTest, FillSlidersRedrawLiveAndReplay) {
  gui.click("Inputs/Fill Q");
  gui.frames(2);
  gui.click("//noise");
  EXPECT_EQ(head().q.fill.kind, Fill::Kind::normal);
  const Matrix first = head().q.values;
  gui.drag("//σ", {40, 0});
  EXPECT_NE(head().q.values, first);
  gui.frames(30);
  const double deviation = head().q.fill.deviation;
  const Matrix second = head().q.values;
  gui.drag("//seed", {60, 0});
  EXPECT_NE(head().q.values, second);
  EXPECT_EQ(head().q.fill.deviation, deviation);
  gui.click("//identity");
  EXPECT_EQ(head().q.values, Matrix::Identity(8, 4));
  gui.click("//orthonormal");
  const Matrix gram = head().q.values.transpose() * head().q.values;
  EXPECT_LT((gram - Matrix::Identity(4, 4)).cwiseAbs().maxCoeff(), 1e-5f);
  gui.click("//uniform");
  gui.frames(2);
  EXPECT_LE(head().q.values.cwiseAbs().maxCoeff(), 1);
  gui.drag("//one number", {50, 0});
  EXPECT_NE(head().q.values(0, 0), 0);
  EXPECT_EQ(head().q.values, Matrix::Constant(8, 4, head().q.values(0, 0)));
}

TEST_F(InputStructureTest, AnotherDrawHasAnotherSeed) {
  gui.click("Inputs/K[0][0]");
  EXPECT_TRUE(run("inputs.drawAnew"));
  EXPECT_EQ(head().k.fill.kind, Fill::Kind::normal);
  const Matrix first = head().k.values;
  EXPECT_TRUE(run("inputs.drawAnew"));
  EXPECT_NE(head().k.values, first);
}

TEST_F(InputStructureTest, TheFillCommandOpensThePopup) {
  gui.click("Inputs/K[0][0]");
  gui.press(ImGuiMod_Ctrl | ImGuiKey_F);
  gui.frames(2);
  EXPECT_TRUE(gui.has("//orthonormal"));
}

TEST_F(InputStructureTest, ASentenceBecomesTheTokens) {
  EXPECT_TRUE(run("inputs.sentence"));
  gui.press(ImGuiMod_Ctrl | ImGuiKey_A);
  gui.type("to be or");
  gui.press(ImGuiKey_Enter);
  gui.frames(2);
  EXPECT_EQ(gui.scene().queryLabels, (std::vector<std::string>{"to", "be", "or"}));
  EXPECT_EQ(gui.scene().keyLabels, gui.scene().queryLabels);
  EXPECT_EQ(head().v.values.rows(), 3);
  EXPECT_EQ(gui.app().editor().steps(), 1u);
}

TEST_F(InputStructureTest, FoldedGridsAreLeftOut) {
  gui.click("Inputs/fold Q");
  gui.frames(2);
  EXPECT_FALSE(gui.has("Inputs/Q[0][0]"));
  EXPECT_TRUE(gui.has("Inputs/K[0][0]"));
  gui.click("Inputs/K[0][0]");
  gui.press(ImGuiKey_UpArrow);
  EXPECT_EQ(inputs().grid, InputName::k);
}

TEST_F(InputStructureTest, UndoLeavesTheCursorInside) {
  gui.click("Inputs/Q[7][3]");
  gui.press(ImGuiKey_Insert);
  EXPECT_EQ(inputs().cursor.row, 8);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Z);
  gui.frames(2);
  EXPECT_EQ(inputs().cursor.row, 7);
  gui.press(ImGuiKey_Delete);
  EXPECT_EQ(head().q.values(7, 3), 0);
}

/// In a narrow panel the names of the matrices go on in a second line, and the grids keep the whole width.
TEST(InputsPanel, NamesThatDoNotFitLeaveTheGridsTheirWidth) {
  Scene scene;
  scene.source.kind = SourceOf<float>::Kind::projected;
  scene.source.x.values = Matrix::Random(3, 6);
  scene.source.other = InputOf<float>{Matrix::Random(5, 4), {}};
  ProjectedHeadOf<float> head;
  head.wq.values = Matrix::Random(6, 3);
  head.wk.values = head.wv.values = Matrix::Random(4, 3);
  scene.source.projected = {head};
  scene.source.wo = InputOf<float>{Matrix::Random(3, 6), {}};
  GuiDriver gui(std::make_shared<const Scene>(scene));
  gui.frames(3);
  const ItemRect first = gui.rect("Inputs/go to X"), last = gui.rect("Inputs/go to W_O");
  const ItemRect grid = gui.rect("Inputs/X[0][0]");
  EXPECT_GT(last.min.y, first.min.y);
  EXPECT_GT(grid.min.y, last.max.y);
  EXPECT_LT(grid.min.x, first.max.x);
}

}  // namespace
}  // namespace attn
