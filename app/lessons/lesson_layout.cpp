#include "app/lessons/lesson_layout.h"

#include <algorithm>
#include <utility>

#include "app/layout_slides.h"
#include "app/view_state.h"
#include "app/views/view.h"
#include "core/lessons/lesson.h"

namespace attn {
namespace {

constexpr float kShareInWindow = 32, kSharePresented = 40;

Tile tileOf(const std::string& panel, float share = 1) {
  return {Tile::Kind::panel, panel, {}, share};
}

/// Row by row, so many beside each other.
Tile grid(const std::vector<std::string>& panels, std::size_t across, float share) {
  if (panels.size() == 1) return tileOf(panels.front(), share);
  Tile rows{Tile::Kind::column, "", {}, share};
  for (std::size_t i = 0; i < panels.size(); i += across) {
    Tile row{Tile::Kind::row, "", {}, 1};
    for (std::size_t j = i; j < std::min(i + across, panels.size()); ++j)
      row.children.push_back(tileOf(panels[j]));
    rows.children.push_back(row.children.size() == 1 ? row.children.front() : std::move(row));
  }
  return rows;
}

/// The lesson on the left, the panels beside it.
Layout withLesson(const std::vector<std::string>& panels, std::size_t across, float share) {
  std::vector<std::string> known;
  for (const View& view : allViews()) known.push_back(view.title);
  return layoutShowing(
      {Tile::Kind::row, "", {tileOf(kLessonPanel, share), grid(panels, across, 100 - share)}, 1}, known);
}

/// What was pointed at last.
std::string pointedPanel(const Lesson& lesson, std::size_t step) {
  std::string point;
  for (std::size_t i = step + 1; i > 0 && point.empty(); --i) point = lesson.steps[i - 1].point;
  return point.substr(0, point.find('/'));
}

Layout presentedLayout(const OpenLesson& open) {
  return withLesson(presentedPanelsAt(*open.lesson, open.step), 1, kSharePresented);
}

}  // namespace

std::vector<std::string> panelsAt(const Lesson& lesson, std::size_t step) {
  for (std::size_t i = step + 1; i > 0; --i)
    if (!lesson.steps[i - 1].panels.empty()) return lesson.steps[i - 1].panels;
  return {};
}

std::vector<std::string> panelsInWindowAt(const Lesson& lesson, std::size_t step) {
  std::vector<std::string> panels = panelsAt(lesson, step);
  const std::string& point = lesson.steps[step].point;
  const std::string pointed = point.substr(0, point.find('/'));
  const bool isMissing = std::find(panels.begin(), panels.end(), pointed) == panels.end();
  if (!panels.empty() && !pointed.empty() && isMissing) panels.push_back(pointed);
  return panels;
}

std::vector<std::string> presentedPanelsAt(const Lesson& lesson, std::size_t step) {
  constexpr std::size_t kMost = 2;
  const std::vector<std::string> panels = panelsAt(lesson, step);
  if (panels.empty()) return {"Scores", "Weights"};
  if (panels.size() <= kMost) return panels;
  const auto place = std::find(panels.begin(), panels.end(), pointedPanel(lesson, step));
  if (place == panels.begin()) return {panels[0]};
  if (place == panels.end()) return {panels[0], panels[1]};
  return {*(place - 1), *place};
}

void showLessonPanels(ViewState& state) {
  const OpenLesson& open = *state.lesson.open;
  const std::vector<std::string> panels = panelsInWindowAt(*open.lesson, open.step);
  if (!panels.empty()) windowLayout(state) = withLesson(panels, panels.size() <= 4 ? 2 : 3, kShareInWindow);
}

void showPresentedPanels(ViewState& state) {
  PresenterState& presenter = state.presenter;
  if (!presenter.isActive()) return;
  (presenter.isOn ? state.layout : presenter.kept) = presentedLayout(*state.lesson.open);
}

bool presentLesson(ViewState& state) {
  if (!state.lesson.open) return false;
  state.presenter.isBlack = false;
  state.presenter.slide.reset();
  state.presenter.kept = presentedLayout(*state.lesson.open);
  return true;
}

void bringIntoSight(ViewState& state, const std::string& panel) {
  const auto views = allViews();
  if (std::none_of(views.begin(), views.end(), [&](const View& view) { return view.title == panel; })) return;
  const auto isSeen = [&](const Layout& layout) {
    const std::vector<std::string> seen = panelsInSight(layout);
    return std::find(seen.begin(), seen.end(), panel) != seen.end();
  };
  for (Layout* layout : {&state.layout, state.presenter.hasAudience ? &state.presenter.kept : nullptr}) {
    if (!layout || isSeen(*layout)) continue;
    layout->maximised.clear();
    layout->bringToFront(panel);
  }
}

Layout& windowLayout(ViewState& state) {
  return state.presenter.isOn ? state.presenter.kept : state.layout;
}

const Layout& windowLayout(const ViewState& state) {
  return state.presenter.isOn ? state.presenter.kept : state.layout;
}

const Layout& layoutToKeep(const ViewState& state) {
  return state.lesson.open ? state.lesson.ownLayout : windowLayout(state);
}

}  // namespace attn
