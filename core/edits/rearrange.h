#pragma once
#include <cstdint>
#include <functional>

#include "core/edits/arrangement.h"

namespace attn {

/// What a scene counts. `tokens` are queries and keys at once, where they are one sequence.
enum class Axis { queries, keys, tokens, keyWidth, valueWidth, modelWidth, otherWidth, outWidth, heads };

/// Brings everything that has this axis into the new order: matrices in use and matrices kept for later (as
/// far as they have the same count), labels, masks, biases, slopes, the upstream gradient. Key width is each
/// source's own: there only the one in use follows.
void rearrange(Scene& scene, Axis axis, const Arrangement& from);

/// Brings labels, masks, biases, slopes, W_O and the upstream gradient from the counts that they had to those
/// of the source in use: what is too long is cut at its end, what is too short gets neutral content.
void fitToSource(Scene& scene, const Shapes& before);

/// One more than the largest seed of the scene.
std::uint64_t nextSeed(const Scene& scene);

/// Changes a copy and keeps it if it passes `check`: when anything throws, the scene stays as it was.
void changeChecked(Scene& scene, const std::function<void(Scene&)>& change);

}  // namespace attn
