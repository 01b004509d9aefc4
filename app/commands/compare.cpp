#include "app/application.h"
#include "app/commands.h"

namespace attn {
namespace {

constexpr auto kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift, kAlt = ImGuiMod_Alt;

bool hasPinned(const Application& app) {
  return app.state().compare.pinned != nullptr;
}

void pin(Application& app) {
  app.state().compare.pinned = app.editor().shared();
  app.report("A is pinned: whatever is changed from now on can be compared with it");
}

template <Showing showing>
void show(Application& app) {
  app.state().compare.showing = showing;
}

template <Showing showing>
bool isShown(const Application& app) {
  return hasPinned(app) && app.state().compare.showing == showing;
}

void goBack(Application& app) {
  const SharedScene pinned = app.state().compare.pinned;
  app.editor().change([&](Scene& scene) { scene = *pinned; });
}

constexpr Command kCommands[] = {
    {"compare.pin", "Pin the present state as A", "Compare", kCtrl | kShift | ImGuiKey_P, pin},
    {"compare.unpin", "Unpin A", "Compare", 0, [](Application& app) { app.state().compare.pinned.reset(); },
     hasPinned},
    {"compare.showA", "Maps show A", "Compare", kCtrl | kAlt | ImGuiKey_A, show<Showing::pinned>, hasPinned,
     isShown<Showing::pinned>, true},
    {"compare.showB", "Maps show B, the present", "Compare", kCtrl | kAlt | ImGuiKey_B,
     show<Showing::present>, hasPinned, isShown<Showing::present>},
    {"compare.showDifference", "Maps show B − A", "Compare", kCtrl | kAlt | ImGuiKey_D,
     show<Showing::difference>, hasPinned, isShown<Showing::difference>},
    {"compare.keep", "Keep what lies between", "Compare", 0,
     [](Application& app) { app.editor().keepLooked(); },
     [](const Application& app) { return app.editor().isLooking(); }, nullptr, true},
    {"compare.back", "Go back to A", "Compare", 0, goBack, hasPinned},
};

}  // namespace

std::span<const Command> compareCommands() {
  return kCommands;
}

}  // namespace attn
