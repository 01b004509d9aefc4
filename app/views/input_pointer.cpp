#include <imgui_internal.h>

#include <cmath>

#include "app/views/input_actions.h"
#include "app/views/input_hands.h"
#include "app/views/labels.h"
#include "app/views/view.h"

namespace attn {
namespace {

/// A pixel's worth: a fiftieth of the power of ten below the largest number.
float stepOf(const Matrix& values) {
  const float largest = largestMagnitude(values);
  if (largest < 1e-30f) return 0.02f;
  return static_cast<float>(std::pow(10.0, std::floor(std::log10(static_cast<double>(largest)))) / 50);
}

void beginScrub(ViewContext& context, const GridFrame& grid) {
  InputsState& state = context.state.inputs;
  Scrub& scrub = state.scrub;
  scrub = {};
  scrub.block = selectedBlock(state);
  scrub.before = grid.values.block(scrub.block.row, scrub.block.col, scrub.block.rows, scrub.block.cols);
  scrub.before = scrub.before.unaryExpr([](float value) { return std::isfinite(value) ? value : 0.0f; });
  scrub.step = stepOf(grid.values);
  state.grip = Grip::scrub;
}

/// The number after the drag: on whole steps, ten times as fine with Shift, on sensible numbers with Ctrl.
float scrubbed(float before, const Scrub& scrub, bool isFine, bool isSnapped) {
  // A float's 0.01 is a little less, and 120 of them would be 1.1999999.
  const auto rough = static_cast<double>(scrub.step);
  const double unit = rough < 1 ? 1 / std::round(1 / rough) : rough;
  const double step = unit * (isSnapped ? 25 : 1) * (isFine ? 0.1 : 1);
  const double moved = static_cast<double>(before) + scrub.pixels * unit;
  return static_cast<float>(std::round(moved / step) * step);
}

void continueScrub(ViewContext& context, const GridFrame& grid) {
  const ImGuiIO& io = ImGui::GetIO();
  Scrub& scrub = context.state.inputs.scrub;
  if (io.MouseDelta.x == 0) return;
  const double unit = static_cast<double>(std::max(0.1f, context.theme.unit));
  scrub.pixels += static_cast<double>(io.MouseDelta.x) / unit * (io.KeyShift ? 0.1 : 1);
  const Matrix moved =
      scrub.before.unaryExpr([&](float before) { return scrubbed(before, scrub, io.KeyShift, io.KeyCtrl); });
  scrub.hasChanged |= context.editor.change(
      [&](Scene& scene) { setBlock(scene, grid.ref, scrub.block.row, scrub.block.col, moved); });
}

void pressCell(ViewContext& context, const GridFrame& grid, CellPlace cell) {
  InputsState& state = context.state.inputs;
  const ImGuiIO& io = ImGui::GetIO();
  const bool isInside = state.hasCursor && state.grid == grid.ref.name && selectedBlock(state).contains(cell);
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    selectCell(state, grid.ref.name, cell);
    state.grip = Grip::cancelled;
    return openText(context, CellText::Place::cell);
  }
  state.grip = Grip::pressed;
  const bool extends = io.KeyShift && state.hasCursor && state.grid == grid.ref.name;
  state.click = extends    ? InputsState::Click::extend
                : isInside ? InputsState::Click::collapse
                           : InputsState::Click::nothing;
  if (!isInside && !extends) selectCell(state, grid.ref.name, cell);
  if (!io.KeyAlt) return;
  selectCell(state, grid.ref.name, cell);
  state.grip = Grip::select;
}

void pressHeader(ViewContext& context, const GridFrame& grid, CellPlace cell, bool isOnLabels,
                 bool isOnHeads) {
  InputsState& state = context.state.inputs;
  const bool extends = ImGui::GetIO().KeyShift && state.hasCursor && state.grid == grid.ref.name;
  state.grid = grid.ref.name;
  state.hasCursor = true;
  const Index lastRow = grid.rows() - 1, lastCol = grid.cols() - 1;
  if (isOnLabels && isOnHeads) {
    state.anchor = {0, 0}, state.cursor = {lastRow, lastCol};
    state.grip = Grip::cancelled;
  } else if (isOnLabels) {
    state.anchor = {extends ? state.anchor.row : cell.row, 0}, state.cursor = {cell.row, lastCol};
    state.grip = extends ? Grip::selectRows : Grip::moveRow;
    state.movedRow = state.movedTo = cell.row;
  } else {
    state.anchor = {0, extends ? state.anchor.col : cell.col}, state.cursor = {lastRow, cell.col};
    state.grip = Grip::selectCols;
  }
  if (isOnLabels && !isOnHeads && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    state.grip = Grip::cancelled;
    openText(context, CellText::Place::label);
  }
}

/// After a few pixels a press becomes a drag: sideways it scrubs, up or down it selects.
void decide(ViewContext& context, const GridFrame& grid) {
  InputsState& state = context.state.inputs;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float across = std::abs(mouse.x - state.pressX), along = std::abs(mouse.y - state.pressY);
  if (std::max(across, along) < 3 * context.theme.unit) return;
  const CellPlace pressed = grid.nearest({state.pressX, state.pressY});
  if (across >= along) {
    if (!selectedBlock(state).contains(pressed)) selectCell(state, grid.ref.name, pressed);
    return beginScrub(context, grid);
  }
  state.grip = Grip::select;
  if (state.click != InputsState::Click::extend) state.anchor = pressed;
}

void drag(ViewContext& context, const GridFrame& grid) {
  InputsState& state = context.state.inputs;
  if (state.grip == Grip::pressed) decide(context, grid);
  const CellPlace cell = grid.nearest(ImGui::GetIO().MousePos);
  const CellPlace before = state.cursor;
  if (state.grip == Grip::scrub) continueScrub(context, grid);
  if (state.grip == Grip::select) state.cursor = cell;
  if (state.grip == Grip::selectRows) state.cursor.row = cell.row;
  if (state.grip == Grip::selectCols) state.cursor.col = cell.col;
  if (state.grip == Grip::moveRow) state.movedTo = cell.row;
  state.scrollsToCursor |= state.grip == Grip::select && !(state.cursor == before);
}

void release(ViewContext& context, const GridFrame& grid) {
  InputsState& state = context.state.inputs;
  const Grip grip = std::exchange(state.grip, Grip::none);
  const CellPlace pressed = grid.nearest({state.pressX, state.pressY});
  if (grip == Grip::pressed && state.click == InputsState::Click::collapse)
    selectCell(state, grid.ref.name, pressed);
  if (grip == Grip::pressed && state.click == InputsState::Click::extend) state.cursor = pressed;
  if (grip == Grip::moveRow)
    moveLine(context.editor, context.state, Line::row, state.movedRow, state.movedTo);
}

void openMenuAt(ViewContext& context, const GridFrame& grid, ImVec2 mouse) {
  InputsState& state = context.state.inputs;
  const CellPlace cell = grid.nearest(mouse);
  const bool isInside = state.grid == grid.ref.name && state.hasCursor && selectedBlock(state).contains(cell);
  if (grid.isOnLabels(mouse) || grid.isOnHeads(mouse))
    pressHeader(context, grid, cell, grid.isOnLabels(mouse), grid.isOnHeads(mouse));
  else if (!isInside)
    selectCell(state, grid.ref.name, cell);
  state.grip = Grip::none;
  state.opensMenu = true;
}

void tell(ViewContext& context, const GridFrame& grid, CellPlace cell) {
  Hover& hover = context.state.nextHover;
  const auto side = rowTokens(context.scene, grid.ref.name);
  if (side && *side != Tokens::keys) hover.query = cell.row;
  if (side == Tokens::keys) hover.key = cell.row;
  if (grid.ref.name == InputName::bias) hover.key = cell.col;
  if (grid.ref.name == InputName::v || grid.ref.name == InputName::wv) hover.dimension = cell.col;
  if (context.state.inputs.grip != Grip::none) return;
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal | ImGuiHoveredFlags_NoSharedDelay)) return;
  ImGui::SetTooltip("%s[%s][%s] = %s\nDrag sideways: change · up or down: select · double click: type",
                    inputTitle(grid.ref.name),
                    rowTitle(context.state.notation, context.scene, grid.ref.name, cell.row).c_str(),
                    columnTitle(context.state.notation, context.scene, grid.ref.name, cell.col).c_str(),
                    exactText(context.state.notation, grid.values(cell.row, cell.col)).c_str());
}

}  // namespace

void cancelScrub(ViewContext& context) {
  InputsState& state = context.state.inputs;
  if (state.scrub.hasChanged) context.editor.undo();
  state.grip = Grip::cancelled;
}

void followGridPointer(ViewContext& context, const GridFrame& grid) {
  InputsState& state = context.state.inputs;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool isHovered = ImGui::IsItemHovered(), isOnLabels = grid.isOnLabels(mouse);
  const CellPlace cell = grid.nearest(mouse);
  if (isHovered && !grid.isOnHeads(mouse)) tell(context, grid, cell);
  if (isHovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) openMenuAt(context, grid, mouse);
  if (ImGui::IsItemActivated()) {
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {  // Enter or Space on the grid as a whole
      state.grid = grid.ref.name;
      state.hasCursor = true;
      return;
    }
    state.pressX = mouse.x, state.pressY = mouse.y;
    if (isOnLabels || grid.isOnHeads(mouse))
      pressHeader(context, grid, cell, isOnLabels, grid.isOnHeads(mouse));
    else
      pressCell(context, grid, cell);
  } else if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    drag(context, grid);
  }
  if (ImGui::IsItemDeactivated()) release(context, grid);
}

}  // namespace attn
