#include "app/application.h"
#include "app/commands.h"
#include "app/help/hints.h"

namespace attn {
namespace {

constexpr Command kCommands[] = {
    {"help.palette", "Find anything…", "Help", ImGuiMod_Ctrl | ImGuiKey_P, togglePalette, nullptr,
     [](const Application& app) { return app.state().palette.isOpen; }},
    {"help.commands", "All commands and keys", "Help", ImGuiKey_F1,
     [](Application& app) { app.state().isHelpOpen = !app.state().isHelpOpen; }, nullptr,
     [](const Application& app) { return app.state().isHelpOpen; }},
    {"help.hints", "First hints", "Help", 0, [](Application& app) { setHints(app, !hasHints(app)); }, nullptr,
     hasHints},
};

}  // namespace

std::span<const Command> helpCommands() {
  return kCommands;
}

}  // namespace attn
