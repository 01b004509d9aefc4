#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/animated_png.h"
#include "app/editor.h"

namespace attn {

/// Which of the scene's stories is open, and where in it we are.
struct StoryState {
  bool isOpen = false;
  std::size_t chosen = 0;
  bool isPlaying = false;
  bool isShown = false;  // the scene at `seconds` is seen; else the present one
  double seconds = 0;
  std::string trouble = {};  // why it cannot be played; empty where it can
  std::optional<StoryTarget> touched =
      {};                    // what has the keyboard or was changed last, if it can be animated
  std::string caption = {};  // "d_k = 32" while a moment is shown
};

/// The chosen story; null where the scene has none.
const Story* chosenStory(const Editor& editor, const StoryState& state);

/// Shows the moment of the story in the editor. The scene itself stays as it is: playing is no step of undo.
class StoryPlayer {
 public:
  void follow(Editor& editor, StoryState& state, double secondsPassed);

 private:
  SharedScene base_, moment_;  // what the moment was made of
  Story story_;
  double value_ = 0;
};

/// Plays or pauses; from the start where it was at the end.
void togglePlaying(const Editor& editor, StoryState& state);
/// The present scene again.
void stopStory(StoryState& state);
/// Changes the stories of the present scene, whatever moment is seen.
bool changeStories(Editor& editor, StoryState& state, const std::function<void(Scene&)>& edit);
/// Opens the story of this number; adds one where there is none.
void animate(Editor& editor, StoryState& state, const StoryTarget& target);

/// A story on its way into a file: one picture of the panels after the other, as fast as they are drawn.
struct Recording {
  AnimatedPng file;
  std::string panel;  // empty: all panels
  int next = 0, count = 0;
  float min[2] = {}, size[2] = {};  // the part of the screen that is recorded
  bool isWaiting = false;           // the picture of `next` has been asked for
};

constexpr int kFramesPerSecond = 25;

}  // namespace attn
