#pragma once
#include <imgui.h>

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace attn {

class Application;

/// Whether a command can be used now, and what to tell a person while it cannot.
struct Condition {
  bool (*holds)(const Application& app) = nullptr;  // null: always
  const char* otherwise = "";                       // "There is only one head"; empty: not known

  constexpr Condition() = default;
  constexpr Condition(std::nullptr_t) {}
  template <class Test, class = std::enable_if_t<std::is_convertible_v<Test, bool (*)(const Application&)>>>
  constexpr Condition(Test test, const char* reason = "") : holds(test), otherwise(reason) {}
};

/// Something that a person can ask for. Menu, shortcuts, palette and help page all come from these.
struct Command {
  const char* id;     // "edit.undo": for tests, lessons and settings
  const char* title;  // as in the menu
  const char* menu;   // "Edit"; empty: in no menu
  ImGuiKeyChord shortcut = 0;
  void (*run)(Application& app) = nullptr;
  Condition isEnabled = {};
  bool (*isChecked)(const Application& app) = nullptr;  // null: has no tick
  bool startsGroup = false;                             // a line above it in the menu
};

/// All commands in the order of the menus, gathered from the tables of app/commands/.
std::vector<Command> allCommands();

/// One table an area, each in its own file of app/commands/.
std::span<const Command> fileCommands();
std::span<const Command> editCommands();
std::span<const Command> viewCommands();
std::span<const Command> panelCommands();
std::span<const Command> inputCommands();
std::span<const Command> headCommands();
std::span<const Command> mapCommands();
std::span<const Command> maskCommands();
std::span<const Command> explainCommands();
std::span<const Command> notationCommands();
std::span<const Command> presentCommands();
std::span<const Command> compareCommands();
std::span<const Command> storyCommands();
std::span<const Command> lessonCommands();
std::span<const Command> labCommands();
std::span<const Command> helpCommands();

bool isEnabled(const Command& command, const Application& app);

/// Runs the command with this id if it is enabled. False where it is not; throws std::logic_error where there
/// is no such command.
bool runCommand(Application& app, std::string_view id);

/// Runs the command whose shortcut was pressed in this frame, if any.
void runShortcuts(Application& app);

/// The menus of the bar that is open.
void drawMenus(Application& app);

/// "Ctrl+Z"; empty without a shortcut.
std::string shortcutText(ImGuiKeyChord chord);

}  // namespace attn
