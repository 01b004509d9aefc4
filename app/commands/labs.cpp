#include "app/application.h"
#include "app/commands.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

/// A lab has the whole area at first; F11 puts it beside the other panels.
void toggle(Application& app, const char* title) {
  ViewState& state = app.state();
  if (!state.layout.isHidden(title)) return state.layout.show(title, false);
  state.layout.bringToFront(title);
  state.layout.maximised = title;
  state.panels.focused = state.panels.toFocus = title;
  keyboardTakesOver();
}

bool isOpen(const Application& app, const char* title) {
  return !app.state().layout.isHidden(title);
}

constexpr const char* kTitles[] = {"Scaling lab",       "Query lab",           "Cost lab",
                                   "Normalisation lab", "Receptive field lab", "Mask lab"};

template <int lab>
constexpr Command opening(const char* id) {
  return {id,
          kTitles[lab],
          "Labs",
          0,
          [](Application& app) { toggle(app, kTitles[lab]); },
          nullptr,
          [](const Application& app) { return isOpen(app, kTitles[lab]); }};
}

constexpr Command kCommands[] = {
    opening<0>("labs.scaling"),       opening<1>("labs.query"),     opening<2>("labs.cost"),
    opening<3>("labs.normalisation"), opening<4>("labs.receptive"), opening<5>("labs.mask"),
};

}  // namespace

std::span<const Command> labCommands() {
  return kCommands;
}

}  // namespace attn
