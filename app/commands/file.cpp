#include "app/application.h"
#include "app/commands.h"

namespace attn {
namespace {

constexpr Command kCommands[] = {
    {"file.new", "New", "File", ImGuiMod_Ctrl | ImGuiKey_N, [](Application& app) { app.openDefaultScene(); }},
    {"file.save", "Save", "File", ImGuiMod_Ctrl | ImGuiKey_S, [](Application& app) { app.save(); },
     [](const Application& app) { return !app.file().empty(); }},
    {"file.quit", "Quit", "File", ImGuiMod_Ctrl | ImGuiKey_Q, [](Application& app) { app.quit(); }, nullptr,
     nullptr, true},
};

}  // namespace

std::span<const Command> fileCommands() {
  return kCommands;
}

}  // namespace attn
