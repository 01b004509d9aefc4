#include "app/views/map.h"

#include <imgui.h>
#include <implot.h>
#include <implot_internal.h>

#include <algorithm>
#include <cmath>

#include "app/item_registry.h"
#include "app/views/labels.h"
#include "app/views/map_labels.h"
#include "app/views/view.h"

namespace attn {
namespace {

MapRange findRange(const Map& map) {
  float low = 0, high = 0;
  const float* end = map.values + map.rows * map.cols;
  for (const float* value = map.values; value != end; ++value) {
    if (!std::isfinite(*value)) continue;
    low = std::min(low, *value), high = std::max(high, *value);
  }
  if (map.isWeights) return {0, std::max(high, 1.0f)};
  const float largest = std::max({-low, high, 1e-12f});
  return map.isSigned ? MapRange{-largest, largest} : MapRange{low, std::max(high, low + 1e-12f)};
}

MapRange rangeOf(ViewContext& context, const Map& map) {
  MapsState::Found& found = context.state.maps.ranges[map.label];
  if (found.serial != context.evaluation->serial || found.values != map.values)
    found = {context.evaluation->serial, map.values, findRange(map)};
  return found.range;
}

HeatmapPicture pictureOf(ViewContext& context, const Map& map, ImVec2 min, ImVec2 max) {
  const Theme& theme = context.theme;
  const bool isLogarithmic = map.isWeights && context.state.maps.isLogarithmic;
  const MapRange range = rangeOf(context, map);
  HeatmapPicture picture;
  picture.owner = context.evaluation;
  picture.values = map.values;
  picture.rows = map.rows, picture.cols = map.cols;
  picture.serial = context.evaluation->serial;
  if (map.isMasked && context.evaluation->hidesPairs) picture.visibility = &context.evaluation->visibility;
  picture.head = map.head;
  picture.min = min, picture.max = max;
  picture.low = isLogarithmic ? 1e-4f : range.low, picture.high = range.high;
  picture.isLogarithmic = isLogarithmic;
  picture.colormap = map.isSigned ? context.state.maps.diverging : context.state.maps.sequential;
  picture.paper = theme.panel, picture.ink = theme.border, picture.alarm = theme.warning;
  picture.hatchWidth = std::round(7 * theme.unit);
  return picture;
}

/// The room for the map: while cells can be told apart, they are at most half as wide again as they are high,
/// and the other way round.
ImVec2 fittingSize(const Map& map, ImVec2 room) {
  constexpr float kMostStretch = 1.5f;
  constexpr Index kManyCells = 64;
  if (std::max(map.rows, map.cols) > kManyCells) return {std::floor(room.x), std::floor(room.y)};
  const float cols = static_cast<float>(map.cols), rows = static_cast<float>(map.rows);
  const float width = room.x / cols, height = room.y / rows;
  return {std::floor(cols * std::min(width, height * kMostStretch)),
          std::floor(rows * std::min(height, width * kMostStretch))};
}

bool isHidden(const ViewContext& context, const Map& map, Index row, Index col) {
  return map.isMasked && context.evaluation->hidesPairs &&
         !context.evaluation->visibility.sees(map.head, row, col);
}

struct CellRange {
  Index firstRow, lastRow, firstCol, lastCol;
};

CellRange visibleCells(const Map& map) {
  const ImPlotRect limits = ImPlot::GetPlotLimits();
  const auto inside = [](double place, Index count) {
    return std::clamp(static_cast<Index>(std::floor(place)), Index{0}, count - 1);
  };
  return {inside(limits.Y.Min, map.rows), inside(limits.Y.Max, map.rows), inside(limits.X.Min, map.cols),
          inside(limits.X.Max, map.cols)};
}

/// Two digits: in a map, what is smaller than they show is 0.
std::string cellText(float value) {
  return numberText(std::abs(value) < 0.005f ? 0 : value);
}

/// Numbers in the cells, while they fit.
void drawNumbers(ViewContext& context, const Map& map, const HeatmapPicture& picture) {
  const ImVec2 a = ImPlot::PlotToPixels(0, 0), b = ImPlot::PlotToPixels(1, 1);
  const ImVec2 cell(std::abs(b.x - a.x), std::abs(b.y - a.y));
  ImFont* font = context.theme.numbers;
  const float size = std::round(12 * context.theme.unit);
  const ImVec2 widest = font->CalcTextSizeA(size, FLT_MAX, 0, map.isSigned ? "−0.00" : "0.00");
  if (!context.state.maps.showsNumbers || cell.x < widest.x + 4 * context.theme.unit || cell.y < size) return;
  const ColormapTable table = tableOf(picture.colormap);
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  const CellRange range = visibleCells(map);
  for (Index i = range.firstRow; i <= range.lastRow; ++i)
    for (Index j = range.firstCol; j <= range.lastCol; ++j) {
      const float value = map.values[i * map.cols + j];
      if (isHidden(context, map, i, j)) continue;
      const float share = (value - picture.low) / (picture.high - picture.low);
      const bool isDark = std::isfinite(value) && !isBright(colourAt(table, share));
      const std::string text = cellText(value);
      const ImVec2 extent = font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str());
      const ImVec2 centre = ImPlot::PlotToPixels(static_cast<double>(j) + 0.5, static_cast<double>(i) + 0.5);
      const ImU32 ink = !std::isfinite(value) ? ImGui::GetColorU32(context.theme.text)
                        : isDark              ? IM_COL32(255, 255, 255, 235)
                                              : IM_COL32(20, 24, 30, 235);
      list.AddText(font, size, {std::round(centre.x - extent.x / 2), std::round(centre.y - extent.y / 2)},
                   ink, text.c_str());
    }
}

/// Frames the row and the column that the pointer is on, here or in another panel, and the chosen row.
void drawMarks(const ViewContext& context, const Map& map) {
  const Hover& hover = context.state.hover;
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  const auto frame = [&](double left, double top, double right, double bottom, const ImVec4& colour) {
    list.AddRect(ImPlot::PlotToPixels(left, top), ImPlot::PlotToPixels(right, bottom),
                 ImGui::GetColorU32(colour), 0, 0, std::round(1.5f * context.theme.unit));
  };
  const auto rows = static_cast<double>(map.rows), cols = static_cast<double>(map.cols);
  const auto row = map.rowsAre == Map::Axis::keys ? hover.key : hover.query;
  if (row && *row < map.rows)
    frame(0, static_cast<double>(*row), cols, static_cast<double>(*row) + 1, context.theme.accent);
  const auto column = map.columns == Map::Columns::keys ? hover.key : hover.dimension;
  if (column && *column < map.cols)
    frame(static_cast<double>(*column), 0, static_cast<double>(*column) + 1, rows, context.theme.accent);
}

/// What the pointer is on goes to all panels; a click chooses the row.
void followPointer(ViewContext& context, const Map& map) {
  if (!ImPlot::IsPlotHovered()) return;
  const ImPlotPoint place = ImPlot::GetPlotMousePos();
  const auto row = static_cast<Index>(std::floor(place.y)), col = static_cast<Index>(std::floor(place.x));
  if (row < 0 || col < 0 || row >= map.rows || col >= map.cols) return;
  Hover& hover = context.state.nextHover;
  const bool areKeys = map.rowsAre == Map::Axis::keys;
  if (!areKeys) hover.query = row;
  (map.columns == Map::Columns::keys ? hover.key : hover.dimension) = col;
  if (!areKeys && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) context.state.selection.query = row;
  const std::string column =
      map.columns == Map::Columns::keys ? keyLabel(context.shown, col) : std::to_string(col);
  const char* value = isHidden(context, map, row, col) ? "hidden by the mask" : nullptr;
  const std::string number = numberText(map.values[row * map.cols + col], 4);
  ImGui::SetTooltip("%s → %s\n%s", (areKeys ? keyLabel : queryLabel)(context.shown, row).c_str(),
                    column.c_str(), value ? value : number.c_str());
}

void setUpAxes(const Map& map) {
  constexpr auto kFlags = ImPlotAxisFlags_NoDecorations | ImPlotAxisFlags_NoMenus;
  const auto rows = static_cast<double>(map.rows), cols = static_cast<double>(map.cols);
  ImPlot::SetupAxes(nullptr, nullptr, kFlags, kFlags | ImPlotAxisFlags_Invert);
  ImPlot::SetupAxesLimits(0, cols, 0, rows, ImPlotCond_Once);
  ImPlot::SetupAxisLimitsConstraints(ImAxis_X1, 0, cols);
  ImPlot::SetupAxisLimitsConstraints(ImAxis_Y1, 0, rows);
  ImPlot::SetupFinish();
  if (ImPlot::FitThisFrame()) {  // a double click shows the whole map again
    ImPlot::FitPoint({0, 0});
    ImPlot::FitPoint({cols, rows});
  }
}

void drawCells(ViewContext& context, const Map& map, HeatmapPicture& picture) {
  const ImVec2 corner = ImPlot::GetPlotPos(), extent = ImPlot::GetPlotSize();
  picture.min = ImPlot::PlotToPixels(0, 0);
  picture.max = ImPlot::PlotToPixels(static_cast<double>(map.cols), static_cast<double>(map.rows));
  picture.clipMin = corner, picture.clipMax = {corner.x + extent.x, corner.y + extent.y};
  nameRect(map.label, picture.min, picture.max);
  context.heatmaps.draw(*ImPlot::GetPlotDrawList(), ImGui::GetID(map.label), picture);
  ImPlot::PushPlotClipRect();
  drawNumbers(context, map, picture);
  drawMarks(context, map);
  ImPlot::PopPlotClipRect();
}

}  // namespace

