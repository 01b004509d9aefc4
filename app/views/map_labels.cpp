#include "app/views/map_labels.h"

#include <imgui_internal.h>
#include <implot.h>

#include <algorithm>
#include <cmath>

#include "app/presenter/hidden_values.h"
#include "app/views/labels.h"

namespace attn {
namespace {

constexpr Index kMeasured = 64;  // more labels than these are not measured one by one

struct Ends {
  double begin, end;      // in cells
  float from, to, limit;  // in pixels
};

float widestLabel(const MapFrame& frame, const MapAxis& axis) {
  const Index stride = std::max<Index>(1, axis.count / kMeasured);
  float widest = 0;
  const auto measure = [&](Index i) {
    const std::string label = axisLabel(frame.context.state.notation, frame.context.shown, axis.kind, i);
    widest = std::max(widest, ImGui::CalcTextSize(label.c_str()).x);
  };
  for (Index i = 0; i < axis.count; i += stride) measure(i);
  measure(axis.count - 1);
  return widest + (stride > 1 && axis.kind != Map::Axis::dimensions ? 0.3f * ImGui::GetFontSize() : 0);
}

bool hasWords(const Scene& scene, Map::Axis axis) {
  return axis == Map::Axis::queries ? !scene.queryLabels.empty()
                                    : axis == Map::Axis::keys && !scene.keyLabels.empty();
}

/// While cells can be told apart, they are at most half as wide again as they are high, and the other way
/// round, as far as that leaves a few long rows or columns thick enough to be seen.
ImVec2 fittingSize(const MapFrame& frame, ImVec2 room) {
  constexpr float kMostStretch = 1.5f;
  constexpr Index kManyCells = 64;
  if (room.x < 8 || room.y < 8) return {0, 0};
  if (std::max(frame.across.count, frame.down.count) > kManyCells)
    return {std::floor(room.x), std::floor(room.y)};
  const float cols = static_cast<float>(frame.across.count), rows = static_cast<float>(frame.down.count);
  const float width = room.x / cols, height = room.y / rows;
  const ImVec2 cell(std::min(width, height * kMostStretch), std::min(height, width * kMostStretch));
  const auto whole = [](float side) { return side >= 12 ? std::floor(side) : side; };  // lines lie on pixels
  const auto thick = [&](float side, float most) {
    return std::floor(std::max(side, std::min(most, 2.5f * frame.context.theme.small->FontSize)));
  };
  return {thick(cols * whole(cell.x), room.x), thick(rows * whole(cell.y), room.y)};
}

bool hasSums(const MapFrame& frame) {
  return frame.options.showsRowSums && !frame.facts.rowSums.empty();
}

std::vector<Index> markedOn(const MapFrame& frame, Map::Axis axis) {
  std::vector<Index> marked;
  if (const auto hovered = hoveredOn(frame.context.state.hover, axis)) marked.push_back(*hovered);
  if (axis == Map::Axis::queries) marked.push_back(frame.context.state.selection.query);
  return marked;
}

std::vector<PlacedLabel> placeOn(const MapFrame& frame, const MapAxis& axis, const Ends& ends, float needed) {
  return placeLabels(ends.begin, ends.end, ends.from, ends.to, axis.count, needed, ends.limit,
                     markedOn(frame, axis.kind));
}

/// How far to the right labels may go: over the panel's padding, which is empty.
float rightEdge(const MapFrame& frame) {
  const ImGuiWindow& window = *ImGui::GetCurrentWindow();
  const ImGuiWindow& panel = *window.RootWindow;
  const float own = window.Pos.x + window.Size.x;
  return std::max(
      own, std::min(own + panel.WindowPadding.x, panel.Pos.x + panel.Size.x) - 2 * frame.context.theme.unit);
}

/// The left edge of the sign above the sums, which is flush with them at the right.
float signOfSums(const MapFrame& frame) {
  const float gap = 6 * frame.context.theme.unit, width = ImGui::CalcTextSize("0.00").x;
  return ImPlot::GetPlotPos().x + ImPlot::GetPlotSize().x + gap + width - ImGui::CalcTextSize("Σ").x;
}

/// Labels above stop before the sign of the sums.
Ends endsOf(const MapFrame& frame, bool isAcross) {
  const ImVec2 corner = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  const ImPlotRect limits = ImPlot::GetPlotLimits();
  const ImVec2 window = ImGui::GetWindowPos(), room = ImGui::GetWindowSize();
  const bool isFollowed = hasSums(frame) && !frame.options.isTransposed;
  const float right = isFollowed ? signOfSums(frame) - 2 * frame.context.theme.unit : rightEdge(frame);
  return isAcross ? Ends{limits.X.Min, limits.X.Max, corner.x, corner.x + size.x, right}
                  : Ends{limits.Y.Min, limits.Y.Max, corner.y, corner.y + size.y, window.y + room.y};
}

ImU32 inkOf(const MapFrame& frame, bool isMarked) {
  return ImGui::GetColorU32(isMarked ? frame.context.theme.accent : frame.context.theme.text);
}

void drawDownLabels(const MapFrame& frame, const MapLayout& layout) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float font = ImGui::GetFontSize(), gap = 8 * frame.context.theme.unit;
  const float right = ImPlot::GetPlotPos().x - gap;
  for (const PlacedLabel& label : placeOn(frame, frame.down, endsOf(frame, false), font)) {
    const std::string text =
        elided(axisLabel(frame.context.state.notation, frame.context.shown, frame.down.kind, label.index),
               layout.left - gap);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    list.AddText({std::round(right - width), std::round(label.centre - font / 2)},
                 inkOf(frame, label.isMarked), text.c_str());
  }
}

void drawAcrossLabels(const MapFrame& frame, const MapLayout& layout) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float unit = frame.context.theme.unit, font = ImGui::GetFontSize(), gap = 5 * unit;
  const float foot = ImPlot::GetPlotPos().y - gap;
  const float needed = layout.isUpright ? font : widestLabel(frame, frame.across) + 6 * unit;
  for (const PlacedLabel& label : placeOn(frame, frame.across, endsOf(frame, true), needed)) {
    const std::string whole =
        axisLabel(frame.context.state.notation, frame.context.shown, frame.across.kind, label.index);
    const std::string text = elided(whole, layout.isUpright ? layout.top - gap : needed);
    const ImU32 ink = inkOf(frame, label.isMarked);
    if (layout.isUpright) {
      addTextUpwards(list, {std::round(label.centre), std::round(foot)}, ink, text);
    } else {
      const float width = ImGui::CalcTextSize(text.c_str()).x;
      list.AddText({std::round(label.centre - width / 2), std::round(foot - font)}, ink, text.c_str());
    }
  }
}

