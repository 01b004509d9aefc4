#include "app/views/norm_lab.h"

#include <imgui.h>
#include <implot.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/item_registry.h"
#include "app/views/lab_widgets.h"
#include "app/views/labels.h"
#include "app/views/labs.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/labs/normalisation.h"

namespace attn {
namespace {

constexpr const char* kLab = "Normalisation lab";

struct NormMemory : LabMemory {
  int page = 1;
};

void change(ViewContext& context, const NormLab& lab) {
  context.editor.change([&](Scene& scene) { scene.labs.norm = lab; });
}

/// Counted as the notation says, from 0 or 1.
bool placeSlider(const ViewContext& context, const char* label, Index& place, Index count) {
  const Index first = context.state.notation.first;
  Index shown = place + first;
  const bool isMoved = labSlider(label, shown, first, count - 1 + first);
  place = shown - first;
  return isMoved;
}

void drawReadouts(ViewContext& context, const NormLab& lab) {
  const Batch x = batchOf(lab), y = layerNorm(x, lab.gain, lab.shift, lab.epsilon);
  const auto text = [&](double value) { return numberText(context.state.notation, value, 4); };
  ImGui::Dummy({0, 0.2f * ImGui::GetFontSize()});
  labReadout(context, kLab, 0, "‖y − β1‖ of the row", text(lengthAround(y, lab.row, lab.shift)),
             "As layer norm gives it, of the row with the changed number");
  labReadout(context, kLab, 1, "|γ|√d", text(std::abs(lab.gain) * std::sqrt(static_cast<double>(lab.width))),
             "What it is for ε = 0, whatever x is");
  if (lab.epsilon > 0)
    labReadout(context, kLab, 2, "|γ|√d · σ/√(σ² + ε)",
               text(predictedLength(x, lab.row, lab.gain, lab.epsilon)), "What it is for this ε");
}

void drawControls(ViewContext& context) {
  NormLab lab = context.scene.labs.norm;
  bool isChanged = labSlider("change x by", lab.change, -6, 6);
  isChanged |= placeSlider(context, "in row i", lab.row, lab.batch);
  isChanged |= placeSlider(context, "column j", lab.col, lab.width);
  isChanged |= labSlider("γ", lab.gain, -3, 3);
  isChanged |= labSlider("β", lab.shift, -3, 3);
  isChanged |= labSlider("ε", lab.epsilon, 0, 10, "%.5f", ImGuiSliderFlags_Logarithmic);
  isChanged |= labSlider("vectors", lab.batch, 3, 8);
  isChanged |= labSlider("width d", lab.width, 3, 12);
  isChanged |= labSeed(lab.seed);
  lab.row = std::min(lab.row, lab.batch - 1);
  lab.col = std::min(lab.col, lab.width - 1);
  if (isChanged) change(context, lab);
  drawReadouts(context, context.scene.labs.norm);
  if (sendButton()) sendToWindow(context, sceneOf(context.scene.labs.norm));
}

/// A number in its cell, with a sign before it where there is one, all of it in letters that fit.
void cellText(const ViewContext& context, ImVec2 min, ImVec2 max, const std::string& text, bool isStrong) {
  const float width = max.x - min.x, height = max.y - min.y;
  ImFont* font = context.theme.words;
  const float wanted = std::min(font->FontSize, 0.7f * height);
  const float natural = font->CalcTextSizeA(wanted, FLT_MAX, 0, text.c_str()).x;
  const float size = natural > 0.92f * width ? wanted * 0.92f * width / natural : wanted;
  const ImVec2 extent = font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str());
  ImGui::GetWindowDrawList()->AddText(
      font, size, {(min.x + max.x - extent.x) / 2, (min.y + max.y - extent.y) / 2},
      ImGui::GetColorU32(isStrong ? context.theme.text : context.theme.faint), text.c_str());
}

/// A batch as a table of cells; draws a cell and returns its rectangle's colour.
struct Grid {
  ImVec2 at, cell;
  ImVec2 min(Index i, Index j) const {
    return {at.x + cell.x * static_cast<float>(j), at.y + cell.y * static_cast<float>(i)};
  }
  ImVec2 max(Index i, Index j) const {
    const ImVec2 corner = min(i, j);
    return {corner.x + cell.x - 2, corner.y + cell.y - 2};
  }
};

Grid gridFor(const Batch& values) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float font = ImGui::GetFontSize();
  return {ImGui::GetCursorScreenPos(),
          {room.x / static_cast<float>(values.cols()),
           std::min((room.y - 1.6f * font) / static_cast<float>(values.rows()), 4 * font)}};
}

void tint(const ViewContext& context, const Grid& grid, Index i, Index j, double value, double most) {
  ImVec4 colour = value < 0 ? context.theme.negative : context.theme.positive;
  colour.w = static_cast<float>(std::min(1.0, std::abs(value) / most)) * 0.4f;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(grid.min(i, j), grid.max(i, j), ImGui::GetColorU32(ImGuiCol_FrameBg));
  list.AddRectFilled(grid.min(i, j), grid.max(i, j), ImGui::GetColorU32(colour));
}

void outline(const ViewContext& context, const Grid& grid, Index i, Index j) {
  ImGui::GetWindowDrawList()->AddRect(grid.min(i, j), grid.max(i, j),
                                      ImGui::GetColorU32(context.theme.accent), 0, 0,
                                      2.5f * context.theme.unit);
}

