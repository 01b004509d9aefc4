#include "app/views/mask.h"

#include <imgui.h>

#include <algorithm>
#include <cfloat>

#include "app/views/mask_painter.h"
#include "app/views/mask_rules.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {

void drawMask(ViewContext& context) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float font = ImGui::GetFontSize();
  const bool isWide = room.x > 1.4f * room.y && room.x > 26 * font;
  if (!isWide) {
    // Many rules scroll among themselves: the painter keeps its half. A rule that comes with paint must not
    // move the painter away from the pointer: it waits for its room until that has gone.
    MaskState& state = context.state.mask;
    const float most = std::max(2 * font, 0.45f * room.y), held = std::min(state.rulesHeight, most);
    ImGui::SetNextWindowSizeConstraints({0, state.isInUse ? held : 0},
                                        {FLT_MAX, state.isInUse ? held : most});
    ImGui::BeginChild("rules", {0, 0}, ImGuiChildFlags_AutoResizeY, ImGuiWindowFlags_NavFlattened);
    drawRuleChips(context);
    ImGui::EndChild();
    state.rulesHeight = ImGui::GetItemRectSize().y;
    drawMaskPainter(context);
    return;
  }
  ImGui::BeginChild("rules", {15 * font, 0}, false, ImGuiWindowFlags_NavFlattened);
  drawRuleChips(context);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("pairs", {0, 0}, false, kPart);
  drawMaskPainter(context);
  ImGui::EndChild();
}

}  // namespace attn
