#include "app/views/saturation.h"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/presenter/hidden_values.h"
#include "app/views/number_control.h"
#include "app/views/saturation_pages.h"
#include "app/views/story_bar.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

using Page = SaturationState::Page;

/// The threshold, to be dragged or typed, and how many rows reach it.
void drawThreshold(ViewContext& context) {
  const float font = ImGui::GetFontSize();
  double threshold = context.scene.saturationThreshold;
  flowTo(4.6f * font, 10 * context.theme.unit);
  ImGui::SetNextItemWidth(4.6f * font);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ImGui::GetStyle().FramePadding.x, 0));
  if (dragNumber("##threshold", threshold, 0.002f, "≥ %.3f", {0.001, 1}, ImGuiSliderFlags_AlwaysClamp))
    context.editor.change([=](Scene& scene) { scene.saturationThreshold = threshold; });
  ImGui::PopStyleVar();
  offerStory(context, {.kind = StoryTarget::Kind::threshold});
  ImGui::SetItemTooltip(
      "A row whose largest weight reaches this counts as saturated.\nDrag, or double click to type.");
  const auto& flags = context.results.saturatedRows;
  const Index head = context.state.selection.head, rows = context.results.shapes.queries;
  const Index count = flags.empty() ? 0 : std::count(flags.head(head), flags.head(head) + rows, 1);
  const std::string text = "▲ " + shownValue(context.state, "Saturation/count", 0, 0, std::to_string(count)) +
                           " of " + std::to_string(rows);
  flowTo(ImGui::CalcTextSize(text.c_str()).x);
  ImGui::TextColored(count > 0 ? context.theme.warning : context.theme.faint, "%s", text.c_str());
  if (ImGui::IsItemHovered()) pointAtValue(context.state, "Saturation/count", 0, 0);
  ImGui::SetItemTooltip("Saturated rows of this head: their gradient hardly passes the softmax");
}

void drawPage(ViewContext& context, Page page) {
  if (page == Page::rows) drawSaturationRows(context);
  if (page == Page::jacobian) drawJacobian(context);
  if (page == Page::scores) drawScoreHistogram(context);
}

/// The rows, and where they leave much of the panel empty, the Jacobian of the chosen one beneath them.
void drawRowsAndJacobian(ViewContext& context) {
  const float font = ImGui::GetFontSize(), height = ImGui::GetContentRegionAvail().y;
  const float line = context.theme.small->FontSize + 2 * ImGui::GetStyle().CellPadding.y;
  const float rows = line * (static_cast<float>(context.results.shapes.queries) + 1.5f);
  if (height - rows < 9.5f * font) return drawPage(context, Page::rows);
  const float generous = std::max(rows, std::min(2 * rows, 0.38f * height));
  ImGui::BeginChild("rows page", {0, generous}, false, kPart);
  drawPage(context, Page::rows);
  ImGui::EndChild();
  drawPage(context, Page::jacobian);
}

/// As many pages side by side as there is room for.
void drawPages(ViewContext& context, Page chosen) {
  const float width = ImGui::GetContentRegionAvail().x, font = ImGui::GetFontSize();
  const float table = 24 * font, picture = 18 * font;
  if (width < table + picture)
    return chosen == Page::rows ? drawRowsAndJacobian(context) : drawPage(context, chosen);
  const bool isThree = width > table + 2 * picture;
  const float left = isThree ? width * 0.4f : std::max(table, width * 0.5f);
  const float other = isThree ? (width - left) / 2 - ImGui::GetStyle().ItemSpacing.x : 0;
  const auto beside = [&](const char* name, float extent, Page page) {
    ImGui::BeginChild(name, {extent, 0}, false, kPart);
    drawPage(context, page);
    ImGui::EndChild();
  };
  beside("rows page", left, Page::rows);
  ImGui::SameLine();
  beside("second page", other, isThree || chosen == Page::rows ? Page::jacobian : chosen);
  if (!isThree) return;
  ImGui::SameLine();
  beside("third page", 0, Page::scores);
}

}  // namespace

void drawSaturation(ViewContext& context) {
  if (context.results.measures.largestWeight.empty()) return;
  SaturationState& state = context.state.saturation;
  const char* const names[] = {"rows", "Jacobian", "scores"};
  int page = static_cast<int>(state.page);
  if (pages(context.theme, page, names)) state.page = static_cast<Page>(page);
  drawThreshold(context);
  state.showsScores = false;
  drawPages(context, state.page);
}

void wantSaturation(const ViewState& state, Wanted& wanted) {
  wanted.probs = true;
  wanted.measures = true;
  if (state.saturation.showsScores) wanted.scaledScores = true;
}

}  // namespace attn
