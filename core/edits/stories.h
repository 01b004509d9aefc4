#pragma once
#include <string>

#include "core/scene.h"

namespace attn {

/// Where the story's number is after so many seconds: at the end of a story that is played once it stays.
double storyValue(const Story& story, double seconds);
/// Seconds until everything has been seen once: there, and back where it goes back.
double storyLength(const Story& story);

/// The scene with the story's number at this value. Widths are rounded; growing ones draw filled matrices
/// anew with more columns and give typed ones columns of 0; lengths and seeds are rounded, too. Throws Error
/// with one line where the scene has no such number.
Scene storyMoment(const Scene& scene, const Story& story, double value);

/// A story to begin with: from the present value to another one that shows something. Throws Error like
/// storyMoment.
Story suggestedStory(const Scene& scene, const StoryTarget& target);

/// Whether the story's number is a whole one: a width, a length, a seed.
bool isWhole(const StoryTarget& target);

/// How the place of a cell is written.
struct PlaceWriting {
  Index first = 0;
  bool columnsFirst = false;
};
/// "temperature", "d_k", "q of head 1 [2, 0]", "width of the window", "σ of k"
std::string targetText(const Scene& scene, const StoryTarget& target, const PlaceWriting& writing = {});

/// Slides that play a later story go on doing so; those that play this one play none.
void removeStory(Scene& scene, std::size_t at);

}  // namespace attn