/// X, in which a click chooses the number that is changed.
void drawInput(ViewContext& context, ImVec2 size) {
  if (!beginFigure(context, kLab, 0, "x, a vector a row", size)) return;
  NormLab lab = context.scene.labs.norm;
  const Batch x = batchOf(lab);
  const Grid grid = gridFor(x);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) {
      tint(context, grid, i, j, x(i, j), 5);
      ImGui::SetCursorScreenPos(grid.min(i, j));
      ImGui::PushID(static_cast<int>(i * 16 + j));
      const bool isClicked = ImGui::InvisibleButton("x", {grid.cell.x - 2, grid.cell.y - 2});
      nameRect("x[" + std::to_string(i) + "][" + std::to_string(j) + "]", grid.min(i, j), grid.max(i, j));
      ImGui::PopID();
      cellText(context, grid.min(i, j), grid.max(i, j), numberText(context.state.notation, x(i, j)), true);
      if (!isClicked || (lab.row == i && lab.col == j)) continue;
      lab.row = i, lab.col = j, lab.change = 0;
      change(context, lab);
    }
  outline(context, grid, context.scene.labs.norm.row, context.scene.labs.norm.col);
  endFigure();
}

/// What comes out, and how each y answers to the chosen x: ▲ grows with it, ▼ falls; the others do not move.
void drawOutput(ViewContext& context, int number, const char* title, const Batch& y, const Batch& slopes,
                ImVec2 size) {
  if (!beginFigure(context, kLab, number, title, size)) return;
  const Grid grid = gridFor(y);
  const double most = std::max(1e-12, slopes.cwiseAbs().maxCoeff());
  for (Index i = 0; i < y.rows(); ++i)
    for (Index j = 0; j < y.cols(); ++j) {
      const double slope = slopes(i, j);
      tint(context, grid, i, j, slope, most);
      const bool moves = slope != 0;
      const std::string sign = slope > 0 ? "▲ " : slope < 0 ? "▼ " : "";
      cellText(context, grid.min(i, j), grid.max(i, j), sign + numberText(context.state.notation, y(i, j)),
               moves);
      if (moves)
        nameRect(std::string(title) + " moves[" + std::to_string(i) + "][" + std::to_string(j) + "]",
                 grid.min(i, j), grid.max(i, j));
      if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(grid.min(i, j), grid.max(i, j)))
        ImGui::SetTooltip("y = %s\n∂y/∂x = %s", numberText(context.state.notation, y(i, j), 4).c_str(),
                          numberText(context.state.notation, slope, 4).c_str());
    }
  ImGui::SetCursorScreenPos({grid.at.x, grid.max(y.rows() - 1, 0).y + 0.3f * ImGui::GetFontSize()});
  ImGui::TextColored(context.theme.faint, "▲ grows with x   ▼ falls   pale: stays");
  endFigure();
}

/// The length of every row around β, beside what the law says of it.
void drawLengths(ViewContext& context, ImVec2 size) {
  const NormLab& lab = context.scene.labs.norm;
  if (!beginChart(context, kLab, 3, "‖y − β1‖ of each row, and its law", size)) return;
  const Batch x = batchOf(lab), y = layerNorm(x, lab.gain, lab.shift, lab.epsilon);
  std::vector<double> rows, lengths, laws;
  for (Index i = 0; i < x.rows(); ++i) {
    rows.push_back(static_cast<double>(context.state.notation.counted(i)));
    lengths.push_back(lengthAround(y, i, lab.shift));
    laws.push_back(predictedLength(x, i, lab.gain, lab.epsilon));
  }
  const double whole = std::abs(lab.gain) * std::sqrt(static_cast<double>(lab.width));
  setUpAxes(context, {rows.front() - 0.7, rows.back() + 0.7}, {0, std::max(1e-6, 1.25 * whole)});
  ImPlot::SetupAxisTicks(ImAxis_X1, rows.data(), static_cast<int>(rows.size()));
  ImPlot::SetNextFillStyle(context.theme.series[0], 0.55f);
  ImPlot::PlotBars("lengths", rows.data(), lengths.data(), static_cast<int>(rows.size()), 0.6);
  ImPlot::SetNextLineStyle(context.theme.text, 1.5f * context.theme.unit);
  ImPlot::PlotInfLines("##whole", &whole, 1, ImPlotInfLinesFlags_Horizontal);
  ImPlot::SetNextMarkerStyle(ImPlotMarker_Diamond, 5 * context.theme.unit, context.theme.series[1], 0);
  ImPlot::PlotScatter("law", rows.data(), laws.data(), static_cast<int>(rows.size()));
  nameInChart(context, "|γ|√d", rows.front() - 0.7, whole, {2, -0.8f});
  endChart();
}

void drawPicture(ViewContext& context, NormMemory& memory) {
  const char* const names[] = {"x", "layer norm", "batch norm", "lengths"};
  drawCharts(context, names, memory.page, [&](int number, ImVec2 size) {
    const NormLab& lab = context.scene.labs.norm;
    const Batch x = batchOf(lab);
    if (number == 0) drawInput(context, size);
    if (number == 1)
      drawOutput(context, 1, "layer norm: which y move with x",
                 layerNorm(x, lab.gain, lab.shift, lab.epsilon),
                 layerNormJacobian(x, lab.row, lab.col, lab.gain, lab.epsilon), size);
    if (number == 2)
      drawOutput(context, 2, "batch norm: which y move with x",
                 batchNorm(x, lab.gain, lab.shift, lab.epsilon),
                 batchNormJacobian(x, lab.row, lab.col, lab.gain, lab.epsilon), size);
    if (number == 3) drawLengths(context, size);
  });
}

}  // namespace

void drawNormLab(ViewContext& context) {
  auto& memory = context.state.labs.of<NormMemory>(LabName::normalisation);
  drawLab(
      context, [&] { drawControls(context); }, [&] { drawPicture(context, memory); });
}

}  // namespace attn