/// How far the label of a thin first row stands out above the map.
float overhang(const MapFrame& frame) {
  const Ends ends = endsOf(frame, false);
  const double cell = static_cast<double>(ends.to - ends.from) / std::max(1e-6, ends.end - ends.begin);
  return std::max(0.0f, (frame.context.theme.small->FontSize - static_cast<float>(cell)) / 2);
}

/// What the weights of each query add up to, behind its row or under its column.
void drawSums(const MapFrame& frame) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Theme& theme = frame.context.theme;
  const ImVec2 corner = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  const float font = ImGui::GetFontSize(), gap = 6 * theme.unit;
  const bool isBelow = frame.options.isTransposed;
  const float needed = isBelow ? ImGui::CalcTextSize("0.000").x : font;
  const ImVec2 sign =
      isBelow ? ImVec2(corner.x - gap - ImGui::CalcTextSize("Σ").x, corner.y + size.y + gap)
              : ImVec2(signOfSums(frame), corner.y - std::max(5 * theme.unit, overhang(frame)) - font);
  list.AddText({std::round(sign.x), std::round(sign.y)}, ImGui::GetColorU32(theme.faint), "Σ");
  const MapAxis& axis = isBelow ? frame.across : frame.down;
  for (const PlacedLabel& label : placeOn(frame, axis, endsOf(frame, isBelow), needed)) {
    const double sum = frame.facts.rowSums[static_cast<std::size_t>(label.index)];
    const std::string text = shownValue(frame.context.state, frame.key + " sums", label.index, 0,
                                        numberText(frame.context.state.notation, sum));
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    const ImVec2 at = isBelow ? ImVec2(label.centre - width / 2, corner.y + size.y + gap)
                              : ImVec2(corner.x + size.x + gap, label.centre - font / 2);
    const ImVec4& colour = sum > 0 ? theme.faint : theme.warning;  // a query that sees nothing, or NaN
    list.AddText({std::round(at.x), std::round(at.y)}, ImGui::GetColorU32(colour), text.c_str());
  }
}

/// 1, 2, 5, 10, 20, 50, …
Index roundStride(double least) {
  Index power = 1;
  while (true) {
    for (const Index step : {1, 2, 5})
      if (static_cast<double>(step * power) >= least) return step * power;
    power *= 10;
  }
}

const char* nameOf(Map::Axis axis) {
  return axis == Map::Axis::queries ? "queries" : axis == Map::Axis::keys ? "keys" : "dimensions";
}

/// What goes down and what goes across, in the corner between the labels: words if they fit, or letters.
void drawCorner(const MapFrame& frame, const MapLayout& layout) {
  ImGui::PushFont(frame.context.theme.cells);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float unit = frame.context.theme.unit, font = ImGui::GetFontSize(), room = layout.left - 10 * unit;
  const ImVec2 corner = ImPlot::GetPlotPos();
  std::string across = std::string(nameOf(frame.across.kind)) + " →";
  std::string down = std::string(nameOf(frame.down.kind)) + " ↓";
  const auto width = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
  const auto letter = [](std::string& text) { text = text.substr(0, 1) + text.substr(text.find(' ')); };
  if (layout.top < 2 * font + unit + std::max(3 * unit, overhang(frame))) across.clear();
  if (std::max(width(across), width(down)) > room) letter(down);
  if (!across.empty() && width(across) > room) letter(across);
  const ImU32 ink = ImGui::GetColorU32(frame.context.theme.faint);
  const float right = corner.x - 8 * unit, foot = corner.y - std::max(3 * unit, overhang(frame)) - font;
  list.AddText({std::round(right - width(down)), std::round(foot)}, ink, down.c_str());
  if (!across.empty())
    list.AddText({std::round(right - width(across)), std::round(foot - font - unit)}, ink, across.c_str());
  ImGui::PopFont();
}

