#include "app/views/cost_lab.h"

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
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/labs/cost_curves.h"

namespace attn {
namespace {

using Over = CostLab::Over;
constexpr const char* kLab = "Cost lab";
constexpr Index kMostLength = Index{1} << 17, kMostWidth = 16384, kMostHeads = 64;

/// Timings of the engine, made beside the window when they are asked for.
struct CostMemory : LabMemory {
  std::optional<CostLab> measured;
  std::vector<CostTiming> timings;
  int page = 0;

  void measure(const CostLab& lab) {
    background.abandon();  // else it would add to what is cleared here
    measured = lab;
    timings.clear();
    published.clear();
    background.start([this, lab](std::stop_token isAbandoned) {
      for (Index x = std::max<Index>(16, lab.over == Over::modelWidth ? lab.heads : 1); x <= kMostLength;
           x *= 2) {
        const CostLab there = resized(lab, lab.over, x);
        if (!canBeTimed(there) || isAbandoned.stop_requested()) return;
        const CostTiming timing = timed(there, x, isAbandoned);
        if (isAbandoned.stop_requested()) return;
        const std::lock_guard lock(mutex);
        published.push_back(timing);
      }
    });
  }
  void poll() override {
    background.poll();
    const std::lock_guard lock(mutex);
    timings = published;
  }
  bool isBusy() const override { return background.isBusy(); }
  const std::string& failure() const { return background.failure(); }
  void settle() override {
    background.settle();
    poll();
  }

 private:
  std::mutex mutex;
  std::vector<CostTiming> published;
  Background background;
};

void change(ViewContext& context, const CostLab& lab) {
  context.editor.change([&](Scene& scene) { scene.labs.cost = lab; });
}

/// "33 554 432", to the last digit as long as a double holds that.
std::string countText(const ViewContext& context, double count) {
  constexpr double kExact = 9e15;
  if (count > kExact) return numberText(context.state.notation, count, 3);
  std::string text = std::to_string(static_cast<std::uint64_t>(count));
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, " ");
  return text;
}

void drawReadouts(ViewContext& context, const CostLab& lab) {
  const CostShares shares = sharesOf(lab);
  const Notation& notation = context.state.notation;
  ImGui::Dummy({0, 0.2f * ImGui::GetFontSize()});
  labReadout(context, kLab, 0, "operations", countText(context, shares.total()),
             "Multiplications, additions, divisions, exponentials and comparisons, counted exactly");
  labReadout(context, kLab, 1, "projections",
             numberText(notation, 100 * shares.projections / shares.total(), 1) + " %",
             "Q, K, V and the output: Θ(n_q d² + n_k d²)");
  labReadout(context, kLab, 2, "attention",
             numberText(notation, 100 * shares.attention() / shares.total(), 1) + " %",
             "QKᵀ, softmax and the sum of values: Θ(n_q n_k d)");
  labReadout(context, kLab, 3, "attention leads from n", std::to_string(lengthOfCrossover(lab)),
             "Of products alone, from n = 2·d_model: 4nd² against 2n²d");
  const bool isLong = sharesOf(lab).attention() >= shares.projections;
  ImGui::TextColored(context.theme.faint, "Θ(n_q d² + n_k d² + n_q n_k d)");
  ImGui::TextColored(context.theme.faint, "%s",
                     isLong ? "bottleneck: scores and mixing, QKᵀ and PV" : "bottleneck: the projections");
}

void drawControls(ViewContext& context, CostMemory& memory) {
  CostLab lab = context.scene.labs.cost;
  Index both = std::max(lab.queries, lab.keys);
  bool isChanged = labSlider("n, both", both, 1, kMostLength, ImGuiSliderFlags_Logarithmic);
  if (isChanged) lab.queries = lab.keys = both;
  isChanged |= labSlider("n_q", lab.queries, 1, kMostLength, ImGuiSliderFlags_Logarithmic);
  isChanged |= labSlider("n_k", lab.keys, 1, kMostLength, ImGuiSliderFlags_Logarithmic);
  isChanged |= labPowerSlider("d_model", lab.modelWidth, kMostWidth);
  isChanged |= labPowerSlider("heads", lab.heads, std::min(kMostHeads, lab.modelWidth));
  while (lab.modelWidth % lab.heads != 0) --lab.heads;
  const char* const names[] = {"measure over n", "measure over d_model"};
  for (int over = 0; over < 2; ++over)
    if (tickOne(names[over], static_cast<int>(lab.over) == over))
      lab.over = static_cast<Over>(over), isChanged = true;
  if (isChanged) change(context, lab);
  if (ImGui::Button("Measure this engine")) memory.measure(context.scene.labs.cost);
  if (memory.isBusy()) {
    ImGui::SameLine();
    progressSign(context.theme, "measuring");
  }
  if (!memory.failure().empty()) hint(memory.failure().c_str());
  drawReadouts(context, context.scene.labs.cost);
  const bool fits = canBeShown(context.scene.labs.cost);
  ImGui::BeginDisabled(!fits);
  if (sendButton()) sendToWindow(context, sceneOf(context.scene.labs.cost));
  ImGui::EndDisabled();
  if (!fits) hint("Too large for the window, which keeps every weight.");
}

constexpr const char* kParts[] = {"projections", "scores QKᵀ", "softmax", "mixing PV"};
constexpr std::size_t kPartCount = std::size(kParts);

/// Shares one above the other: at each x, where each ends; the first of all ends at 0.
struct StackedShares {
  std::vector<double> x, ends[kPartCount + 1];

