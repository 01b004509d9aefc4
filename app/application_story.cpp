// Stories: played in the window, recorded into a file.
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/application.h"
#include "app/views/story_bar.h"
#include "app/views/view.h"
#include "core/edits/stories.h"
#include "core/error.h"

namespace attn {
namespace {

/// Both ends are seen, except where the last picture would be the first of the next round.
int frameCount(const Story& story) {
  const int steps = std::max(1, static_cast<int>(std::lround(storyLength(story) * kFramesPerSecond)));
  return story.repeat == Story::Repeat::once ? steps + 1 : steps;
}

Image partOf(const Image& image, int left, int top, int width, int height) {
  left = std::clamp(left, 0, image.width - 1), top = std::clamp(top, 0, image.height - 1);
  Image part{std::clamp(width, 1, image.width - left), std::clamp(height, 1, image.height - top), {}};
  for (int y = 0; y < part.height; ++y) {
    const std::uint8_t* line = image.at(left, top + y);
    part.rgba.insert(part.rgba.end(), line, line + 4 * static_cast<std::ptrdiff_t>(part.width));
  }
  return part;
}

}  // namespace

void Application::followStory() {
  if (recording_) recordNext();
  player_.follow(editor_, state_.story, recording_ ? 0.0 : static_cast<double>(ImGui::GetIO().DeltaTime));
  StoryState& state = state_.story;
  const Story* story = state.isShown ? chosenStory(editor_, state) : nullptr;
  state.caption = story ? storyTitle(*editor_.kept(), *story, state_.notation) + " = " +
                              storyNumberText(*story, state.seconds, state_.notation)
                        : "";
}

void Application::drawStory() {
  if (!state_.story.isOpen || !chosenStory(editor_, state_.story) || !evaluations_.current()) return;
  constexpr auto kFlags = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoSavedSettings;
  const float height = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().WindowPadding.y;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme_.background);
  ViewContext context = viewContext();
  StoryWish wish{};
  if (ImGui::BeginViewportSideBar("Story", ImGui::GetMainViewport(), ImGuiDir_Down, height, kFlags))
    wish = drawStoryBar(context, recording_.get());
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  if (wish == StoryWish::record) record("");
  if (wish == StoryWish::cancel) cancelRecording();
}

void Application::record(std::string panel) {
  const Story* story = chosenStory(editor_, state_.story);
  if (!story || recording_) return;
  const int count = frameCount(*story), plays = story->repeat == Story::Repeat::once ? 1 : 0;
  recording_ = std::make_unique<Recording>(
      Recording{AnimatedPng(count, kFramesPerSecond, plays), std::move(panel), 0, count});
  state_.story.isOpen = state_.story.isShown = true;
  state_.story.isPlaying = false;
  state_.story.seconds = 0;
  state_.story.trouble.clear();
}

void Application::cancelRecording() {
  if (!recording_) return;
  recording_.reset();
  stopStory(state_.story);
  report("The recording was cancelled; nothing was written");
}

void Application::recordNext() {
  const bool isChanged = !state_.story.isShown && recording_->next > 0;
  if (isChanged || !state_.story.trouble.empty()) return cancelRecording();
  state_.story.isShown = true;
  state_.story.seconds = static_cast<double>(recording_->next) / kFramesPerSecond;
}

/// Asks for a picture of the moment once what follows from it is drawn.
void Application::requestFrame(ImVec2 min, ImVec2 size) {
  const auto& shown = evaluations_.current();
  if (!recording_ || recording_->isWaiting || !shown || shown->scene != editor_.shared()) return;
  const ImGuiWindow* panel =
      recording_->panel.empty() ? nullptr : ImGui::FindWindowByName(recording_->panel.c_str());
  if (panel) min = panel->Pos, size = panel->Size;
  recording_->min[0] = min.x, recording_->min[1] = min.y;
  recording_->size[0] = size.x, recording_->size[1] = size.y;
  recording_->isWaiting = true;
  picture_ = PictureRequest{"", 1, true};
}

void Application::keepFrame(const Image& image) {
  if (!recording_) return;
  recording_->isWaiting = false;
  try {
    const ImVec2 density = ImGui::GetIO().DisplayFramebufferScale;
    recording_->file.add(partOf(image, static_cast<int>(recording_->min[0] * density.x),
                                static_cast<int>(recording_->min[1] * density.y),
                                static_cast<int>(recording_->size[0] * density.x),
                                static_cast<int>(recording_->size[1] * density.y)));
    if (++recording_->next < recording_->count) return;
    lastPicture_ = attn::keepPicture(recording_->file.finished(), "story", foldersForPictures());
    report("Story of " + std::to_string(recording_->count) + " pictures in " + lastPicture_.string());
  } catch (const Error& error) {
    report(std::string("No story was saved: ") + error.what());
  }
  recording_.reset();
  stopStory(state_.story);
}

}  // namespace attn
