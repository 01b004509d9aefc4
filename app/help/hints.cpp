#include "app/help/hints.h"

#include <imgui.h>

#include <iterator>
#include <string>

#include "app/application.h"

namespace attn {
namespace {

struct Hint {
  const char* id;  // kept in the settings
  const char* text;
  bool (*isDone)(const Application& app);
};

constexpr Hint kHints[] = {
    {"change", "Drag a number of Q sideways: every panel follows.",
     [](const Application& app) { return app.editor().canUndo(); }},
    {"point", "Point at a cell of Weights: its query and key are marked everywhere.",
     [](const Application& app) { return app.state().hover.query && app.state().hover.key; }},
    {"lesson", "F9 opens the lessons: exercises, step by step, from the first one on.",
     [](const Application& app) { return app.state().lesson.open.has_value(); }},
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
  const float button = ImGui::CalcTextSize(kAway).x + 2 * style.FramePadding.x;
  const float width = ImGui::CalcTextSize(hint->text).x + button + style.ItemSpacing.x;
  const float at = ImGui::GetWindowWidth() - width - 12 * app.theme().unit;
  if (at < ImGui::GetCursorPosX() + ImGui::GetFontSize()) return;  // what happened is more urgent
  ImGui::SetCursorPosX(at);
  ImGui::TextColored(app.theme().accent, "%s", hint->text);
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
