#include "app/views/lab_widgets.h"

#include <implot.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/item_registry.h"
#include "app/presenter/hidden_values.h"
#include "app/views/labels.h"
#include "app/views/number_control.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

constexpr float kControls = 19;      // the column's width, in letters
constexpr float kLeastPicture = 15;  // beside it; also in an audience's large letters

void setSliderWidth() {
  const float font = ImGui::GetFontSize();
  ImGui::SetNextItemWidth(std::clamp(ImGui::GetContentRegionAvail().x - 6.5f * font, 5 * font, 14 * font));
}

}  // namespace

void drawLab(ViewContext& context, const std::function<void()>& controls,
             const std::function<void()>& picture) {
  const float font = ImGui::GetFontSize();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool isWide = room.x > (kControls + kLeastPicture) * font;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                      ImVec2(ImGui::GetStyle().ItemSpacing.x, 4 * context.theme.unit));
  if (isWide) {
    ImGui::BeginChild("controls", {kControls * font, 0}, false, ImGuiWindowFlags_NavFlattened);
    controls();
    ImGui::EndChild();
    ImGui::SameLine(0, 1.2f * font);
    ImGui::BeginChild("picture", {0, 0}, false, ImGuiWindowFlags_NavFlattened);
  } else {
    controls();
    ImGui::Dummy({0, 2 * context.theme.unit});
    const float least = std::max(18 * font, ImGui::GetContentRegionAvail().y);
    ImGui::BeginChild("picture", {0, least}, false, ImGuiWindowFlags_NavFlattened);
  }
  picture();
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

bool labSlider(const char* label, double& value, double low, double high, const char* format,
               ImGuiSliderFlags flags) {
  setSliderWidth();
  return slideNumber(label, value, {low, high}, format, flags | ImGuiSliderFlags_AlwaysClamp);
}

bool labSlider(const char* label, Index& value, Index low, Index high, ImGuiSliderFlags flags) {
  static_assert(sizeof(Index) == 8);
  setSliderWidth();
  return ImGui::SliderScalar(label, ImGuiDataType_S64, &value, &low, &high, "%lld",
                             flags | ImGuiSliderFlags_AlwaysClamp);
}

bool labPowerSlider(const char* label, Index& value, Index most) {
  const auto powerOf = [](Index x) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x))) - 1;
  };
  int power = powerOf(value);
  setSliderWidth();
  const bool isMoved = ImGui::SliderInt(label, &power, 0, powerOf(most), std::to_string(value).c_str(),
                                        ImGuiSliderFlags_NoInput);
  if (isMoved) value = Index{1} << power;
  return isMoved;
}

bool labSeed(std::uint64_t& seed) {
  const std::uint64_t step = 1;
  setSliderWidth();
  return ImGui::InputScalar("seed", ImGuiDataType_U64, &seed, &step);
}

bool sendButton() {
  ImGui::Dummy({0, 0.2f * ImGui::GetFontSize()});
  return ImGui::Button("Send to the window");
}

void labReadout(ViewContext& context, const char* lab, int number, const std::string& name,
                const std::string& value, const char* tooltip) {
  ImGui::BeginGroup();
  ImGui::TextColored(context.theme.faint, "%s", name.c_str());
  ImGui::SameLine(0, 0.5f * ImGui::GetFontSize());
  ImGui::TextUnformatted(shownValue(context.state, lab, number, 1, value).c_str());
  ImGui::EndGroup();
  nameRect(("readout " + name).c_str(), ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (!ImGui::IsItemHovered()) return;
  pointAtValue(context.state, lab, number, 1);
  ImGui::SetItemTooltip("%s", tooltip);
}

bool beginFigure(ViewContext& context, const char* lab, int number, const std::string& title, ImVec2 size) {
  const float font = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + size.x, at.y + size.y);
  ImGui::BeginChild(title.c_str(), size, false, kPart | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::TextUnformatted(elided(title, size.x).c_str());
  if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, end))
    pointAtValue(context.state, lab, number, 0);
  const bool isHidden = isValueHidden(context.state, lab, number, 0);
  if (isHidden)
    ImGui::GetWindowDrawList()->AddText(context.theme.heading, 3 * font,
                                        {(at.x + end.x) / 2 - font, (at.y + end.y) / 2 - 1.5f * font},
                                        ImGui::GetColorU32(context.theme.faint), "?");
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (isHidden || room.x < 3 * font || room.y < 3 * font) {
    ImGui::EndChild();
    return false;
  }
  nameRect(("figure " + title).c_str(), at, end);
  return true;
}

