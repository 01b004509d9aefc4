#include "app/views/input_grid.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "app/item_registry.h"
#include "app/views/input_actions.h"
#include "app/views/labels.h"
#include "app/views/view.h"

namespace attn {
namespace {

ImVec4 faded(ImVec4 colour, float alpha) {
  colour.w = alpha;
  return colour;
}

/// Wide enough for the labels that there are, within bounds. Of many, the first and the last are measured.
float labelWidthOf(const ViewContext& context, const InputRef& ref, Index rows) {
  constexpr Index kMeasured = 40;
  const float font = ImGui::GetFontSize();
  float widest = 1.5f * font;
  const auto measure = [&](Index from, Index to) {
    for (Index row = from; row < to; ++row)
      widest = std::max(
          widest,
          ImGui::CalcTextSize(rowTitle(context.state.notation, context.scene, ref.name, row).c_str()).x);
  };
  measure(0, std::min(rows, kMeasured));
  measure(std::max(kMeasured, rows - kMeasured), rows);
  return std::round(std::min(widest, 5.5f * font) + 0.6f * font);
}

/// Whether the pointer, here or in a map, is on a pair that this row takes part in.
bool isMarked(const ViewContext& context, InputName grid, Index row) {
  const auto side = rowTokens(context.scene, grid);
  if (!side) return false;
  const Hover& hover = context.state.hover;
  return (*side != Tokens::keys && hover.query == row) || (*side != Tokens::queries && hover.key == row);
}

bool isColumnMarked(const ViewContext& context, InputName grid, Index col) {
  if (grid == InputName::bias) return context.state.hover.key == col;
  const bool isValue = grid == InputName::v || grid == InputName::wv;
  return isValue && context.state.hover.dimension == col;
}

/// Cells that tests and lessons may ask for: those in sight, and all of a small grid.
void nameCells(const GridFrame& grid, const CellBlock& visible) {
  if (!ImGui::GetCurrentContext()->TestEngineHookItems) return;
  constexpr Index kSmall = 512;
  const bool isSmall = grid.values.size() <= kSmall;
  const CellBlock named = isSmall ? CellBlock{0, 0, grid.rows(), grid.cols()} : visible;
  const std::string title = inputTitle(grid.ref.name);
  for (Index row = named.row; row < named.row + named.rows; ++row) {
    nameRect(title + " row " + std::to_string(row), grid.labelMin(row), grid.labelMax(row));
    for (Index col = named.col; col < named.col + named.cols; ++col)
      nameRect(title + "[" + std::to_string(row) + "][" + std::to_string(col) + "]", grid.cellMin({row, col}),
               grid.cellMax({row, col}));
  }
  const ImVec2 corner = grid.corner();
  for (Index col = named.col; col < named.col + named.cols; ++col)
    nameRect(title + " column " + std::to_string(col), {grid.cellMin({0, col}).x, corner.y},
             {grid.cellMax({0, col}).x, corner.y + grid.rowHeight});
}

void paintNumber(const ViewContext& context, ImDrawList& list, const GridFrame& grid, CellPlace cell) {
  const float value = grid.values(cell.row, cell.col), unit = context.theme.unit;
  ImFont* font = context.theme.numbers;
  const ImVec2 min = grid.cellMin(cell), max = grid.cellMax(cell);
  const std::string text = fittingNumber(context.state.notation, value, grid.cellWidth - 6 * unit, *font);
  const ImVec2 extent = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.c_str());
  const ImVec4& colour = std::isfinite(value) ? context.theme.text : context.theme.warning;
  list.AddText(font, font->FontSize,
               {std::round(max.x - extent.x - 4 * unit), std::round((min.y + max.y - extent.y) / 2)},
               ImGui::GetColorU32(colour), text.c_str());
}

/// The magnitude that gets the full tint: the largest, but not one outlier that makes all others pale.
float fullTintAt(const Matrix& values) {
  constexpr Index kSampled = 512;
  constexpr float kFar = 50, kFull = 4;
  const float largest = largestMagnitude(values);
  const Index stride = std::max<Index>(1, values.size() / kSampled);
  std::vector<float> sample;
  for (Index i = 0; i < values.size(); i += stride)
    if (const float size = std::abs(values.data()[i]); size > 0 && size <= FLT_MAX) sample.push_back(size);
  if (sample.empty()) return std::max(largest, 1e-30f);
  const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
  std::nth_element(sample.begin(), middle, sample.end());
  return std::max(1e-30f, largest > kFar * *middle ? kFull * *middle : largest);
}

void paintCells(const ViewContext& context, ImDrawList& list, const GridFrame& grid, const CellBlock& cells) {
  const float full = fullTintAt(grid.values);
  const float gap = std::max(1.0f, std::round(context.theme.unit)) / 2;
  for (Index row = cells.row; row < cells.row + cells.rows; ++row)
    for (Index col = cells.col; col < cells.col + cells.cols; ++col) {
      const float value = grid.values(row, col);
      const float share = std::isfinite(value) ? std::min(1.0f, std::abs(value) / full) : 0;
      const ImVec4& hue = value < 0 ? context.theme.negative : context.theme.positive;
      const ImVec2 min = grid.cellMin({row, col}), max = grid.cellMax({row, col});
      if (share > 0)
        list.AddRectFilled({min.x + gap, min.y + gap}, {max.x - gap, max.y - gap},
                           ImGui::GetColorU32(faded(hue, 0.32f * share)), 2 * context.theme.unit);
      paintNumber(context, list, grid, {row, col});
    }
}

/// Rows and columns of the pair that the pointer is on, and the selection.
void paintMarks(const ViewContext& context, ImDrawList& list, const GridFrame& grid, const CellBlock& cells) {
  const Theme& theme = context.theme;
  const ImU32 mark = ImGui::GetColorU32(theme.accent);
  const float line = std::max(1.0f, std::round(theme.unit));
  for (Index row = cells.row; row < cells.row + cells.rows; ++row)
    if (isMarked(context, grid.ref.name, row))
      list.AddRect(grid.cellMin({row, 0}), grid.cellMax({row, grid.cols() - 1}), mark, 0, 0, line);
  for (Index col = cells.col; col < cells.col + cells.cols; ++col)
    if (isColumnMarked(context, grid.ref.name, col))
      list.AddRect(grid.cellMin({0, col}), grid.cellMax({grid.rows() - 1, col}), mark, 0, 0, line);
  const InputsState& state = context.state.inputs;
  if (state.grid != grid.ref.name || !state.hasCursor) return;
  const CellBlock block = selectedBlock(state);
  const ImVec2 min = grid.cellMin({block.row, block.col});
  const ImVec2 max = grid.cellMax({block.row + block.rows - 1, block.col + block.cols - 1});
  if (block.rows * block.cols > 1)
    list.AddRectFilled(min, max, ImGui::GetColorU32(faded(theme.accent, 0.16f)));
  list.AddRect(min, max, ImGui::GetColorU32(faded(theme.accent, state.isFocused ? 1 : 0.5f)), 2 * theme.unit,
               0, 2 * line);
  if (block.rows * block.cols > 1)
    list.AddRect(grid.cellMin(state.cursor), grid.cellMax(state.cursor), mark, 2 * theme.unit, 0, line);
}

void paintRowLabels(const ViewContext& context, ImDrawList& list, const GridFrame& grid,
                    const CellBlock& cells) {
  const Theme& theme = context.theme;
  const ImVec2 corner = grid.corner();
  const float unit = theme.unit, width = grid.labelWidth;
  list.AddRectFilled({corner.x, corner.y}, {corner.x + width - 2 * unit, grid.origin.y + grid.size().y},
                     ImGui::GetColorU32(theme.panel));
  const InputsState& state = context.state.inputs;
  const CellBlock block = selectedBlock(state);
  const bool hasSelection = state.hasCursor && state.grid == grid.ref.name;
  for (Index row = cells.row; row < cells.row + cells.rows; ++row) {
    const bool isChosen = hasSelection && row >= block.row && row < block.row + block.rows;
    const ImVec2 min = grid.labelMin(row), max = grid.labelMax(row);
    if (isMarked(context, grid.ref.name, row) || isChosen)
      list.AddRectFilled(min, {max.x - 3 * unit, max.y},
                         ImGui::GetColorU32(faded(theme.accent, isChosen ? 0.22f : 0.12f)), 3 * unit);
    const std::string text =
        elided(rowTitle(context.state.notation, context.scene, grid.ref.name, row), width - 8 * unit);
    const float top = std::round((min.y + max.y - ImGui::GetFontSize()) / 2);
    list.AddText({min.x + 3 * unit, top},
                 ImGui::GetColorU32(rowTokens(context.scene, grid.ref.name) ? theme.text : theme.faint),
                 text.c_str());
  }
  if (state.grip != Grip::moveRow || !hasSelection) return;
  const Index edge = state.movedTo + (state.movedTo > state.movedRow ? 1 : 0);
  const float y = grid.cellMin({edge, 0}).y;
  list.AddLine({corner.x, y}, {corner.x + grid.size().x, y}, ImGui::GetColorU32(theme.accent), 3 * unit);
}

void paintColumnLabels(const ViewContext& context, ImDrawList& list, const GridFrame& grid,
                       const CellBlock& cells) {
  const Theme& theme = context.theme;
  const ImVec2 corner = grid.corner();
  const float right = grid.origin.x + grid.size().x, bottom = corner.y + grid.rowHeight;
  list.AddRectFilled(corner, {right, bottom}, ImGui::GetColorU32(theme.panel));
  const InputsState& state = context.state.inputs;
  const CellBlock block = selectedBlock(state);
  ImFont* font = theme.small;
  list.PushClipRect({corner.x + grid.labelWidth - 2 * theme.unit, corner.y}, {right, bottom}, true);
  for (Index col = cells.col; col < cells.col + cells.cols; ++col) {
    const bool isChosen =
        state.hasCursor && state.grid == grid.ref.name && col >= block.col && col < block.col + block.cols;
    const float left = grid.cellMin({0, col}).x, end = grid.cellMax({0, col}).x;
    if (isChosen)
      list.AddRectFilled({left, corner.y}, {end, bottom}, ImGui::GetColorU32(faded(theme.accent, 0.22f)),
                         3 * theme.unit);
    const std::string text = columnTitle(context.state.notation, context.scene, grid.ref.name, col);
    const ImVec2 extent = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.c_str());
    list.AddText(font, font->FontSize,
                 {std::round(end - std::min(extent.x, end - left) - 4 * theme.unit),
                  std::round(corner.y + (grid.rowHeight - extent.y) / 2)},
                 ImGui::GetColorU32(theme.faint), text.c_str());
  }
  list.PopClipRect();
  if (corner.y <= grid.origin.y) return;  // the heading is out of sight: the corner says which matrix it is
  ImFont* bold = theme.heading;
  list.AddText(bold, bold->FontSize, {corner.x + 3 * theme.unit, corner.y + 2 * theme.unit},
               ImGui::GetColorU32(theme.text), inputTitle(grid.ref.name));
}

}  // namespace

