#include <imgui.h>
#include <implot.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/item_registry.h"
#include "app/presenter/hidden_values.h"
#include "app/views/gradients_pages.h"
#include "app/views/labels.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

constexpr const char* kEdits = "Gradients/edits";  // for numbers that can be hidden

bool isSecret(const ViewContext& context) {
  return isValueHidden(context.state, kEdits, 0, 0);
}

constexpr double kShortestSpan = 10, kLongestSpan = 180;  // seconds of work in sight

/// The samples that are in sight, of the chosen head, as what is plotted.
struct Strip {
  const NormHistory& history;
  std::size_t first = 0;
  std::size_t head = 0;
  double end = 0, span = kShortestSpan;
  double low = 0, high = 0;  // powers of ten

  double placeOf(std::size_t i) const { return history[i].place - end; }
  float normOf(std::size_t i, GradientName name) const {
    const auto& heads = history[i].ofHead;
    return heads[std::min(head, heads.size() - 1)][static_cast<std::size_t>(name)];
  }
};

Strip stripOf(const ViewContext& context, const std::vector<GradientName>& names) {
  const NormHistory& history = context.state.gradients.history;
  Strip strip{history};
  strip.head = static_cast<std::size_t>(context.state.selection.head);
  strip.end = history[history.size() - 1].place;
  while (strip.placeOf(strip.first) < -kLongestSpan) ++strip.first;
  strip.span = std::clamp(-strip.placeOf(strip.first), kShortestSpan, kLongestSpan);
  double low = INFINITY, high = -INFINITY;
  for (std::size_t i = strip.first; i < history.size(); ++i)
    for (const GradientName name : names) {
      const double norm = strip.normOf(i, name);
      if (!(norm > 0) || !std::isfinite(norm)) continue;
      low = std::min(low, std::log10(norm)), high = std::max(high, std::log10(norm));
    }
  if (!(high >= low)) low = 0, high = 1;
  strip.low = std::floor(low - 0.1), strip.high = std::ceil(high + 0.1);
  return strip;
}

void plotLine(const ViewContext& context, const Strip& strip, GradientName name) {
  std::vector<double> x, y;
  for (std::size_t i = strip.first; i < strip.history.size(); ++i) {
    const double norm = strip.normOf(i, name);
    x.push_back(strip.placeOf(i));
    y.push_back(norm > 0 ? std::clamp(std::log10(norm), strip.low, strip.high)
                         : strip.low);  // ∞ is at the top
  }
  x.push_back(0.02 * strip.span), y.push_back(y.back());  // the last step is seen as well
  const bool isChosen = name == context.state.gradients.chosen;
  ImPlot::SetNextLineStyle(colourOf(context.theme, name), (isChosen ? 2.6f : 1.4f) * context.theme.unit);
  ImPlot::PlotStairs(gradientText(name), x.data(), y.data(), static_cast<int>(x.size()));
}

void plotPauses(const ViewContext& context, const Strip& strip) {
  std::vector<double> pauses;
  for (std::size_t i = strip.first + 1; i < strip.history.size(); ++i)
    if (strip.history.isAfterPause(i)) pauses.push_back(strip.placeOf(i) - NormHistory::kLongestPause / 2);
  if (pauses.empty()) return;
  ImPlot::SetNextLineStyle(context.theme.border, context.theme.unit);
  ImPlot::PlotInfLines("pauses", pauses.data(), static_cast<int>(pauses.size()));
}

/// The numbers of the sample at the pointer.
void tellSample(ViewContext& context, const Strip& strip, const std::vector<GradientName>& names) {
  const ImVec2 min = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  const bool isPointedAt =
      ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, {min.x + size.x, min.y + size.y});
  if (isPointedAt) pointAtValue(context.state, kEdits, 0, 0);
  if (!isPointedAt || isMouseAtRest() || isSecret(context))
    return;  // ImPlot tells this only of plots that the mouse can move
  const double at = ImPlot::GetPlotMousePos().x;
  std::size_t sample = strip.first;
  while (sample + 1 < strip.history.size() && strip.placeOf(sample + 1) <= at) ++sample;
  std::string text;
  for (const GradientName name : names)
    text += std::string("\n") + gradientText(name) + "  " +
            numberText(context.state.notation, strip.normOf(sample, name), 3);
  const double ago = strip.history[strip.history.size() - 1].time - strip.history[sample].time;
  ImGui::SetTooltip("%s s before the last edit, head %d%s",
                    tickText(context.state.notation, std::round(10 * ago) / 10).c_str(),
                    static_cast<int>(context.state.selection.head) + 1, text.c_str());
}

/// At whole powers of ten, not more than five.
void setUpPowers(const ViewContext& context, const Strip& strip) {
  std::vector<double> places;
  std::vector<std::string> texts;
  std::vector<const char*> labels;
  const double step = std::max(1.0, std::ceil((strip.high - strip.low) / 4));
  for (double power = strip.low; power <= strip.high; power += step) {
    places.push_back(power);
    texts.push_back(isSecret(context) ? "?" : tickText(context.state.notation, std::pow(10.0, power)));
  }
  for (const std::string& text : texts) labels.push_back(text.c_str());
  ImPlot::SetupAxisTicks(ImAxis_Y1, places.data(), static_cast<int>(places.size()), labels.data());
}

void setUpAxes(const ViewContext& context, const Strip& strip) {
  const Notation& notation = context.state.notation;
  ImPlot::SetupAxes(nullptr, nullptr, ImPlotAxisFlags_NoMenus, ImPlotAxisFlags_NoMenus);
  ImPlot::SetupAxesLimits(-strip.span, 0.02 * strip.span, strip.low, strip.high, ImPlotCond_Always);
  ImPlot::SetupAxisFormat(ImAxis_X1, writeSeconds, tickData(notation));
  setUpPowers(context, strip);
}

}  // namespace

void drawNormStrip(ViewContext& context) {
  const NormHistory& history = context.state.gradients.history;
  if (history.size() == 0) return;
  const auto names = gradientsOf(context);
  const Strip strip = stripOf(context, names);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.y < 4 * ImGui::GetFontSize()) return hint("The strip of edits needs a higher panel.");
  ImGui::PushFont(context.theme.small);
  const char* title = history.size() == 1 ? "edits: change something, and its effect is drawn here"
                                          : "norms over the last edits; pauses are shortened";
  if (ImGui::CalcTextSize(title).x < room.x) ImGui::TextColored(context.theme.faint, "%s", title);
  constexpr auto kFlags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs | ImPlotFlags_NoFrame;
  if (ImPlot::BeginPlot("##edits", {-1, -1}, kFlags)) {
    setUpAxes(context, strip);
    plotPauses(context, strip);
    const bool isBlank = isSecret(context) && areColoursHidden(context.state);
    for (const GradientName name : names)
      if (!isBlank) plotLine(context, strip, name);
    tellSample(context, strip, names);
    const ImVec2 min = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
    nameRect("edit strip", min, {min.x + size.x, min.y + size.y});
    ImPlot::EndPlot();
  }
  ImGui::PopFont();
}

}  // namespace attn
