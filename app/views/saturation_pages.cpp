#include "app/views/saturation_pages.h"

#include <imgui.h>
#include <implot.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/item_registry.h"
#include "app/presenter/hidden_values.h"
#include "app/views/compare.h"
#include "app/views/labels.h"
#include "app/views/map.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/measures/jacobian.h"

namespace attn {
namespace {

// Widths of the table's columns, as multiples of its letters' size.
constexpr float kNumber = 2.5f, kNarrowName = 2.8f;

/// A bar and the number that it stands for, in one cell of the table, neither where it is hidden; beneath it
/// A's, while a state is pinned.
void drawMeasure(ViewContext& context, Index row, float height, const float& measured, double full,
                 const ImVec4& colour, double mark = -1) {
  if (!ImGui::TableNextColumn()) return;
  const double value = measured, pinned = pinnedNumber(context, &measured);
  const float room = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const int column = ImGui::TableGetColumnIndex();
  if (ImGui::IsMouseHoveringRect(at, {at.x + room, at.y + height}))
    pointAtValue(context.state, "Saturation", row, column);
  if (isValueHidden(context.state, "Saturation", row, column))
    return numberCell(context.theme, "?", {room, height});
  const float number = std::min(kNumber * ImGui::GetFontSize(), room), width = room - number;
  if (width > 8 * context.theme.unit) {
    levelBar(context.theme, static_cast<float>(value / full), {width, height}, colour,
             static_cast<float>(mark));
    pinnedBar(context.theme, static_cast<float>(pinned / full));
    ImGui::SameLine(0, 0);
  }
  numberCell(context.theme, briefText(context.state.notation, value), {number, height});
  const auto text = [&](double x) { return numberText(context.state.notation, x, 3); };
  if (std::isfinite(pinned)) ImGui::SetItemTooltip("A: %s, B: %s", text(pinned).c_str(), text(value).c_str());
}

/// The head that is measured: "head 1"; where there is only one, the word that is given.
std::string headText(const ViewContext& context, const char* only, const char* before = "") {
  if (context.results.shapes.heads == 1) return only;
  return before + ("head " + std::to_string(context.state.selection.head + 1));
}

/// The row's name over the whole line, and a sign before it: a saturated row is not told by colour alone.
void drawRowName(ViewContext& context, float height, Index head, Index row) {
  const Results& results = context.results;
  const bool isSaturated = results.saturatedRows.at(head, row, 0) != 0;
  const bool isBlind = results.maskedRows.at(head, row, 0) != 0;
  ImGui::TableNextColumn();
  const bool isSecret = isValueHidden(context.state, "Saturation/count", 0, 0);
  if ((isSaturated && !isSecret) || isBlind) {
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::round((height - ImGui::GetTextLineHeight()) / 2));
    ImGui::TextColored(context.theme.warning, isBlind ? "∅" : "▲");
    nameRect((isBlind ? "no key[" : "saturated[") + std::to_string(row) + "]", ImGui::GetItemRectMin(),
             ImGui::GetItemRectMax());
  }
  ImGui::TableNextColumn();
  const std::string whole = queryLabel(context.state.notation, context.shown, row);
  const std::string name = elided(whole, ImGui::GetContentRegionAvail().x);
  if (barName("row" + std::to_string(row), name, context.state.selection.query == row, height))
    context.state.selection.query = row;
  if (ImGui::IsItemHovered()) context.state.nextHover.query = row;
  if (!isBlind && !isSaturated)
    ImGui::SetItemTooltip("%s: one query's row of weights. Click: its Jacobian is shown.", whole.c_str());
  if (isBlind) ImGui::SetItemTooltip("This row sees no key: all its weights are 0");
  if (isSaturated)
    ImGui::SetItemTooltip("Saturated: the largest weight reaches %s",
                          writeNumber(context.shown.saturationThreshold, context.state.notation).c_str());
}

void drawRow(ViewContext& context, float height, Index head, Index row) {
  const auto& measures = context.results.measures;
  const Theme& theme = context.theme;
  const bool isSaturated = context.results.saturatedRows.at(head, row, 0) != 0;
  ImGui::TableNextRow();
  drawRowName(context, height, head, row);
  drawMeasure(context, row, height, *measures.largestWeight.row(head, row), 1,
              isSaturated ? theme.warning : theme.series[0], context.shown.saturationThreshold);
  drawMeasure(context, row, height, *measures.entropyShare.row(head, row), 1, theme.series[2]);
  drawMeasure(context, row, height, *measures.effectiveKeys.row(head, row),
              static_cast<double>(context.results.shapes.keys), theme.series[3]);
  drawMeasure(context, row, height, *measures.jacobianNorm.row(head, row), 0.75, theme.series[4]);
}

/// Measures are of one head, also while the maps show all heads as one: that has to be said then.
void tellHead(const ViewContext& context) {
  const HeadChoice choice = context.state.heads.choice;
  const std::string head = headText(context, "row");
  ImGui::TextColored(choice == HeadChoice::one ? context.theme.faint : context.theme.warning, "%s",
                     head.c_str());
  nameRect(("of " + head + (choice == HeadChoice::one ? "" : " alone")).c_str(), ImGui::GetItemRectMin(),
           ImGui::GetItemRectMax());
  if (choice == HeadChoice::one)
    ImGui::SetItemTooltip("Click a row to choose it");
  else
    ImGui::SetItemTooltip("The maps show the %s over all heads. What is measured here is %s, chosen last.",
                          choice == HeadChoice::average ? "average" : "maximum", head.c_str());
}

struct Column {
  const char *name, *brief, *tooltip;
};

constexpr Column kColumns[] = {
    {"largest", "top", "The largest weight of the row, max p: 1 is one key alone. The line is the threshold"},
    {"entropy", "H",
     "Entropy −Σ p·ln p as a share of what equal weights have: 0 is one key alone, 1 is all alike"},
    {"keys", "keys", "Effective keys, exp(entropy): over how many keys the row spreads"},
    {"Jacobian", "J",
     "‖∂p/∂s‖, the root of the sum of squares of the row's Jacobian: how much of a gradient passes the "
     "softmax. "
     "0 for one key alone"}};

void drawColumnHeads(const ViewContext& context) {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  if (ImGui::TableNextColumn()) ImGui::SetItemTooltip("▲: saturated. ∅: sees no key");
  if (ImGui::TableNextColumn()) tellHead(context);
  bool isBrief = false;  // all, as soon as one has no room for its word
  for (const Column& column : kColumns) {
    if (!ImGui::TableNextColumn()) continue;
    isBrief |= ImGui::CalcTextSize("Jacobian").x > ImGui::GetContentRegionAvail().x;
    ImGui::TextColored(context.theme.faint, "%s", isBrief ? column.brief : column.name);
    ImGui::SetItemTooltip("%s", column.tooltip);
  }
}

/// What the map of the Jacobian can show of what is asked for: the present one where A lacks the row, or has
/// other keys.
Showing showingOfJacobian(const ViewContext& context) {
  if (!context.pinned || context.pinned->results.probs.empty()) return Showing::present;
  const Shapes &a = context.pinned->results.shapes, &b = context.results.shapes;
  const bool areAlike = a.heads == b.heads && a.queries == b.queries && a.keys == b.keys;
  return areAlike ? context.state.compare.showing : Showing::present;
}

Matrix jacobianFor(const ViewContext& context, Showing showing) {
  const Selection& chosen = context.state.selection;
  const auto of = [&](const Evaluation& evaluation) {
    return jacobianOf(*evaluation.scene, evaluation.results, chosen.head, chosen.query);
  };
  if (showing == Showing::present) return of(*context.evaluation).cast<float>();
  if (showing == Showing::pinned) return of(*context.pinned).cast<float>();
  return (of(*context.evaluation) - of(*context.pinned)).cast<float>();
}

/// Made again only for another row or evaluation. The new matrix exists before the old one goes, so that its
/// numbers lie elsewhere: that is how the heatmap knows them for new ones.
const Matrix& keptJacobian(ViewContext& context) {
  SaturationState::Jacobian& kept = context.state.saturation.jacobian;
  const Selection& chosen = context.state.selection;
  const std::uint64_t serial = context.evaluation->serial + (context.pinned ? context.pinned->serial : 0);
  const Showing showing = showingOfJacobian(context);
  const bool isRight = kept.values && kept.serial == serial && kept.showing == showing &&
                       kept.head == chosen.head && kept.query == chosen.query;
  if (!isRight) {
    auto values = std::make_shared<const Matrix>(jacobianFor(context, showing));
    kept = {serial, chosen.head, chosen.query, showing, std::move(values)};
  }
  return *kept.values;
}

void chooseRow(ViewContext& context) {
  Index& query = context.state.selection.query;
  const Index last = context.results.shapes.queries - 1;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
  ImGui::BeginDisabled(query == 0);
  if (ImGui::ArrowButton("previous row", ImGuiDir_Up)) --query;
  ImGui::EndDisabled();
  ImGui::SameLine(0, 2 * context.theme.unit);
  ImGui::BeginDisabled(query == last);
  if (ImGui::ArrowButton("next row", ImGuiDir_Down)) ++query;
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
  query = std::clamp<Index>(query, 0, last);
}

const SaturationState::Scores& keptScores(ViewContext& context) {
  SaturationState::Scores& kept = context.state.saturation.scores;
  const Index head = context.state.selection.head;
  if (kept.serial == context.evaluation->serial && kept.head == head) return kept;
  kept = {context.evaluation->serial, head,
          histogramOf(context.results.scaledScores[head], context.evaluation->visibility, head),
          predictedScores(context.shown, context.results, head)};
  return kept;
}

constexpr const char* kHistogram = "Saturation/histogram";  // for numbers that can be hidden
constexpr Index kPlot = 2;                                  // after the lines of its legend

/// What the histogram and the curve are, in words under the plot.
void drawLegend(ViewContext& context, const SaturationState::Scores& scores) {
  const auto line = [&](Index row, const ImVec4& colour, const char* sign, const char* name,
                        const Moments& moments) {
    const auto number = [&](double value) {
      return shownValue(context.state, kHistogram, row, 0, numberText(context.state.notation, value));
    };
    ImGui::TextColored(colour, "%s", sign);
    ImGui::SameLine(0, 4 * context.theme.unit);
    const std::string text =
        name + (": mean " + number(moments.mean)) + ", σ " + number(std::sqrt(moments.variance));
    ImGui::TextUnformatted(text.c_str());
    if (ImGui::IsItemHovered()) pointAtValue(context.state, kHistogram, row, 0);
    nameRect("legend: " + text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  };
  ImGui::PushFont(context.theme.small);
  ImGui::BeginGroup();
  line(0, context.theme.series[0], "■", headText(context, "scores").c_str(), scores.histogram.moments);
  line(1, context.theme.series[1], "━", "theory", scores.theory);
  ImGui::EndGroup();
  ImGui::PopFont();
  ImGui::SetItemTooltip(
      "Scaled scores of all visible pairs, before cap and bias.\n"
      "Theory takes the entries of Q as independent draws with one mean and variance, those of K\n"
      "likewise, and measures these in Q and K. Then q·k has mean d·μ_q·μ_k and variance\n"
      "d·(σ_q²σ_k² + σ_q²μ_k² + σ_k²μ_q²), before the division; many dimensions make it normal.\n"
      "Under QK-norm, directions are taken as random: mean 0, variance 1/d.\n"
      "Where tokens have meaning, the entries are not independent: the scores stray from the curve.");
}

/// For an axis whose numbers are hidden.
int writeQuestion(double, char* text, int size, void*) {
  return std::snprintf(text, static_cast<std::size_t>(size), "?");
}

void plotScores(const ViewContext& context, const SaturationState::Scores& scores) {
  constexpr int kSteps = 128;
  const ScoreHistogram& histogram = scores.histogram;
  const double reach = 3.2 * std::sqrt(scores.theory.variance);
  const double low = std::min(histogram.low, scores.theory.mean - reach);
  const double high = std::max(histogram.high, scores.theory.mean + reach);
  std::vector<double> x, expected, centres, counts;
  for (int i = 0; i <= kSteps; ++i) {
    x.push_back(low + (high - low) * i / kSteps);
    expected.push_back(expectedInBin(scores.theory, x.back(), histogram.binWidth(), histogram.count));
  }
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    centres.push_back(histogram.low + (static_cast<double>(i) + 0.5) * histogram.binWidth());
    counts.push_back(static_cast<double>(histogram.counts[i]));
  }
  const double top = std::max(*std::max_element(counts.begin(), counts.end()),
                              *std::max_element(expected.begin(), expected.end()));
  const bool isSecret = isValueHidden(context.state, kHistogram, kPlot, 0);
  ImPlot::SetupAxes(nullptr, nullptr, ImPlotAxisFlags_NoMenus, ImPlotAxisFlags_NoMenus);
  for (const ImAxis axis : {ImAxis_X1, ImAxis_Y1})
    ImPlot::SetupAxisFormat(axis, isSecret ? writeQuestion : writeTick, tickData(context.state.notation));
  ImPlot::SetupAxesLimits(low, high, 0, 1.05 * top, ImPlotCond_Always);
  if (isSecret && areColoursHidden(context.state)) return;
  ImPlot::SetNextFillStyle(context.theme.series[0], 0.55f);
  ImPlot::PlotBars("scores", centres.data(), counts.data(), static_cast<int>(counts.size()),
                   histogram.binWidth() * 0.92);
  ImPlot::SetNextLineStyle(context.theme.series[1], 2 * context.theme.unit);
  ImPlot::PlotLine("theory", x.data(), expected.data(), static_cast<int>(x.size()));
}

/// Of many, the first ones are measured.
float widestRowName(const ViewContext& context) {
  constexpr Index kMeasured = 64;
  float widest = ImGui::CalcTextSize(headText(context, "row").c_str()).x;
  for (Index i = 0; i < std::min(kMeasured, context.results.shapes.queries); ++i)
    widest =
        std::max(widest, ImGui::CalcTextSize(queryLabel(context.state.notation, context.shown, i).c_str()).x);
  return widest;
}

/// How wide the table has to be for its numbers to be whole, without bars; where there is less room it
/// scrolls.
float leastTableWidth(const ViewContext& context, float padding) {
  constexpr float kAll = 6, kMeasures = 4, kSign = 1;
  return (kSign + kNarrowName + kMeasures * kNumber) * context.theme.small->FontSize + 2 * kAll * padding;
}

}  // namespace

