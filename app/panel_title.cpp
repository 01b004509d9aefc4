// The line at the top of a panel: its title or its tabs, and its menu.
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

#include "app/application.h"
#include "app/views/view.h"

namespace attn {
namespace {

constexpr const char* kMenu = "panel menu";

bool hasText(const std::string& panel) {
  const auto views = allViews();
  return std::any_of(views.begin(), views.end(),
                     [&](const View& view) { return view.title == panel && view.text; });
}

void textWithin(ImVec2 at, float width, ImU32 colour, const std::string& text) {
  const float height = ImGui::GetTextLineHeight();
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::RenderTextEllipsis(ImGui::GetWindowDrawList(), at, {at.x + width, at.y + height}, at.x + width,
                            at.x + width, text.c_str(), nullptr, nullptr);
  ImGui::PopStyleColor();
}

/// Three dots, drawn: no font need have them.
bool menuButton(const Theme& theme, ImVec2 at, float side) {
  ImGui::SetCursorScreenPos(at);
  const bool isPressed = ImGui::InvisibleButton("menu", {side, side});
  const bool isLit = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  const ImU32 colour = ImGui::GetColorU32(isLit ? theme.accent : theme.faint);
  for (int i = -1; i <= 1; ++i)
    ImGui::GetWindowDrawList()->AddCircleFilled(
        {at.x + side / 2, at.y + side / 2 + 4.5f * theme.unit * static_cast<float>(i)}, 1.4f * theme.unit,
        colour);
  return isPressed;
}

}  // namespace

/// The tag tells that the panel shows another state than the present one.
void Application::drawPanelTitle(const PanelRect& rect, const char* tag) {
  ImGui::PushFont(theme_.heading);
  const float height = ImGui::GetTextLineHeight() + 2 * theme_.unit;
  const float width = std::max(1.0f, ImGui::GetContentRegionAvail().x);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetNextItemAllowOverlap();
  ImGui::InvisibleButton("title", {width, height});
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
    state_.layout.toggleMaximised(rect.panel);
  ImGui::OpenPopupOnItemClick(kMenu, ImGuiPopupFlags_MouseButtonRight);
  const ImVec2 below = ImGui::GetCursorScreenPos();
  const bool hasMenu = only_.empty() && !state_.presenter.isOn;
  const float room = std::max(1.0f, width - (hasMenu ? height : 0));
  if (rect.tabs.empty())
    textWithin(at, room, ImGui::GetColorU32(theme_.text), rect.panel);
  else
    drawTabs(rect, at, room);
  const float tagWidth = ImGui::CalcTextSize(tag).x;
  if (*tag && tagWidth < room)
    ImGui::GetWindowDrawList()->AddText({at.x + room - tagWidth - 4 * theme_.unit, at.y},
                                        ImGui::GetColorU32(theme_.accent), tag);
  ImGui::PopFont();
  const bool isAsked = state_.panels.opensMenu && state_.panels.focused == rect.panel;
  if (isAsked) state_.panels.opensMenu = false;
  if (hasMenu && (menuButton(theme_, {at.x + width - height, at.y}, height) || isAsked))
    ImGui::OpenPopup(kMenu);
  ImGui::SetCursorScreenPos(below);
  drawPanelPopup(rect);
}

/// The titles side by side, narrowed where they do not fit. The one in front is underlined.
void Application::drawTabs(const PanelRect& rect, ImVec2 at, float width) {
  const float gap = 12 * theme_.unit, height = ImGui::GetTextLineHeight();
  float wanted = -gap;
  for (const std::string& tab : rect.tabs) wanted += ImGui::CalcTextSize(tab.c_str()).x + gap;
  const float squeeze = std::min(1.0f, (width - gap) / std::max(1.0f, wanted));
  for (const std::string& tab : rect.tabs) {
    const bool isFront = tab == rect.panel;
    const float extent = std::max(1.0f, ImGui::CalcTextSize(tab.c_str()).x * squeeze);
    ImGui::SetCursorScreenPos(at);
    ImGui::SetNextItemAllowOverlap();
    if (ImGui::InvisibleButton(("tab " + tab).c_str(), {extent, height})) {
      state_.layout.bringToFront(tab);
      state_.panels.toFocus = tab;
    }
    if (squeeze < 1) ImGui::SetItemTooltip("%s", tab.c_str());
    const bool isLit = isFront || ImGui::IsItemHovered() || ImGui::IsItemFocused();
    textWithin(at, extent, ImGui::GetColorU32(isLit ? theme_.text : theme_.faint), tab);
    if (isFront)
      ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + height},
                                                {at.x + extent, at.y + height + 2 * theme_.unit},
                                                ImGui::GetColorU32(theme_.accent));
    at.x += extent + gap * squeeze;
  }
}

void Application::drawPanelPopup(const PanelRect& rect) {
  if (!ImGui::BeginPopup(kMenu)) return;
  Layout& layout = state_.layout;
  const std::string& panel = rect.panel;
  if (ImGui::MenuItem(layout.maximised == panel ? "Restore" : "Maximise")) layout.toggleMaximised(panel);
  if (ImGui::MenuItem("Hide")) layout.show(panel, false);
  if (ImGui::BeginMenu("Put as a tab with")) {
    for (const View& view : allViews())
      if (view.title != panel && !layout.isHidden(view.title) && ImGui::MenuItem(view.title))
        layout.stackWith(panel, view.title);
    ImGui::EndMenu();
  }
  if (ImGui::MenuItem("A place of its own", nullptr, false, layout.isStacked(panel))) layout.unstack(panel);
  ImGui::Separator();
  if (ImGui::BeginMenu("Save picture")) {
    if (ImGui::MenuItem("at 1×")) requestPicture(panel, 1);
    if (ImGui::MenuItem("at 2×")) requestPicture(panel, 2);
    if (ImGui::MenuItem("at 4×")) requestPicture(panel, 4);
    ImGui::EndMenu();
  }
  if (ImGui::MenuItem("Copy numbers", nullptr, false, hasText(panel))) copyPanel(panel);
  ImGui::EndPopup();
}

}  // namespace attn
