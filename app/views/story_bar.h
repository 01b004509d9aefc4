#pragma once
#include "core/story.h"

namespace attn {

struct Recording;
struct ViewContext;

/// What the application is asked to do.
enum class StoryWish { none, record, cancel };

/// The bar of the story that is open: play and pause, its place, from where to where, how. While it is
/// recorded: how far, and cancel.
StoryWish drawStoryBar(ViewContext& context, const Recording* recording);

/// "Animate…" in the menu of what was drawn last, by a right click on it.
void animateMenu(ViewContext& context, StoryTarget::Kind kind);

}  // namespace attn
