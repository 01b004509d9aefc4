#include "app/help/hints.h"

#include <imgui.h>

#include <iterator>
#include <string>

#include "app/application.h"
#include "app/lessons/lesson_player.h"

namespace attn {
namespace {

struct Hint {
  const char* id;  // kept in the settings
  const char* text;
  bool (*isDone)(const Application& app);
  const char* offer = nullptr;  // a button that does it
  void (*run)(Application& app) = nullptr;
};

constexpr Hint kHints[] = {
    {"lesson", "New here? Lessons show it step by step.",
     [](const Application& app) { return app.state().lesson.open.has_value(); }, "Lessons (F9)", showLessons},
    {"change", "Drag a number of Q sideways: every panel follows.",
     [](const Application& app) { return app.editor().canUndo(); }},
    {"point", "Point at a cell of Weights: its query and key are marked everywhere.",
     [](const Application& app) { return app.state().hover.query && app.state().hover.key; }},
    {"palette", "Ctrl+P finds every command, panel and scene.",
     [](const Application& app) { return app.state().palette.isOpen; }},
    {"present", "F5 shows a few panels, large, to an audience.",
     [](const Application& app) { return app.state().presenter.isOn; }},
};

const Hint* nextHint(const HintsState& hints) {
  for (const Hint& hint : kHints)
    if (hints.areOn && !hints.done.contains(hint.id)) return &hint;
  return nullptr;
}

}  // namespace

void followHints(Application& app) {
  HintsState& hints = app.state().hints;
  if (!hints.areOn || hints.done.size() >= std::size(kHints)) return;
  for (const Hint& hint : kHints)
    if (hint.isDone(app)) hints.done.insert(hint.id);
}

void drawHint(Application& app) {
  HintsState& hints = app.state().hints;
  const Hint* hint = nextHint(hints);
  if (!hint) return;
  const ImGuiStyle& style = ImGui::GetStyle();
  constexpr const char* kAway = "Got it";
  const auto wide = [&](const char* button) {
    return button ? ImGui::CalcTextSize(button).x + 2 * style.FramePadding.x + style.ItemSpacing.x : 0;
  };
  const float width = ImGui::CalcTextSize(hint->text).x + wide(kAway) + wide(hint->offer);
  const float at = ImGui::GetWindowWidth() - width - 12 * app.theme().unit;
  if (at < ImGui::GetCursorPosX() + ImGui::GetFontSize()) return;  // what happened is more urgent
  ImGui::SetCursorPosX(at);
  ImGui::TextColored(app.theme().accent, "%s", hint->text);
  if (hint->offer && ImGui::SmallButton(hint->offer)) hint->run(app);
  if (ImGui::SmallButton(kAway)) hints.done.insert(hint->id);
}

bool hasHints(const Application& app) {
  return nextHint(app.state().hints) != nullptr;
}

void setHints(Application& app, bool areWanted) {
  HintsState& hints = app.state().hints;
  hints.areOn = true;
  hints.done.clear();
  if (!areWanted)
    for (const Hint& hint : kHints) hints.done.insert(hint.id);
}

}  // namespace attn
