#include "app/application.h"
#include "app/commands.h"
#include "app/lessons/lesson_answers.h"
#include "app/lessons/lesson_player.h"
#include "app/presenter/hidden_values.h"
#include "app/presenter/presenter.h"

namespace attn {
namespace {

bool isPresenting(const Application& app) {
  return app.state().presenter.isActive();
}

/// In the grid of numbers, letters and digits are typed.
bool hasKeys(const Application& app) {
  return isPresenting(app) && !(app.state().panels.focused == "Inputs" && app.state().inputs.hasCursor);
}

bool canStep(const Application& app) {
  return isPresenting(app) || hasLessonKeys(app);
}

constexpr Condition kCanStep{canStep, "Only while presenting (F5), and in a lesson"};
constexpr Condition kHasKeys{hasKeys, "Only while presenting, and not among the inputs"};

void toggle(Application& app) {
  app.state().presenter.isOn ? stopPresenting(app) : startPresenting(app);
}

template <int by>
void step(Application& app) {
  takeStep(app, by);
}

template <bool PresenterState::*flag>
void flip(Application& app) {
  app.state().presenter.*flag = !(app.state().presenter.*flag);
}

template <bool PresenterState::*flag>
bool has(const Application& app) {
  return app.state().presenter.*flag;
}

void hide(Application& app) {
  flip<&PresenterState::hidesValues>(app);
  app.state().presenter.revealed.clear();
  foldHidden(app.state());
}

constexpr Command kCommands[] = {
    {"present.start", "Present", "Present", ImGuiKey_F5, toggle, nullptr, has<&PresenterState::isOn>},
    {"present.audience", "Second window", "Present", ImGuiMod_Shift | ImGuiKey_F5,
     [](Application& app) { setAudience(app, !app.state().presenter.hasAudience); }, nullptr,
     has<&PresenterState::hasAudience>},
    {"present.next", "Next step", "Present", ImGuiKey_PageDown, step<1>, kCanStep, nullptr, true},
    {"present.previous", "Previous step", "Present", ImGuiKey_PageUp, step<-1>, kCanStep},
    {"present.black", "Black screen", "Present", ImGuiKey_B, flip<&PresenterState::isBlack>, kHasKeys,
     has<&PresenterState::isBlack>},
    {"present.spotlight", "Spotlight", "Present", ImGuiKey_S, flip<&PresenterState::hasSpotlight>, kHasKeys,
     has<&PresenterState::hasSpotlight>, true},
    {"present.laser", "Laser dot", "Present", ImGuiKey_L, flip<&PresenterState::hasLaser>, kHasKeys,
     has<&PresenterState::hasLaser>},
    {"present.hide", "Hide values", "Present", ImGuiKey_H, hide, kHasKeys, has<&PresenterState::hidesValues>,
     true},
    {"present.hideColours", "Hide their colours", "Present", ImGuiKey_C, flip<&PresenterState::hidesColours>,
     kHasKeys, has<&PresenterState::hidesColours>},
    {"present.reveal", "Reveal", "Present", ImGuiKey_R,
     [](Application& app) {
       if (!app.state().presenter.pointed) revealAnswer(app.state().lesson, app.state().notation);
       revealValues(app.state());
     },
     kHasKeys},
};

}  // namespace

std::span<const Command> presentCommands() {
  return kCommands;
}

}  // namespace attn
