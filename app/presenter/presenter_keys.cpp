#include <imgui.h>
#include <imgui_internal.h>

#include "app/application.h"
#include "app/lessons/lesson_player.h"
#include "app/presenter/presenter.h"

namespace attn {
namespace {

/// Keeps Dear ImGui and the maps off the clicker's keys, from the next frame on.
void claim(ImGuiKey key) {
  ImGui::SetKeyOwner(key, ImGui::GetID("presenter"));
}

bool isPressed(ImGuiKeyChord modifiers, int number) {
  const auto key = [&](int first) { return static_cast<ImGuiKeyChord>(first + number) | modifiers; };
  return ImGui::IsKeyChordPressed(key(ImGuiKey_0)) || ImGui::IsKeyChordPressed(key(ImGuiKey_Keypad0));
}

/// In the grid of numbers digits are typed.
bool isTyping(const Application& app) {
  const ViewState& state = app.state();
  return ImGui::GetIO().WantTextInput || (state.panels.focused == "Inputs" && state.inputs.hasCursor);
}

void followSlideKeys(Application& app) {
  const bool isActive = app.state().presenter.isActive();
  for (int number = 1; number <= Slide::kMost; ++number) {
    if (isPressed(ImGuiMod_Ctrl, number)) saveSlide(app, number);
    if (isPressed(ImGuiMod_Ctrl | ImGuiMod_Shift, number)) removeSlide(app, number);
    if (isPressed(ImGuiMod_Alt, number) || (isActive && !isTyping(app) && isPressed(0, number)))
      showSlide(app, number);
  }
}

bool hasEscape(const Application& app) {
  constexpr auto kAny = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
  return !ImGui::GetIO().WantTextInput && ImGui::GetCurrentContext()->ActiveId == 0 &&
         !app.state().isHelpOpen && !ImGui::IsPopupOpen(nullptr, kAny) &&
         ImGui::IsKeyPressed(ImGuiKey_Escape, false);
}

}  // namespace

void followPresenterKeys(Application& app) {
  if (ImGui::GetTopMostPopupModal()) return;  // a question comes first
  followSlideKeys(app);
  PresenterState& presenter = app.state().presenter;
  presenter.pointed = std::exchange(presenter.nextPointed, {});
  if (!presenter.isActive() && !hasLessonKeys(app)) return;
  claim(ImGuiKey_PageUp);
  claim(ImGuiKey_PageDown);
  if (!presenter.isActive() || !hasEscape(app)) return;
  if (presenter.isBlack)
    presenter.isBlack = false;
  else
    stopPresenting(app);  // the second window stays: here Esc ends many things
}

}  // namespace attn
