#include "app/views/story_bar.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/views/labels.h"
#include "app/views/number_control.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/edits/stories.h"

namespace attn {
namespace {

std::string titleOf(const ViewContext& context, const Story& story) {
  return storyTitle(*context.editor.kept(), story, context.state.notation);
}

void change(ViewContext& context, const Story& story) {
  const std::size_t at = std::min(context.state.story.chosen, context.editor.kept()->stories.size() - 1);
  changeStories(context.editor, context.state.story, [&](Scene& scene) { scene.stories[at] = story; });
}

void chooseStory(ViewContext& context, const Story& story) {
  const Scene& scene = *context.editor.kept();
  StoryState& state = context.state.story;
  ImGui::SetNextItemWidth(8 * ImGui::GetFontSize());
  if (!ImGui::BeginCombo("##story", titleOf(context, story).c_str())) return;
  for (std::size_t i = 0; i < scene.stories.size(); ++i) {
    const std::string name = titleOf(context, scene.stories[i]) + "##" + std::to_string(i);
    if (ImGui::Selectable(name.c_str(), i == state.chosen)) stopStory(state), state.chosen = i;
  }
  ImGui::EndCombo();
}

/// Where in the story: dragging it shows that moment.
void drawPlace(ViewContext& context, const Story& story) {
  StoryState& state = context.state.story;
  const double first = 0, last = storyLength(story);
  double place = story.repeat == Story::Repeat::once ? state.seconds : std::fmod(state.seconds, last);
  const std::string text =
      state.isShown ? storyNumberText(story, state.seconds, context.state.notation) : "…";
  ImGui::SetNextItemWidth(9 * ImGui::GetFontSize());
  if (ImGui::SliderScalar("##place", ImGuiDataType_Double, &place, &first, &last, text.c_str(),
                          ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput)) {
    state.seconds = place;
    state.isShown = true, state.isPlaying = false;
  }
  ImGui::SetItemTooltip("Where in the story. It only looks: the scene stays as it is");
}

void editStory(ViewContext& context, Story story) {
  const Story before = story;
  const float font = ImGui::GetFontSize();
  const auto span = static_cast<float>(std::abs(story.to - story.from));
  const auto number = [&](const char* label, double& value, float speed, const char* format,
                          const char* meaning) {
    ImGui::SameLine();
    ImGui::SetNextItemWidth(5 * font);
    dragNumber(label, value, speed, format);
    ImGui::SetItemTooltip("%s. Drag, or double click to type", meaning);
  };
  number("##from", story.from, std::max(0.02f, span / 200), "from %.4g", "The value at the start");
  number("##to", story.to, std::max(0.02f, span / 200), "to %.4g", "The value at the end");
  number("##seconds", story.seconds, 0.02f, "%.3g s", "From one end to the other");
  const auto list = [&](const char* label, auto& value, std::initializer_list<const char*> names) {
    int chosen = static_cast<int>(value);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(7 * font);
    if (choice(label, chosen, {names.begin(), names.size()}))
      value = static_cast<std::decay_t<decltype(value)>>(chosen);
  };
  list("##easing", story.easing, {"linear", "smooth"});
  list("##repeat", story.repeat, {"once", "in a loop", "back and forth"});
  if (!(story == before)) change(context, story);
}

void removeStory(ViewContext& context) {
  StoryState& state = context.state.story;
  const std::size_t at = std::min(state.chosen, context.editor.kept()->stories.size() - 1);
  changeStories(context.editor, state, [=](Scene& scene) { removeStory(scene, at); });
  state.chosen = 0;
}

StoryWish drawRecording(const Recording& recording) {
  const float share = static_cast<float>(recording.next) / static_cast<float>(recording.count);
  const std::string text =
      "recording " + std::to_string(recording.next) + " of " + std::to_string(recording.count);
  ImGui::ProgressBar(share, {20 * ImGui::GetFontSize(), 0}, text.c_str());
  ImGui::SameLine();
  return ImGui::Button("Cancel") || ImGui::IsKeyPressed(ImGuiKey_Escape, false) ? StoryWish::cancel
                                                                                : StoryWish::none;
}

}  // namespace

std::string storyTitle(const Scene& scene, const Story& story, const Notation& notation) {
  const PlaceWriting writing{notation.first, notation.queriesAreColumns};
  return story.title.empty() ? targetText(scene, story.target, writing) : story.title;
}

std::string storyNumberText(const Story& story, double seconds, const Notation& notation) {
  const double value = storyValue(story, seconds);
  return isWhole(story.target) ? std::to_string(std::lround(value)) : numberText(notation, value);
}

StoryWish drawStoryBar(ViewContext& context, const Recording* recording) {
  if (recording) return drawRecording(*recording);
  StoryState& state = context.state.story;
  const Story story = *chosenStory(context.editor, state);
  StoryWish wish = StoryWish::none;
  if (ImGui::Button(state.isPlaying ? "Pause" : "Play", {3.6f * ImGui::GetFontSize(), 0}))
    togglePlaying(context.editor, state);
  ImGui::SetItemTooltip("Space does the same");
  ImGui::SameLine();
  chooseStory(context, story);
  ImGui::SameLine();
  drawPlace(context, story);
  editStory(context, story);
  ImGui::SameLine();
  if (ImGui::Button("Record")) wish = StoryWish::record;
  ImGui::SetItemTooltip("As an animated PNG of all panels, beside your other pictures");
  ImGui::SameLine();
  if (ImGui::Button("Remove")) {
    removeStory(context);
    return wish;
  }
  ImGui::SameLine();
  if (ImGui::Button("Close")) stopStory(state), state.isOpen = false;
  if (!state.trouble.empty()) {
    ImGui::SameLine();
    ImGui::TextColored(context.theme.warning, "%s",
                       elided(state.trouble, ImGui::GetContentRegionAvail().x).c_str());
    ImGui::SetItemTooltip("%s", state.trouble.c_str());
  }
  return wish;
}

void offerStory(ViewContext& context, const StoryTarget& target) {
  if (ImGui::IsItemActive() || ImGui::IsItemFocused()) context.state.story.touched = target;
  if (!ImGui::BeginPopupContextItem()) return;
  if (ImGui::MenuItem("Animate…", "Ctrl+Alt+M")) animate(context.editor, context.state.story, target);
  ImGui::EndPopup();
}

}  // namespace attn