void endFigure() {
  ImGui::EndChild();
}

bool beginChart(ViewContext& context, const char* lab, int number, const std::string& title, ImVec2 size,
                const std::function<void()>& drawLegend) {
  if (!beginFigure(context, lab, number, title, size)) return false;
  if (drawLegend) drawLegend();
  constexpr auto kFlags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs | ImPlotFlags_NoFrame;
  ImGui::PushFont(context.theme.small);
  if (ImPlot::BeginPlot(("##" + title).c_str(), {-1, -1}, kFlags)) return true;
  ImGui::PopFont();
  endFigure();
  return false;
}

void endChart() {
  ImPlot::EndPlot();
  ImGui::PopFont();
  endFigure();
}

void setUpAxes(const ViewContext& context, const AxisRange& x, const AxisRange& y) {
  ImPlot::SetupAxes(nullptr, nullptr, ImPlotAxisFlags_NoMenus, ImPlotAxisFlags_NoMenus);
  for (const auto& [axis, range] : {std::pair{ImAxis_X1, x}, {ImAxis_Y1, y}}) {
    if (range.isLogarithmic) ImPlot::SetupAxisScale(axis, ImPlotScale_Log10);
    ImPlot::SetupAxisFormat(axis, writeTick, tickData(context.state.notation));
    ImPlot::SetupAxisLimits(axis, range.low, range.high, ImPlotCond_Always);
  }
}

void nameInChart(const ViewContext& context, const char* text, double x, double y, ImVec2 offset) {
  const float font = ImGui::GetFontSize();
  ImPlot::PushStyleColor(ImPlotCol_InlayText, context.theme.text);
  ImPlot::PlotText(text, x, y, {offset.x * font, offset.y * font});
  ImPlot::PopStyleColor();
}

bool isChartHovered() {
  const ImVec2 min = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, {min.x + size.x, min.y + size.y});
}

void drawCharts(ViewContext& context, std::span<const char* const> names, int& page,
                const std::function<void(int, ImVec2)>& draw) {
  const float font = ImGui::GetFontSize(), gap = 0.8f * font;
  const ImVec2 least(13 * font, 10.5f * font);
  const int count = static_cast<int>(names.size());
  ImVec2 room = ImGui::GetContentRegionAvail(), best;
  const auto cell = [&](int columns, int rows) {
    return ImVec2((room.x - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns),
                  (room.y - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows));
  };
  int across = 0;
  float ease = 0;  // how large the charts are, and how few places stay empty
  for (int columns = 1; columns <= std::min(4, count); ++columns) {
    const ImVec2 size = cell(columns, (count + columns - 1) / columns);
    const float here = std::min(size.x / least.x, size.y / least.y);
    const int places = columns * ((count + columns - 1) / columns);
    const float filled = static_cast<float>(count) / static_cast<float>(places);
    const float rating = here * filled * filled;
    if (here >= 1 && rating > ease) ease = rating, across = columns, best = size;
  }
  for (int number = 0; across > 0 && number < count; ++number) {
    if (number % across != 0) ImGui::SameLine(0, gap);
    draw(number, best);
  }
  if (across > 0) return;
  pages(context.theme, page, names);
  room = ImGui::GetContentRegionAvail();
  if (room.x > 2 * least.x + gap && page != 0) {
    room.x = (room.x - gap) / 2;
    draw(0, room);
    ImGui::SameLine(0, gap);
  }
  draw(page, room);
}

void legendEntry(const ViewContext& context, int series, const char* name) {
  const float font = ImGui::GetFontSize();
  flowTo(ImGui::CalcTextSize(name).x + 1.5f * font, font);
  ImGui::TextColored(context.theme.series[series], "%s", seriesSign(series));
  ImGui::SameLine(0, 0.4f * font);
  ImGui::TextUnformatted(name);
}

const char* seriesSign(int series) {
  constexpr const char* kSigns[] = {"●", "■", "◆", "▲"};
  return kSigns[series % 4];
}

int seriesMarker(int series) {
  constexpr int kMarkers[] = {ImPlotMarker_Circle, ImPlotMarker_Square, ImPlotMarker_Diamond,
                              ImPlotMarker_Up};
  return kMarkers[series % 4];
}

}  // namespace attn
