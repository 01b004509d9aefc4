#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/views/gradients_pages.h"
#include "app/views/labels.h"
#include "app/views/map.h"
#include "app/views/number_control.h"
#include "app/views/panel_text.h"
#include "app/views/story_bar.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/error.h"
#include "core/io/block_text.h"

namespace attn {
namespace {

using Upstream = UpstreamOf<float>;
using Kind = Upstream::Kind;

bool isMatrix(Kind kind) {
  return kind == Kind::given || kind == Kind::target;
}

bool fits(const Matrix& matrix, const Shapes& shapes) {
  return matrix.rows() == shapes.queries && matrix.cols() == shapes.outWidth;
}

/// What was typed before stays; where there is nothing that fits, a given gradient starts with ones and a
/// target with zeros.
void chooseKind(ViewContext& context, Kind kind) {
  context.editor.change([=](Scene& scene) {
    const Shapes shapes = shapesOf(scene);
    Upstream& upstream = scene.upstream;
    upstream.kind = kind;
    upstream.row = std::clamp<Index>(upstream.row, 0, shapes.queries - 1);
    upstream.col = std::clamp<Index>(upstream.col, 0, shapes.outWidth - 1);
    if (isMatrix(kind) && !fits(upstream.matrix, shapes))
      upstream.matrix = Matrix::Constant(shapes.queries, shapes.outWidth, kind == Kind::given ? 1.0f : 0.0f);
  });
}

void setMatrix(ViewContext& context, const Matrix& matrix) {
  context.editor.change([&](Scene& scene) { scene.upstream.matrix = matrix; });
}

/// Two numbers for a cell. True when it is another one.
bool editCell(const Notation& notation, Index& row, Index& col, const Shapes& shapes) {
  const auto edit = [&](const char* label, Index& place, Index count) {
    auto value = static_cast<std::int64_t>(notation.counted(place));
    const std::int64_t low = notation.first, high = low + static_cast<std::int64_t>(count) - 1;
    flowTo(8 * ImGui::GetFontSize());
    ImGui::SetNextItemWidth(3.5f * ImGui::GetFontSize());
    const bool isChanged = ImGui::DragScalar(label, ImGuiDataType_S64, &value, 0.1f, &low, &high, "%lld",
                                             ImGuiSliderFlags_AlwaysClamp);
    place = static_cast<Index>(value - low);
    return isChanged;
  };
  const bool isTurned = notation.queriesAreColumns;
  const bool isRow = edit(isTurned ? "column" : "row", row, shapes.queries);
  return edit(isTurned ? "row" : "column", col, shapes.outWidth) || isRow;
}

/// The matrix as a picture to click on; a frame marks the cell. True when a cell was clicked.
bool pickCell(ViewContext& context, const Matrix& values, Index& row, Index& col) {
  if (values.size() == 0) return false;
  const bool isTurned = context.state.notation.queriesAreColumns;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const auto rows = static_cast<float>(isTurned ? values.cols() : values.rows());
  const auto cols = static_cast<float>(isTurned ? values.rows() : values.cols());
  const float least = 3 * ImGui::GetFontSize();
  const ImVec2 size(
      std::max(least, std::min(room.x, cols * 2 * ImGui::GetFontSize())),
      std::max(least, std::min(room.y - 2 * context.theme.unit, rows * 2 * ImGui::GetFontSize())));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool isClicked = drawThumbnail(context,
                                       {.label = "upstream cells",
                                        .values = values.data(),
                                        .rows = values.rows(),
                                        .cols = values.cols(),
                                        .columns = Map::Columns::dimensions},
                                       size.x, size.y);
  const auto cell = [](float place, float start, float extent, Index count) {
    const float share = (place - start) / extent * static_cast<float>(count);
    return std::clamp(static_cast<Index>(std::floor(share)), Index{0}, count - 1);
  };
  const ImVec2 mouse = ImGui::GetMousePos();
  const Index down = cell(mouse.y, at.y, size.y, isTurned ? values.cols() : values.rows());
  const Index across = cell(mouse.x, at.x, size.x, isTurned ? values.rows() : values.cols());
  const Index pointedRow = isTurned ? across : down, pointedCol = isTurned ? down : across;
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("%s, %s: %s", queryLabel(context.state.notation, context.shown, pointedRow).c_str(),
                      dimensionLabel(context.state.notation, pointedCol).c_str(),
                      numberText(context.state.notation, values(pointedRow, pointedCol), 4).c_str());
  if (isClicked) row = pointedRow, col = pointedCol;
  const ImVec2 step(size.x / cols, size.y / rows);
  const ImVec2 corner(at.x + step.x * static_cast<float>(isTurned ? row : col),
                      at.y + step.y * static_cast<float>(isTurned ? col : row));
  ImGui::GetWindowDrawList()->AddRect(corner,
                                      {corner.x + std::max(3.0f, step.x), corner.y + std::max(3.0f, step.y)},
                                      ImGui::GetColorU32(context.theme.accent), 0, 0, 2 * context.theme.unit);
  return isClicked;
}

void drawOneCell(ViewContext& context) {
  const Shapes shapes = shapesOf(context.scene);
  Index row = context.scene.upstream.row, col = context.scene.upstream.col;
  bool isChanged = editCell(context.state.notation, row, col, shapes);
  hint("Only this output has a gradient: click another.");
  if (shapes == context.results.shapes) isChanged |= pickCell(context, context.results.out, row, col);
  if (isChanged)
    context.editor.change([=](Scene& scene) { scene.upstream.row = row, scene.upstream.col = col; });
}

void paste(ViewContext& context) {
  const char* text = ImGui::GetClipboardText();
  try {
    const Matrix block = readBlock(text ? text : "", context.state.notation.decimalComma);
    const Shapes shapes = shapesOf(context.scene);
    if (!fits(block, shapes))
      throw Error("paste: " + shapeText(block.rows(), block.cols()) + ", expected " +
                  shapeText(shapes.queries, shapes.outWidth) + ", the shape of the output");
    setMatrix(context, block);
    context.state.status.clear();
  } catch (const Error& error) {
    context.state.status = error.what();
  }
}

void drawMatrixButtons(ViewContext& context) {
  const Matrix& matrix = context.scene.upstream.matrix;
  const auto button = [](const char* label) {
    flowTo(ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x);
    return ImGui::SmallButton(label);
  };
  if (button("copy"))
    ImGui::SetClipboardText(blockText(matrix, BlockFormat::spreadsheet, context.state.notation).c_str());
  ImGui::SetItemTooltip("As spreadsheet text");
  if (button("paste")) paste(context);
  ImGui::SetItemTooltip("Spreadsheet text, a NumPy literal or a LaTeX matrix");
  if (button("zeros")) setMatrix(context, Matrix::Zero(matrix.rows(), matrix.cols()));
  if (button("fill with ones")) setMatrix(context, Matrix::Ones(matrix.rows(), matrix.cols()));
  if (fits(context.results.out, shapesOf(context.scene)) && button("output as it is"))
    setMatrix(context, context.results.out);
}

void drawMatrix(ViewContext& context) {
  const Shapes shapes = shapesOf(context.scene);
  GradientsState& state = context.state.gradients;
  const Matrix& matrix = context.scene.upstream.matrix;
  state.row = std::clamp<Index>(state.row, 0, shapes.queries - 1);
  state.col = std::clamp<Index>(state.col, 0, shapes.outWidth - 1);
  drawMatrixButtons(context);
  editCell(context.state.notation, state.row, state.col, shapes);
  const Index row = state.row, col = state.col;
  auto value = static_cast<double>(matrix(row, col));
  flowTo(9 * ImGui::GetFontSize());
  ImGui::SetNextItemWidth(5 * ImGui::GetFontSize());
  if (dragNumber("value", value, 0.01f, "%.3f"))
    context.editor.change([=](Scene& scene) { scene.upstream.matrix(row, col) = static_cast<float>(value); });
  offerStory(context, {.kind = StoryTarget::Kind::upstream, .row = row, .col = col});
  const Matrix& shown = context.shown.upstream.matrix;
  if (fits(shown, shapes)) pickCell(context, shown, state.row, state.col);
}

}  // namespace

void drawUpstream(ViewContext& context) {
  const char* const names[] = {"ones", "one output cell", "a given matrix", "a target"};
  int kind = static_cast<int>(context.scene.upstream.kind);
  ImGui::SetNextItemWidth(9 * ImGui::GetFontSize());
  if (choice("dOut", kind, names)) return chooseKind(context, static_cast<Kind>(kind));
  ImGui::PushFont(context.theme.small);
  if (context.scene.upstream.kind == Kind::ones)
    hint("Every output has the gradient 1: that of the sum of all outputs.");
  else if (context.scene.upstream.kind == Kind::cell)
    drawOneCell(context);
  else
    drawMatrix(context);
  if (context.scene.upstream.kind == Kind::target)
    ImGui::TextColored(context.theme.faint, "½‖out − target‖² = %s",
                       numberText(context.state.notation, context.results.loss, 4).c_str());
  ImGui::PopFont();
}

}  // namespace attn
