#include "app/views/saturation.h"

#include <imgui.h>

#include <cmath>

#include "app/views/labels.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

/// A bar and the number that it stands for, in one cell of the table.
void drawMeasure(const ViewContext& context, double value, double full, const ImVec4& colour,
                 double mark = -1) {
  if (!ImGui::TableNextColumn()) return;
  const float number = 2.5f * ImGui::GetFontSize();
  const float width = ImGui::GetContentRegionAvail().x - number;
  if (width > 8 * context.theme.unit) {
    levelBar(context.theme, static_cast<float>(value / full), width, colour, static_cast<float>(mark));
    ImGui::SameLine(0, 0);
  }
  numberCell(context.theme, numberText(value), number);
}

void drawRow(ViewContext& context, Index head, Index row) {
  const auto& measures = context.results.measures;
  const Theme& theme = context.theme;
  const bool isSaturated = context.results.saturatedRows.at(head, row, 0) != 0;
  const bool isBlind = context.results.maskedRows.at(head, row, 0) != 0;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const std::string label = queryLabel(context.shown, row) + "##row" + std::to_string(row);
  if (ImGui::Selectable(label.c_str(), context.state.selection.query == row,
                        ImGuiSelectableFlags_SpanAllColumns))
    context.state.selection.query = row;
  if (ImGui::IsItemHovered()) context.state.nextHover.query = row;
  if (isBlind) ImGui::SetItemTooltip("This row sees no key: all its weights are 0");
  drawMeasure(context, measures.largestWeight.at(head, row, 0), 1,
              isSaturated ? theme.warning : theme.series[0], context.shown.saturationThreshold);
  drawMeasure(context, measures.entropyShare.at(head, row, 0), 1, theme.series[2]);
  drawMeasure(context, measures.effectiveKeys.at(head, row, 0),
              static_cast<double>(context.results.shapes.keys), theme.series[3]);
  drawMeasure(context, measures.jacobianNorm.at(head, row, 0), 0.75, theme.series[4]);
}

}  // namespace

void drawSaturation(ViewContext& context) {
  const Index head = context.state.selection.head;
  if (context.results.measures.largestWeight.empty()) return;
  constexpr auto kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("##rows", 5, kFlags)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("row", ImGuiTableColumnFlags_WidthFixed, 3.8f * ImGui::GetFontSize());
  for (const char* name : {"largest", "entropy", "keys", "Jacobian"})
    ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::PushFont(context.theme.small);
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.faint);
  ImGui::PushStyleColor(ImGuiCol_TableHeaderBg, context.theme.panel);
  ImGui::TableHeadersRow();
  ImGui::PopStyleColor(2);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(context.results.shapes.queries));
  while (clipper.Step())
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) drawRow(context, head, row);
  ImGui::PopFont();
  ImGui::EndTable();
}

void wantSaturation(const ViewState&, Wanted& wanted) {
  wanted.probs = true;
  wanted.measures = true;
}

}  // namespace attn
