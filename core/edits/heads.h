#pragma once
#include "core/scene.h"

namespace attn {

/// Edits of heads. A head takes its bias, its painted mask, its slope and its rows of W_O along. Throws Error
/// with one line where the edit cannot be, and then leaves the scene as it was.

/// A new head is noise in the shape of the others, with a seed that the scene does not have yet. `at` may be
/// the number of heads.
void addHead(Scene& scene, Index at);
void removeHead(Scene& scene, Index at);
void duplicateHead(Scene& scene, Index at);
/// What was at `from` is at `to` afterwards.
void moveHead(Scene& scene, Index from, Index to);

}  // namespace attn
