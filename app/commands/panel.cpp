#include <algorithm>

#include "app/application.h"
#include "app/commands.h"
#include "app/layout_grow.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

bool hasFocus(const Application& app) {
  const std::string& panel = app.state().panels.focused;
  return !panel.empty() && !app.state().layout.isHidden(panel);
}

/// To the next panel that is not hidden, round and round; one behind others comes to the front.
void moveFocus(Application& app, int by) {
  std::vector<std::string> panels;
  for (const View& view : allViews())
    if (!app.state().layout.isHidden(view.title)) panels.push_back(view.title);
  if (panels.empty()) return;
  const auto count = static_cast<std::ptrdiff_t>(panels.size());
  const auto here = std::find(panels.begin(), panels.end(), app.state().panels.focused);
  const std::ptrdiff_t start = here == panels.end() ? (by > 0 ? -1 : count) : here - panels.begin();
  const std::string& next = panels[static_cast<std::size_t>((start + by + count) % count)];
  app.state().layout.bringToFront(next);
  app.state().panels.focused = app.state().panels.toFocus = next;
  keyboardTakesOver();
}

void maximise(Application& app) {
  app.state().layout.toggleMaximised(app.state().panels.focused);
}

constexpr float kStep = 1.15f;

template <Tile::Kind along, bool isLarger>
void resize(Application& app) {
  growPanel(app.state().layout, app.state().panels.focused, along, isLarger ? kStep : 1 / kStep);
}

bool canResize(const Application& app) {
  return hasFocus(app) && app.state().layout.maximised.empty();
}

constexpr Condition kHasFocus{hasFocus, "Go to a panel first: F6, or click in it"};
constexpr Condition kCanResize{canResize, "Go to a panel first, and maximise none"};

constexpr Command kCommands[] = {
    {"panel.next", "Next panel", "Panel", ImGuiKey_F6, [](Application& app) { moveFocus(app, 1); }},
    {"panel.previous", "Previous panel", "Panel", ImGuiMod_Shift | ImGuiKey_F6,
     [](Application& app) { moveFocus(app, -1); }},
    {"panel.menu", "Menu of the panel", "Panel", ImGuiMod_Shift | ImGuiKey_F10,
     [](Application& app) { app.state().panels.opensMenu = true; }, kHasFocus},
    {"panel.maximise", "Maximise", "Panel", ImGuiKey_F11, maximise, kHasFocus,
     [](const Application& app) { return !app.state().layout.maximised.empty(); }, true},
    {"panel.wider", "Wider", "Panel", ImGuiKey_F8, resize<Tile::Kind::row, true>, kCanResize},
    {"panel.narrower", "Narrower", "Panel", ImGuiKey_F7, resize<Tile::Kind::row, false>, kCanResize},
    {"panel.taller", "Taller", "Panel", ImGuiMod_Shift | ImGuiKey_F8, resize<Tile::Kind::column, true>,
     kCanResize},
    {"panel.shorter", "Shorter", "Panel", ImGuiMod_Shift | ImGuiKey_F7, resize<Tile::Kind::column, false>,
     kCanResize},
    {"panel.hide", "Hide", "Panel", ImGuiMod_Ctrl | ImGuiKey_W,
     [](Application& app) { app.state().layout.show(app.state().panels.focused, false); }, kHasFocus},
    {"panel.picture", "Save picture of the panel", "Panel", ImGuiMod_Ctrl | ImGuiKey_F12,
     [](Application& app) { app.requestPicture(app.state().panels.focused, 2); }, kHasFocus, nullptr, true},
    {"panel.copy", "Copy the panel's numbers", "Panel", ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C,
     [](Application& app) { app.copyPanel(app.state().panels.focused); }, kHasFocus},
};

}  // namespace

std::span<const Command> panelCommands() {
  return kCommands;
}

}  // namespace attn
