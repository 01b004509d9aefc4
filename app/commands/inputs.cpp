#include <imgui.h>

#include "app/application.h"
#include "app/commands.h"
#include "app/views/input_actions.h"
#include "core/edits/fills.h"
#include "core/edits/source.h"

namespace attn {
namespace {

constexpr auto kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift, kAlt = ImGuiMod_Alt;

const Scene& sceneOf(const Application& app) {
  return app.editor().scene();
}

/// Not while a text is typed: Ctrl+C and its kin are the text field's then. Nor where nobody sees the cells.
bool hasCells(const Application& app) {
  const Layout& layout = app.state().layout;
  const bool isSeen = layout.maximised.empty() ? !layout.isHidden("Inputs") : layout.maximised == "Inputs";
  return isSeen && app.state().inputs.hasCursor && !ImGui::GetIO().WantTextInput;
}

bool hasLabel(const Application& app) {
  return hasCells(app) && rowTokens(sceneOf(app), app.state().inputs.grid).has_value();
}

bool isProjected(const Application& app) {
  return sceneOf(app).source.kind == SourceOf<float>::Kind::projected;
}

bool isCross(const Application& app) {
  return isProjected(app) && sceneOf(app).source.other.has_value();
}

bool hasOutputProjection(const Application& app) {
  return sceneOf(app).source.wo.has_value();
}

void copyAs(Application& app, BlockFormat format) {
  ImGui::SetClipboardText(copySelection(sceneOf(app), app.state(), format).c_str());
  const CellBlock block = selectedBlock(app.state().inputs);
  app.state().status =
      "Copied " + shapeText(block.rows, block.cols) + " numbers of " + inputTitle(app.state().inputs.grid);
}

void paste(Application& app) {
  const char* text = ImGui::GetClipboardText();
  pasteText(app.editor(), app.state(), text ? text : "");
}

void setToZero(Application& app) {
  setSelection(app.editor(), app.state(), 0);
}

void cut(Application& app) {
  copyAs(app, BlockFormat::spreadsheet);
  setToZero(app);
}

void goToInputs(Application& app) {
  Layout& layout = app.state().layout;
  layout.show("Inputs", true);
  if (layout.maximised != "Inputs") layout.maximised.clear();
  InputsState& inputs = app.state().inputs;
  inputs.hasCursor = inputs.wantsFocus = inputs.scrollsToCursor = true;
}

void drawAnew(Application& app) {
  const InputRef ref = activeInput(app.state());
  app.editor().change([&](Scene& scene) { fillAnew(scene, ref); });
}

template <Line line, bool isAfter>
void add(Application& app) {
  addLine(app.editor(), app.state(), line, isAfter);
}
template <Line line>
void duplicate(Application& app) {
  duplicateLine(app.editor(), app.state(), line);
}
template <Line line>
void remove(Application& app) {
  removeLines(app.editor(), app.state(), line);
}
template <Line line, Index by>
void shift(Application& app) {
  shiftLine(app.editor(), app.state(), line, by);
}

constexpr Condition kHasCells{hasCells, "Choose a number in Inputs first"};
constexpr Condition kHasLabel{hasLabel, "Choose a row that is a token in Inputs first"};

constexpr Command kCommands[] = {
    {"inputs.cut", "Cut", "Edit", kCtrl | ImGuiKey_X, cut, kHasCells, nullptr, true},
    {"inputs.copy", "Copy", "Edit", kCtrl | ImGuiKey_C,
     [](Application& app) { copyAs(app, BlockFormat::spreadsheet); }, kHasCells},
    {"inputs.copyNumpy", "Copy as NumPy", "Edit", kCtrl | kAlt | ImGuiKey_N,
     [](Application& app) { copyAs(app, BlockFormat::numpy); }, kHasCells},
    {"inputs.copyLatex", "Copy as LaTeX", "Edit", kCtrl | kAlt | ImGuiKey_L,
     [](Application& app) { copyAs(app, BlockFormat::latex); }, kHasCells},
    {"inputs.paste", "Paste", "Edit", kCtrl | ImGuiKey_V, paste, kHasCells},
    {"inputs.zero", "Set to 0", "Edit", ImGuiKey_Delete, setToZero, kHasCells},
    {"inputs.selectAll", "Select the whole matrix", "Edit", kCtrl | ImGuiKey_A,
     [](Application& app) { selectAll(sceneOf(app), app.state()); }, kHasCells},

    {"inputs.focus", "Go to the numbers", "Inputs", kCtrl | ImGuiKey_G, goToInputs},
    {"inputs.fill", "Fill…", "Inputs", kCtrl | ImGuiKey_F,
     [](Application& app) { app.state().inputs.opensFill = true; }, kHasCells},
    {"inputs.drawAnew", "Another random draw", "Inputs", kCtrl | kShift | ImGuiKey_R, drawAnew, kHasCells},

    {"inputs.renameRow", "Rename token", "Inputs", kCtrl | ImGuiKey_R,
     [](Application& app) { app.state().inputs.opensLabel = true; }, kHasLabel, nullptr, true},
    {"inputs.sentence", "Sentence…", "Inputs", kCtrl | kShift | ImGuiKey_L,
     [](Application& app) { app.state().inputs.opensTokens = true; }},
    {"inputs.addRow", "Add row", "Inputs", ImGuiKey_Insert, add<Line::row, true>, kHasCells, nullptr, true},
    {"inputs.duplicateRow", "Duplicate row", "Inputs", kCtrl | ImGuiKey_D, duplicate<Line::row>, kHasCells},
    {"inputs.removeRow", "Remove rows", "Inputs", kCtrl | ImGuiKey_Delete, remove<Line::row>, kHasCells},
    {"inputs.rowUp", "Move row up", "Inputs", kAlt | kShift | ImGuiKey_UpArrow, shift<Line::row, -1>,
     kHasCells},
    {"inputs.rowDown", "Move row down", "Inputs", kAlt | kShift | ImGuiKey_DownArrow, shift<Line::row, 1>,
     kHasCells},
    {"inputs.addColumn", "Add column", "Inputs", kShift | ImGuiKey_Insert, add<Line::column, true>, kHasCells,
     nullptr, true},
    {"inputs.duplicateColumn", "Duplicate column", "Inputs", kCtrl | kShift | ImGuiKey_D,
     duplicate<Line::column>, kHasCells},
    {"inputs.removeColumn", "Remove columns", "Inputs", kCtrl | kShift | ImGuiKey_Delete,
     remove<Line::column>, kHasCells},
    {"inputs.columnLeft", "Move column left", "Inputs", kAlt | kShift | ImGuiKey_LeftArrow,
     shift<Line::column, -1>, kHasCells},
    {"inputs.columnRight", "Move column right", "Inputs", kAlt | kShift | ImGuiKey_RightArrow,
     shift<Line::column, 1>, kHasCells},

    {"inputs.given", "Q, K, V as given", "Inputs", 0, [](Application& app) { app.editor().change(useGiven); },
     nullptr, [](const Application& app) { return !isProjected(app); }, true},
    {"inputs.projections", "Projections of X", "Inputs", 0,
     [](Application& app) { app.editor().change(useProjections); }, nullptr, isProjected},
    {"inputs.cross",
     "Cross-attention",
     "Inputs",
     0,
     [](Application& app) {
       app.editor().change([](Scene& scene) { setCrossAttention(scene, !scene.source.other); });
     },
     {isProjected, "Needs projections: choose “Projections of X” first"},
     isCross},
    {"inputs.outputProjection", "Output projection W_O", "Inputs", 0,
     [](Application& app) {
       app.editor().change([](Scene& scene) {
         scene.source.wo ? removeOutputProjection(scene) : addOutputProjection(scene);
       });
     },
     nullptr, hasOutputProjection},
    {"inputs.bias", "Bias on the scores", "Inputs", 0, [](Application& app) { toggleBias(app.editor()); },
     nullptr, [](const Application& app) { return !sceneOf(app).bias.empty(); }},
};

}  // namespace

std::span<const Command> inputCommands() {
  return kCommands;
}

}  // namespace attn
