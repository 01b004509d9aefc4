#include <imgui_internal.h>

#include <algorithm>

#include "app/application.h"
#include "app/commands.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

constexpr float kScaleStep = 1.1f, kSmallestScale = 0.6f, kLargestScale = 4;

void scaleBy(Application& app, float factor) {
  float& scale = app.state().appearance.scale;
  scale = std::clamp(scale * factor, kSmallestScale, kLargestScale);
}

template <ThemeKind kind>
void setTheme(Application& app) {
  app.state().appearance.theme = kind;
  app.state().appearance.followsSystem = false;
}

template <ThemeKind kind>
bool hasTheme(const Application& app) {
  return app.state().appearance.theme == kind && !app.state().appearance.followsSystem;
}

/// Dear ImGui's own key for menus, Alt, finds only those of the window that has the keyboard.
void goToMenus(Application&) {
  ImGuiWindow* bar = ImGui::FindWindowByName("##MainMenuBar");
  if (!bar) return;
  ImGui::FocusWindow(bar);
  ImGuiContext& context = *ImGui::GetCurrentContext();
  context.NavLayer = ImGuiNavLayer_Menu;
  ImGui::NavInitWindow(bar, true);
  keyboardTakesOver();
}

constexpr Command kCommands[] = {
    {"view.light", "Light theme", "View", 0, setTheme<ThemeKind::light>, nullptr, hasTheme<ThemeKind::light>},
    {"view.dark", "Dark theme", "View", 0, setTheme<ThemeKind::dark>, nullptr, hasTheme<ThemeKind::dark>},
    {"view.systemTheme", "Theme of the desktop", "View", 0, [](Application& app) { app.followSystemTheme(); },
     nullptr, [](const Application& app) { return app.state().appearance.followsSystem; }},
    {"view.larger", "Larger", "View", ImGuiMod_Ctrl | ImGuiKey_Equal,
     [](Application& app) { scaleBy(app, kScaleStep); }, nullptr, nullptr, true},
    {"view.smaller", "Smaller", "View", ImGuiMod_Ctrl | ImGuiKey_Minus,
     [](Application& app) { scaleBy(app, 1 / kScaleStep); }},
    {"view.normalSize", "Normal size", "View", ImGuiMod_Ctrl | ImGuiKey_0,
     [](Application& app) { app.state().appearance.scale = 1; }},
    {"view.menus", "Go to the menus", "View", ImGuiKey_F10, goToMenus, nullptr, nullptr, true},
    {"view.formula", "Formula above the panels", "View", 0,
     [](Application& app) { app.state().formulaBar.isShown = !app.state().formulaBar.isShown; }, nullptr,
     [](const Application& app) { return app.state().formulaBar.isShown; }},
    {"view.defaultLayout", "Default layout", "View", 0,
     [](Application& app) { app.state().layout = defaultLayout(); }},
};

}  // namespace

std::span<const Command> viewCommands() {
  return kCommands;
}

}  // namespace attn
