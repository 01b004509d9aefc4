#include "app/views/mask.h"

#include <imgui.h>

#include <algorithm>
#include <cfloat>

#include "app/views/mask_painter.h"
#include "app/views/mask_rules.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {

namespace {

/// Many rules scroll among themselves, in whole rows: the painter keeps its half. A rule that comes with
/// paint must not move the painter away from the pointer: it waits for its room until that has gone.
void drawRulesAbove(ViewContext& context, float most) {
  MaskState& state = context.state.mask;
  if (context.scene.masks.empty()) state.rulesHeight = 0;
  const bool hasRoom = !state.isInUse || state.rulesHeight > 0;
  if (context.scene.masks.empty() || !hasRoom) return;
  const float held = std::min(state.rulesHeight, most);
  ImGui::SetNextWindowSizeConstraints({0, state.isInUse ? held : 0}, {FLT_MAX, state.isInUse ? held : most});
  ImGui::BeginChild("rules", {0, 0}, ImGuiChildFlags_AutoResizeY, ImGuiWindowFlags_NavFlattened);
  drawRuleChips(context);
  ImGui::EndChild();
  state.rulesHeight = ImGui::GetItemRectSize().y;
}

}  // namespace

void drawMask(ViewContext& context) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float font = ImGui::GetFontSize();
  const bool isWide = room.x > 1.4f * room.y && room.x > 26 * font;
  const ImVec2 spacing(ImGui::GetStyle().ItemSpacing.x, 4 * context.theme.unit);
  if (!isWide) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, spacing);
    drawRuleMenus(context);
    const float left = ImGui::GetContentRegionAvail().y - 0.55f * room.y;
    drawRulesAbove(context, chipRowsHeight(context.theme, left));
    ImGui::PopStyleVar();
    return drawMaskPainter(context);
  }
  ImGui::BeginChild("rules", {15 * font, 0}, false, ImGuiWindowFlags_NavFlattened);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, spacing);
  drawRuleMenus(context);
  drawRuleChips(context);
  ImGui::PopStyleVar();
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("pairs", {0, 0}, false, kPart);
  drawMaskPainter(context);
  ImGui::EndChild();
}

}  // namespace attn
