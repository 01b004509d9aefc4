#include "app/views/explain.h"

#include "app/application.h"
#include "app/commands.h"
#include "app/formula/derivation.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

constexpr auto kCtrl = ImGuiMod_Ctrl, kAlt = ImGuiMod_Alt;

/// Also from where the panel is hidden: it is asked for.
void explainHere(Application& app) {
  explainPointed(app.state());
  app.state().layout.bringToFront("Explain");
  app.state().panels.focused = app.state().panels.toFocus = "Explain";
  keyboardTakesOver();
}

void copyLatex(Application& app) {
  const auto& evaluation = app.evaluations().current();
  if (!evaluation) return;
  ImGui::SetClipboardText(latexOf(printExplanation(*evaluation, app.state())).c_str());
  app.report("The derivation copied as LaTeX");
}

void copyText(Application& app) {
  const auto& evaluation = app.evaluations().current();
  if (!evaluation) return;
  ImGui::SetClipboardText(textOf(printExplanation(*evaluation, app.state())).c_str());
  app.report("The derivation copied as text");
}

constexpr Command kCommands[] = {
    {"explain.cell", "Explain the cell", "Explain", kCtrl | ImGuiKey_I, explainHere},
    {"explain.back", "Back to the cell before", "Explain", kAlt | ImGuiKey_LeftArrow,
     [](Application& app) { explainBefore(app.state()); },
     [](const Application& app) { return !app.state().explain.history.empty(); }},
    {"explain.forward", "Unfold the next step", "Explain", kCtrl | kAlt | ImGuiKey_PageDown,
     [](Application& app) { stepForward(app.state()); }, nullptr, nullptr, true},
    {"explain.backward", "Fold the last step away", "Explain", kCtrl | kAlt | ImGuiKey_PageUp,
     [](Application& app) { stepBack(app.state()); }},
    {"explain.whole", "The whole derivation", "Explain", kCtrl | kAlt | ImGuiKey_Home,
     [](Application& app) { app.state().explain.shown.reset(); }, nullptr,
     [](const Application& app) { return !app.state().explain.shown; }},
    {"explain.everyTerm", "Every term of long sums", "Explain", kCtrl | kAlt | ImGuiKey_T,
     [](Application& app) { app.state().explain.isComplete = !app.state().explain.isComplete; }, nullptr,
     [](const Application& app) { return app.state().explain.isComplete; }},
    {"explain.copyText", "Copy the derivation as text", "Explain", 0, copyText, nullptr, nullptr, true},
    {"explain.copyLatex", "Copy the derivation as LaTeX", "Explain", 0, copyLatex},
};

}  // namespace

std::span<const Command> explainCommands() {
  return kCommands;
}

}  // namespace attn
