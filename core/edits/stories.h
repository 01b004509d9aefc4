#pragma once
#include <string>

#include "core/scene.h"

namespace attn {

/// Where the story's number is after so many seconds: at the end of a story that is played once it stays.
double storyValue(const Story& story, double seconds);
/// Seconds until everything has been seen once: there, and back where it goes back.
double storyLength(const Story& story);

/// The scene with the story's number at this value. Widths are rounded; growing ones draw filled matrices
/// anew with more columns and give typed ones columns of 0. Throws Error with one line where the scene has no
/// such number.
Scene storyMoment(const Scene& scene, const Story& story, double value);

/// The number as the scene has it. Throws Error like storyMoment.
double currentValue(const Scene& scene, const StoryTarget& target);

/// A story to begin with: from the present value to another one that shows something.
Story suggestedStory(const Scene& scene, const StoryTarget& target);

/// "temperature", "d_k", "q[2, 0] of head 1"
std::string targetText(const Scene& scene, const StoryTarget& target);

}  // namespace attn
