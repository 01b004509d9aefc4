#include "app/story_player.h"

#include <algorithm>
#include <utility>

#include "core/edits/stories.h"
#include "core/error.h"

namespace attn {

const Story* chosenStory(const Editor& editor, const StoryState& state) {
  const auto& stories = editor.kept()->stories;
  return stories.empty() ? nullptr : &stories[std::min(state.chosen, stories.size() - 1)];
}

void StoryPlayer::follow(Editor& editor, StoryState& state, double secondsPassed) {
  const Story* story = chosenStory(editor, state);
  if (!story || !state.isOpen) stopStory(state), state.isOpen &= story != nullptr;
  const bool isOther = moment_ && (base_ != editor.kept() || editor.shared() != moment_);
  if (isOther && !state.isPlaying) state.isShown = false;  // something was changed, or something else is seen
  if (!state.isShown) {
    if (moment_ && editor.shared() == moment_) editor.look(nullptr);
    moment_.reset(), base_ = editor.kept();
    return;
  }
  if (state.isPlaying) state.seconds += secondsPassed;
  const bool isOver = story->repeat == Story::Repeat::once && state.seconds >= story->seconds;
  if (isOver) state.seconds = story->seconds, state.isPlaying = false;
  const double value = storyValue(*story, state.seconds);
  if (moment_ && base_ == editor.kept() && story_ == *story && value_ == value) return editor.look(moment_);
  try {
    moment_ = std::make_shared<const Scene>(storyMoment(*editor.kept(), *story, value));
    base_ = editor.kept(), story_ = *story, value_ = value;
    state.trouble.clear();
    editor.look(moment_);
  } catch (const Error& error) {
    state.trouble = error.what();
    stopStory(state);
  }
}

void togglePlaying(const Editor& editor, StoryState& state) {
  const Story* story = chosenStory(editor, state);
  if (!story) return;
  const bool isAtEnd = story->repeat == Story::Repeat::once && state.seconds >= story->seconds;
  if (!state.isPlaying && isAtEnd) state.seconds = 0;
  state.isPlaying = !state.isPlaying;
  state.isOpen = state.isShown = true;
}

void stopStory(StoryState& state) {
  state.isPlaying = state.isShown = false;
  state.seconds = 0;
}

bool changeStories(Editor& editor, StoryState& state, const std::function<void(Scene&)>& edit) {
  stopStory(state);
  editor.look(nullptr);
  return editor.change(edit);
}

void animate(Editor& editor, StoryState& state, const StoryTarget& target) {
  const auto& stories = editor.kept()->stories;
  const auto known = std::find_if(stories.begin(), stories.end(),
                                  [&](const Story& story) { return story.target == target; });
  if (known != stories.end()) {
    stopStory(state);
    state.chosen = static_cast<std::size_t>(known - stories.begin());
    state.isOpen = true;
    return;
  }
  bool isAdded = false;
  const auto add = [&](Scene& scene) {
    scene.stories.push_back(suggestedStory(scene, target));
    isAdded = true;
  };
  if (!changeStories(editor, state, add) || !isAdded) return;
  state.chosen = editor.kept()->stories.size() - 1;
  state.isOpen = true;
}

}  // namespace attn