void drawSaturationRows(ViewContext& context) {
  const Index head = context.state.selection.head;
  constexpr auto kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_NoSavedSettings;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImGuiStyle& style = ImGui::GetStyle();
  const auto isTooNarrow = [&](float padding) {
    return room.x - style.ScrollbarSize < leastTableWidth(context, padding);
  };
  // With little room, columns stand close first; with less, they scroll beneath a bar that leaves a row in
  // sight.
  const ImVec2 plain = style.CellPadding, close(std::round(0.3f * plain.x), 0);
  const bool isTight = isTooNarrow(plain.x), scrolls = isTooNarrow(close.x);
  const float bar = std::round(style.ScrollbarSize * (scrolls ? 0.25f : 1));
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, bar);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, isTight ? close : plain);
  const auto flags = kFlags | (scrolls ? ImGuiTableFlags_ScrollX : ImGuiTableFlags_None);
  const bool isShown =
      ImGui::BeginTable("##rows", 6, flags, {}, scrolls ? leastTableWidth(context, close.x) : 0);
  ImGui::PopStyleVar(2);
  if (!isShown) return;
  ImGui::TableSetupScrollFreeze(scrolls ? 2 : 0, 1);
  ImGui::PushFont(context.theme.small);
  const float font = ImGui::GetFontSize();
  const float height =
      barHeight(room.y - 1.5f * font, static_cast<std::size_t>(context.results.shapes.queries));
  const bool isNarrow = room.x < 18 * font;  // names then leave room for the numbers
  ImGui::TableSetupColumn("sign", ImGuiTableColumnFlags_WidthFixed, font);
  ImGui::TableSetupColumn(
      "row", ImGuiTableColumnFlags_WidthFixed,
      std::min((isNarrow ? kNarrowName : 4.2f) * font, widestRowName(context) + 0.4f * font));
  for (const char* name : {"largest", "entropy", "keys", "norm"})
    ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::PushStyleColor(ImGuiCol_TableHeaderBg, context.theme.panel);
  drawColumnHeads(context);
  ImGui::PopStyleColor();
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(context.results.shapes.queries));
  while (clipper.Step())
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) drawRow(context, height, head, row);
  ImGui::PopFont();
  ImGui::EndTable();
}

