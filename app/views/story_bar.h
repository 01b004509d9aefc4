#pragma once
#include <string>

#include "app/formula/notation.h"
#include "core/scene.h"

namespace attn {

struct Recording;
struct ViewContext;

/// The title, or what is changed: "d_k", "q [2, 0]".
std::string storyTitle(const Scene& scene, const Story& story, const Notation& notation);
/// The number after so many seconds: "32", "0.71".
std::string storyNumberText(const Story& story, double seconds, const Notation& notation);

/// What the application is asked to do.
enum class StoryWish { none, record, cancel };

/// The bar of the story that is open: play and pause, its place, from where to where, how. While it is
/// recorded: how far, and cancel.
StoryWish drawStoryBar(ViewContext& context, const Recording* recording);

/// What was drawn last can be animated: by "Animate…" in its menu, which a right click opens, and by the
/// command that animates what has the keyboard or was touched last.
void offerStory(ViewContext& context, const StoryTarget& target);

}  // namespace attn
