#include "app/application.h"
#include "app/commands.h"

namespace attn {
namespace {

constexpr Command kCommands[] = {
    {"help.commands", "All commands and keys", "Help", ImGuiKey_F1,
     [](Application& app) { app.state().isHelpOpen = !app.state().isHelpOpen; }, nullptr,
     [](const Application& app) { return app.state().isHelpOpen; }},
};

}  // namespace

std::span<const Command> helpCommands() {
  return kCommands;
}

}  // namespace attn
