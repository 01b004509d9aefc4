#pragma once
#include "core/scene.h"

namespace attn {

/// The number of a scene that a story changes. These throw Error with one line where the scene has no such
/// number.
double storyNumber(const Scene& scene, const StoryTarget& target);
/// Widths, lengths and seeds are rounded. The scene is checked by the caller.
void setStoryNumber(Scene& scene, const StoryTarget& target, double value);

/// Another value than this one that shows something.
double suggestedEnd(const Scene& scene, const StoryTarget& target, double now);

}  // namespace attn
