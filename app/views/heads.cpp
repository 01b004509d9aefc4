#include "app/views/heads.h"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/views/map.h"
#include "app/views/view.h"

namespace attn {

void drawHeads(ViewContext& context) {
  const StackOf<float>& weights = context.results.probs;
  if (weights.empty()) return;
  const float unit = context.theme.unit, gap = ImGui::GetStyle().ItemSpacing.x;
  const float room = ImGui::GetContentRegionAvail().x;
  const float side = std::min(room, std::max(72 * unit, (room - gap) / 2));
  for (Index head = 0; head < weights.heads(); ++head) {
    const std::string label = "Head " + std::to_string(head + 1);
    const bool isChosen = head == context.state.selection.head;
    ImGui::BeginGroup();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const Map map{.label = label.c_str(),
                  .values = weights.head(head),
                  .rows = weights.rows(),
                  .cols = weights.cols(),
                  .head = head,
                  .isSigned = false,
                  .isMasked = true,
                  .isWeights = true};
    if (drawThumbnail(context, map, side, side)) context.state.selection.head = head;
    if (isChosen)
      ImGui::GetWindowDrawList()->AddRect(corner, {corner.x + side, corner.y + side},
                                          ImGui::GetColorU32(context.theme.accent), 0, 0, 2 * unit);
    ImGui::TextColored(isChosen ? context.theme.accent : context.theme.text, "%s", label.c_str());
    ImGui::EndGroup();
    if (corner.x + 2 * side + gap <= ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x + 1)
      ImGui::SameLine();
  }
}

void wantHeads(const ViewState&, Wanted& wanted) {
  wanted.probs = true;
}

}  // namespace attn
