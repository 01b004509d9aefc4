#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/application.h"
#include "app/presenter/presenter.h"

namespace attn {
namespace {

ImVec2 mouse() {
  return ImGui::GetIO().MousePos;
}

/// Everything but a disc around the pointer goes dark; a few rings make its edge soft.
void drawSpotlight(ImDrawList& list, const ImGuiViewport& screen) {
  constexpr int kRings = 8, kSegments = 128;
  constexpr float kDark = 0.72f;
  const ImVec2 centre = mouse();
  const float radius = 0.16f * screen.Size.y, edge = 0.05f * screen.Size.y;
  const float reach = 2 * (screen.Size.x + screen.Size.y);
  const auto ink = [](float share) { return ImGui::GetColorU32(ImVec4(0, 0, 0, kDark * share)); };
  const float step = edge / kRings;
  for (int i = 0; i < kRings; ++i)
    list.AddCircle(centre, radius + (static_cast<float>(i) + 0.5f) * step,
                   ink((static_cast<float>(i) + 0.5f) / kRings), kSegments, step);
  const float begin = radius + edge;
  list.AddCircle(centre, (begin + reach) / 2, ink(1), kSegments, reach - begin);
}

void drawDot(ImDrawList& list, const ImGuiViewport& screen) {
  const float radius = std::max(4.0f, 0.009f * screen.Size.y);
  const ImVec2 centre = mouse();
  for (const float glow : {2.6f, 1.9f, 1.4f})
    list.AddCircleFilled(centre, radius * glow, IM_COL32(255, 30, 30, 50));
  list.AddCircleFilled(centre, radius, IM_COL32(255, 24, 24, 255));
  list.AddCircleFilled(centre, radius * 0.4f, IM_COL32(255, 190, 190, 255));
  ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

void drawStrip(Application& app) {
  const ImGuiViewport& screen = *ImGui::GetMainViewport();
  const float height = slideStripHeight(app);
  if (height <= 0) return;
  constexpr auto kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground |
                          ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;
  ImGui::SetNextWindowPos({screen.Pos.x, screen.Pos.y + screen.Size.y - height});
  ImGui::SetNextWindowSize({screen.Size.x, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(12 * app.theme().unit, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  if (ImGui::Begin("Slides", nullptr, kFlags)) {
    ImGui::PushFont(app.theme().small);
    if (!app.state().presenter.hasAudience) drawSlideNumbers(app);
    if (const std::string& caption = app.state().story.caption; !caption.empty()) {
      const float width = ImGui::CalcTextSize(caption.c_str()).x;
      ImGui::SameLine(std::max(ImGui::GetCursorPosX(), ImGui::GetWindowContentRegionMax().x - width));
      ImGui::TextUnformatted(caption.c_str());
    }
    if (app.state().presenter.hidesValues) {
      if (!app.editor().scene().slides.empty()) ImGui::SameLine(0, 2 * ImGui::GetFontSize());
      ImGui::TextDisabled("R reveals");
    }
    ImGui::PopFont();
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace

float slideStripHeight(const Application& app) {
  const PresenterState& presenter = app.state().presenter;
  const bool isLecturers = !presenter.hasAudience;
  const bool hasStory = app.state().story.isOpen || !app.state().story.caption.empty();
  const bool isNeeded =
      presenter.isOn &&
      (hasStory || (isLecturers && (!app.editor().scene().slides.empty() || presenter.hidesValues)));
  return isNeeded && app.theme().small ? std::ceil(1.6f * app.theme().small->FontSize) : 0;
}

void drawSlideNumbers(Application& app) {
  const Theme& theme = app.theme();
  const std::vector<Slide> slides = app.editor().scene().slides;  // a click may change them
  for (const Slide& slide : slides) {
    const std::string name = std::to_string(slide.number);
    const bool isShown = app.state().presenter.slide == slide.number;
    if (&slide != &slides.front()) ImGui::SameLine(0, 0.6f * ImGui::GetFontSize());
    ImGui::PushStyleColor(ImGuiCol_Text, isShown ? theme.accent : theme.faint);
    const ImVec2 size = ImGui::CalcTextSize(name.c_str());
    if (ImGui::Selectable((name + "##slide").c_str(), false, 0, size)) showSlide(app, slide.number);
    ImGui::PopStyleColor();
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    if (isShown)
      ImGui::GetWindowDrawList()->AddRectFilled({min.x, max.y - 2 * theme.unit}, max,
                                                ImGui::GetColorU32(theme.accent));
  }
}

void drawPresenter(Application& app) {
  const PresenterState& presenter = app.state().presenter;
  if (!presenter.isOn) return;
  drawStrip(app);
  const ImGuiViewport& screen = *ImGui::GetMainViewport();
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const ImVec2 max(screen.Pos.x + screen.Size.x, screen.Pos.y + screen.Size.y);
  if (presenter.isBlack) {
    list.AddRectFilled(screen.Pos, max, IM_COL32(0, 0, 0, 255));
    ImGui::SetMouseCursor(ImGuiMouseCursor_None);
    return;
  }
  if (!ImGui::IsMousePosValid()) return;
  if (presenter.hasSpotlight) drawSpotlight(list, screen);
  if (presenter.hasLaser) drawDot(list, screen);
}

}  // namespace attn
