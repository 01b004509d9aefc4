// How the application lays out its window: bars, panels and the borders between them.
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/application.h"
#include "app/files/example_scenes.h"
#include "app/help/hints.h"
#include "app/layout_grow.h"
#include "app/presenter/presenter.h"
#include "app/views/compare.h"
#include "app/views/labels.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

constexpr auto kFixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                        ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                        ImGuiWindowFlags_NoBringToFrontOnFocus;

/// The keyboard stays where it was when panels come back from behind a maximised one.
constexpr auto kPanel = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing;

constexpr auto kContent = ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened;

std::string countText(Index count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

void Application::drawMenuBar() {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  const bool isOpen = ImGui::BeginMainMenuBar();
  ImGui::PopStyleVar();
  if (!isOpen) return;
  drawMenus(*this);
  const float end = ImGui::GetWindowWidth() - 18 * theme_.unit, room = end - ImGui::GetCursorPosX();
  if (room > 4 * ImGui::GetFontSize()) {
    const std::string shown = elided(documentTitle(), room);
    ImGui::SameLine(end - ImGui::CalcTextSize(shown.c_str()).x);
    ImGui::TextDisabled("%s", shown.c_str());
  }
  ImGui::EndMainMenuBar();
}

void Application::drawPanelMenu() {
  ImGui::Separator();
  for (const View& view : allViews()) {
    if (view.isLab) continue;
    const bool isShown = !state_.layout.isHidden(view.title);
    if (ImGui::MenuItem(view.title, nullptr, isShown)) state_.layout.show(view.title, !isShown);
  }
}

void Application::drawExampleMenu() {
  if (!ImGui::BeginMenu("Open example")) return;
  for (const ExampleScene& example : exampleScenes())
    if (ImGui::MenuItem(example.title)) documents_.startWith(openExample(example));
  ImGui::EndMenu();
}

void Application::drawRecentMenu() {
  const std::vector<std::string> files = documents_.recent();
  if (!ImGui::BeginMenu("Open recent", !files.empty())) return;
  for (const std::string& file : files) {
    ImGui::PushID(file.c_str());  // names may be the same in two folders
    if (ImGui::MenuItem(std::filesystem::path(file).filename().c_str())) documents_.open(file);
    ImGui::SetItemTooltip("%s", file.c_str());
    ImGui::PopID();
  }
  ImGui::Separator();
  if (ImGui::MenuItem("Forget these")) documents_.recent().clear();
  ImGui::EndMenu();
}

void Application::drawStatusBar() {
  ImGuiViewport* viewport = ImGui::GetMainViewport();
  constexpr auto kFlags =
      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_MenuBar;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  if (ImGui::BeginViewportSideBar("Status", viewport, ImGuiDir_Down, ImGui::GetFrameHeight(), kFlags)) {
    if (ImGui::BeginMenuBar()) {
      const Shapes shapes = shapesOf(editor_.scene());
      ImGui::TextDisabled("%s · %s × %s · d_k %d · d_v %d", countText(shapes.heads, "head", "heads").c_str(),
                          countText(shapes.queries, "query", "queries").c_str(),
                          countText(shapes.keys, "key", "keys").c_str(), static_cast<int>(shapes.keyWidth),
                          static_cast<int>(shapes.valueWidth));
      if (evaluations_.isBusy()) progressSign(theme_, "computing");
      if (!editor_.scene().slides.empty()) {
        ImGui::TextDisabled("· slides");
        drawSlideNumbers(*this);
      }
      drawStatusLine();
      drawHint(*this);
      ImGui::EndMenuBar();
    }
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

/// What went wrong, else the last report; where that is about a picture, with buttons that open it.
void Application::drawStatusLine() {
  const std::string& trouble = !editor_.refusal().empty() ? editor_.refusal() : evaluations_.failure();
  if (!trouble.empty()) return ImGui::TextColored(theme_.warning, "%s", trouble.c_str());
  const std::string line = state_.status;  // a button may bring another one
  if (!lastPicture_.empty() && line.find(lastPicture_.string()) != std::string::npos) {
    if (ImGui::SmallButton("Open picture")) openOnDesktop(lastPicture_);
    if (ImGui::SmallButton("Open folder")) openOnDesktop(lastPicture_.parent_path());
    if (ImGui::SmallButton("Copy path")) ImGui::SetClipboardText(lastPicture_.c_str());
  }
  ImGui::TextUnformatted(line.c_str());
}

/// While a state is pinned, a bar beneath the menus says so.
void Application::drawComparison() {
  if (!state_.compare.pinned || !evaluations_.current()) return;
  constexpr auto kFlags = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoSavedSettings;
  const float height = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().WindowPadding.y;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme_.background);
  ViewContext context = viewContext();
  if (ImGui::BeginViewportSideBar("Compare", ImGui::GetMainViewport(), ImGuiDir_Up, height, kFlags))
    drawCompareBar(context, comparison_);
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

/// The present, or what is compared with it, where the view shows that and it is there.
ViewContext Application::contextFor(const View& view, const ViewContext& present) {
  const Showing showing = state_.compare.showing;
  if (!view.isCompared || showing == Showing::present || !present.pinned) return present;
  const auto& a = present.pinned;
  const auto shown = showing == Showing::pinned ? a : comparison_.difference(a, present.present);
  return {present.scene,
          shown,
          *shown->scene,
          shown->results,
          present.state,
          present.editor,
          present.theme,
          present.heatmaps,
          showing,
          present.present,
          a};
}

void Application::drawSplitters(const Arrangement& arrangement) {
  for (std::size_t i = 0; i < arrangement.splitters.size(); ++i) {
    const Splitter& splitter = arrangement.splitters[i];
    ImGui::SetCursorScreenPos(splitter.min);
    const std::string name = "splitter " + std::to_string(i);
    ImGui::InvisibleButton(name.c_str(), {std::max(1.0f, splitter.size.x), std::max(1.0f, splitter.size.y)});
    const ImGuiMouseCursor cursor =
        splitter.isVertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS;
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(cursor);
    if (!ImGui::IsItemActive()) continue;
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    moveSplitter(splitter, splitter.isVertical ? moved.x : moved.y);
    ImGui::GetWindowDrawList()->AddRectFilled(
        splitter.min, {splitter.min.x + splitter.size.x, splitter.min.y + splitter.size.y},
        ImGui::GetColorU32(theme_.accent), splitter.size.x);
  }
}

void Application::drawPanels(ImVec2 min, ImVec2 size) {
  if (!evaluations_.current()) return drawWaiting(min, size);
  const float gap = std::round(6 * theme_.unit);
  const ImVec2 corner(min.x + gap, min.y + (only_.empty() ? gap / 2 : gap));
  const ImVec2 room(size.x - 2 * gap, size.y - (only_.empty() ? gap : 2 * gap));
  if (room.x < 1 || room.y < 1) return;
  Arrangement arrangement;
  const HeadsState& heads = state_.heads;
  std::optional<WiderPanel> forPair;
  if (only_.empty() && (heads.compared || heads.isSolo)) forPair.emplace(state_.layout, "Heads");
  if (only_.empty())
    arrangement = arrange(state_.layout, corner, room, gap);
  else
    arrangement.panels = {{only_, corner, room, {}}};
  ImGui::SetNextWindowPos(min);
  ImGui::SetNextWindowSize(size);
  if (ImGui::Begin("Desk", nullptr, kFixed | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar)) {
    ImGui::BringWindowToDisplayBack(ImGui::GetCurrentWindow());  // panels that are opened later lie above it
    drawSplitters(arrangement);
  }
  ImGui::End();
  forPair.reset();  // a menu of a panel may bring another layout
  ViewContext context = viewContext();
  std::string& asked = context.state.maps.opensOptions;
  const std::string before = asked;
  for (const PanelRect& rect : arrangement.panels) drawPanel(context, rect);
  if (asked == before) asked.clear();  // that panel has no map, now
}

/// Before the first results are there: a large scene takes its time.
void Application::drawWaiting(ImVec2 min, ImVec2 size) const {
  const bool hasFailed = !evaluations_.failure().empty();
  const std::string text = hasFailed ? evaluations_.failure() : "Computing " + editor_.scene().title + " …";
  const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
  ImGui::GetBackgroundDrawList()->AddText({min.x + (size.x - extent.x) / 2, min.y + (size.y - extent.y) / 2},
                                          ImGui::GetColorU32(hasFailed ? theme_.warning : theme_.faint),
                                          text.c_str());
}

void Application::drawPanel(ViewContext& context, const PanelRect& rect) {
  const auto views = allViews();
  const auto view =
      std::find_if(views.begin(), views.end(), [&](const View& v) { return v.title == rect.panel; });
  if (view == views.end()) return;
  ViewContext shown = contextFor(*view, context);
  ImGui::SetNextWindowPos(rect.min);
  ImGui::SetNextWindowSize({std::max(1.0f, rect.size.x), std::max(1.0f, rect.size.y)});
  state_.panels.hasCome = state_.panels.toFocus == rect.panel;
  if (state_.panels.hasCome) {
    ImGui::SetNextWindowFocus();
    state_.panels.toFocus.clear();
  }
  const bool isOpen = ImGui::Begin(view->title, nullptr, kFixed | kPanel);
  if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) state_.panels.focused = rect.panel;
  if (isOpen) {
    if (state_.panels.hasCome) ImGui::NavInitWindow(ImGui::GetCurrentWindow(), true);
    // The keyboard begins below the title.
    ImGui::PushItemFlag(ImGuiItemFlags_NoNavDefaultFocus, true);
    drawPanelTitle(rect, showingText(shown));
    ImGui::PopItemFlag();
    if (ImGui::BeginChild("content", {0, 0}, false, kContent)) view->draw(shown);
    ImGui::EndChild();
    if (state_.formulaBar.litPanel == rect.panel)
      ImGui::GetForegroundDrawList()->AddRect(rect.min, {rect.min.x + rect.size.x, rect.min.y + rect.size.y},
                                              ImGui::GetColorU32(theme_.accent), 6 * theme_.unit, 0,
                                              2 * theme_.unit);
  }
  ImGui::End();
}

}  // namespace attn
