#include "app/views/scaling_lab.h"

#include <imgui.h>
#include <implot.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "app/background.h"
#include "app/item_registry.h"
#include "app/views/lab_widgets.h"
#include "app/views/labels.h"
#include "app/views/labs.h"
#include "app/views/number_control.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/labs/scaling_picture.h"

namespace attn {
namespace {

using Rule = ScalingLab::Rule;
constexpr const char* kLab = "Scaling lab";
constexpr Index kMostWidth = 4096;

struct Curve {
  const char* title;
  ScalingMeasure measure;
  bool isLogarithmic;
};

constexpr Curve kCurves[] = {
    {"variance of the scores, over d_k", ScalingMeasure::scoreVariance, true},
    {"largest weight, over d_k", ScalingMeasure::largestWeight, false},
    {"entropy −Σ p ln p, over d_k", ScalingMeasure::entropy, false},
    {"‖∂p/∂s‖ of softmax, over d_k", ScalingMeasure::jacobianNorm, false},
    {"‖dQ‖, over d_k", ScalingMeasure::queryGradient, true},
    {"‖dK‖, over d_k", ScalingMeasure::keyGradient, true},
};

/// The sweep that was asked for last, and what has come of it.
struct ScalingMemory : LabMemory {
  std::optional<ScalingLab> asked;
  std::shared_ptr<const ScalingPicture> picture;
  int page = 1;

  void ask(const ScalingLab& lab) {
    background.abandon();  // else it could still publish a picture of its own
    published.reset();
    asked = lab;
    auto sweep = std::make_shared<ScalingSweep>(setupOf(lab), spareThreads());
    const Index together = trialsAtOnce(sweep->setup());
    sweep->advance(together);
    picture = std::make_shared<const ScalingPicture>(pictureOf(*sweep));
    background.start([this, sweep, together](std::stop_token isAbandoned) {
      Index next = 2 * sweep->done();
      while (!sweep->isComplete() && !isAbandoned.stop_requested()) {
        sweep->advance(together);
        if (sweep->done() < next && !sweep->isComplete()) continue;
        next = 2 * sweep->done();
        publish(std::make_shared<const ScalingPicture>(pictureOf(*sweep)));
      }
    });
  }
  void poll() override {
    background.poll();
    const std::lock_guard lock(mutex);
    if (published) picture = std::move(published);
  }
  bool isBusy() const override { return background.isBusy(); }
  const std::string& failure() const { return background.failure(); }
  void settle() override {
    background.settle();
    poll();
  }

 private:
  static int spareThreads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1); }

  /// So many that they take no longer than a few milliseconds.
  static Index trialsAtOnce(const ScalingSetup& setup) {
    constexpr double kNumbers = 4.5e6;
    double perTrial = 0;
    for (const Index width : setup.widths) perTrial += static_cast<double>(width * setup.keys);
    return std::clamp<Index>(static_cast<Index>(kNumbers / perTrial), 1, 64);
  }

  void publish(std::shared_ptr<const ScalingPicture> next) {
    const std::lock_guard lock(mutex);
    published = std::move(next);
  }

  std::mutex mutex;
  std::shared_ptr<const ScalingPicture> published;  // not yet taken over
  Background background;
};

std::string nameOf(const ViewContext& context, Rule rule) {
  constexpr const char* kNames[] = {"no scale", "√d_k", "d_k"};
  if (rule != Rule::number) return kNames[static_cast<int>(rule)];
  return numberText(context.state.notation, context.scene.labs.scaling.number);
}

void change(ViewContext& context, const ScalingLab& lab) {
  context.editor.change([&](Scene& scene) { scene.labs.scaling = lab; });
}

/// The rules, which are the legend, too; the marked one is drawn strongest and goes to the window.
bool drawRules(ViewContext& context, ScalingLab& lab) {
  bool isChanged = false;
  ImGui::TextColored(context.theme.faint, "scores divided by");
  for (std::size_t i = 0; i < kScalingRules; ++i) {
    const auto rule = static_cast<Rule>(i);
    ImGui::PushID(static_cast<int>(i));
    const char* const names[] = {"nothing", "√d_k", "d_k", "a number"};
    if (tickOne(names[i], lab.rule == rule)) lab.rule = rule, isChanged = true;
    ImGui::SameLine(0, 6 * context.theme.unit);
    ImGui::TextColored(context.theme.series[i], "%s", seriesSign(static_cast<int>(i)));
    ImGui::PopID();
    if (rule != Rule::number) continue;
    ImGui::SameLine();
    ImGui::SetNextItemWidth(4.5f * ImGui::GetFontSize());
    isChanged |=
        dragNumber("##divisor", lab.number, 0.05f, "%.3g", {0.001, 1e6}, ImGuiSliderFlags_AlwaysClamp);
  }
  return isChanged;
}

