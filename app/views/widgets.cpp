#include "app/views/widgets.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/item_registry.h"
#include "app/theme.h"

namespace attn {

void sectionLabel(const Theme& theme, const char* text) {
  ImGui::PushFont(theme.heading);
  ImGui::TextUnformatted(text);
  ImGui::PopFont();
}

float barHeight(float room, std::size_t count) {
  const float line = ImGui::GetTextLineHeight(), gaps = 2 * ImGui::GetStyle().CellPadding.y;
  const float share = room / static_cast<float>(std::max<std::size_t>(1, count)) - gaps;
  return std::floor(std::clamp(share, line, 2.2f * line));
}

void levelBar(const Theme& theme, float share, ImVec2 size, const ImVec4& colour, float mark) {
  const float width = size.x, height = size.y, inset = std::round(height * 0.22f);
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

void numberCell(const Theme& theme, const std::string& text, ImVec2 size) {
  ImGui::PushFont(theme.numbers);
  const ImVec2 extent = ImGui::CalcTextSize(text.c_str()), at = ImGui::GetCursorPos();
  const ImVec2 slack(std::max(0.0f, size.x - extent.x), std::max(0.0f, size.y - extent.y));
  ImGui::SetCursorPos({at.x + slack.x, at.y + std::round(slack.y / 2)});
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopFont();
}

bool barName(const std::string& label, bool isChosen, float height) {
  ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, ImVec2(0, 0.5f));
  const bool isClicked =
      ImGui::Selectable(label.c_str(), isChosen, ImGuiSelectableFlags_SpanAllColumns, {0, height});
  ImGui::PopStyleVar();
  return isClicked;
}

bool choice(const char* label, int& chosen, std::span<const char* const> names) {
  const bool isChanged = ImGui::Combo(label, &chosen, names.data(), static_cast<int>(names.size()));
  nameRect(label, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());  // ImGui does not tell of its combos
  return isChanged;
}

bool pages(const Theme& theme, int& chosen, std::span<const char* const> names) {
  const int before = chosen;
  for (int i = 0; i < static_cast<int>(names.size()); ++i) {
    const char* name = names[static_cast<std::size_t>(i)];
    if (i > 0) ImGui::SameLine(0, 10 * theme.unit);
    ImGui::PushStyleColor(ImGuiCol_Text, i == chosen ? theme.accent : theme.faint);
    const ImVec2 size = ImGui::CalcTextSize(name);
    if (ImGui::Selectable(name, false, 0, size)) chosen = i;
    ImGui::PopStyleColor();
    if (i != chosen) continue;
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddRectFilled({min.x + 2 * theme.unit, max.y},
                                              {max.x - 2 * theme.unit, max.y + 2 * theme.unit},
                                              ImGui::GetColorU32(theme.accent));
  }
  return chosen != before;
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

void keyboardTakesOver() {
  GImGui->NavDisableHighlight = false;
  GImGui->NavDisableMouseHover = true;
}

void takeKeyboard(ImGuiID item) {
  const bool isInUse = isMouseAtRest();
  ImGui::SetFocusID(item, ImGui::GetCurrentWindow());
  GImGui->NavInitRequest = false, GImGui->NavInitResult.ID = 0;  // else the panel's first item would take it
  if (isInUse) keyboardTakesOver();
}

bool isMouseAtRest() {
  return GImGui->NavDisableMouseHover && !GImGui->NavDisableHighlight;
}

float typedZoom() {
  constexpr float kStep = 1.5f;
  const ImGuiIO& io = ImGui::GetIO();
  float zoom = 1;
  if (io.KeyCtrl || io.KeyAlt) return zoom;
  for (const ImWchar letter : io.InputQueueCharacters) {
    if (letter == '+' || letter == '=') zoom *= kStep;
    if (letter == '-' || letter == u'−') zoom /= kStep;
    if (letter == '0') return 0;
  }
  return zoom;
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
