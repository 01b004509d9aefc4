#include <algorithm>
#include <string>

#include "app/application.h"
#include "app/layout_slides.h"
#include "app/lessons/lesson_layout.h"
#include "app/presenter/hidden_values.h"
#include "app/presenter/presenter.h"
#include "app/views/explain.h"
#include "app/views/view.h"

namespace attn {
namespace {

std::vector<std::string> allPanels() {
  std::vector<std::string> titles;
  for (const View& view : allViews()) titles.push_back(view.title);
  return titles;
}

std::string nameOf(int number) {
  return "slide " + std::to_string(number);
}

/// What one shows who has prepared nothing.
Layout firstLayout(const Layout& window) {
  constexpr std::size_t kFew = 3;
  const std::size_t count = panelsInSight(window).size();
  if (count > 0 && count <= kFew) return window;
  const auto panel = [](const char* title) { return Tile{Tile::Kind::panel, title, {}, 1}; };
  return layoutShowing({Tile::Kind::row, "", {panel("Scores"), panel("Weights"), panel("Output")}, 1},
                       allPanels());
}

/// Put aside while this window shows its own panels.
Layout& presentedLayout(ViewState& state) {
  return state.presenter.isOn ? state.layout : state.presenter.kept;
}

/// Ready to be played by the next step; a slide without a story ends what was played before.
void openStory(Application& app, const Slide& slide) {
  StoryState& story = app.state().story;
  stopStory(story);
  const std::size_t count = app.editor().kept()->stories.size();
  story.isOpen = slide.story && *slide.story < count;
  if (story.isOpen) story.chosen = *slide.story;
  if (slide.story && !story.isOpen)
    app.report(nameOf(slide.number) + " plays story " + std::to_string(*slide.story + 1) +
               ", but the scene has " + std::to_string(count));
}

void apply(Application& app, const Slide& slide) {
  ViewState& state = app.state();
  Layout layout = layoutShowing(slide.panels, allPanels());
  if (panelsInSight(layout).empty())
    return app.report(nameOf(slide.number) + " has no panel that this program knows");
  presentedLayout(state) = std::move(layout);
  state.selection = {slide.head, slide.query};
  PresenterState& presenter = state.presenter;
  presenter.slide = slide.number;
  presenter.hidesValues = slide.hidesValues;
  presenter.revealed.clear();
  if (slide.explains)
    if (const auto stage = stageNamed(slide.explains->stage))
      explainAlone(state, {*stage, slide.explains->head, slide.explains->row, slide.explains->col});
  foldHidden(state);
  openStory(app, slide);
}

/// Before anybody presents: what was presented last, or what comes first.
void beginShow(Application& app) {
  PresenterState& presenter = app.state().presenter;
  if (presentLesson(app.state())) return;
  const bool isFirst = presenter.kept.root.children.empty();
  if (isFirst) presenter.kept = firstLayout(app.state().layout);
  presenter.isBlack = false;
  const std::vector<Slide>& slides = app.editor().scene().slides;
  const Slide* last = presenter.slide ? findSlide(app, *presenter.slide) : nullptr;
  if (last || (!slides.empty() && isFirst)) apply(app, Slide(last ? *last : slides.front()));
}

}  // namespace

void startPresenting(Application& app) {
  PresenterState& presenter = app.state().presenter;
  if (presenter.isOn) return;
  beginShow(app);
  std::swap(app.state().layout, presenter.kept);
  presenter.isOn = true;
}

void stopPresenting(Application& app) {
  PresenterState& presenter = app.state().presenter;
  if (!presenter.isOn) return;
  std::swap(app.state().layout, presenter.kept);
  presenter.isOn = presenter.isBlack = false;
}

void setAudience(Application& app, bool isWanted) {
  PresenterState& presenter = app.state().presenter;
  if (presenter.hasAudience == isWanted) return;
  stopPresenting(app);
  if (isWanted) beginShow(app);
  presenter.hasAudience = isWanted;
}

void showToAudience(ViewState& state) {
  PresenterState& presenter = state.presenter;
  if (!presenter.isOn) std::swap(state.layout, presenter.kept);
  presenter.isOn = true;
  state.isHelpOpen = false;
  state.palette = {};
  state.panels = {};
}

const Slide* findSlide(const Application& app, int number) {
  for (const Slide& slide : app.editor().scene().slides)
    if (slide.number == number) return &slide;
  return nullptr;
}

void showSlide(Application& app, int number) {
  const Slide* found = findSlide(app, number);
  if (!found)
    return app.report("There is no " + nameOf(number) + ": Ctrl+" + std::to_string(number) + " saves one");
  const Slide slide = *found;
  if (!app.state().presenter.isActive()) startPresenting(app);
  apply(app, slide);
}

void saveSlide(Application& app, int number) {
  const ViewState& state = app.state();
  Slide saved{number,
              tilesInSight(state.layout),
              state.selection.head,
              state.selection.query,
              state.presenter.isActive() && state.presenter.hidesValues,
              std::nullopt,
              std::nullopt};
  if (state.story.isOpen && chosenStory(app.editor(), state.story))
    saved.story = std::min(state.story.chosen, app.editor().kept()->stories.size() - 1);
  const std::vector<std::string> seen = panelsInSight(state.layout);
  const Cell& cell = state.explain.cell;
  if (std::find(seen.begin(), seen.end(), "Explain") != seen.end())
    saved.explains = ExplainedCell{stageName(cell.stage), cell.head, cell.row, cell.col};
  app.editor().endGesture();
  const bool isSaved = app.editor().change([&](Scene& scene) {
    std::erase_if(scene.slides, [&](const Slide& slide) { return slide.number == number; });
    const auto place = std::find_if(scene.slides.begin(), scene.slides.end(),
                                    [&](const Slide& slide) { return slide.number > number; });
    scene.slides.insert(place, saved);
  });
  app.editor().endGesture();
  if (!isSaved) return;
  app.state().presenter.slide = number;
  app.report("Saved as " + nameOf(number) + ": " + std::to_string(number) +
             " shows it while presenting (F5)");
}

void removeSlide(Application& app, int number) {
  if (!findSlide(app, number)) return;
  app.editor().endGesture();
  app.editor().change([=](Scene& scene) {
    std::erase_if(scene.slides, [=](const Slide& slide) { return slide.number == number; });
  });
  app.editor().endGesture();
  app.report("Removed " + nameOf(number) + "; Ctrl+Z brings it back");
}

}  // namespace attn