/// Of a power of two, as all widths of a sweep are.
const ScoreHistogram& histogramOf(const ScalingPicture& picture, Index width) {
  const auto& widths = picture.setup.widths;
  const auto at = std::lower_bound(widths.begin(), widths.end() - 1, width);
  return picture.histograms[static_cast<std::size_t>(at - widths.begin())];
}

void drawReadouts(ViewContext& context, const ScalingPicture& picture) {
  const auto& lab = context.scene.labs.scaling;
  const Moments measured = histogramOf(picture, lab.keyWidth).moments;
  const auto text = [&](double x) { return numberText(context.state.notation, x, 2); };
  const double mean = dotProductMean(picture.setup, lab.keyWidth);
  const double variance = dotProductVariance(picture.setup, lab.keyWidth);
  ImGui::Dummy({0, 0.2f * ImGui::GetFontSize()});
  labReadout(context, kLab, 0, "mean of q·k", text(measured.mean) + "  theory " + text(mean),
             "Measured, and what theory gives: d_k μ²");
  labReadout(context, kLab, 1, "variance", text(measured.variance) + "  theory " + text(variance),
             "Measured, and what theory gives: d_k (σ⁴ + 2σ²μ²)");
}

void send(ViewContext& context) {
  const ScalingLab& lab = context.scene.labs.scaling;
  Scene scene = sceneOf(lab);
  scene.title = "Random queries and keys, d_k = " + std::to_string(lab.keyWidth) + ", scores divided by " +
                (lab.rule == Rule::none ? "nothing" : nameOf(context, lab.rule));
  sendToWindow(context, std::move(scene));
}

void drawControls(ViewContext& context, const ScalingMemory& memory) {
  ScalingLab lab = context.scene.labs.scaling;
  bool isChanged = labSlider("μ", lab.mean, -3, 3);
  isChanged |= labSlider("σ", lab.deviation, 0.05, 3);
  isChanged |= labPowerSlider("d_k", lab.keyWidth, kMostWidth);
  isChanged |= labSlider("n keys", lab.keys, 2, 1024, ImGuiSliderFlags_Logarithmic);
  isChanged |= labSlider("trials", lab.trials, 1, 1024, ImGuiSliderFlags_Logarithmic);
  isChanged |= labSeed(lab.seed);
  isChanged |= drawRules(context, lab);
  if (isChanged) change(context, lab);
  drawReadouts(context, *memory.picture);
  if (sendButton()) send(context);
  const std::string done = std::to_string(memory.picture->done) + " of " +
                           std::to_string(memory.picture->setup.trials) + " trials";
  ImGui::TextColored(context.theme.faint, "%s", done.c_str());
  if (!memory.failure().empty()) hint(memory.failure().c_str());
  if (!memory.isBusy()) return;
  ImGui::SameLine();
  progressSign(context.theme, "drawing");
}

/// What all bands of a measure lie between; logarithmic ones over at most eight decades.
AxisRange rangeOf(const ScalingPicture& picture, const Curve& curve) {
  AxisRange limits{INFINITY, 0, curve.isLogarithmic};
  for (std::size_t rule = 0; rule < kScalingRules; ++rule)
    for (std::size_t w = 0; w < picture.setup.widths.size(); ++w) {
      const Band& band = picture.of(curve.measure, rule)[w];
      if (band.low > 0) limits.low = std::min(limits.low, band.low);
      limits.high = std::max(limits.high, band.high);
    }
  if (!curve.isLogarithmic)
    return {0, curve.measure == ScalingMeasure::largestWeight ? 1.03 : 1.08 * limits.high, false};
  if (!(limits.high > 0)) return {0.1, 1, true};
  return {std::max(limits.low, 1e-8 * limits.high) / 1.6, 1.6 * limits.high, true};
}

