// The help page: every command with its keys, made from the table of commands, and what the mouse does.
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "app/application.h"

namespace attn {
namespace {

struct Gesture {
  const char* where;
  const char* what;
  const char* how;
};

constexpr Gesture kGestures[] = {
    {"Inputs", "Change a number", "drag it sideways; double-click or Enter to type"},
    {"Maps", "Look closer", "wheel to zoom, drag to move, double-click for the whole map"},
    {"Maps", "See a pair everywhere", "point at its cell, or go there by the arrow keys"},
    {"Maps", "Go far", "Home, End, Page up, Page down; Ctrl with an arrow to the end"},
    {"Maps", "Explain a cell, choose its query", "click, or Enter"},
    {"Explain", "Go on to an operand, and back", "click it, or arrow keys and Enter; Backspace"},
    {"Explain", "Unfold step by step", "Page down, Page up"},
    {"Maps", "Look closer by keys", "+ and −, 0 for the whole map"},
    {"Maps", "Give the arrow keys back", "Esc; Enter takes them up again"},
    {"Mask", "Paint by keys", "arrow keys, Space; Shift row, Ctrl+Shift column, Ctrl rectangle"},
    {"Lessons", "Go on, go back", "Page down, Page up, while the panel Lesson has the keyboard"},
    {"Lessons", "Check an answer", "Enter in a number, or Ctrl+Enter"},
    {"Lessons", "Answer with a cell", "click it in its map, or Enter there"},
    {"Lessons", "Open your own", "drop its file on the window"},
    {"Panels", "Enlarge one, and back", "double-click its title"},
    {"Panels", "Share out the window", "drag the border between two"},
    {"Panels", "Hide, picture, copy", "right-click its title, or its three dots"},
    {"Keyboard", "Move between items", "arrow keys or Tab; Enter or Space to use one"},
    {"Keyboard", "Go into a list, and out", "Enter, Esc"},
    {"Keyboard", "Move between menus", "F10, then the arrow keys"},
    {"Files", "Open a scene", "drop it on the window"},
    {"Slides", "Save what is seen as a slide", "Ctrl+1 … Ctrl+9"},
    {"Slides", "Show a slide", "Alt+1 … Alt+9; while presenting 1 … 9"},
    {"Slides", "Remove a slide", "Ctrl+Shift+1 … Ctrl+Shift+9"},
    {"Present", "Step as a clicker does", "Page down, Page up; B or . for a black screen"},
    {"Present", "Reveal one hidden number", "point at it, R; R elsewhere reveals all"},
    {"Present", "End it", "Esc or F5"},
};

std::string lower(std::string_view text) {
  std::string lowered(text);
  for (char& letter : lowered) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return lowered;
}

/// Whether every word of the search is in the line.
bool matches(const std::string& line, std::string_view search) {
  const std::string text = lower(line), words = lower(search);
  for (std::size_t from = 0; from < words.size();) {
    const std::size_t to = std::min(words.find(' ', from), words.size());
    if (text.find(words.substr(from, to - from)) == std::string::npos) return false;
    from = to + 1;
  }
  return true;
}

void cell(const char* text, bool isFaint = false) {
  ImGui::TableNextColumn();
  if (isFaint)
    ImGui::TextDisabled("%s", text);
  else
    ImGui::TextUnformatted(text);
}

void drawGestures(std::string_view search) {
  for (const Gesture& gesture : kGestures) {
    if (!matches(std::string(gesture.where) + " " + gesture.what + " " + gesture.how, search)) continue;
    ImGui::TableNextRow();
    cell(gesture.where, true);
    cell(gesture.what);
    ImGui::TableNextColumn();
    ImGui::TextWrapped("%s", gesture.how);
  }
}

/// Returns whether the row was chosen.
bool drawCommand(const Command& command, bool isEnabled) {
  ImGui::TableNextRow();
  cell(command.menu, true);
  ImGui::TableNextColumn();
  ImGui::PushID(command.id);
  ImGui::BeginDisabled(!isEnabled);
  const bool isChosen = ImGui::Selectable(command.title, false, ImGuiSelectableFlags_SpanAllColumns);
  ImGui::EndDisabled();
  ImGui::PopID();
  cell(shortcutText(command.shortcut).c_str());
  return isChosen;
}

/// The search field. True when Enter was pressed in it.
bool drawSearch(std::string& search) {
  char text[256] = {};
  search.copy(text, sizeof text - 1);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  const bool isEntered = ImGui::InputTextWithHint("##search", "search; Enter runs the first command", text,
                                                  sizeof text, ImGuiInputTextFlags_EnterReturnsTrue);
  search = text;
  return isEntered;
}

}  // namespace

void Application::drawHelp() {
  if (!state_.isHelpOpen) return;
  const float line = ImGui::GetFontSize();
  const ImGuiViewport& screen = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(screen.GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::max(1.0f, std::min(44 * line, screen.WorkSize.x - 2 * line)),
                            std::max(1.0f, std::min(36 * line, screen.WorkSize.y - 2 * line))},
                           ImGuiCond_Appearing);
  const Command* chosen = nullptr;
  if (ImGui::Begin("Help", &state_.isHelpOpen,
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse)) {
    const bool isEntered = drawSearch(state_.helpSearch);
    if (ImGui::BeginTable("##commands", 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY)) {
      ImGui::TableSetupColumn("menu", ImGuiTableColumnFlags_WidthFixed, 5 * line);
      ImGui::TableSetupColumn("title", ImGuiTableColumnFlags_WidthStretch, 1.0f);
      ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthStretch, 1.6f);
      const Command* first = nullptr;
      for (const Command& command : commands_) {
        if (!matches(std::string(command.menu) + " " + command.title, state_.helpSearch)) continue;
        const bool isReady = attn::isEnabled(command, *this);
        if (!first && isReady) first = &command;
        if (drawCommand(command, isReady)) chosen = &command;
      }
      if (isEntered && !state_.helpSearch.empty()) chosen = first;
      drawGestures(state_.helpSearch);
      ImGui::EndTable();
    }
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && ImGui::IsKeyPressed(ImGuiKey_Escape, false))
      state_.isHelpOpen = false;
  }
  ImGui::End();
  if (!chosen) return;
  state_.isHelpOpen = false;
  state_.helpSearch.clear();
  chosen->run(*this);
}

}  // namespace attn
