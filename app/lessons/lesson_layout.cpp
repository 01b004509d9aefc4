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

/// Up to four in two columns, more in three.
Tile grid(const std::vector<std::string>& panels, float share) {
  if (panels.size() == 1) return tileOf(panels.front(), share);
  const std::size_t across = panels.size() <= 4 ? 2 : 3;
  Tile rows{Tile::Kind::column, "", {}, share};
  for (std::size_t i = 0; i < panels.size(); i += across) {
    Tile row{Tile::Kind::row, "", {}, 1};
    for (std::size_t j = i; j < std::min(i + across, panels.size()); ++j)
      row.children.push_back(tileOf(panels[j]));
    rows.children.push_back(row.children.size() == 1 ? row.children.front() : std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<std::string> panelsAt(const Lesson& lesson, std::size_t step) {
  for (std::size_t i = step + 1; i > 0; --i)
    if (!lesson.steps[i - 1].panels.empty()) return lesson.steps[i - 1].panels;
  return {};
}

Layout lessonLayout(const std::vector<std::string>& panels, float share) {
  Tile root = tileOf(kLessonPanel);
  if (!panels.empty())
    root = {Tile::Kind::row, "", {tileOf(kLessonPanel, share), grid(panels, 100 - share)}, 1};
  std::vector<std::string> known;
  for (const View& view : allViews()) known.push_back(view.title);
  return layoutShowing(root, known);
}

void showLessonPanels(ViewState& state, const std::vector<std::string>& panels) {
  PresenterState& presenter = state.presenter;
  windowLayout(state) = lessonLayout(panels, kShareInWindow);
  if (presenter.isActive())
    (presenter.isOn ? state.layout : presenter.kept) = lessonLayout(panels, kSharePresented);
}

bool presentLesson(ViewState& state) {
  if (!state.lesson.open) return false;
  state.presenter.isBlack = false;
  state.presenter.slide.reset();
  std::vector<std::string> panels = panelsAt(*state.lesson.open->lesson, state.lesson.open->step);
  if (panels.empty()) panels = {"Scores", "Weights"};
  state.presenter.kept = lessonLayout(panels, kSharePresented);
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
