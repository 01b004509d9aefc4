#include "app/views/chip.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/theme.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

/// The background of a part of a chip, as light or strong as what happens to it.
void drawBack(ImVec2 min, ImVec2 max, bool isHovered, bool isHeld, ImDrawFlags corners) {
  const ImGuiCol colour = isHeld      ? ImGuiCol_HeaderActive
                          : isHovered ? ImGuiCol_HeaderHovered
                                      : ImGuiCol_Header;
  ImGui::GetWindowDrawList()->AddRectFilled(min, max, ImGui::GetColorU32(colour),
                                            ImGui::GetStyle().FrameRounding, corners);
}

bool button(const char* name, ImVec2 at, ImVec2 size, ImDrawFlags corners) {
  ImGui::SetCursorScreenPos(at);
  const bool isPressed = ImGui::InvisibleButton(name, size);
  const ImVec2 max(at.x + size.x, at.y + size.y);
  drawBack(at, max, ImGui::IsItemHovered(), ImGui::IsItemActive(), corners);
  ImGui::RenderNavHighlight({at, max}, ImGui::GetItemID());
  return isPressed;
}

void drawCross(const Theme& theme, ImVec2 centre, float reach) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = ImGui::GetColorU32(theme.faint);
  const float thick = std::max(1.0f, 1.3f * theme.unit);
  list.AddLine({centre.x - reach, centre.y - reach}, {centre.x + reach, centre.y + reach}, ink, thick);
  list.AddLine({centre.x - reach, centre.y + reach}, {centre.x + reach, centre.y - reach}, ink, thick);
}

}  // namespace

ChipClick chip(const Theme& theme, const std::string& name, const std::string& text) {
  ImGui::PushFont(theme.small);
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  const float cross = std::round(ImGui::GetFontSize() * 1.1f);
  const float whole = ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x;
  const float most = std::max(whole - cross - 2 * padding.x, 2 * ImGui::GetFontSize());
  const ImVec2 words = ImGui::CalcTextSize(text.c_str(), nullptr, false, most);
  const ImVec2 size(words.x + 2 * padding.x, words.y + padding.y);
  flowTo(size.x + cross);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ChipClick click;
  ImGui::BeginGroup();
  click.isOpened = button(name.c_str(), at, size, ImDrawFlags_RoundCornersLeft);
  ImGui::GetWindowDrawList()->AddText(nullptr, 0, {at.x + padding.x, at.y + padding.y / 2},
                                      ImGui::GetColorU32(theme.text), text.c_str(), nullptr, most);
  const ImVec2 end(at.x + size.x, at.y);
  click.isRemoved = button(("remove " + name).c_str(), end, {cross, size.y}, ImDrawFlags_RoundCornersRight);
  ImGui::SetItemTooltip("Take this rule away");
  drawCross(theme, {end.x + cross / 2 - theme.unit, end.y + size.y / 2}, ImGui::GetFontSize() * 0.2f);
  ImGui::EndGroup();
  ImGui::PopFont();
  return click;
}

}  // namespace attn
