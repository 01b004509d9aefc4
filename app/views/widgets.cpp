#include "app/views/widgets.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/theme.h"

namespace attn {

void sectionLabel(const Theme& theme, const char* text) {
  ImGui::PushFont(theme.heading);
  ImGui::TextUnformatted(text);
  ImGui::PopFont();
}

void levelBar(const Theme& theme, float share, float width, const ImVec4& colour, float mark) {
  const float height = ImGui::GetTextLineHeight(), inset = std::round(height * 0.22f);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float top = at.y + inset, bottom = at.y + height - inset;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({at.x, top}, {at.x + width, bottom}, ImGui::GetColorU32(ImGuiCol_FrameBg),
                     2 * theme.unit);
  const float filled = std::isfinite(share) ? std::clamp(share, 0.0f, 1.0f) * width : 0;
  if (filled > 0)
    list.AddRectFilled({at.x, top}, {at.x + filled, bottom}, ImGui::GetColorU32(colour), 2 * theme.unit);
  if (mark >= 0)
    list.AddLine({at.x + mark * width, top - 2 * theme.unit}, {at.x + mark * width, bottom + 2 * theme.unit},
                 ImGui::GetColorU32(theme.faint), std::max(1.0f, theme.unit));
  ImGui::Dummy({width, height});
}

void numberCell(const Theme& theme, const std::string& text, float width) {
  ImGui::PushFont(theme.numbers);
  const float slack = width - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, slack));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopFont();
}

void hint(const char* text) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  ImGui::TextWrapped("%s", text);
  ImGui::PopStyleColor();
}

void startHere() {
  ImGui::SetItemDefaultFocus();
  if (ImGui::IsWindowAppearing()) GImGui->NavDisableHighlight = false;  // else keys would only show the focus
}

void progressSign(const Theme& theme, const char* word) {
  const float size = ImGui::GetFontSize(), radius = 0.35f * size;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({size, size});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float start = 6 * static_cast<float>(std::fmod(ImGui::GetTime(), 100.0));
  list.PathArcTo({at.x + radius, at.y + 0.6f * size}, radius, start, start + 4.5f, 20);
  list.PathStroke(ImGui::GetColorU32(theme.accent), 0, 2 * theme.unit);
  ImGui::TextColored(theme.accent, "%s…", word);
}

}  // namespace attn
