// What goes on beside the panel: wishes, files that change, the frame around what a step points at.
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "app/application.h"
#include "app/lessons/lesson_answers.h"
#include "app/lessons/lesson_layout.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_player.h"
#include "app/lessons/lesson_texts.h"

namespace attn {
namespace {

constexpr double kSecondsBetweenLooks = 0.5;

void grant(Application& app) {
  const LessonWish wish = std::exchange(app.state().lesson.wish, {});
  using Kind = LessonWish::Kind;
  if (wish.kind == Kind::open) openLesson(app, wish.key, wish.step);
  if (wish.kind == Kind::goTo) goToStep(app, wish.step);
  if (wish.kind == Kind::restore) restoreStepScene(app);
  if (wish.kind == Kind::leave) leaveLesson(app);
  if (wish.kind == Kind::browse) {
    leaveLesson(app);
    showLessons(app);
  }
  if (wish.kind == Kind::chooseFile) chooseLessonFile(app);
}

bool isSameQuestion(const LessonStep& a, const LessonStep& b) {
  return a.title == b.title && a.question.has_value() == b.question.has_value() &&
         (!a.question ||
          (a.question->ask == b.question->ask && a.question->kind.index() == b.question->kind.index()));
}

/// What was typed at a step stays where the step still asks the same.
std::vector<StepWork> carriedOver(const OpenLesson& before, const OpenLesson& now) {
  std::vector<StepWork> work;
  for (std::size_t i = 0; i < now.lesson->steps.size(); ++i) {
    work.push_back(freshWork(now, i));
    if (i >= before.work.size() || !isSameQuestion(before.lesson->steps[i], now.lesson->steps[i])) continue;
    StepWork kept = before.work[i];
    const bool fits = kept.typed.size() == work[i].typed.size() && kept.order.size() == work[i].order.size();
    if (!fits) continue;
    kept.verdict.reset();
    if (const std::optional<Question>& question = now.lesson->steps[i].question) {
      kept.hints = std::min(kept.hints, question->hints.size());
      if (const auto* choice = std::get_if<ChoiceQuestion>(&question->kind))
        std::erase_if(kept.chosen, [&](std::size_t option) { return option >= choice->options.size(); });
    }
    work[i] = std::move(kept);
  }
  return work;
}

/// The lesson as its file has it now; while that is broken, the last one that could be read.
void reload(Application& app, OpenLesson& open, std::filesystem::file_time_type time) {
  open.time = time;
  const LessonEntry entry = readLessonFile(*open.file);
  open.fault = entry.fault;
  if (!entry.lesson) return;
  const OpenLesson before = open;
  open.lesson = entry.lesson;
  open.work = carriedOver(before, open);
  open.step = std::min(open.step, open.lesson->steps.size() - 1);
  open.complaints = complaintsAbout(*open.lesson);
  const bool wasScrolled = open.isScrolledUp;
  goToStep(app, open.step);
  if (panelsInWindowAt(*open.lesson, open.step) != panelsInWindowAt(*before.lesson, before.step))
    showLessonPanels(app.state());
  open.isScrolledUp = wasScrolled;
}

void lookAtFile(Application& app, OpenLesson& open) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(*open.file, error);
  if (!error && time != open.time) reload(app, open, time);
  if (error) open.fault = open.file->string() + ": cannot be read: " + error.message();
}

bool isBrowserInSight(const Application& app) {
  const std::vector<std::string> seen = panelsInSight(app.state().layout);
  return !app.state().lesson.open && std::find(seen.begin(), seen.end(), kLessonPanel) != seen.end();
}

/// Where the number stands that was asked for.
std::optional<Cell> askedCell(const LessonStep& step) {
  const auto* numbers = step.question ? std::get_if<NumbersQuestion>(&step.question->kind) : nullptr;
  const auto* cells = numbers && numbers->of ? std::get_if<CellsOf>(&numbers->of->what) : nullptr;
  if (!cells) return std::nullopt;
  return Cell{cells->stage, cells->head, cells->row.value_or(0), cells->col.value_or(0)};
}

/// Once the answer is known, Explain tells where it comes from, and the maps show how a mistake is right.
void followAnswer(ViewState& state) {
  OpenLesson& open = *state.lesson.open;
  StepWork& work = open.presentWork();
  if (!open.present().question || work.isOpen() || work.hasTurned) return;
  work.hasTurned = true;
  if (open.present().wrong && state.compare.pinned) state.compare.showing = Showing::present;
  if (const std::optional<Cell> cell = askedCell(open.present())) explainCell(state, *cell);
}

/// In the colour of what is chosen, on a ground that sets it off from whatever lies beneath.
void drawFrame(const Theme& theme, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const float width = 3 * theme.unit, round = 6 * theme.unit;
  const auto around = [&](float by, const ImVec4& colour, float thickness) {
    list.AddRect({min.x - by, min.y - by}, {max.x + by, max.y + by}, ImGui::GetColorU32(colour), round, 0,
                 thickness);
  };
  around(0, theme.panel, width + 3 * theme.unit);
  around(0, theme.accent, width);
}

}  // namespace

void followLessons(Application& app) {
  LessonState& lesson = app.state().lesson;
  grant(app);
  if (isBrowserInSight(app) && !lesson.library) lesson.library = readLibrary(lesson.folder);
  if (lesson.open) {
    if (!app.documents().isLent() && !lesson.isElsewhere) app.state().compare = lesson.ownCompare;
    lesson.isElsewhere = !app.documents().isLent();
    noticeClickedCell(app.state());
    followAnswer(app.state());
  }
  const std::string& point = lesson.open ? lesson.open->present().point : std::string();
  app.watchItem(point.find('/') == std::string::npos ? "" : point);
  if (ImGui::GetTime() - lesson.lookedAt < kSecondsBetweenLooks) return;
  lesson.lookedAt = ImGui::GetTime();
  if (lesson.open && lesson.open->file)
    lookAtFile(app, *lesson.open);
  else if (isBrowserInSight(app))
    lesson.library = readLibrary(lesson.folder, lesson.library);
}

std::optional<ItemRect> pointedAtByLesson(const Application& app) {
  const LessonState& lesson = app.state().lesson;
  if (!lesson.open || lesson.isElsewhere || lesson.open->present().point.empty()) return std::nullopt;
  const std::string& point = lesson.open->present().point;
  if (const auto item = app.items().find(point)) return item;
  const ImGuiWindow* panel = ImGui::FindWindowByName(point.substr(0, point.find('/')).c_str());
  if (!panel || !panel->Active) return std::nullopt;
  return ItemRect{panel->Pos, {panel->Pos.x + panel->Size.x, panel->Pos.y + panel->Size.y}};
}

void drawLessonPointer(Application& app) {
  if (ImGui::GetTopMostPopupModal() || app.state().presenter.isBlack) return;
  const std::optional<ItemRect> rect = pointedAtByLesson(app);
  if (!rect) return;
  const bool isPanel = app.state().lesson.open->present().point.find('/') == std::string::npos;
  const float room = isPanel ? 0 : 3 * app.theme().unit;
  drawFrame(app.theme(), *ImGui::GetForegroundDrawList(), {rect->min.x - room, rect->min.y - room},
            {rect->max.x + room, rect->max.y + room});
}

}  // namespace attn