  void add(Index at, const CostShares& shares) {
    x.push_back(static_cast<double>(at));
    double end = 0;
    ends[0].push_back(end);
    const double parts[] = {shares.projections, shares.scores, shares.softmax, shares.mix};
    for (std::size_t i = 0; i < kPartCount; ++i) ends[i + 1].push_back(end += parts[i] / shares.total());
  }
  double extent(std::size_t part, std::size_t at) const { return ends[part + 1][at] - ends[part][at]; }
};

StackedShares stackedShares(const CostLab& lab, Over over) {
  const bool isLength = over == Over::length;
  const double least = isLength ? 16 : std::max(16.0, static_cast<double>(lab.heads));
  const auto most = static_cast<double>(isLength ? kMostLength : kMostWidth);
  StackedShares stacked;
  for (double at = least; at <= most * 1.001; at *= std::sqrt(2.0)) {
    const Index whole =
        isLength ? std::lround(at) : std::lround(at / static_cast<double>(lab.heads)) * lab.heads;
    stacked.add(whole, sharesOf(resized(lab, over, whole)));
  }
  return stacked;
}

/// The name of each part where it is widest, as far as it is wide enough for one.
void nameParts(const ViewContext& context, const StackedShares& stacked) {
  const std::size_t margin = stacked.x.size() / 5;
  for (std::size_t part = 0; part < kPartCount; ++part) {
    std::size_t widest = margin;
    for (std::size_t k = margin; k < stacked.x.size() - margin; ++k)
      if (stacked.extent(part, k) > stacked.extent(part, widest)) widest = k;
    if (stacked.extent(part, widest) > 0.06)
      nameInChart(context, kParts[part], stacked.x[widest],
                  (stacked.ends[part][widest] + stacked.ends[part + 1][widest]) / 2);
  }
}

/// From the axis up to where both halves are alike, with its number; and from top to bottom where the lab
/// stands, with its name above, so that both are seen where they are close.
void markCrossover(const ViewContext& context, Over over) {
  const CostLab& lab = context.scene.labs.cost;
  const bool isLength = over == Over::length;
  const Index place = isLength ? lengthOfCrossover(lab) : widthOfCrossover(lab);
  const Index standing = isLength ? std::max(lab.queries, lab.keys) : lab.modelWidth;
  const auto here = static_cast<double>(standing), half = 0.5;
  const double crossover[] = {static_cast<double>(place), static_cast<double>(place)}, drop[] = {0, half};
  ImPlot::SetNextLineStyle(context.theme.text, 3 * context.theme.unit);
  ImPlot::PlotLine("##crossover", crossover, drop, 2);
  ImPlot::SetNextLineStyle(context.theme.accent, 1.4f * context.theme.unit);
  ImPlot::PlotInfLines("##here", &here, 1);
  ImPlot::SetNextMarkerStyle(ImPlotMarker_Diamond, 5 * context.theme.unit, context.theme.text, 0);
  ImPlot::PlotScatter("##half", crossover, &half, 1);
  nameInChart(context, std::to_string(place).c_str(), crossover[0], 0.06, {1.9f, 0});
  const std::string name = (isLength ? "n = " : "d_model = ") + std::to_string(standing);
  const float middle = ImPlot::GetPlotPos().x + ImPlot::GetPlotSize().x / 2;
  const bool isLeft = ImPlot::PlotToPixels(here, half).x > middle;
  const float away = ImGui::CalcTextSize(name.c_str()).x / ImGui::GetFontSize() / 2 + 0.4f;
  nameInChart(context, name.c_str(), here, 0.95, {isLeft ? -away : away, 0});
}

void drawShares(ViewContext& context, int number, Over over, ImVec2 size) {
  const bool isLength = over == Over::length;
  if (!beginChart(context, kLab, number, isLength ? "share of the operations, over n" : "share, over d_model",
                  size))
    return;
  const StackedShares stacked = stackedShares(context.scene.labs.cost, over);
  const int count = static_cast<int>(stacked.x.size());
  setUpAxes(context, {stacked.x.front(), stacked.x.back(), true}, {0, 1});
  for (std::size_t i = 0; i < kPartCount; ++i) {
    const double *low = stacked.ends[i].data(), *high = stacked.ends[i + 1].data();
    ImPlot::SetNextFillStyle(context.theme.series[i], 0.45f);
    ImPlot::PlotShaded(kParts[i], stacked.x.data(), low, high, count);
    ImPlot::SetNextLineStyle(context.theme.series[i], 1.5f * context.theme.unit);
    ImPlot::PlotLine(kParts[i], stacked.x.data(), high, count);
  }
  nameParts(context, stacked);
  markCrossover(context, over);
  endChart();
}

/// What was timed, over what the counts let expect at the engine's own pace.
void drawTimes(ViewContext& context, const CostMemory& memory, ImVec2 size) {
  const CostLab& lab = memory.measured.value_or(context.scene.labs.cost);
  const std::string title =
      std::string("seconds on one core, over ") + (lab.over == Over::length ? "n" : "d_model");
  if (!beginChart(context, kLab, 2, title, size)) return;
  const double pace = memory.timings.empty() ? 1e-10 : paceOf(memory.timings);
  std::vector<double> x, expected, at, seconds;
  for (const CostTiming& timing : memory.timings)
    at.push_back(static_cast<double>(timing.x)), seconds.push_back(timing.seconds);
  for (Index n = std::max<Index>(16, lab.heads); n <= (lab.over == Over::length ? kMostLength : kMostWidth);
       n *= 2) {
    x.push_back(static_cast<double>(n));
    expected.push_back(pace * sharesOf(resized(lab, lab.over, n)).total());
  }
  setUpAxes(context, {0.8 * x.front(), x.back(), true}, {0.3 * expected.front(), 3 * expected.back(), true});
  ImPlot::SetupAxisFormat(ImAxis_Y1, writeSeconds, tickData(context.state.notation));
  ImPlot::SetNextLineStyle(context.theme.text, 1.5f * context.theme.unit);
  ImPlot::PlotLine("predicted", x.data(), expected.data(), static_cast<int>(x.size()));
  ImPlot::SetNextMarkerStyle(seriesMarker(0), 4.5f * context.theme.unit, context.theme.series[0], 0);
  ImPlot::PlotScatter("measured", at.data(), seconds.data(), static_cast<int>(at.size()));
  nameInChart(context,
              memory.timings.empty() ? "at 10¹⁰ operations a second; not measured yet"
                                     : "dots: measured   line: predicted",
              std::pow(x.front(), 0.55) * std::pow(x.back(), 0.45), 1.2 * expected.back());
  endChart();
}

/// Every stage with its formula and its count.
void drawTable(ViewContext& context, ImVec2 size) {
  if (!beginFigure(context, kLab, 3, "exact counts of each stage", size)) return;
  constexpr auto kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_RowBg;
  if (ImGui::BeginTable("##stages", 3, kFlags)) {
    const float font = ImGui::GetFontSize();
    ImGui::TableSetupColumn("stage", ImGuiTableColumnFlags_WidthFixed, 5.2f * font);
    ImGui::TableSetupColumn("×", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("others", ImGuiTableColumnFlags_WidthStretch);
    const auto row = [&](const char* stage, const std::string& products, const std::string& others) {
      ImGui::TableNextRow();
      for (const std::string& text : {std::string(stage), products, others}) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(text.c_str());
      }
    };
    row("", "multiplications", "others");
    OperationCount all;
    for (const StageCost& stage : costOf(context.scene.labs.cost)) {
      const double products = static_cast<double>(stage.count.multiplications);
      row(stage.stage.c_str(), countText(context, products),
          countText(context, static_cast<double>(stage.count.total()) - products));
      if (ImGui::TableGetHoveredColumn() >= 0 && ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", stage.formula.c_str());
      all += stage.count;
    }
    const double products = static_cast<double>(all.multiplications);
    row("all", countText(context, products), countText(context, static_cast<double>(all.total()) - products));
    ImGui::EndTable();
  }
  endFigure();
}

void drawPicture(ViewContext& context, CostMemory& memory) {
  const char* const names[] = {"over n", "over d_model", "time", "counts"};
  drawCharts(context, names, memory.page, [&](int number, ImVec2 size) {
    if (number == 0) drawShares(context, 0, Over::length, size);
    if (number == 1) drawShares(context, 1, Over::modelWidth, size);
    if (number == 2) drawTimes(context, memory, size);
    if (number == 3) drawTable(context, size);
  });
}

}  // namespace

void drawCostLab(ViewContext& context) {
  auto& memory = context.state.labs.of<CostMemory>(LabName::cost);
  drawLab(
      context, [&] { drawControls(context, memory); }, [&] { drawPicture(context, memory); });
}

}  // namespace attn