void drawJacobian(ViewContext& context) {
  if (context.results.probs.empty()) return;
  chooseRow(context);
  ImGui::SameLine();
  constexpr const char* kOf[] = {"", " of A", ", B − A"};
  const std::string caption =
      "∂p/∂s of " + queryLabel(context.state.notation, context.shown, context.state.selection.query) +
      kOf[static_cast<int>(showingOfJacobian(context))] + headText(context, "", ", ");
  ImGui::TextColored(context.theme.faint, "%s", elided(caption, ImGui::GetContentRegionAvail().x).c_str());
  const Matrix& jacobian = keptJacobian(context);
  drawMap(context, {.label = "Jacobian map",
                    .values = jacobian.data(),
                    .rows = jacobian.rows(),
                    .cols = jacobian.cols(),
                    .head = context.state.selection.head,
                    .rowsAre = Map::Axis::keys});
}

void drawScoreHistogram(ViewContext& context) {
  context.state.saturation.showsScores = true;
  if (context.results.scaledScores.empty()) return hint("The scores are on their way…");
  const SaturationState::Scores& scores = keptScores(context);
  if (scores.histogram.count == 0) return hint("No visible pair has a finite score.");
  drawLegend(context, scores);
  if (scores.histogram.nonFinite > 0)
    ImGui::TextColored(context.theme.warning, "%lld NaN or infinite scores are left out",
                       static_cast<long long>(scores.histogram.nonFinite));
  constexpr auto kFlags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs | ImPlotFlags_NoFrame;
  ImGui::PushFont(context.theme.small);
  if (ImPlot::BeginPlot("##scores", {-1, -1}, kFlags)) {
    plotScores(context, scores);
    const ImVec2 min = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
    nameRect("histogram", min, {min.x + size.x, min.y + size.y});
    if (ImGui::IsMouseHoveringRect(min, {min.x + size.x, min.y + size.y}))
      pointAtValue(context.state, kHistogram, kPlot, 0);
    ImPlot::EndPlot();
  }
  ImGui::PopFont();
}

}  // namespace attn
