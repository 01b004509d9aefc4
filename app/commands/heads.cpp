#include "app/application.h"
#include "app/commands.h"

namespace attn {
namespace {

constexpr Command kCommands[] = {
    {"heads.next", "Next head", "Heads", ImGuiMod_Ctrl | ImGuiKey_PageDown,
     [](Application& app) { ++app.state().selection.head; },
     [](const Application& app) {
       return app.state().selection.head + 1 < shapesOf(app.editor().scene()).heads;
     }},
    {"heads.previous", "Previous head", "Heads", ImGuiMod_Ctrl | ImGuiKey_PageUp,
     [](Application& app) { --app.state().selection.head; },
     [](const Application& app) { return app.state().selection.head > 0; }},
};

}  // namespace

std::span<const Command> headCommands() {
  return kCommands;
}

}  // namespace attn
