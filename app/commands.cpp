#include "app/commands.h"

#include <imgui_internal.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/application.h"

namespace attn {
namespace {

/// Plain keys belong to the text that is being typed.
bool mayFire(ImGuiKeyChord chord) {
  const bool isPlain = (chord & (ImGuiMod_Ctrl | ImGuiMod_Alt)) == 0;
  const int key = chord & ~ImGuiMod_Mask_;
  const bool isFunctionKey = key >= ImGuiKey_F1 && key <= ImGuiKey_F12;
  return isFunctionKey || !isPlain || !ImGui::GetIO().WantTextInput;
}

/// Other keys for the same wish: a plus needs Shift on some keyboards and has a key of its own on others, and
/// many people know redo by another letter.
struct Alias {
  ImGuiKeyChord pressed, meant;
};

constexpr Alias kAliases[] = {
    {ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Equal, ImGuiMod_Ctrl | ImGuiKey_Equal},
    {ImGuiMod_Ctrl | ImGuiKey_KeypadAdd, ImGuiMod_Ctrl | ImGuiKey_Equal},
    {ImGuiMod_Ctrl | ImGuiKey_KeypadSubtract, ImGuiMod_Ctrl | ImGuiKey_Minus},
    {ImGuiMod_Ctrl | ImGuiKey_Keypad0, ImGuiMod_Ctrl | ImGuiKey_0},
    {ImGuiMod_Ctrl | ImGuiKey_Space, ImGuiKey_Space},
    {ImGuiMod_Ctrl | ImGuiKey_Y, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z},
    {ImGuiKey_Period, ImGuiKey_B},  // clickers send either for a black screen
    {ImGuiKey_KeypadDecimal, ImGuiKey_B},
};

bool isPressed(ImGuiKeyChord shortcut) {
  return ImGui::IsKeyChordPressed(shortcut) ||
         std::any_of(std::begin(kAliases), std::end(kAliases), [&](const Alias& alias) {
           return alias.meant == shortcut && ImGui::IsKeyChordPressed(alias.pressed);
         });
}

/// As it is written on the key.
std::string keyText(ImGuiKey key) {
  constexpr std::pair<ImGuiKey, const char*> kNames[] = {
      {ImGuiKey_Equal, "+"},     {ImGuiKey_Minus, "−"},           {ImGuiKey_PageUp, "Page up"},
      {ImGuiKey_LeftArrow, "←"}, {ImGuiKey_RightArrow, "→"},      {ImGuiKey_UpArrow, "↑"},
      {ImGuiKey_DownArrow, "↓"}, {ImGuiKey_PageDown, "Page down"}};
  for (const auto& [named, name] : kNames)
    if (named == key) return name;
  return ImGui::GetKeyName(key);
}

void drawItem(Application& app, const Command& command) {
  if (command.startsGroup) ImGui::Separator();
  const bool isChecked = command.isChecked && command.isChecked(app);
  if (ImGui::MenuItem(command.title, shortcutText(command.shortcut).c_str(), isChecked,
                      isEnabled(command, app)))
    command.run(app);
  if (!isEnabled(command, app) && *command.isEnabled.otherwise)
    ImGui::SetItemTooltip("%s", command.isEnabled.otherwise);
}

void drawMenu(Application& app, std::string_view menu) {
  if (!ImGui::BeginMenu(std::string(menu).c_str())) return;
  for (const Command& command : app.commands())
    if (command.menu == menu) {
      drawItem(app, command);
      if (std::string_view(command.id) != "file.open") continue;
      app.drawRecentMenu();
      app.drawExampleMenu();
    }
  if (menu == "View") app.drawPanelMenu();
  ImGui::EndMenu();
}

/// How many menus have room beside each other; if not all do, then beside "More".
std::size_t countThatFits(const std::vector<std::string_view>& menus) {
  const auto width = [](std::string_view word) {
    return ImGui::CalcTextSize(word.data(), word.data() + word.size()).x +
           2 * ImGui::GetStyle().ItemSpacing.x;
  };
  float needed = 0;
  for (const std::string_view menu : menus) needed += width(menu);
  float room = ImGui::GetContentRegionAvail().x;
  if (needed <= room) return menus.size();
  room -= width("More");
  std::size_t count = 0;
  while (count < menus.size() && (room -= width(menus[count])) >= 0) ++count;
  return count;
}

}  // namespace

std::vector<Command> allCommands() {
  std::vector<Command> all;
  for (const auto area :
       {fileCommands(), editCommands(), viewCommands(), panelCommands(), inputCommands(), headCommands(),
        mapCommands(), maskCommands(), explainCommands(), notationCommands(), compareCommands(),
        storyCommands(), lessonCommands(), labCommands(), presentCommands(), helpCommands()})
    all.insert(all.end(), area.begin(), area.end());
  return all;
}

bool isEnabled(const Command& command, const Application& app) {
  return !command.isEnabled.holds || command.isEnabled.holds(app);
}

bool runCommand(Application& app, std::string_view id) {
  for (const Command& command : app.commands())
    if (command.id == id) {
      if (!isEnabled(command, app)) return false;
      command.run(app);
      return true;
    }
  throw std::logic_error("no such command: " + std::string(id));
}

void runShortcuts(Application& app) {
  if (ImGui::GetTopMostPopupModal()) return;  // a question comes first
  for (const Command& command : app.commands())
    if (command.shortcut && mayFire(command.shortcut) && isPressed(command.shortcut) &&
        isEnabled(command, app))
      command.run(app);
}

void drawMenus(Application& app) {
  std::vector<std::string_view> menus;
  for (const Command& command : app.commands()) {
    const std::string_view menu = command.menu;
    if (!menu.empty() && std::find(menus.begin(), menus.end(), menu) == menus.end()) menus.push_back(menu);
  }
  const std::size_t fitting = countThatFits(menus);
  for (std::size_t i = 0; i < fitting; ++i) drawMenu(app, menus[i]);
  if (fitting == menus.size() || !ImGui::BeginMenu("More")) return;
  for (std::size_t i = fitting; i < menus.size(); ++i) drawMenu(app, menus[i]);
  ImGui::EndMenu();
}

std::string shortcutText(ImGuiKeyChord chord) {
  if (!chord) return "";
  std::string text;
  if (chord & ImGuiMod_Ctrl) text += "Ctrl+";
  if (chord & ImGuiMod_Shift) text += "Shift+";
  if (chord & ImGuiMod_Alt) text += "Alt+";
  return text + keyText(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_));
}

}  // namespace attn