void drawMap(ViewContext& context, const Map& map) {
  if (!map.values || map.rows == 0 || map.cols == 0) return;
  const MapMargins margins = measureLabels(context, map);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 size = fittingSize(map, {room.x - margins.left, room.y - margins.top - margins.bottom});
  if (size.x < 8 || size.y < 8) return;
  HeatmapPicture picture = pictureOf(context, map, {}, {});
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({origin.x + margins.left, origin.y + margins.top});
  // The shape is part of the name: another shape starts unzoomed.
  const std::string name = "##" + std::string(map.label) + shapeText(map.rows, map.cols);
  ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, ImVec2(0, 0));
  const bool isOpen = ImPlot::BeginPlot(name.c_str(), size, ImPlotFlags_CanvasOnly | ImPlotFlags_NoFrame);
  if (isOpen) {
    setUpAxes(map);
    drawCells(context, map, picture);
    drawAxisLabels(context, map, margins);
    followPointer(context, map);
    ImPlot::EndPlot();
  }
  ImPlot::PopStyleVar();
  ImGui::SetCursorScreenPos({origin.x + margins.left, origin.y + margins.top + size.y});
  drawColourBar(context, picture, size.x);
}

bool drawThumbnail(ViewContext& context, const Map& map, float width, float height) {
  const ImVec2 min = ImGui::GetCursorScreenPos(), max(min.x + width, min.y + height);
  const bool isClicked = ImGui::InvisibleButton(map.label, {width, height});
  if (!ImGui::IsItemVisible()) return isClicked;
  HeatmapPicture picture = pictureOf(context, map, min, max);
  picture.clipMin = min, picture.clipMax = max;
  context.heatmaps.draw(*ImGui::GetWindowDrawList(), ImGui::GetItemID(), picture);
  return isClicked;
}

}  // namespace attn
