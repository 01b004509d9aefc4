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

void pinnedBar(const Theme& theme, float share) {
  if (!std::isfinite(share)) return;
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const float height = std::max(2.0f, std::round(2.5f * theme.unit));
  const float width = std::max(theme.unit, std::clamp(share, 0.0f, 1.0f) * (max.x - min.x));
  ImGui::GetWindowDrawList()->AddRectFilled({min.x, max.y - height}, {min.x + width, max.y},
                                            ImGui::GetColorU32(theme.text));
}

void numberCell(const Theme& theme, const std::string& text, ImVec2 size) {
  ImGui::PushFont(theme.numbers);
  const ImVec2 extent = ImGui::CalcTextSize(text.c_str()), at = ImGui::GetCursorPos();
  const ImVec2 slack(std::max(0.0f, size.x - extent.x), std::max(0.0f, size.y - extent.y));
  ImGui::SetCursorPos({at.x + slack.x, at.y + std::round(slack.y / 2)});
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopFont();
}

bool barName(const std::string& id, const std::string& text, bool isChosen, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool isClicked =
      ImGui::Selectable(("##" + id).c_str(), isChosen, ImGuiSelectableFlags_SpanAllColumns, {0, height});
  nameRect(text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  const float top = at.y + std::round((height - ImGui::GetFontSize()) / 2);
  ImGui::GetWindowDrawList()->AddText({at.x, top}, ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
  return isClicked;
}

bool choice(const char* label, int& chosen, std::span<const char* const> names) {
  const int before = chosen;
  const char* shown = names[static_cast<std::size_t>(chosen)];
  const float needed = ImGui::CalcTextSize(shown).x + 2 * ImGui::GetStyle().FramePadding.x;
  const bool hasArrow = ImGui::CalcItemWidth() >= needed + ImGui::GetFrameHeight();
  const bool isOpen =
      ImGui::BeginCombo(label, shown, hasArrow ? ImGuiComboFlags_None : ImGuiComboFlags_NoArrowButton);
  nameRect(label, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());  // ImGui does not tell of its combos
  if (!isOpen) return false;
  for (int i = 0; i < static_cast<int>(names.size()); ++i) {
    ImGui::PushID(i);
    if (ImGui::Selectable(names[static_cast<std::size_t>(i)], i == chosen)) chosen = i;
    if (i == before) ImGui::SetItemDefaultFocus();
    ImGui::PopID();
  }
  ImGui::EndCombo();
  return chosen != before;
}

namespace {

/// For a box without padding; on a line with buttons, its words stand as high as theirs.
void beginTick() {
  const ImGuiWindow& window = *ImGui::GetCurrentWindow();
  if (window.DC.IsSameLine) ImGui::SetCursorPosY(ImGui::GetCursorPosY() + window.DC.CurrLineTextBaseOffset);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ImGui::GetStyle().FramePadding.x, 0));
}

}  // namespace

bool tick(const char* label, bool& isOn) {
  beginTick();
  const bool isClicked = ImGui::Checkbox(label, &isOn);
  ImGui::PopStyleVar();
  return isClicked;
}

bool tickOne(const char* label, bool isOn) {
  beginTick();
  const bool isClicked = ImGui::RadioButton(label, isOn);
  ImGui::PopStyleVar();
  return isClicked;
}

void beginHeadLine() {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("");
  ImGui::SameLine(0, 0);
}

void flowTo(float width) {
  flowTo(width, ImGui::GetStyle().ItemSpacing.x / 2);
}

void flowTo(float width, float gap) {
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  const ImGuiWindow& window = *ImGui::GetCurrentWindow();
  if (window.DC.CursorPosPrevLine.x > window.DC.CursorStartPos.x &&
      window.DC.CursorPosPrevLine.x + gap + width <= right)
    ImGui::SameLine(0, gap);
}

bool pages(const Theme& theme, int& chosen, std::span<const char* const> names) {
  const int before = chosen;
  for (int i = 0; i < static_cast<int>(names.size()); ++i) {
    const char* name = names[static_cast<std::size_t>(i)];
    if (i > 0) flowTo(ImGui::CalcTextSize(name).x, 10 * theme.unit);
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
  // By itself ImGui would wrap where scrolling ends: what was wide once would stay so.
  const bool isBounded = ImGui::GetCurrentWindow()->DC.TextWrapPos >= 0;
  if (!isBounded) ImGui::PushTextWrapPos(ImGui::GetContentRegionMax().x);
  ImGui::TextWrapped("%s", text);
  if (!isBounded) ImGui::PopTextWrapPos();
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
