#include "app/application.h"
#include "app/commands.h"
#include "app/views/head_actions.h"

namespace attn {
namespace {

constexpr auto kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift, kAlt = ImGuiMod_Alt;

Index countOf(const Application& app) {
  return shapesOf(app.editor().scene()).heads;
}

Index chosenIn(const Application& app) {
  return app.state().selection.head;
}

bool hasNext(const Application& app) {
  return chosenIn(app) + 1 < countOf(app);
}

bool hasPrevious(const Application& app) {
  return chosenIn(app) > 0;
}

bool hasSeveral(const Application& app) {
  return countOf(app) > 1;
}

template <Index by>
void choose(Application& app) {
  chooseHead(app.state(), chosenIn(app) + by);
}

template <Index by>
void move(Application& app) {
  moveHeadTo(app.editor(), app.state(), chosenIn(app), chosenIn(app) + by);
}

template <HeadChoice choice>
void show(Application& app) {
  app.state().heads.choice = choice;
}

template <HeadChoice choice>
bool isShown(const Application& app) {
  return app.state().heads.choice == choice;
}

/// With the next head; again: with the one after it; after the last one with none.
void compare(Application& app) {
  HeadsState& heads = app.state().heads;
  Index other = heads.compared ? *heads.compared + 1 : 0;
  if (other == chosenIn(app)) ++other;
  heads.compared.reset();
  if (other < countOf(app)) compareWith(app.state(), other);
}

constexpr Condition kHasNext{hasNext, "This is the last head"};
constexpr Condition kHasPrevious{hasPrevious, "This is the first head"};
constexpr Condition kHasSeveral{hasSeveral, "There is only one head"};

constexpr Command kCommands[] = {
    {"heads.next", "Next head", "Heads", kCtrl | ImGuiKey_PageDown, choose<1>, kHasNext},
    {"heads.previous", "Previous head", "Heads", kCtrl | ImGuiKey_PageUp, choose<-1>, kHasPrevious},
    {"heads.one", "Show the chosen head", "Heads", kCtrl | kAlt | ImGuiKey_1, show<HeadChoice::one>, nullptr,
     isShown<HeadChoice::one>, true},
    {"heads.average", "Show the average", "Heads", kCtrl | kAlt | ImGuiKey_2, show<HeadChoice::average>,
     kHasSeveral, isShown<HeadChoice::average>},
    {"heads.maximum", "Show the maximum", "Heads", kCtrl | kAlt | ImGuiKey_3, show<HeadChoice::maximum>,
     kHasSeveral, isShown<HeadChoice::maximum>},
    {"heads.solo", "Solo", "Heads", kCtrl | ImGuiKey_E,
     [](Application& app) { app.state().heads.isSolo = !app.state().heads.isSolo; }, kHasSeveral,
     [](const Application& app) { return app.state().heads.isSolo; }, true},
    {"heads.compare", "Compare with another head", "Heads", kCtrl | kShift | ImGuiKey_E, compare, kHasSeveral,
     [](const Application& app) { return app.state().heads.compared.has_value(); }},
    {"heads.difference",
     "Difference of the two",
     "Heads",
     kCtrl | kAlt | ImGuiKey_E,
     [](Application& app) { app.state().heads.showsDifference = !app.state().heads.showsDifference; },
     {[](const Application& app) { return app.state().heads.compared.has_value(); },
      "Compare two heads first"},
     [](const Application& app) { return app.state().heads.showsDifference; }},
    {"heads.add", "Add head", "Heads", kCtrl | ImGuiKey_H,
     [](Application& app) { addHeadAfter(app.editor(), app.state(), chosenIn(app)); }, nullptr, nullptr,
     true},
    {"heads.duplicate", "Duplicate head", "Heads", kCtrl | kShift | ImGuiKey_H,
     [](Application& app) { duplicateHeadAt(app.editor(), app.state(), chosenIn(app)); }},
    {"heads.remove", "Remove head", "Heads", kCtrl | kAlt | ImGuiKey_H,
     [](Application& app) { removeHeadAt(app.editor(), app.state(), chosenIn(app)); }, kHasSeveral},
    {"heads.earlier", "Move head earlier", "Heads", kCtrl | kShift | ImGuiKey_PageUp, move<-1>, kHasPrevious},
    {"heads.later", "Move head later", "Heads", kCtrl | kShift | ImGuiKey_PageDown, move<1>, kHasNext},
};

}  // namespace

std::span<const Command> headCommands() {
  return kCommands;
}

}  // namespace attn
