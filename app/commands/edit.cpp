#include "app/application.h"
#include "app/commands.h"

namespace attn {
namespace {

constexpr Command kCommands[] = {
    {"edit.undo", "Undo", "Edit", ImGuiMod_Ctrl | ImGuiKey_Z, [](Application& app) { app.editor().undo(); },
     [](const Application& app) { return app.editor().canUndo(); }},
    {"edit.redo", "Redo", "Edit", ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z,
     [](Application& app) { app.editor().redo(); },
     [](const Application& app) { return app.editor().canRedo(); }},
};

}  // namespace

std::span<const Command> editCommands() {
  return kCommands;
}

}  // namespace attn
