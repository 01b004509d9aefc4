#include "app/views/map.h"

#include <imgui_internal.h>
#include <implot.h>
#include <implot_internal.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>

#include "app/item_registry.h"
#include "app/views/compare.h"
#include "app/views/labels.h"
#include "app/views/map_bar.h"
#include "app/views/map_cells.h"
#include "app/views/map_frame.h"
#include "app/views/map_heads.h"
#include "app/views/map_keys.h"
#include "app/views/map_labels.h"
#include "app/views/map_options.h"
#include "app/views/map_pointer.h"
#include "app/views/map_zoom.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

void setUpAxes(const MapFrame& frame, MapZoom& zoom) {
  constexpr auto kFlags = ImPlotAxisFlags_NoDecorations | ImPlotAxisFlags_NoMenus;
  const auto across = static_cast<double>(frame.across.count), down = static_cast<double>(frame.down.count);
  ImPlot::SetupAxes(nullptr, nullptr, kFlags, kFlags | ImPlotAxisFlags_Invert);
  ImPlot::SetupAxisLinks(ImAxis_X1, &zoom.left, &zoom.right);
  ImPlot::SetupAxisLinks(ImAxis_Y1, &zoom.top, &zoom.bottom);
  ImPlot::SetupAxisLimitsConstraints(ImAxis_X1, 0, across);
  ImPlot::SetupAxisLimitsConstraints(ImAxis_Y1, 0, down);
  ImPlot::SetupAxisZoomConstraints(ImAxis_X1, std::min(1.0, across), across);
  ImPlot::SetupAxisZoomConstraints(ImAxis_Y1, std::min(1.0, down), down);
  ImPlot::SetupFinish();
  if (ImPlot::FitThisFrame()) {  // a double click shows the whole map again
    ImPlot::FitPoint({0, 0});
    ImPlot::FitPoint({across, down});
  }
}

void drawCells(MapFrame& frame) {
  const ImVec2 corner = ImPlot::GetPlotPos(), extent = ImPlot::GetPlotSize();
  HeatmapPicture& picture = frame.picture;
  picture.min = ImPlot::PlotToPixels(0, 0);
  picture.max =
      ImPlot::PlotToPixels(static_cast<double>(frame.across.count), static_cast<double>(frame.down.count));
  picture.clipMin = corner, picture.clipMax = {corner.x + extent.x, corner.y + extent.y};
  const float cell = std::min((picture.max.x - picture.min.x) / static_cast<float>(frame.across.count),
                              (picture.max.y - picture.min.y) / static_cast<float>(frame.down.count));
  const float unit = std::max(1.0f, std::round(frame.context.theme.unit));
  picture.ruleWidth = cell >= 12 * unit ? unit : 0;
  nameRect(frame.map.label, picture.min, picture.max);
  frame.context.heatmaps.draw(*ImPlot::GetPlotDrawList(), ImGui::GetID(frame.map.label), picture);
  ImPlot::PushPlotClipRect(3 * unit);
  coverHidden(frame);
  drawNumbers(frame);
  drawMarks(frame, *ImPlot::GetPlotDrawList(), picture.min, picture.max);
  ImPlot::PopPlotClipRect();
}

/// A bar between the labels and the map, where the chosen query lies.
void markChosen(const MapFrame& frame) {
  const bool isDown = frame.down.kind == Map::Axis::queries;
  if (!isDown && frame.across.kind != Map::Axis::queries) return;
  const auto begin = static_cast<double>(frame.context.state.selection.query);
  const ImVec2 corner = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  const float width = 3 * frame.context.theme.unit;
  const ImVec2 first = ImPlot::PlotToPixels(begin, begin), last = ImPlot::PlotToPixels(begin + 1, begin + 1);
  const auto inside = [](float place, float from, float extent) {
    return std::clamp(place, from, from + extent);
  };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = ImGui::GetColorU32(frame.context.theme.accent);
  if (isDown) {
    const float top = inside(first.y, corner.y, size.y), bottom = inside(last.y, corner.y, size.y);
    if (bottom > top)
      list.AddRectFilled({corner.x - width - 1, top}, {corner.x - 1, std::max(bottom, top + width)}, ink);
  } else {
    const float left = inside(first.x, corner.x, size.x), right = inside(last.x, corner.x, size.x);
    if (right > left)
      list.AddRectFilled({left, corner.y - width - 1}, {std::max(right, left + width), corner.y - 1}, ink);
  }
}

/// True when the options are asked for by the mouse.
bool followMouse(const MapFrame& frame) {
  if (!ImPlot::IsPlotHovered() || isMouseAtRest()) return false;
  const ImPlotPoint place = ImPlot::GetPlotMousePos();
  followPointer(frame, place.x, place.y);
  chooseByClick(frame);
  return ImGui::IsMouseReleased(ImGuiMouseButton_Right);
}

