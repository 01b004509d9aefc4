#include "app/views/map_labels.h"

#include <imgui.h>
#include <implot.h>

#include <algorithm>
#include <cmath>

#include "app/views/labels.h"
#include "app/views/view.h"

namespace attn {
namespace {

constexpr float kWidestLabel = 5.5f;  // in heights of the font
constexpr Index kMeasured = 64;       // more labels than these are not measured one by one

std::string columnLabel(const ViewContext& context, const Map& map, Index col) {
  return map.columns == Map::Columns::keys ? keyLabel(context.shown, col) : std::to_string(col);
}

std::string rowLabel(const ViewContext& context, const Map& map, Index row) {
  return map.rowsAre == Map::Axis::keys ? keyLabel(context.shown, row) : queryLabel(context.shown, row);
}

/// Writes upwards: the text is laid out level, then its corners are turned.
void addTextUpwards(ImDrawList& list, ImVec2 foot, ImU32 colour, const std::string& text) {
  const int first = list.VtxBuffer.Size;
  list.AddText(foot, colour, text.c_str());
  const float height = ImGui::GetFontSize();
  for (int i = first; i < list.VtxBuffer.Size; ++i) {
    ImVec2& place = list.VtxBuffer[i].pos;
    place = {foot.x + (place.y - foot.y) - height / 2, foot.y - (place.x - foot.x)};
  }
}

/// Every how many-th label is written, so that they do not touch.
Index strideOf(float cell, float needed) {
  return std::max<Index>(1, static_cast<Index>(std::ceil(needed / std::max(cell, 1e-3f))));
}

void drawRowLabels(const ViewContext& context, const Map& map, const MapMargins& margins, ImVec2 corner,
                   float bottom) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float font = ImGui::GetFontSize(), gap = 6 * context.theme.unit;
  const float cell = ImPlot::PlotToPixels(0, 1).y - ImPlot::PlotToPixels(0, 0).y;
  const Index stride = strideOf(cell, font);
  for (Index i = 0; i < map.rows; i += stride) {
    const float y = ImPlot::PlotToPixels(0, static_cast<double>(i) + 0.5).y;
    if (y < corner.y || y > bottom) continue;
    const bool isMarked = map.rowsAre == Map::Axis::keys
                              ? context.state.hover.key == i
                              : context.state.hover.query == i || context.state.selection.query == i;
    const std::string text = elided(rowLabel(context, map, i), margins.left - gap);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    list.AddText({std::round(corner.x - gap - width), std::round(y - font / 2)},
                 ImGui::GetColorU32(isMarked ? context.theme.accent : context.theme.text), text.c_str());
  }
}

void drawColumnLabels(const ViewContext& context, const Map& map, const MapMargins& margins, ImVec2 corner,
                      float right) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float font = ImGui::GetFontSize(), gap = 4 * context.theme.unit;
  const float cell = ImPlot::PlotToPixels(1, 0).x - ImPlot::PlotToPixels(0, 0).x;
  const float needed = margins.isUpright || cell > font * 2 ? font : font * 2;
  const auto marked =
      map.columns == Map::Columns::keys ? context.state.hover.key : context.state.hover.dimension;
  for (Index j = 0; j < map.cols; j += strideOf(cell, needed)) {
    const float x = ImPlot::PlotToPixels(static_cast<double>(j) + 0.5, 0).x;
    if (x < corner.x || x > right) continue;
    const ImU32 colour = ImGui::GetColorU32(marked == j ? context.theme.accent : context.theme.text);
    const std::string text = elided(columnLabel(context, map, j), kWidestLabel * font);
    if (margins.isUpright) {
      addTextUpwards(list, {x, corner.y - gap}, colour, text);
    } else {
      const float width = ImGui::CalcTextSize(text.c_str()).x;
      list.AddText({std::round(x - width / 2), corner.y - gap - font}, colour, text.c_str());
    }
  }
}

}  // namespace

MapMargins measureLabels(const ViewContext& context, const Map& map) {
  ImGui::PushFont(context.theme.small);
  const float font = ImGui::GetFontSize(), unit = context.theme.unit;
  float row = font, column = 0;
  const auto measure = [](float& widest, const std::string& label) {
    widest = std::max(widest, ImGui::CalcTextSize(label.c_str()).x);
  };
  for (Index i = 0; i < std::min(map.rows, kMeasured); ++i) measure(row, rowLabel(context, map, i));
  for (Index j = 0; j < std::min(map.cols, kMeasured); ++j) measure(column, columnLabel(context, map, j));
  measure(row, rowLabel(context, map, map.rows - 1));  // numbered ones grow; not all digits are as wide
  if (map.rows > kMeasured) row += font / 2;
  measure(column, columnLabel(context, map, map.cols - 1));
  ImGui::PopFont();
  row = std::min(row, kWidestLabel * font), column = std::min(column, kWidestLabel * font);
  const float cell = (ImGui::GetContentRegionAvail().x - row) / static_cast<float>(map.cols);
  const bool isUpright = map.columns == Map::Columns::keys && column + 4 * unit > cell;
  return {std::ceil(row + 8 * unit), std::ceil((isUpright ? column : font) + 6 * unit), font + 10 * unit,
          isUpright};
}

void drawAxisLabels(const ViewContext& context, const Map& map, const MapMargins& margins) {
  const ImVec2 corner = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  ImGui::PushFont(context.theme.small);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();
  drawRowLabels(context, map, margins, corner, corner.y + size.y);
  drawColumnLabels(context, map, margins, corner, corner.x + size.x);
  list.PopClipRect();
  ImGui::PopFont();
}

void drawColourBar(const ViewContext& context, const HeatmapPicture& picture, float width) {
  constexpr int kPieces = 48;
  ImGui::PushFont(context.theme.small);
  const std::string low = numberText(picture.low, picture.isLogarithmic ? 4 : 2),
                    high = numberText(picture.high);
  const float unit = context.theme.unit, font = ImGui::GetFontSize();
  const float left = ImGui::CalcTextSize(low.c_str()).x, right = ImGui::CalcTextSize(high.c_str()).x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float top = at.y + 7 * unit, begin = at.x + left + 6 * unit, end = at.x + width - right - 6 * unit;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = ImGui::GetColorU32(context.theme.faint);
  list.AddText({at.x, top}, ink, low.c_str());
  list.AddText({at.x + width - right, top}, ink, high.c_str());
  const ColormapTable table = tableOf(picture.colormap);
  for (int i = 0; i < kPieces && end > begin; ++i) {
    const auto place = [&](int k) { return begin + (end - begin) * static_cast<float>(k) / kPieces; };
    const Rgb c = colourAt(table, (static_cast<float>(i) + 0.5f) / kPieces);
    list.AddRectFilled({place(i), top + font * 0.25f}, {place(i + 1), top + font * 0.75f},
                       IM_COL32(c.r, c.g, c.b, 255));
  }
  ImGui::Dummy({width, font + 9 * unit});
  ImGui::PopFont();
}

}  // namespace attn
