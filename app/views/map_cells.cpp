#include "app/views/map_cells.h"

#include <imgui.h>
#include <implot.h>

#include <algorithm>
#include <cmath>

#include "app/presenter/hidden_values.h"

namespace attn {
namespace {

struct Cells {
  Index firstDown, lastDown, firstAcross, lastAcross;
};

Cells visibleCells(const MapFrame& frame) {
  const ImPlotRect limits = ImPlot::GetPlotLimits();
  const auto inside = [](double place, Index count) {
    return std::clamp(static_cast<Index>(std::floor(place)), Index{0}, count - 1);
  };
  return {inside(limits.Y.Min, frame.down.count), inside(limits.Y.Max, frame.down.count),
          inside(limits.X.Min, frame.across.count), inside(limits.X.Max, frame.across.count)};
}

ImVec2 cellSize() {
  const ImVec2 a = ImPlot::PlotToPixels(0, 0), b = ImPlot::PlotToPixels(1, 1);
  return {std::abs(b.x - a.x), std::abs(b.y - a.y)};
}

/// Black or white, whichever stands out; on hatching the colour of the words.
ImU32 inkOn(const MapFrame& frame, const ColormapTable& table, float value) {
  if (!std::isfinite(value)) return ImGui::GetColorU32(frame.context.theme.text);
  const Rgb colour = colourAt(table, shareOf(frame.picture.scale(), value));
  return isBright(colour) ? IM_COL32(12, 14, 18, 255) : IM_COL32(255, 255, 255, 255);
}

struct NumberStyle {
  ImFont* font = nullptr;
  float room = 1;  // how many times its own size it needs
  enum class Shortened { no, toTwoDigits, toOneDecimal, toOneDigit } shortened = Shortened::no;
};

/// In full, or as ".89", "−.43", "4.1"; ".9", "−.4", "4.1"; ".9", "−.4", "4".
std::string numberIn(const MapFrame& frame, float value, const NumberStyle& style) {
  Notation notation = frame.context.state.notation;
  using Shortened = NumberStyle::Shortened;
  if (style.shortened == Shortened::no || !std::isfinite(value))
    return cellText(notation, value, frame.exponent, frame.digits);
  const double scaled = std::abs(static_cast<double>(value)) * std::pow(10.0, -frame.exponent);
  const int decimals = style.shortened == Shortened::toTwoDigits ? 2 : 1;  // of what is below one
  const double half = decimals == 2 ? 0.005 : 0.05;                        // what rounding may add
  if (scaled < half) return "0";
  const bool isBelowOne = scaled < 1 - half;
  notation.digits = Notation::kAutomatic;
  const bool hasDecimal = style.shortened != Shortened::toOneDigit && scaled < 9.95;
  std::string text = cellText(notation, value, frame.exponent, isBelowOne ? decimals : hasDecimal);
  if (isBelowOne) text.erase(text.find('0'), 1);
  return text;
}

/// The largest way to write the map's numbers that has room in a cell, with fewer digits before none; no font
/// where there is none. For an audience, large letters come before the zero in front of the point.
NumberStyle styleFor(const MapFrame& frame, ImVec2 cell) {
  const Theme& theme = frame.context.theme;
  using Shortened = NumberStyle::Shortened;
  const NumberStyle styles[] = {{theme.large, 2.2f},
                                {theme.formula[0], 1.7f},
                                {theme.words, 1.3f},
                                {theme.small},
                                {theme.small, 1, Shortened::toTwoDigits},
                                {theme.cells},
                                {theme.cells, 1, Shortened::toTwoDigits},
                                {theme.cells, 1, Shortened::toOneDecimal},
                                {theme.cells, 1, Shortened::toOneDigit}};
  const bool isForAudience = frame.context.state.presenter.isOn;
  for (const NumberStyle& style : styles) {
    if (style.shortened != Shortened::no && style.font == theme.small && !isForAudience) continue;
    const float size = style.font->FontSize;
    float widest = 0;
    const float unit = std::pow(10.0f, static_cast<float>(frame.exponent));
    const float small = frame.facts.extent.low < 0 ? -0.88f * unit : 0.88f * unit;
    for (const float value : {frame.facts.extent.low, frame.facts.extent.high, small}) {
      const std::string text = numberIn(frame, value, style);
      widest = std::max(widest, style.font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x);
    }
    const float margin = (style.shortened == Shortened::no           ? 4
                          : style.shortened == Shortened::toOneDigit ? 0
                                                                     : 2) *
                         theme.unit;
    if (cell.x >= style.room * widest + margin && cell.y >= style.room * size + 2 * theme.unit) return style;
  }
  return {};
}

void drawNumber(const MapFrame& frame, const std::string& text, bool isFinite, ImVec2 centre,
                const NumberStyle& style, ImU32 ink) {
  ImFont* font = style.font;
  const float size = font->FontSize;
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  const ImVec2 extent = font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str());
  const ImVec2 at(std::round(centre.x - extent.x / 2), std::round(centre.y - extent.y / 2));
  if (!isFinite)
    list.AddRectFilled({at.x - 2, at.y}, {at.x + extent.x + 2, at.y + extent.y},
                       ImGui::GetColorU32(frame.context.theme.panel));
  list.AddText(font, size, at, ink, text.c_str());
}

/// A frame that is seen on any colour: a light line within a dark one. It leaves room for what it frames.
void addFrame(const MapFrame& frame, ImDrawList& list, ImVec2 min, ImVec2 max, float width) {
  const float unit = std::max(1.0f, std::round(frame.context.theme.unit)), least = 6 * unit;
  const ImVec2 grow(std::max(0.0f, least - (max.x - min.x)) / 2, std::max(0.0f, least - (max.y - min.y)) / 2);
  const ImVec2 a(std::round(min.x - grow.x), std::round(min.y - grow.y));
  const ImVec2 b(std::round(max.x + grow.x), std::round(max.y + grow.y));
  list.AddRect({a.x - unit, a.y - unit}, {b.x + unit, b.y + unit}, IM_COL32(10, 12, 16, 220), 0, 0,
               unit + width / 2);
  list.AddRect(a, b, IM_COL32(255, 255, 255, 255), 0, 0, width);
}

}  // namespace