ImVec2 GridFrame::corner() const {
  const ImVec2 whole = size();
  const float lowest = std::max(origin.y, origin.y + whole.y - 2 * rowHeight);
  return {std::clamp(clipMin.x, origin.x, std::max(origin.x, origin.x + whole.x - labelWidth - cellWidth)),
          std::clamp(clipMin.y, origin.y, lowest)};
}

CellPlace GridFrame::nearest(ImVec2 place) const {
  const ImVec2 first = cellMin({0, 0});
  const auto index = [](float distance, float extent, Index count) {
    const double cells = std::floor(static_cast<double>(distance) / static_cast<double>(extent));
    return static_cast<Index>(std::clamp(cells, 0.0, static_cast<double>(count - 1)));
  };
  return {index(place.y - first.y, rowHeight, rows()), index(place.x - first.x, cellWidth, cols())};
}

CellBlock GridFrame::visible() const {
  const CellPlace first = nearest(clipMin), last = nearest(clipMax);
  return {first.row, first.col, last.row - first.row + 1, last.col - first.col + 1};
}

GridFrame layOutGrid(const ViewContext& context, const InputRef& ref, const Matrix& values) {
  const float font = ImGui::GetFontSize(), unit = context.theme.unit;
  const ImRect clip = ImGui::GetCurrentWindow()->InnerClipRect;
  GridFrame grid{ref, values, ImGui::GetCursorScreenPos(), clip.Min, clip.Max};
  grid.labelWidth = labelWidthOf(context, ref, values.rows());
  const float room = ImGui::GetContentRegionAvail().x - grid.labelWidth;
  const float share = std::floor(room / static_cast<float>(std::max<Index>(1, values.cols())));
  grid.cellWidth = std::clamp(share, std::round(3.1f * font), std::round(7 * font));
  grid.rowHeight = std::round(font + 5 * unit);
  return grid;
}

