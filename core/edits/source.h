#pragma once
#include "core/scene.h"

namespace attn {

/// Switches of where Q, K and V come from. What is switched off is kept and comes back when it is switched on
/// again; labels, masks and biases of both are the same, cut or grown where the counts of tokens or heads
/// differ. Throws Error with one line where it cannot be, and then leaves the scene as it was.

/// Q, K and V as they are typed in. The first time they are what the projections give at this moment.
void useGiven(Scene& scene);
/// Projections of X. The first time X is made of the columns of Q, K and V, and the projections pick them out
/// again (blocks of the identity), so that nothing changes in the picture. X attends to itself where queries
/// and keys are one sequence, otherwise to a second one.
void useProjections(Scene& scene);
/// Q, K and V anew from what the projections give at this moment, without switching to them.
void takeGivenFromProjections(Scene& scene);

/// Whether X attends to a second sequence, which the first time is a copy of X. Self- and cross-attention
/// each have their own W_K and W_V, as in a Transformer. Only for projections.
void setCrossAttention(Scene& scene, bool on);

/// W_O behind the joined heads: the identity at first, so that nothing changes.
void addOutputProjection(Scene& scene);
void removeOutputProjection(Scene& scene);

}  // namespace attn
