#pragma once
#include "core/scene.h"

namespace attn {

/// Edits of dimensions (columns):
///   key     d_k: columns of Q and K, or of W_Q and W_K
///   value   d_v: columns of V, or of W_V, and the rows of W_O that belong to them
///   model   d_model: columns of X and rows of the projections of X
///   other   the same of the other sequence
///   out     columns of W_O
/// A new dimension is 0 everywhere: it changes no dot product, only what depends on the width. Throws Error
/// with one line where the edit cannot be, and then leaves the scene as it was.
enum class Dimension { key, value, model, other, out };

/// 0 where the scene has no such dimension.
Index widthOf(const Scene& scene, Dimension dimension);

void addDimension(Scene& scene, Dimension dimension, Index at);
void removeDimension(Scene& scene, Dimension dimension, Index at);
void duplicateDimension(Scene& scene, Dimension dimension, Index at);
/// What was at `from` is at `to` afterwards.
void moveDimension(Scene& scene, Dimension dimension, Index from, Index to);

}  // namespace attn
