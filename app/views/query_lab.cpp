#include "app/views/query_lab.h"

#include <imgui.h>
#include <implot.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "app/item_registry.h"
#include "app/views/lab_widgets.h"
#include "app/views/labels.h"
#include "app/views/labs.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/labs/query_design.h"

namespace attn {
namespace {

using Keys = QueryLab::Keys;
constexpr const char* kLab = "Query lab";
constexpr double kMostBeta = 20;
constexpr int kSteps = 40;

/// What follows from the lab's parameters, made again when they change.
struct QueryMemory : LabMemory {
  std::optional<QueryLab> made;
  KeyDraws draws;
  std::vector<Attended> answers;  // one a draw
  std::vector<ErrorAt> errors;
  Projection projection;
  int page = 1;
  double reach = 10;  // of the plane; stays while the query is held

  void follow(const QueryLab& lab) {
    if (made == lab) return;
    if (!made || !needsSameKeys(*made, lab)) draws = drawKeys(lab);
    answers.clear();
    for (Index draw = 0; draw < draws.count(); ++draw) answers.push_back(answerTo(lab, draws, draw));
    errors = errorCurve(lab, draws, kMostBeta, kSteps);
    projection = projectionOf(lab);
    made = lab;
  }
  double meanError() const {
    const Point wanted = wantedOutput(*made);
    double sum = 0;
    for (const Attended& answer : answers) sum += distance(answer.output, wanted);
    return sum / static_cast<double>(answers.size());
  }
};

void change(ViewContext& context, const QueryLab& lab) {
  context.editor.change([&](Scene& scene) { scene.labs.query = lab; });
}

/// How keys are counted for the reader: as the notation says.
Index counted(const ViewContext& context, Index key) {
  return context.state.notation.counted(key);
}

/// Chooses a key; one that is taken already goes to the other place.
bool keySlider(const ViewContext& context, const char* label, Index& key, Index keys) {
  Index shown = counted(context, key);
  const bool isMoved = labSlider(label, shown, counted(context, 0), counted(context, keys - 1));
  key = shown - counted(context, 0);
  return isMoved;
}

bool drawKeyControls(const ViewContext& context, QueryLab& lab) {
  const char* const kinds[] = {"keys orthonormal", "keys drawn around such means"};
  bool isChanged = false;
  for (int kind = 0; kind < 2; ++kind)
    if (tickOne(kinds[kind], static_cast<int>(lab.kind) == kind))
      lab.kind = static_cast<Keys>(kind), isChanged = true;
  isChanged |= labSlider("n keys", lab.keys, 3, 32);
  isChanged |= labSlider("width d", lab.width, lab.keys, 64);
  lab.width = std::max(lab.width, lab.keys);
  if (lab.kind == Keys::drawn) {
    isChanged |= labSlider("variance ε", lab.variance, 0, 0.5, "%.4f", ImGuiSliderFlags_Logarithmic);
    isChanged |= labSlider("draws", lab.samples, 1, 2048, ImGuiSliderFlags_Logarithmic);
    isChanged |= tick("one key stretched along its mean", lab.isStretched);
    if (lab.isStretched) {
      isChanged |= keySlider(context, "key x", lab.stretched, lab.keys);
      isChanged |= labSlider("by variance", lab.stretch, 0, 2);
    }
  }
  return isChanged | labSeed(lab.seed);
}

bool drawQueryControls(const ViewContext& context, QueryLab& lab) {
  const QueryLab before = lab;
  bool isChanged = keySlider(context, "key i", lab.first, lab.keys);
  if (lab.first == lab.second) lab.second = before.first;
  isChanged |= keySlider(context, "key j", lab.second, lab.keys);
  if (lab.first == lab.second) lab.first = before.second;
  double beta = (lab.alongFirst + lab.alongSecond) / 2;
  if (labSlider("β", beta, 0, kMostBeta)) lab.alongFirst = lab.alongSecond = beta, isChanged = true;
  isChanged |= labSlider("along k_i", lab.alongFirst, -kMostBeta, kMostBeta);
  isChanged |= labSlider("along k_j", lab.alongSecond, -kMostBeta, kMostBeta);
  return isChanged | tick("two heads, one for each", lab.hasTwoHeads);
}

/// Fewer keys leave no place for those beyond.
void keepWithin(QueryLab& lab) {
  for (Index* key : {&lab.first, &lab.second, &lab.stretched}) *key = std::min(*key, lab.keys - 1);
  if (lab.first == lab.second) lab.second = lab.first == 0 ? 1 : lab.first - 1;
}

void drawControls(ViewContext& context, QueryMemory& memory) {
  QueryLab lab = context.scene.labs.query;
  bool isChanged = drawQueryControls(context, lab);
  isChanged |= drawKeyControls(context, lab);
  keepWithin(lab);
  if (isChanged) change(context, lab);
  memory.follow(context.scene.labs.query);
  const auto text = [&](double x) { return numberText(context.state.notation, x, 4); };
  const Attended& first = memory.answers.front();
  const QueryLab& made = *memory.made;
  ImGui::Dummy({0, 0.2f * ImGui::GetFontSize()});
  labReadout(context, kLab, 0, made.kind == Keys::drawn ? "weights of i, j in one draw" : "weights of i, j",
             text(first.weights[static_cast<std::size_t>(made.first)]) + ", " +
                 text(first.weights[static_cast<std::size_t>(made.second)]),
             "Of two heads, the average of both");
  labReadout(context, kLab, 1, made.kind == Keys::drawn ? "mean |c − (v_i + v_j)/2|" : "|c − (v_i + v_j)/2|",
             text(memory.meanError()), "How far the output is from the middle of both values");
  if (sendButton()) sendToWindow(context, sceneOf(made, 0));
}

void scatter(const char* id, const std::vector<Point>& points, int marker, float size, const ImVec4& colour,
             float opacity = 1) {
  std::vector<double> x, y;
  for (const Point& point : points) x.push_back(point.x), y.push_back(point.y);
  ImVec4 fill = colour;
  fill.w = opacity;
  ImPlot::SetNextMarkerStyle(marker, size, fill, 0, fill);
  ImPlot::PlotScatter(id, x.data(), y.data(), static_cast<int>(x.size()));
}

/// A plane around 0 that reaches at least so far, as far across as up.
void setUpPlane(const ViewContext& context, double reach, ImVec2 size) {
  const float font = ImGui::GetFontSize();
  const double shape = static_cast<double>((size.x - 2.5f * font) / std::max(1.0f, size.y - 3.2f * font));
  const double x = reach * std::max(1.0, shape), y = reach * std::max(1.0, 1 / shape);
  setUpAxes(context, {-x, x}, {-y, y});
}

void arrow(const ViewContext& context, const Point& to, const ImVec4& colour) {
  const ImVec2 from = ImPlot::PlotToPixels(0, 0), end = ImPlot::PlotToPixels(to.x, to.y);
  ImPlot::PushPlotClipRect();
  ImPlot::GetPlotDrawList()->AddLine(from, end, ImGui::GetColorU32(colour), 2.2f * context.theme.unit);
  ImPlot::PopPlotClipRect();
}

/// What can be dragged: q, in the plane of k_i and k_j.
void dragQuery(ViewContext& context) {
  QueryLab lab = context.scene.labs.query;
  const ImVec2 at = ImPlot::PlotToPixels(lab.alongFirst, lab.alongSecond);
  const float reach = 8 * context.theme.unit;
  if (ImPlot::DragPoint(0, &lab.alongFirst, &lab.alongSecond, context.theme.accent, 6 * context.theme.unit)) {
    lab.alongFirst = std::clamp(lab.alongFirst, -kMostBeta, kMostBeta);
    lab.alongSecond = std::clamp(lab.alongSecond, -kMostBeta, kMostBeta);
    change(context, lab);
  }
  nameRect("query", {at.x - reach, at.y - reach}, {at.x + reach, at.y + reach});
}

/// The plane of the two means: the query, and what the keys have in it. Keys are short beside the query, so
/// they are drawn five times as long.
void drawPlane(ViewContext& context, QueryMemory& memory, ImVec2 size) {
  const QueryLab& lab = context.scene.labs.query;
  if (!beginChart(context, kLab, 0, "q in the plane of k_i and k_j", size)) return;
  constexpr double kLonger = 5, kNear = 10;
  const bool isFar = std::max(std::abs(lab.alongFirst), std::abs(lab.alongSecond)) > 0.9 * kNear;
  if (!ImGui::IsAnyItemActive()) memory.reach = isFar ? 1.1 * kMostBeta : kNear;
  setUpPlane(context, memory.reach, size);
  std::vector<Point> drawn[2], others;
  for (Index i = 0; i < static_cast<Index>(memory.draws.along.size()); ++i) {
    Point point = memory.draws.along[static_cast<std::size_t>(i)];
    point.x *= kLonger, point.y *= kLonger;
    const Index key = i % memory.draws.keys;
    (key == lab.first ? drawn[0] : key == lab.second ? drawn[1] : others).push_back(point);
  }
  const float dot = (memory.draws.count() > 1 ? 2.0f : 4.5f) * context.theme.unit;
  scatter("others", others, ImPlotMarker_Circle, dot, context.theme.faint, 0.35f);
  scatter("k_i", drawn[0], seriesMarker(0), dot, context.theme.series[0], 0.6f);
  scatter("k_j", drawn[1], seriesMarker(1), dot, context.theme.series[1], 0.6f);
  nameInChart(context, "5·k_i", kLonger, 0, {0, 1.1f});
  nameInChart(context, "5·k_j", 0, kLonger, {-1.9f, 0});
  const Point q{lab.alongFirst, lab.alongSecond};
  if (lab.hasTwoHeads) {
    arrow(context, {q.x, 0}, context.theme.accent);
    arrow(context, {0, q.y}, context.theme.accent);
  } else {
    arrow(context, q, context.theme.accent);
  }
  nameInChart(context, lab.hasTwoHeads ? "q₁, q₂" : "q", q.x, q.y, {1.0f, -0.9f});
  dragQuery(context);
  endChart();
}

/// The values, as corners of a polygon, and where the outputs fall among them.
void drawOutputs(ViewContext& context, const QueryMemory& memory, ImVec2 size) {
  const QueryLab& lab = *memory.made;
  if (!beginChart(context, kLab, 1, memory.answers.size() > 1 ? "outputs of all draws" : "output", size))
    return;
  setUpPlane(context, 1.25, size);
  const std::vector<Point> values = valuesOfKeys(lab.keys);
  const Point vi = values[static_cast<std::size_t>(lab.first)],
              vj = values[static_cast<std::size_t>(lab.second)];
  const double x[] = {vi.x, vj.x}, y[] = {vi.y, vj.y};
  ImPlot::SetNextLineStyle(context.theme.faint, context.theme.unit);
  ImPlot::PlotLine("between", x, y, 2);
  scatter("values", values, ImPlotMarker_Circle, 3.5f * context.theme.unit, context.theme.faint);
  std::vector<Point> outputs;
  for (const Attended& answer : memory.answers) outputs.push_back(answer.output);
  scatter("outputs", outputs, seriesMarker(3), (outputs.size() > 1 ? 2.2f : 5.0f) * context.theme.unit,
          context.theme.series[2], outputs.size() > 1 ? 0.5f : 1);
  scatter("v_i", {vi}, seriesMarker(0), 5.5f * context.theme.unit, context.theme.series[0]);
  scatter("v_j", {vj}, seriesMarker(1), 5.5f * context.theme.unit, context.theme.series[1]);
  const Point middle = wantedOutput(lab);
  ImPlot::SetNextMarkerStyle(ImPlotMarker_Plus, 6.5f * context.theme.unit, context.theme.text,
                             2 * context.theme.unit, context.theme.text);
  ImPlot::PlotScatter("middle", &middle.x, &middle.y, 1);
  nameInChart(context, "v_i", vi.x, vi.y, {vi.x < 0 ? -1.2f : 1.2f, vi.y < 0 ? 0.8f : -0.8f});
  nameInChart(context, "v_j", vj.x, vj.y, {vj.x < 0 ? -1.2f : 1.2f, vj.y < 0 ? 0.8f : -0.8f});
  endChart();
}

void drawErrors(ViewContext& context, const QueryMemory& memory, ImVec2 size) {
  if (!beginChart(context, kLab, 2, "distance from the middle, over β", size)) return;
  constexpr double kFloor = 1e-6;
  std::vector<double> beta, mean, low, high;
  for (const ErrorAt& at : memory.errors) {
    beta.push_back(at.beta);
    for (const auto& [to, value] : {std::pair{&mean, at.mean}, {&low, at.low}, {&high, at.high}})
      to->push_back(std::max(value, kFloor));
  }
  setUpAxes(context, {0, kMostBeta}, {kFloor, 2, true});
  const double marked = (memory.made->alongFirst + memory.made->alongSecond) / 2;
  ImPlot::SetNextLineStyle(context.theme.accent, context.theme.unit);
  ImPlot::PlotInfLines("##β", &marked, 1);
  const int count = static_cast<int>(beta.size());
  ImPlot::SetNextFillStyle(context.theme.series[0], 0.25f);
  ImPlot::PlotShaded("errors", beta.data(), low.data(), high.data(), count);
  ImPlot::SetNextLineStyle(context.theme.series[0], 2.2f * context.theme.unit);
  ImPlot::PlotLine("errors", beta.data(), mean.data(), count);
  endChart();
}

/// Of the weight on i and j, how much i has, draw by draw, beside theory.
void drawShares(ViewContext& context, const QueryMemory& memory, ImVec2 size) {
  const QueryLab& lab = *memory.made;
  if (!beginChart(context, kLab, 3, "v_i's share of the two weights", size)) return;
  constexpr int kBins = 20;
  std::vector<double> centres, counts(kBins, 0), expected;
  for (const Attended& answer : memory.answers)
    counts[static_cast<std::size_t>(std::min(kBins - 1.0, kBins * shareOfFirst(lab, answer)))] += 1;
  const LogitNormal theory = predictedShare(lab);
  const bool hasTheory = !lab.hasTwoHeads && theory.deviation > 0;
  const auto all = static_cast<double>(memory.answers.size());
  for (int bin = 0; bin < kBins; ++bin) {
    centres.push_back((bin + 0.5) / kBins);
    expected.push_back(all * (theory.below((bin + 1.0) / kBins) - theory.below(bin / (kBins * 1.0))));
  }
  const double top = std::max(*std::max_element(counts.begin(), counts.end()),
                              !hasTheory ? 0 : *std::max_element(expected.begin(), expected.end()));
  setUpAxes(context, {0, 1}, {0, 1.08 * top});
  ImPlot::SetNextFillStyle(context.theme.series[2], 0.5f);
  ImPlot::PlotBars("draws", centres.data(), counts.data(), kBins, 0.92 / kBins);
  if (hasTheory) {
    ImPlot::SetNextLineStyle(context.theme.text, 1.6f * context.theme.unit);
    ImPlot::SetNextMarkerStyle(ImPlotMarker_Circle, 3 * context.theme.unit, context.theme.text);
    ImPlot::PlotLine("theory", centres.data(), expected.data(), kBins);
  }
  endChart();
}

std::string cellText(const ViewContext& context, double value) {
  return std::abs(value) < 0.05 ? "0" : numberText(context.state.notation, value, 1);
}

/// As large as lets the widest number into its cell; 0 if that would be too small to read.
float sizeOfNumbers(const ViewContext& context, const MatrixOf<double>& values, float cell) {
  const ImFont& font = *context.theme.cells;
  float widest = 1;
  for (Index i = 0; i < values.size(); ++i)
    widest = std::max(
        widest, font.CalcTextSizeA(font.FontSize, FLT_MAX, 0, cellText(context, values.data()[i]).c_str()).x);
  const float share = std::min(1.0f, (cell - 3 * context.theme.unit) / widest);
  return share < 0.7f ? 0 : share * font.FontSize;
}

/// A matrix as cells with their numbers: all of them where these fit, else none.
void drawCells(const ViewContext& context, const MatrixOf<double>& values, ImVec2 at, float cell) {
  const double most = std::max(1e-9, values.cwiseAbs().maxCoeff());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImFont* font = context.theme.cells;
  const float letters = sizeOfNumbers(context, values, cell);
  for (Index row = 0; row < values.rows(); ++row)
    for (Index col = 0; col < values.cols(); ++col) {
      const double value = values(row, col);
      const ImVec2 corner(at.x + cell * static_cast<float>(col), at.y + cell * static_cast<float>(row));
      const ImVec2 end(corner.x + cell - 1, corner.y + cell - 1);
      ImVec4 colour = value < 0 ? context.theme.negative : context.theme.positive;
      colour.w = static_cast<float>(std::abs(value) / most) * 0.75f;
      list.AddRectFilled(corner, end, ImGui::GetColorU32(ImGuiCol_FrameBg));
      list.AddRectFilled(corner, end, ImGui::GetColorU32(colour));
      if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(corner, end))
        ImGui::SetTooltip("%s", numberText(context.state.notation, value, 3).c_str());
      if (letters == 0) continue;
      const std::string text = cellText(context, value);
      const ImVec2 extent = font->CalcTextSizeA(letters, FLT_MAX, 0, text.c_str());
      list.AddText(font, letters, {corner.x + (cell - extent.x) / 2, corner.y + (cell - extent.y) / 2},
                   ImGui::GetColorU32(context.theme.text), text.c_str());
    }
}

/// M as a small map, and that it finds v_i.
void drawProjector(ViewContext& context, const QueryMemory& memory, ImVec2 size) {
  if (!beginFigure(context, kLab, 4, "M finds v_i in c: cM = v_i", size)) return;
  QueryLab lab = *memory.made;
  bool isChanged = labSlider("dim S", lab.firstBasis, 1, 4);
  isChanged |= labSlider("dim T", lab.secondBasis, 1, 4);
  if (isChanged) change(context, lab);
  const Projection& p = memory.projection;
  const std::string error =
      p.error < 1e-12 ? "0 to twelve digits" : numberText(context.state.notation, p.error);
  labReadout(context, kLab, 4, "|cM − v_i|", error, "M = 2SᵀS: twice the projector onto the subspace of v_i");
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float cell = std::floor(std::min(room.x, room.y) / static_cast<float>(Projection::kWidth));
  if (cell >= 3) drawCells(context, p.projector, at, cell);
  nameRect("projector map", at, {at.x + cell * Projection::kWidth, at.y + cell * Projection::kWidth});
  endFigure();
}

void drawPicture(ViewContext& context, QueryMemory& memory) {
  const char* const names[] = {"query", "output", "error", "share", "projector"};
  drawCharts(context, names, memory.page, [&](int number, ImVec2 size) {
    if (number == 0) drawPlane(context, memory, size);
    if (number == 1) drawOutputs(context, memory, size);
    if (number == 2) drawErrors(context, memory, size);
    if (number == 3) drawShares(context, memory, size);
    if (number == 4) drawProjector(context, memory, size);
  });
}

}  // namespace

void drawQueryLab(ViewContext& context) {
  auto& memory = context.state.labs.of<QueryMemory>(LabName::query);
  memory.follow(context.scene.labs.query);
  drawLab(
      context, [&] { drawControls(context, memory); }, [&] { drawPicture(context, memory); });
}

}  // namespace attn