/// One rule's band and mean, and theory where there is one.
void plotRule(const ViewContext& context, const ScalingPicture& picture, const Curve& curve, std::size_t rule,
              double floor) {
  const bool isMarked = context.scene.labs.scaling.rule == static_cast<Rule>(rule);
  const ImVec4& colour = context.theme.series[rule];
  const float unit = context.theme.unit;
  std::vector<double> x, mean, low, high;
  for (std::size_t w = 0; w < picture.setup.widths.size(); ++w) {
    const Band& band = picture.of(curve.measure, rule)[w];
    x.push_back(static_cast<double>(picture.setup.widths[w]));
    for (const auto& [to, value] : {std::pair{&mean, band.mean}, {&low, band.low}, {&high, band.high}})
      to->push_back(std::max(value, floor));
  }
  const int count = static_cast<int>(x.size());
  const char* id = seriesSign(static_cast<int>(rule));
  ImPlot::SetNextFillStyle(colour, isMarked ? 0.3f : 0.13f);
  ImPlot::PlotShaded(id, x.data(), low.data(), high.data(), count);
  ImPlot::SetNextLineStyle(colour, (isMarked ? 2.6f : 1.4f) * unit);
  ImPlot::SetNextMarkerStyle(seriesMarker(static_cast<int>(rule)), (isMarked ? 4.0f : 3.0f) * unit, colour,
                             unit, colour);
  ImPlot::PlotLine(id, x.data(), mean.data(), count);
}

/// The variance that theory gives, under every rule: a thin line in the colour of words.
void plotTheory(const ViewContext& context, const ScalingPicture& picture) {
  for (const Scale& scale : picture.setup.scales) {
    std::vector<double> x, y;
    for (const Index width : picture.setup.widths) {
      x.push_back(static_cast<double>(width));
      y.push_back(scaledVariance(picture.setup, width, scale));
    }
    ImPlot::SetNextLineStyle(context.theme.text, context.theme.unit);
    ImPlot::PlotLine("theory", x.data(), y.data(), static_cast<int>(x.size()));
  }
}

void drawLine(const ViewContext& context, double value, bool isUpright) {
  ImPlot::SetNextLineStyle(context.theme.faint, context.theme.unit);
  ImPlot::PlotInfLines(isUpright ? "##d_k" : "##bound", &value, 1,
                       isUpright ? ImPlotInfLinesFlags_None : ImPlotInfLinesFlags_Horizontal);
}

/// The numbers at the width under the mouse; a click chooses it for the histogram.
void followMouse(ViewContext& context, const ScalingPicture& picture, const Curve& curve) {
  if (!isChartHovered()) return;
  const double power = std::log2(std::max(1.0, ImPlot::GetPlotMousePos().x));
  const auto& widths = picture.setup.widths;
  const auto at = std::min(static_cast<std::size_t>(std::lround(power)), widths.size() - 1);
  std::string text = "d_k = " + std::to_string(widths[at]);
  for (std::size_t rule = 0; rule < kScalingRules; ++rule) {
    const Band& band = picture.of(curve.measure, rule)[at];
    const auto number = [&](double x) { return numberText(context.state.notation, x, 3); };
    text += std::string("\n") + seriesSign(static_cast<int>(rule)) + " " +
            nameOf(context, static_cast<Rule>(rule)) + ": " + number(band.mean) + "  (" + number(band.low) +
            " to " + number(band.high) + ")";
    if (curve.measure == ScalingMeasure::scoreVariance)
      text += ", theory " + number(scaledVariance(picture.setup, widths[at], picture.setup.scales[rule]));
  }
  ImGui::SetTooltip("%s", text.c_str());
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  ScalingLab lab = context.scene.labs.scaling;
  lab.keyWidth = widths[at];
  change(context, lab);
}

void drawCurve(ViewContext& context, const ScalingPicture& picture, int number, ImVec2 size) {
  constexpr double kTicks[] = {1, 8, 64, 512, 4096};
  const Curve& curve = kCurves[number - 1];
  if (!beginChart(context, kLab, number, curve.title, size)) return;
  const AxisRange range = rangeOf(picture, curve);
  setUpAxes(context, {0.8, 2.4 * kMostWidth, true}, range);
  ImPlot::SetupAxisTicks(ImAxis_X1, kTicks, static_cast<int>(std::size(kTicks)));
  drawLine(context, static_cast<double>(context.scene.labs.scaling.keyWidth), true);
  if (curve.measure == ScalingMeasure::entropy)
    drawLine(context, std::log(static_cast<double>(picture.setup.keys)), false);
  for (std::size_t rule = 0; rule < kScalingRules; ++rule)
    plotRule(context, picture, curve, rule, range.isLogarithmic ? range.low : 0);
  if (curve.measure == ScalingMeasure::scoreVariance) plotTheory(context, picture);
  followMouse(context, picture, curve);
  endChart();
}

