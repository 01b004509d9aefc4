#include "app/help/tooltips.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "app/application.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

constexpr float kPatience = 0.5f;  // seconds on an item before it is explained
constexpr float kRest = 0.15f;     // seconds without a movement of the mouse

/// "Head 12" → "Head #"
std::string withoutNumbers(std::string_view path) {
  std::string text;
  for (const char letter : path) {
    const bool isDigit = std::isdigit(static_cast<unsigned char>(letter));
    if (!isDigit) text += letter;
    if (isDigit && !text.ends_with('#')) text += '#';
  }
  return text;
}

std::string_view find(std::string_view path) {
  for (const auto table : {panelTooltips(), commandTooltips(), labTooltips()})
    for (const TooltipText& tooltip : table)
      if (tooltip.path == path) return tooltip.text;
  return {};
}

/// Some items tell more themselves, with numbers of the moment.
bool hasOwnTooltip() {
  const ImGuiWindow* window = ImGui::FindWindowByName("##Tooltip_00");
  return window && window->Active;
}

bool isBeneathMouse() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  return g.HoveredId != 0 && !isMouseAtRest() && !g.IO.MouseDown[0] && g.HoveredIdTimer >= kPatience &&
         g.MouseStationaryTimer >= kRest;
}

bool isByKeyboard(const ImGuiContext& g) {
  return isMouseAtRest() && g.NavId && g.NavWindow && g.ActiveId == 0;
}

/// Dear ImGui's own clock for tooltips goes on for the item that has the keyboard, too.
void keepTime() {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  if (!isByKeyboard(g)) return;
  if (g.HoverItemDelayIdPreviousFrame != g.NavId) g.HoverItemDelayTimer = 0;
  g.HoverItemDelayId = g.NavId;
}

/// Beneath the item that has the keyboard, once that has stayed there.
bool placeAtFocus() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (!isByKeyboard(g) || g.HoverItemDelayTimer < kPatience) return false;
  const ImRect item = ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[g.NavLayer]);
  const ImGuiViewport& screen = *ImGui::GetMainViewport();
  const bool isUpper = item.Max.y < screen.GetCenter().y, isLeft = item.Min.x < screen.GetCenter().x;
  const float gap = 0.3f * ImGui::GetFontSize();
  ImGui::SetNextWindowPos({isLeft ? item.Min.x : item.Max.x, isUpper ? item.Max.y + gap : item.Min.y - gap},
                          ImGuiCond_Always, {isLeft ? 0.0f : 1.0f, isUpper ? 0.0f : 1.0f});
  return true;
}

}  // namespace

std::string_view tooltipFor(std::string_view path) {
  constexpr std::string_view kBars = "Gradients/";
  if (path.starts_with(kBars) && find(path).empty())  // the bar of a gradient that has a panel, too
    if (const auto text = find(std::string(path.substr(kBars.size())) + "/title"); !text.empty()) return text;
  constexpr std::string_view kTab = "/tab ";
  if (const std::size_t tab = path.find(kTab); tab != std::string_view::npos)
    return tooltipFor(std::string(path.substr(tab + kTab.size())) + "/title");
  const std::string alike = std::string(path.substr(0, path.rfind(' ') + 1)) + "*";
  const std::string any = "/" + std::string(path.substr(std::min(path.find('/'), path.size())));
  for (const std::string& name : {std::string(path), withoutNumbers(path), any, withoutNumbers(any), alike})
    if (const std::string_view text = find(name); !text.empty()) return text;
  return {};
}

void drawTooltip(const Application& app) {
  keepTime();
  if (hasOwnTooltip() || app.state().presenter.isOn) return;  // an audience asks the lecturer
  const bool isMouse = isBeneathMouse();
  const std::string& path = isMouse ? app.items().pointedAt() : app.items().focused();
  const std::string_view text = path.empty() ? "" : tooltipFor(path);
  if (text.empty() || (!isMouse && !placeAtFocus())) return;
  if (!ImGui::BeginTooltip()) return;
  ImGui::PushTextWrapPos(24 * ImGui::GetFontSize());
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

/// While mouse or keyboard have just come to something, time alone brings a tooltip.
bool Application::expectsTooltip() const {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool isNew = g.HoveredIdTimer < kPatience + 0.1f || g.MouseStationaryTimer < kRest + 0.1f;
  return g.ActiveId == 0 &&
         ((g.HoveredId != 0 && isNew) || (isByKeyboard(g) && g.HoverItemDelayTimer < kPatience + 0.1f));
}

}  // namespace attn
