#include <imgui_internal.h>

#include <algorithm>

#include "app/application.h"
#include "app/commands.h"
#include "app/views/input_actions.h"
#include "core/edits/inputs.h"

namespace attn {
namespace {

constexpr auto kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift, kAlt = ImGuiMod_Alt;

const Story* storyOf(const Application& app) {
  return chosenStory(app.editor(), app.state().story);
}

bool hasStory(const Application& app) {
  return storyOf(app) != nullptr;
}

/// Space uses what the keyboard is on, where that can be seen; Ctrl with it always plays.
bool canPlay(const Application& app) {
  const bool isFree = GImGui->NavDisableHighlight || ImGui::GetIO().KeyCtrl;
  return hasStory(app) && app.state().story.isOpen && !app.isRecording() &&
         (isFree || !ImGui::IsKeyDown(ImGuiKey_Space));
}

template <StoryTarget::Kind kind>
void begin(Application& app) {
  animate(app.editor(), app.state().story, {.kind = kind});
}

/// At once, since it is one question: what happens as d_k grows?
void playKeyWidth(Application& app) {
  begin<StoryTarget::Kind::keyWidth>(app);
  if (!app.state().story.isPlaying) togglePlaying(app.editor(), app.state().story);
}

void beginTouched(Application& app) {
  animate(app.editor(), app.state().story, *app.state().story.touched);
}

bool hasTouched(const Application& app) {
  return app.state().story.touched.has_value();
}

void beginCell(Application& app) {
  const CellPlace cell = app.state().inputs.cursor;
  animate(app.editor(), app.state().story,
          {StoryTarget::Kind::cell, activeInput(app.state()), cell.row, cell.col});
}

bool hasCell(const Application& app) {
  const InputOf<float>* input = findInput(app.editor().scene(), activeInput(app.state()));
  const CellPlace cell = app.state().inputs.cursor;
  return input && cell.row < input->values.rows() && cell.col < input->values.cols();
}

bool canRecord(const Application& app) {
  return hasStory(app) && !app.isRecording();
}

void chooseNextStory(Application& app) {
  StoryState& state = app.state().story;
  const std::size_t count = app.editor().kept()->stories.size();
  stopStory(state);
  state.chosen = state.isOpen ? (state.chosen + 1) % count : std::min(state.chosen, count - 1);
  state.isOpen = true;
}

void close(Application& app) {
  stopStory(app.state().story);
  app.state().story.isOpen = false;
}

using Kind = StoryTarget::Kind;

constexpr Command kCommands[] = {
    {"story.play", "Play or pause", "Story", ImGuiKey_Space,
     [](Application& app) { togglePlaying(app.editor(), app.state().story); }, canPlay,
     [](const Application& app) { return app.state().story.isPlaying; }},
    {"story.stop", "Stop: the present scene again", "Story", 0,
     [](Application& app) { stopStory(app.state().story); },
     [](const Application& app) { return app.state().story.isShown; }},
    {"story.next", "Next story of the scene", "Story", 0, chooseNextStory, hasStory},
    {"story.close", "Close", "Story", 0, close,
     [](const Application& app) { return app.state().story.isOpen; }},
    {"story.keyWidth", "What happens as d_k grows", "Story", kCtrl | kShift | ImGuiKey_K, playKeyWidth,
     nullptr, nullptr, true},
    {"story.valueWidth", "Animate d_v…", "Story", 0, begin<Kind::valueWidth>},
    {"story.control", "Animate the control in use…", "Story", kCtrl | kAlt | ImGuiKey_M, beginTouched,
     Condition{hasTouched, "Go to a slider or a number first, or change one"}},
    {"story.cell", "Animate the chosen cell…", "Story", kCtrl | kShift | ImGuiKey_M, beginCell, hasCell},
    {"story.temperature", "Animate the temperature…", "Story", 0, begin<Kind::temperature>},
    {"story.divisor", "Animate the divisor…", "Story", 0, begin<Kind::divisor>},
    {"story.gain", "Animate the gain of QK-norm…", "Story", 0, begin<Kind::gain>},
    {"story.cap", "Animate the cap…", "Story", 0, begin<Kind::cap>},
    {"story.logit", "Animate the logit…", "Story", 0, begin<Kind::logit>},
    {"story.threshold", "Animate the threshold…", "Story", 0, begin<Kind::threshold>},
    {"story.record", "Record as an animated PNG", "Story", 0, [](Application& app) { app.record(""); },
     canRecord, nullptr, true},
    {"story.recordPanel", "Record this panel as an animated PNG", "Story", 0,
     [](Application& app) { app.record(app.state().panels.focused); }, canRecord},
    {"story.cancel", "Cancel the recording", "Story", 0, [](Application& app) { app.cancelRecording(); },
     [](const Application& app) { return app.isRecording(); }},
};

}  // namespace

std::span<const Command> storyCommands() {
  return kCommands;
}

}  // namespace attn