void drawHistogram(ViewContext& context, const ScalingPicture& picture, ImVec2 size) {
  const Index width = context.scene.labs.scaling.keyWidth;
  const ScoreHistogram& histogram = histogramOf(picture, width);
  const std::string title = "q·k at d_k = " + std::to_string(width) + ", and theory";
  if (!beginChart(context, kLab, 0, title, size)) return;
  constexpr int kSteps = 160;
  const Moments theory{dotProductMean(picture.setup, width), dotProductVariance(picture.setup, width)};
  const double reach = 3.2 * std::sqrt(theory.variance);
  const double low = std::min(histogram.low, theory.mean - reach);
  const double high = std::max(histogram.high, theory.mean + reach);
  std::vector<double> x, expected, centres, counts;
  for (int i = 0; i <= kSteps; ++i) {
    x.push_back(low + (high - low) * i / kSteps);
    expected.push_back(expectedInBin(theory, x.back(), histogram.binWidth(), histogram.count));
  }
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    centres.push_back(histogram.low + (static_cast<double>(i) + 0.5) * histogram.binWidth());
    counts.push_back(static_cast<double>(histogram.counts[i]));
  }
  const double top = std::max(*std::max_element(counts.begin(), counts.end()),
                              *std::max_element(expected.begin(), expected.end()));
  setUpAxes(context, {low, high}, {0, 1.05 * top});
  ImPlot::SetNextLineStyle(IMPLOT_AUTO_COL, 0);
  ImPlot::SetNextFillStyle(context.theme.series[5], 0.55f);
  ImPlot::PlotBars("q·k", centres.data(), counts.data(), static_cast<int>(counts.size()),
                   histogram.binWidth() * 0.92);
  ImPlot::SetNextLineStyle(context.theme.text, 2 * context.theme.unit);
  ImPlot::PlotLine("theory", x.data(), expected.data(), kSteps + 1);
  endChart();
}

/// What lines and bands mean, in the place that seven charts leave.
void drawLegend(const ViewContext& context, ImVec2 size) {
  ImGui::BeginChild("legend", size, false, kPart | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::TextUnformatted("how to read the curves");
  const ImVec2 at = ImGui::GetWindowPos();
  nameRect("legend of the curves", at, {at.x + size.x, at.y + size.y});
  for (std::size_t rule = 0; rule < kScalingRules; ++rule) {
    const std::string name = nameOf(context, static_cast<Rule>(rule));
    ImGui::TextColored(context.theme.series[rule], "%s", seriesSign(static_cast<int>(rule)));
    ImGui::SameLine(0, 0.4f * ImGui::GetFontSize());
    ImGui::TextUnformatted((rule == 0 ? name : "scores / " + name).c_str());
  }
  ImGui::PushTextWrapPos(0);
  ImGui::TextColored(context.theme.faint, "coloured line: mean of the trials");
  ImGui::TextColored(context.theme.faint, "band: four trials in five");
  ImGui::TextColored(context.theme.faint, "thin line through the points: theory");
  ImGui::TextColored(context.theme.faint, "upright line: the d_k of the histogram; a click moves it");
  ImGui::PopTextWrapPos();
  ImGui::EndChild();
}

void drawPicture(ViewContext& context, ScalingMemory& memory) {
  const char* const names[] = {"q·k", "variance", "largest", "entropy", "Jacobian", "‖dQ‖", "‖dK‖", "legend"};
  const ScalingPicture& picture = *memory.picture;
  drawCharts(context, names, memory.page, [&](int number, ImVec2 size) {
    if (number == 0)
      drawHistogram(context, picture, size);
    else if (number == 7)
      drawLegend(context, size);
    else
      drawCurve(context, picture, number, size);
  });
}

}  // namespace

void followScalingLab(ViewState& state, const Scene& scene) {
  auto& memory = state.labs.of<ScalingMemory>(LabName::scaling);
  if (!memory.asked || !needsSameSweep(*memory.asked, scene.labs.scaling)) memory.ask(scene.labs.scaling);
}

void drawScalingLab(ViewContext& context) {
  auto& memory = context.state.labs.of<ScalingMemory>(LabName::scaling);
  if (!memory.picture) followScalingLab(context.state, context.scene);
  drawLab(
      context, [&] { drawControls(context, memory); }, [&] { drawPicture(context, memory); });
}

}  // namespace attn
