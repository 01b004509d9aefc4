#include "app/views/mask_grid.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/views/labels.h"
#include "app/views/view.h"

namespace attn {
namespace {

constexpr float kMostStretch = 1.5f;  // of a cell, while cells can be told apart
constexpr Index kManyCells = 64;
constexpr float kLargestCell = 40;    // that zooming leads to
constexpr float kLeastThickness = 2;  // of one row or column alone, in lines of small type

/// The widest name of queries or keys; only of some where there are many.
float widestName(const ViewContext& context, Index count,
                 std::string (*label)(const Notation&, const Scene&, Index)) {
  constexpr Index kMeasured = 32;
  float widest = 0;
  ImGui::PushFont(context.theme.small);
  const Index stride = std::max<Index>(1, count / kMeasured);
  for (Index i = 0; i < count; i += stride)
    widest = std::max(widest, ImGui::CalcTextSize(label(context.state.notation, context.scene, i).c_str()).x);
  if (stride > 1) widest += 0.3f * ImGui::GetFontSize();  // of those that were not measured
  widest = std::max(widest,
                    ImGui::CalcTextSize(label(context.state.notation, context.scene, count - 1).c_str()).x);
  ImGui::PopFont();
  return widest;
}

struct Counts {
  Index across = 0, down = 0;
};

Counts countsOf(const Shapes& shapes, const Notation& notation) {
  return notation.queriesAreColumns ? Counts{shapes.queries, shapes.keys}
                                    : Counts{shapes.keys, shapes.queries};
}

/// A few long rows or columns are at least `thickness` together.
ImVec2 fittingCell(const Counts& counts, ImVec2 room, float thickness) {
  const float across = static_cast<float>(counts.across), down = static_cast<float>(counts.down);
  const ImVec2 most(room.x / across, room.y / down);
  if (std::max(counts.across, counts.down) > kManyCells) return most;
  const ImVec2 least(std::min(most.x, thickness / across), std::min(most.y, thickness / down));
  const ImVec2 cell(std::max(least.x, std::min(most.x, most.y * kMostStretch)),
                    std::max(least.y, std::min(most.y, most.x * kMostStretch)));
  return {std::max(1.0f, std::floor(cell.x)), std::max(1.0f, std::floor(cell.y))};
}

/// Keeps what is in sight inside the matrix.
void clampView(MaskState& state, const Shapes& shapes) {
  const auto rest = [&](Index count) { return static_cast<float>(count) * (1 - 1 / state.zoom); };
  state.firstQuery = std::clamp(state.firstQuery, 0.0f, rest(shapes.queries));
  state.firstKey = std::clamp(state.firstKey, 0.0f, rest(shapes.keys));
}

/// Names above the columns must leave most of the height to the cells.
void placeHeads(const ViewContext& context, const Counts& counts, ImVec2 room, PainterPlace& place) {
  constexpr float kMostHeight = 0.28f;
  const bool isTurned = context.state.notation.queriesAreColumns;
  const float unit = context.theme.unit,
              widest = widestName(context, counts.across, isTurned ? queryLabel : keyLabel);
  place.isUpright =
      widest + 4 * unit >
      fittingCell(counts, room, kLeastThickness * context.theme.small->FontSize).x * context.state.mask.zoom;
  const float heads = std::ceil((place.isUpright ? widest : context.theme.small->FontSize) + 5 * unit);
  place.heads = heads <= kMostHeight * room.y ? heads : 0;
}

std::optional<PainterPlace> findPlace(const ViewContext& context, const Shapes& shapes, float beneath) {
  const float unit = context.theme.unit, font = context.theme.small->FontSize;
  const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
  const bool isTurned = context.state.notation.queriesAreColumns;
  const Counts counts = countsOf(shapes, context.state.notation);
  const float mark = isTurned ? 0 : font;  // the sign of a query without keys: at the right, or beneath
  const float height = room.y - beneath - 4 * unit - (font - mark);
  if (room.x - mark < 3 * font || height < 3 * font) return std::nullopt;
  const float name = widestName(context, counts.down, isTurned ? keyLabel : queryLabel) + 6 * unit;
  PainterPlace place;
  place.left = at.x;
  const float most = 0.35f * room.x;
  place.names = most > 3 * font ? std::min(name, most) : 0;
  placeHeads(context, counts, {room.x - mark - place.names, height}, place);
  const ImVec2 fit =
      fittingCell(counts, {room.x - mark - place.names, height - place.heads}, kLeastThickness * font);
  place.x = at.x + place.names, place.y = at.y + place.heads;
  place.width = fit.x * static_cast<float>(counts.across);
  place.height = fit.y * static_cast<float>(counts.down);
  return place;
}

}  // namespace

ImVec2 MaskGrid::placeOf(Pair pair) const {
  return {min.x + (static_cast<float>(column(pair)) - first.x) * cell.x,
          min.y + (static_cast<float>(row(pair)) - first.y) * cell.y};
}

Pair MaskGrid::cellAt(ImVec2 place) const {
  const auto inside = [](float at, Index count) {
    return static_cast<Index>(std::clamp(std::floor(at), 0.0f, static_cast<float>(count - 1)));
  };
  const Index at = inside(first.y + (place.y - min.y) / cell.y, down());
  const Index along = inside(first.x + (place.x - min.x) / cell.x, across());
  return isTurned ? Pair{along, at} : Pair{at, along};
}

std::optional<MaskGrid> layOutGrid(ViewContext& context, const Shapes& shapes, float beneath) {
  MaskState& state = context.state.mask;
  const auto found = findPlace(context, shapes, beneath);
  if (!found) return std::nullopt;
  const PainterPlace& place = *found;
  const bool isTurned = context.state.notation.queriesAreColumns;
  const Counts counts = countsOf(shapes, context.state.notation);
  const ImVec2 fit(place.width / static_cast<float>(counts.across),
                   place.height / static_cast<float>(counts.down));
  const float largest = kLargestCell * context.theme.unit / std::max(0.01f, std::min(fit.x, fit.y));
  state.zoom = std::clamp(state.zoom, 1.0f, std::max(1.0f, largest));
  clampView(state, shapes);
  return MaskGrid{
      place,
      {place.x, place.y},
      {place.width, place.height},
      {fit.x * state.zoom, fit.y * state.zoom},
      isTurned ? ImVec2(state.firstQuery, state.firstKey) : ImVec2(state.firstKey, state.firstQuery),
      shapes,
      isTurned};
}

void zoomAbout(MaskState& state, const MaskGrid& grid, ImVec2 place, float factor) {
  const float across = (place.x - grid.min.x) / grid.cell.x, down = (place.y - grid.min.y) / grid.cell.y;
  const float before = state.zoom;
  state.zoom = std::max(1.0f, state.zoom * factor);
  const float kept = before / state.zoom;
  (grid.isTurned ? state.firstQuery : state.firstKey) = grid.first.x + across * (1 - kept);
  (grid.isTurned ? state.firstKey : state.firstQuery) = grid.first.y + down * (1 - kept);
  clampView(state, grid.shapes);
}

void zoomWithMouse(ViewContext& context, const MaskGrid& grid) {
  MaskState& state = context.state.mask;
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
  if (!ImGui::IsItemHovered()) return;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheel != 0) zoomAbout(state, grid, io.MousePos, std::pow(1.3f, io.MouseWheel));
  if (ImGui::IsMouseDragging(ImGuiMouseButton_Right, 0)) {
    (grid.isTurned ? state.firstQuery : state.firstKey) -= io.MouseDelta.x / grid.cell.x;
    (grid.isTurned ? state.firstKey : state.firstQuery) -= io.MouseDelta.y / grid.cell.y;
    clampView(state, grid.shapes);
  }
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Right)) state.zoom = 1;
}

void scrollTo(MaskState& state, const MaskGrid& grid, Pair pair) {
  const auto follow = [](float& first, Index place, float inSight) {
    const auto at = static_cast<float>(place);
    first = std::clamp(first, at + 1 - inSight, at);
  };
  follow(grid.isTurned ? state.firstQuery : state.firstKey, grid.column(pair), grid.size.x / grid.cell.x);
  follow(grid.isTurned ? state.firstKey : state.firstQuery, grid.row(pair), grid.size.y / grid.cell.y);
  clampView(state, grid.shapes);
}

}  // namespace attn