std::string rowTitle(const Notation& notation, const Scene& scene, InputName grid, Index row) {
  const auto side = rowTokens(scene, grid);
  if (side) return *side == Tokens::keys ? keyLabel(notation, scene, row) : queryLabel(notation, scene, row);
  if (grid != InputName::wo) return dimensionLabel(notation, row);
  const Shapes shapes = shapesOf(scene);  // rows of W_O: head and its value dimension
  if (shapes.heads == 1) return dimensionLabel(notation, row);
  return std::to_string(row / shapes.valueWidth + 1) + "·" +
         dimensionLabel(notation, row % shapes.valueWidth);
}

std::string columnTitle(const Notation& notation, const Scene& scene, InputName grid, Index col) {
  return grid == InputName::bias ? keyLabel(notation, scene, col) : dimensionLabel(notation, col);
}

std::string fittingNumber(const Notation& notation, float value, float width, const ImFont& font) {
  const auto fits = [&](const std::string& text) {
    return font.CalcTextSizeA(font.FontSize, FLT_MAX, 0, text.c_str()).x <= width;
  };
  Notation own = notation;
  for (own.digits = notation.digits < 0 ? 2 : notation.digits; own.digits >= 0; --own.digits) {
    const std::string text = numberText(own, value);
    if (fits(text)) return text;
    if (!isPlain(value, own.digits)) break;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.0e", std::abs(static_cast<double>(value)));
  std::string brief = text;  // "3e+09" as "3e9", "3e-09" as "3e−9"
  const std::size_t mark = brief.find('e');
  if (mark == std::string::npos) return numberText(notation, value);
  const int power = std::stoi(brief.substr(mark + 1));
  brief = brief.substr(0, mark + 1) + (power < 0 ? "−" : "") + std::to_string(std::abs(power));
  return (value < 0 ? "−" : "") + brief;
}

float largestMagnitude(const Matrix& values) {
  float largest = 0;
  const float* end = values.data() + values.size();
  for (const float* value = values.data(); value != end; ++value)
    if (const float size = std::abs(*value); size > largest && size <= FLT_MAX) largest = size;
  return largest;
}

void paintGrid(const ViewContext& context, const GridFrame& grid) {
  const CellBlock cells = grid.visible();
  nameCells(grid, cells);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  paintCells(context, list, grid, cells);
  paintMarks(context, list, grid, cells);
  paintRowLabels(context, list, grid, cells);
  paintColumnLabels(context, list, grid, cells);
}

}  // namespace attn
