#include "app/lessons/lesson_player.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "app/application.h"
#include "app/lessons/lesson_answers.h"
#include "app/lessons/lesson_layout.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_texts.h"
#include "app/presenter/presenter.h"
#include "app/views/widgets.h"
#include "core/same_scene.h"

namespace attn {
namespace {

SharedScene sceneOf(const std::shared_ptr<const PreciseScene>& precise) {
  return std::make_shared<const Scene>(narrow(*precise));
}

/// The head whose numbers a question is about.
Index headOf(const LessonStep& step) {
  if (!step.question) return 0;
  const auto head = [](const Quantity& of) -> Index {
    if (const auto* cells = std::get_if<CellsOf>(&of.what)) return cells->head;
    if (const auto* measure = std::get_if<MeasureOf>(&of.what)) return measure->head;
    return 0;
  };
  if (const auto* numbers = std::get_if<NumbersQuestion>(&step.question->kind))
    return numbers->of ? head(*numbers->of) : 0;
  if (const auto* cell = std::get_if<CellQuestion>(&step.question->kind)) return head(cell->of);
  return 0;
}

/// Slides belong to whoever presents the lesson: they outlive a step.
void lendScene(Application& app, const LessonStep& step) {
  Scene scene = narrow(*step.scene);
  if (app.documents().isLent()) scene.slides = app.editor().kept()->slides;
  app.documents().lend(std::make_shared<const Scene>(std::move(scene)));
  app.state().lesson.isElsewhere = false;
}

/// With a mistake to be found, the maps show it as A until it was.
void compareWithWrong(ViewState& state, const OpenLesson& open) {
  state.compare = {};
  const LessonStep& step = open.present();
  if (!step.wrong) return;
  state.compare.pinned = sceneOf(step.wrong);
  const bool isKnown = !open.presentWork().isOpen() || !step.question ||
                       std::holds_alternative<MaskQuestion>(step.question->kind);
  state.compare.showing = isKnown ? Showing::present : Showing::pinned;
}

/// Of the panel, of an item in it: "Scale/Temperature".
std::string panelOf(const std::string& point) {
  return point.substr(0, point.find('/'));
}

void enterStep(Application& app) {
  ViewState& state = app.state();
  OpenLesson& open = *state.lesson.open;
  const LessonStep& step = open.present();
  stopStory(state.story);
  showPresentedPanels(state);
  lendScene(app, step);
  state.selection.head = headOf(step);
  open.presentWork().clicks = state.explain.clicks;
  open.loop = 0;
  state.lesson.counted.reset();
  open.isScrolledUp = true;
  compareWithWrong(state, open);
  if (step.loop) explainCell(state, {*step.loop, 0, 0, 0});
  if (!step.point.empty()) bringIntoSight(state, panelOf(step.point));
  bringIntoSight(state, kLessonPanel);
}

void begin(Application& app, const LessonEntry& entry, std::size_t step) {
  LessonState& lesson = app.state().lesson;
  if (!lesson.open) {
    lesson.ownLayout = windowLayout(app.state());
    lesson.ownCompare = app.state().compare;
  }
  OpenLesson open;
  open.key = lesson.last = entry.key;
  open.lesson = entry.lesson;
  if (!entry.file.empty()) {
    open.file = entry.file, open.time = entry.time;
    open.complaints = complaintsAbout(*entry.lesson);
  }
  open.step = std::min(step, entry.lesson->steps.size() - 1);
  for (std::size_t i = 0; i < entry.lesson->steps.size(); ++i) open.work.push_back(freshWork(open, i));
  lesson.open = std::move(open);
  app.state().selection = {};
  showLessonPanels(app.state());
  enterStep(app);
  app.state().panels.focused = app.state().panels.toFocus = kLessonPanel;
}

}  // namespace

void showLessons(Application& app) {
  ViewState& state = app.state();
  bringIntoSight(state, kLessonPanel);
  state.panels.focused = state.panels.toFocus = kLessonPanel;
  keyboardTakesOver();
}

bool openLesson(Application& app, const std::string& key, std::size_t step) {
  LessonState& lesson = app.state().lesson;
  lesson.library = readLibrary(lesson.folder, lesson.library);
  const LessonEntry* entry = lesson.library->find(key);
  if (!entry) return openLessonFile(app, key, step);
  if (!entry->lesson) return app.report(entry->fault), false;
  begin(app, *entry, step);
  return true;
}

bool openLessonFile(Application& app, const std::filesystem::path& file, std::size_t step) {
  std::error_code ignored;
  const std::filesystem::path absolute = std::filesystem::absolute(file, ignored).lexically_normal();
  const LessonEntry entry = readLessonFile(absolute);
  if (!entry.lesson) return app.report(entry.fault), false;
  begin(app, entry, step);
  app.report("Opened " + absolute.string() + ": it is read again whenever it changes");
  return true;
}

void chooseLessonFile(Application& app) {
  const LessonState& lesson = app.state().lesson;
  std::error_code ignored;
  const bool hasFolder = !lesson.folder.empty() && std::filesystem::is_directory(lesson.folder, ignored);
  const std::filesystem::path start =
      hasFolder ? lesson.folder : app.documents().ownDocument().file().parent_path();
  app.documents().dialog().show(FileDialog::Purpose::open, start,
                                [&app](const std::filesystem::path& file) { openLessonFile(app, file); });
}

void goToStep(Application& app, std::size_t step) {
  std::optional<OpenLesson>& open = app.state().lesson.open;
  if (!open || step >= open->lesson->steps.size()) return;
  const std::vector<std::string> before = panelsInWindowAt(*open->lesson, open->step);
  open->step = step;
  if (panelsInWindowAt(*open->lesson, step) != before) showLessonPanels(app.state());
  enterStep(app);
}

void restoreStepScene(Application& app) {
  if (!app.state().lesson.open) return;
  lendScene(app, app.state().lesson.open->present());
  compareWithWrong(app.state(), *app.state().lesson.open);
}

void leaveLesson(Application& app) {
  ViewState& state = app.state();
  if (!state.lesson.open) return;
  const bool hadAudience = state.presenter.hasAudience;
  stopPresenting(app);
  if (hadAudience) setAudience(app, false);
  state.presenter.kept = {};
  app.documents().takeBack();
  state.lesson.open.reset();
  state.lesson.isElsewhere = false;
  state.layout = state.lesson.ownLayout;
  state.compare = state.lesson.ownCompare;
  state.selection = {};
  if (hadAudience) setAudience(app, true);
}

bool stepLesson(Application& app, int by) {
  ViewState& state = app.state();
  if (!state.lesson.open) return false;
  const std::vector<std::string> seen = panelsInSight(state.layout);
  if (std::find(seen.begin(), seen.end(), kLessonPanel) == seen.end()) return false;
  OpenLesson& open = *state.lesson.open;
  const bool isRiddle = open.present().question && open.presentWork().isOpen();
  if (by > 0 && isRiddle && state.presenter.isActive())
    return revealAnswer(state.lesson, state.notation), true;
  if (by < 0 && open.step == 0) return false;
  if (by > 0 && open.step + 1 == open.lesson->steps.size()) return false;
  goToStep(app, by > 0 ? open.step + 1 : open.step - 1);
  return true;
}

bool hasLessonKeys(const Application& app) {
  const ViewState& state = app.state();
  return state.lesson.open && !state.presenter.isActive() &&
         (state.panels.focused == kLessonPanel || state.panels.focused.empty());
}

}  // namespace attn
