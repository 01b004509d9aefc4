#include "app/application.h"
#include "app/commands.h"
#include "app/lessons/lesson_answers.h"
#include "app/lessons/lesson_player.h"

namespace attn {
namespace {

bool hasLesson(const Application& app) {
  return app.state().lesson.open.has_value();
}

bool hasQuestion(const Application& app) {
  return hasLesson(app) && app.state().lesson.open->present().question;
}

bool hasHint(const Application& app) {
  return hasQuestion(app) && app.state().lesson.open->presentWork().hints <
                                 app.state().lesson.open->present().question->hints.size();
}

constexpr Condition kHasLesson{hasLesson, "Open a lesson first: F9"};
constexpr Condition kHasQuestion{hasQuestion, "Only where a step asks something"};
constexpr Condition kHasHint{hasHint, "Only where a step has another hint"};

void check(Application& app) {
  checkAnswer(app.state().lesson, app.editor().scene(), app.state().notation);
}

constexpr auto kCtrl = ImGuiMod_Ctrl;

constexpr Command kCommands[] = {
    {"lesson.browse", "Show lessons", "Lessons", ImGuiKey_F9, showLessons},
    {"lesson.check", "Check the answer", "Lessons", kCtrl | ImGuiKey_Enter, check, kHasQuestion, nullptr,
     true},
    {"lesson.hint", "Another hint", "Lessons", 0, [](Application& app) { giveHint(app.state().lesson); },
     kHasHint},
    {"lesson.reveal", "Show the answer", "Lessons", 0,
     [](Application& app) { revealAnswer(app.state().lesson, app.state().notation); }, kHasQuestion},
    {"lesson.restore", "The step's own scene again", "Lessons", 0, restoreStepScene, kHasLesson, nullptr,
     true},
    {"lesson.leave", "Back to my scene", "Lessons", 0, leaveLesson, kHasLesson},
    {"lesson.hide", "Hide what is asked for", "Lessons", 0,
     [](Application& app) { app.state().lesson.hidesAsked = !app.state().lesson.hidesAsked; }, nullptr,
     [](const Application& app) { return app.state().lesson.hidesAsked; }, true},
};

}  // namespace

std::span<const Command> lessonCommands() {
  return kCommands;
}

}  // namespace attn