/// True when the options are asked for.
bool drawPlot(MapFrame& frame, const MapLayout& layout) {
  const std::string name = "##" + std::string(frame.map.label);
  const ImGuiID item = ImGui::GetID(name.c_str());
  MapZoom& zoom = zoomOf(frame);
  bool isAskedFor = followMapKeys(frame, zoom, item);
  // Dear ImGui counts the item that has the keyboard as pointed at: the wheel would turn it from elsewhere.
  const auto flags =
      ImPlotFlags_CanvasOnly | ImPlotFlags_NoFrame | (isMouseAtRest() ? ImPlotFlags_NoInputs : 0);
  ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, ImVec2(0, 0));
  if (ImPlot::BeginPlot(name.c_str(), layout.size, flags)) {
    setUpAxes(frame, zoom);
    drawCells(frame);
    if (layout.hasLabels) drawAxisLabels(frame, layout);
    markChosen(frame);
    isAskedFor |= followMouse(frame);
    drawMapCursor(frame, item);
    ImPlot::EndPlot();
  }
  ImPlot::PopStyleVar();
  return isAskedFor;
}

/// Writes the power of ten that the numbers are multiples of, where no colour bar does so; false without
/// room.
bool tellFactor(const MapFrame& frame, ImVec2 at, float room) {
  const Theme& theme = frame.context.theme;
  const std::string factor = "×" + powerText(frame.exponent);
  ImFont* font = theme.small;
  if (font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, factor.c_str()).x > room) return false;
  ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {at.x, at.y - font->FontSize},
                                      ImGui::GetColorU32(theme.faint), factor.c_str());
  nameRect("factor", {at.x, at.y - font->FontSize}, {at.x + room, at.y});
  return true;
}

/// One map with all that stands around it, in the middle of the room's width.
void drawOne(MapFrame& frame, ImVec2 room) {
  const MapLayout layout = layOut(frame, room, colourBarHeight(frame));
  if (layout.size.x < 8 || layout.size.y < 8) return;
  const float whole = layout.left + layout.size.x + layout.right;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 origin(at.x + std::floor(std::max(0.0f, room.x - whole) / 2), at.y);
  if (frame.exponent != 0 && (!layout.hasBar || frame.picture.isLogarithmic)) {
    const float gap = 8 * frame.context.theme.unit, right = origin.x + whole + gap;
    frame.isFactorTold =
        tellFactor(frame, {right, origin.y + layout.top + layout.size.y}, at.x + room.x - right);
  }
  ImGui::SetCursorScreenPos({origin.x + layout.left, origin.y + layout.top});
  if (drawPlot(frame, layout)) openMapOptions(frame.map.label);
  if (!layout.hasBar) return;
  ImGui::SetCursorScreenPos({origin.x + layout.left, origin.y + layout.top + layout.size.y + layout.bottom});
  drawColourBar(frame, layout.size.x);
}

}  // namespace

void drawMap(ViewContext& context, const Map& map) {
  if (!map.values || map.rows == 0 || map.cols == 0) return hintNoDifference(context);
  MapOptions& options = mapOptions(context);
  const bool showsAll = options.showsAllHeads && map.stack && map.stack->heads() > 1;
  if (showsAll) options.sharesRange = true;  // side by side, a colour means one number
  MapFrame frame = frameOf(context, map);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float bar = colourBarHeight(frame);
  if (room.x < 16 || room.y < (showsAll ? bar : 0) + 16) return;
  if (showsAll) {
    drawAllHeads(frame, {room.x, room.y - bar - ImGui::GetStyle().ItemSpacing.y});
    drawColourBar(frame, room.x);
  } else {
    drawOne(frame, room);
  }
  std::string& asked = context.state.maps.opensOptions;
  if (isMainMap(map) && asked == currentPanel()) {
    asked.clear();
    openMapOptions(map.label);
  }
  drawMapOptions(frame);
}

bool drawThumbnail(ViewContext& context, const Map& map, float width, float height) {
  const ImVec2 min = ImGui::GetCursorScreenPos(), max(min.x + width, min.y + height);
  const bool isClicked = ImGui::InvisibleButton(map.label, {width, height});
  if (!ImGui::IsItemVisible()) return isClicked;
  MapFrame frame = frameOf(context, map);
  frame.picture.min = frame.picture.clipMin = min;
  frame.picture.max = frame.picture.clipMax = max;
  frame.picture.isSmall = true;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  context.heatmaps.draw(list, ImGui::GetItemID(), frame.picture);
  list.PushClipRect({min.x - 3, min.y - 3}, {max.x + 3, max.y + 3}, true);
  drawMarks(frame, list, min, max);
  list.PopClipRect();
  ImGui::RenderNavHighlight({min, max}, ImGui::GetItemID());
  if (ImGui::IsItemHovered() && !isMouseAtRest()) {
    const ImVec2 mouse = ImGui::GetMousePos();
    followPointer(frame,
                  static_cast<double>((mouse.x - min.x) / width) * static_cast<double>(frame.across.count),
                  static_cast<double>((mouse.y - min.y) / height) * static_cast<double>(frame.down.count));
  }
  return isClicked;
}

}  // namespace attn
