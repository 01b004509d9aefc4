#include "app/application.h"
#include "app/commands.h"

namespace attn {
namespace {

/// In a text field these keys undo what was typed there.
bool isTyping() {
  return ImGui::GetIO().WantTextInput;
}

constexpr Command kCommands[] = {
    {"edit.undo",
     "Undo",
     "Edit",
     ImGuiMod_Ctrl | ImGuiKey_Z,
     [](Application& app) { app.editor().undo(); },
     {[](const Application& app) { return app.editor().canUndo() && !isTyping(); },
      "Nothing was changed yet"}},
    {"edit.redo",
     "Redo",
     "Edit",
     ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z,
     [](Application& app) { app.editor().redo(); },
     {[](const Application& app) { return app.editor().canRedo() && !isTyping(); }, "Nothing was undone"}},
};

}  // namespace

std::span<const Command> editCommands() {
  return kCommands;
}

}  // namespace attn