void drawNumbers(const MapFrame& frame) {
  if (!frame.options.showsNumbers || !frame.context.state.maps.showsNumbers || !frame.isFactorTold) return;
  const NumberStyle style = styleFor(frame, cellSize());
  if (!style.font) return;
  const ColormapTable table = tableOf(frame.picture.colormap);
  const Cells cells = visibleCells(frame);
  const ViewState& state = frame.context.state;
  for (Index down = cells.firstDown; down <= cells.lastDown; ++down)
    for (Index across = cells.firstAcross; across <= cells.lastAcross; ++across) {
      const Index row = frame.rowOf(across, down), col = frame.colOf(across, down);
      if (frame.isHidden(row, col)) continue;
      const float value = frame.value(row, col);
      const ImVec2 centre =
          ImPlot::PlotToPixels(static_cast<double>(across) + 0.5, static_cast<double>(down) + 0.5);
      const bool isSecret = isValueHidden(state, frame.key, row, col);
      const ImU32 ink = isSecret && areColoursHidden(state) ? ImGui::GetColorU32(frame.context.theme.text)
                                                            : inkOn(frame, table, value);
      drawNumber(frame, isSecret ? "?" : numberIn(frame, value, style), std::isfinite(value), centre, style,
                 ink);
    }
}

void coverHidden(const MapFrame& frame) {
  const ViewState& state = frame.context.state;
  if (!areColoursHidden(state)) return;
  constexpr Index kMost = 1 << 14;  // more are covered together: nobody reveals single ones among so many
  const Cells cells = visibleCells(frame);
  const ImU32 paper = ImGui::GetColorU32(ImGuiCol_FrameBg),
              rule = ImGui::GetColorU32(frame.context.theme.border);
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  const auto cover = [&](Index across, Index down, Index acrossEnd, Index downEnd) {
    const auto place = [](Index a, Index d) {
      return ImPlot::PlotToPixels(static_cast<double>(a), static_cast<double>(d));
    };
    const ImVec2 min = place(across, down), max = place(acrossEnd, downEnd);
    list.AddRectFilled(min, max, ImGui::GetColorU32(frame.context.theme.panel));
    list.AddRectFilled(min, max, paper);
    list.AddRect(min, max, rule);
  };
  if ((cells.lastDown - cells.firstDown + 1) * (cells.lastAcross - cells.firstAcross + 1) > kMost)
    return cover(cells.firstAcross, cells.firstDown, cells.lastAcross + 1, cells.lastDown + 1);
  for (Index down = cells.firstDown; down <= cells.lastDown; ++down)
    for (Index across = cells.firstAcross; across <= cells.lastAcross; ++across) {
      const Index row = frame.rowOf(across, down), col = frame.colOf(across, down);
      if (!frame.isHidden(row, col) && isValueHidden(state, frame.key, row, col))
        cover(across, down, across + 1, down + 1);
    }
}

void drawMarks(const MapFrame& frame, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const Hover& hover = frame.context.state.hover;
  const auto across = hoveredOn(hover, frame.across.kind), down = hoveredOn(hover, frame.down.kind);
  const ImVec2 cell((max.x - min.x) / static_cast<float>(frame.across.count),
                    (max.y - min.y) / static_cast<float>(frame.down.count));
  const auto x = [&](Index i) { return min.x + cell.x * static_cast<float>(i); };
  const auto y = [&](Index i) { return min.y + cell.y * static_cast<float>(i); };
  const float thin = std::max(1.0f, std::round(frame.context.theme.unit)), thick = 2 * thin;
  const bool hasAcross = across && *across < frame.across.count;
  const bool hasDown = down && *down < frame.down.count;
  if (hasDown) addFrame(frame, list, {min.x, y(*down)}, {max.x, y(*down + 1)}, thin);
  if (hasAcross) addFrame(frame, list, {x(*across), min.y}, {x(*across + 1), max.y}, thin);
  if (hasDown && hasAcross)
    addFrame(frame, list, {x(*across), y(*down)}, {x(*across + 1), y(*down + 1)}, thick);
}

void outlineCursor(const MapFrame& frame, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const float unit = std::max(1.0f, std::round(frame.context.theme.unit));
  addFrame(frame, list, min, max, 2 * unit);
  const float out = 2 * unit;  // around the frame: a colour that marks of the mouse do not have
  list.AddRect({std::round(min.x) - out, std::round(min.y) - out},
               {std::round(max.x) + out, std::round(max.y) + out},
               ImGui::GetColorU32(frame.context.theme.accent), 0, 0, 2 * unit);
}

}  // namespace attn
