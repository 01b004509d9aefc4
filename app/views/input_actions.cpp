#include "app/views/input_actions.h"

#include <algorithm>
#include <cmath>

#include "app/view_state.h"
#include "app/views/panel_text.h"
#include "core/io/number_text.h"

namespace attn {
namespace {

const Matrix* activeValues(const Scene& scene, const ViewState& state) {
  const InputOf<float>* input = findInput(scene, activeInput(state));
  return input ? &input->values : nullptr;
}

/// Puts a block over the selection again and again where it divides it evenly, else once.
Matrix spread(const Matrix& block, const CellBlock& selection) {
  const bool divides = selection.rows % block.rows() == 0 && selection.cols % block.cols() == 0;
  return divides ? Matrix(block.replicate(selection.rows / block.rows(), selection.cols / block.cols()))
                 : block;
}

}  // namespace

std::vector<InputRef> shownInputs(const Scene& scene, Index head) {
  const bool isGiven = scene.source.kind == SourceOf<float>::Kind::given;
  const auto names =
      isGiven ? std::vector{InputName::q, InputName::k, InputName::v}
              : std::vector{InputName::x, InputName::other, InputName::wq, InputName::wk, InputName::wv};
  std::vector<InputRef> shown;
  for (const InputName name : names)
    if (findInput(scene, {name, head})) shown.push_back({name, head});
  for (const InputName name : {InputName::wo, InputName::bias})
    if (findInput(scene, {name, head})) shown.push_back({name, head});
  return shown;
}

const char* inputTitle(InputName name) {
  constexpr const char* kTitles[] = {"Q", "K", "V", "X", "Y", "W_Q", "W_K", "W_V", "W_O", "B"};
  return kTitles[static_cast<std::size_t>(name)];
}

InputRef activeInput(const ViewState& state) {
  return {state.inputs.grid, state.selection.head};
}

void clampCursor(const Scene& scene, ViewState& state) {
  InputsState& inputs = state.inputs;
  const std::vector<InputRef> shown = shownInputs(scene, state.selection.head);
  const auto isActive = [&](const InputRef& ref) { return ref.name == inputs.grid; };
  if (!shown.empty() && std::none_of(shown.begin(), shown.end(), isActive)) inputs.grid = shown[0].name;
  const Matrix* values = activeValues(scene, state);
  if (!values || values->size() == 0) return;
  for (CellPlace* cell : {&inputs.anchor, &inputs.cursor})
    *cell = {std::clamp<Index>(cell->row, 0, values->rows() - 1),
             std::clamp<Index>(cell->col, 0, values->cols() - 1)};
}

CellBlock selectedBlock(const InputsState& state) {
  const CellPlace a = state.anchor, b = state.cursor;
  return {std::min(a.row, b.row), std::min(a.col, b.col), std::abs(a.row - b.row) + 1,
          std::abs(a.col - b.col) + 1};
}

void selectCell(InputsState& state, InputName grid, CellPlace cell) {
  state.grid = grid;
  state.anchor = state.cursor = cell;
  state.hasCursor = true;
}

void selectAll(const Scene& scene, ViewState& state) {
  const Matrix* values = activeValues(scene, state);
  if (!values) return;
  state.inputs.anchor = {0, 0};
  state.inputs.cursor = {values->rows() - 1, values->cols() - 1};
  state.inputs.hasCursor = true;
}

namespace {

/// The matrix below (1) or above (−1) the one with the cursor that is not folded; null at the ends.
const Matrix* enterNeighbour(const Scene& scene, ViewState& state, Index step) {
  const std::vector<InputRef> shown = shownInputs(scene, state.selection.head);
  auto place = std::find(shown.begin(), shown.end(), activeInput(state)) - shown.begin() + step;
  const auto count = static_cast<Index>(shown.size());
  while (place >= 0 && place < count && state.inputs.isFolded(shown[static_cast<std::size_t>(place)].name))
    place += step;
  if (place < 0 || place >= count) return nullptr;
  const InputRef& ref = shown[static_cast<std::size_t>(place)];
  state.inputs.grid = ref.name;
  state.inputs.wantsFocus = true;
  return &findInput(scene, ref)->values;
}

}  // namespace

void moveCursor(const Scene& scene, ViewState& state, Index rows, Index cols, bool extends) {
  InputsState& inputs = state.inputs;
  const Matrix* values = activeValues(scene, state);
  if (!values) return;
  const CellPlace to{inputs.cursor.row + rows, inputs.cursor.col + cols};
  inputs.cursor = {std::clamp<Index>(to.row, 0, values->rows() - 1),
                   std::clamp<Index>(to.col, 0, values->cols() - 1)};
  const Index beyond = to.row < 0 ? -1 : to.row >= values->rows() ? 1 : 0;
  const bool isStep = std::abs(rows) == 1;
  if (!extends && isStep && beyond != 0)
    if (const Matrix* next = enterNeighbour(scene, state, beyond))
      inputs.cursor = {beyond > 0 ? 0 : next->rows() - 1, std::min(inputs.cursor.col, next->cols() - 1)};
  if (!extends) inputs.anchor = inputs.cursor;
  inputs.hasCursor = inputs.scrollsToCursor = true;
}

std::string copySelection(const Scene& scene, ViewState& state, BlockFormat format) {
  clampCursor(scene, state);  // an undo may have taken the selected cells away since they were last drawn
  if (!activeValues(scene, state)) return "";
  const CellBlock block = selectedBlock(state.inputs);
  return blockText(blockOf(scene, activeInput(state), block.row, block.col, block.rows, block.cols), format,
                   state.notation);
}

void pasteText(Editor& editor, ViewState& state, const std::string& text) {
  const CellBlock at = selectedBlock(state.inputs);
  const InputRef ref = activeInput(state);
  Matrix block;
  const bool isPasted = editor.change([&](Scene& scene) {
    block = spread(readBlock(text, state.notation.decimalComma), at);
    setBlock(scene, ref, at.row, at.col, block);
  });
  if (!isPasted) return;
  state.inputs.anchor = {at.row, at.col};
  state.inputs.cursor = {at.row + block.rows() - 1, at.col + block.cols() - 1};
}

void setSelection(Editor& editor, const ViewState& state, float value) {
  const CellBlock at = selectedBlock(state.inputs);
  const InputRef ref = activeInput(state);
  editor.change(
      [&](Scene& scene) { setBlock(scene, ref, at.row, at.col, Matrix::Constant(at.rows, at.cols, value)); });
}

void typeNumber(Editor& editor, const ViewState& state, const std::string& text, bool isForAll) {
  const InputRef ref = activeInput(state);
  const CellPlace cell = state.inputs.cursor;
  const CellBlock at = isForAll ? selectedBlock(state.inputs) : CellBlock{cell.row, cell.col, 1, 1};
  editor.change([&](Scene& scene) {
    setBlock(scene, ref, at.row, at.col, Matrix::Constant(at.rows, at.cols, readTypedNumber(text)));
  });
}

std::string cursorText(const Scene& scene, const ViewState& state) {
  const Matrix* values = activeValues(scene, state);
  const CellPlace cell = state.inputs.cursor;
  const bool isInside = values && cell.row < values->rows() && cell.col < values->cols();
  return isInside ? withMark(numberText((*values)(cell.row, cell.col)), state.notation) : "";
}

void nudge(Editor& editor, const ViewState& state, double by) {
  const CellBlock at = selectedBlock(state.inputs);
  const InputRef ref = activeInput(state);
  // Rounded to the step, so that ten steps of 0.1 make 1 and not 1.0000001.
  const auto moved = [by](float value) {
    return static_cast<float>(std::round((static_cast<double>(value) + by) * 1e6) / 1e6);
  };
  editor.change([&](Scene& scene) {
    const Matrix block = blockOf(scene, ref, at.row, at.col, at.rows, at.cols);
    setBlock(scene, ref, at.row, at.col, block.unaryExpr(moved));
  });
}

void toggleBias(Editor& editor) {
  editor.change([](Scene& scene) {
    const Shapes shapes = shapesOf(scene);
    if (scene.bias.empty())
      scene.bias.push_back({Matrix::Zero(shapes.queries, shapes.keys), {}});
    else
      scene.bias.clear();
  });
}

}  // namespace attn