MapLayout layOutLabelled(const MapFrame& frame, ImVec2 room) {
  ImGui::PushFont(frame.context.theme.small);
  const float font = ImGui::GetFontSize(), unit = frame.context.theme.unit;
  const float across = widestLabel(frame, frame.across), down = widestLabel(frame, frame.down);
  const float sum = ImGui::CalcTextSize("0.00").x + 8 * unit;
  ImGui::PopFont();
  MapLayout layout;
  layout.left = std::ceil(std::min(std::max(down, font), room.x * 0.3f) + 10 * unit);
  layout.top = std::ceil(font + 8 * unit);
  if (hasSums(frame) && !frame.options.isTransposed) layout.right = std::ceil(sum);
  if (hasSums(frame) && frame.options.isTransposed) layout.bottom = std::ceil(font + 8 * unit);
  const auto fit = [&] {
    layout.size =
        fittingSize(frame, {room.x - layout.left - layout.right, room.y - layout.top - layout.bottom});
  };
  fit();
  const float cell = layout.size.x / static_cast<float>(frame.across.count);
  layout.isUpright = hasWords(frame.context.shown, frame.across.kind) && across + 6 * unit > cell;
  if (layout.isUpright) {
    layout.top = std::ceil(std::min(across, room.y * 0.3f) + 8 * unit);
    fit();
  }
  return layout;
}

MapLayout layOutBare(const MapFrame& frame, ImVec2 room) {
  MapLayout layout;
  layout.hasLabels = layout.hasBar = false;
  layout.left = layout.top = std::round(5 * frame.context.theme.unit);  // for the mark of the chosen query
  layout.size = fittingSize(frame, {room.x - layout.left, room.y - layout.top});
  return layout;
}

/// Whether the labels leave the cells enough to be told apart.
bool isRoomy(const MapFrame& frame, const MapLayout& layout, ImVec2 room) {
  const float least = 5.5f * frame.context.theme.small->FontSize;
  return room.x - layout.left - layout.right >= least && room.y - layout.top - layout.bottom >= least;
}

}  // namespace

std::vector<PlacedLabel> placeLabels(double begin, double end, float from, float to, Index count,
                                     float needed, float limit, std::span<const Index> marked) {
  constexpr float kClose = 0.9f;
  std::vector<PlacedLabel> placed;
  if (!(end > begin) || !(to > from) || count <= 0) return placed;
  const double cell = (to - from) / (end - begin);
  const auto tryAt = [&](Index i, bool isMarked) {
    if (i < 0 || i >= count) return;
    const auto left = static_cast<float>(from + (static_cast<double>(i) - begin) * cell);
    const float first = std::max(left, from), last = std::min(left + static_cast<float>(cell), to);
    const float middle = (first + last) / 2;  // of what can be seen of the cell
    const float centre = std::min(middle, limit - kClose * needed / 2);
    const float apart = needed * (centre < middle ? kClose : 0.999f);  // moved inwards, it may stand closer
    const bool isCutOff = static_cast<float>(cell) > needed && last - first < needed * 0.75f;
    const bool isFree = std::none_of(placed.begin(), placed.end(), [&](const PlacedLabel& other) {
      return std::abs(other.centre - centre) < apart;
    });
    if (last > first && !isCutOff && isFree) placed.push_back({i, centre, isMarked});
  };
  for (const Index i : marked) tryAt(i, true);
  const Index stride = roundStride(needed / cell);
  const Index start = std::max<Index>(0, static_cast<Index>(std::floor(begin)) / stride * stride);
  for (Index i = start; i < count && static_cast<double>(i) < end; i += stride) tryAt(i, false);
  return placed;
}

MapLayout layOut(const MapFrame& frame, ImVec2 room, float bar) {
  const ImVec2 above(room.x, room.y - bar);
  MapLayout layout = layOutLabelled(frame, above);
  if (isRoomy(frame, layout, above)) return layout;
  layout = layOutLabelled(frame, room);
  layout.hasBar = false;
  return isRoomy(frame, layout, room) ? layout : layOutBare(frame, room);
}

void drawAxisLabels(const MapFrame& frame, const MapLayout& layout) {
  ImGui::PushFont(frame.context.theme.small);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  list.PushClipRect(min, {rightEdge(frame), min.y + size.y});
  drawDownLabels(frame, layout);
  drawAcrossLabels(frame, layout);
  if (layout.isUpright) drawCorner(frame, layout);
  if (hasSums(frame)) drawSums(frame);
  list.PopClipRect();
  ImGui::PopFont();
}

}  // namespace attn
