#pragma once
#include <string>

#include "core/scene.h"

namespace attn {

/// Why no scene lies between these two, in one line; empty where one does. There must be as much of
/// everything in both, from the same kind of source.
std::string whyNotBlendable(const Scene& a, const Scene& b);

/// The scene at `share` of the way from a (0) to b (1), of two that are blendable. Numbers go straight from
/// one to the other: Q, K, V, X and the projections in use, W_O, biases, slopes, what scores are divided by,
/// cap, gain, logit, upstream matrices, threshold. A cap, a gain or a number that only one of them has, and
/// everything that is no number (masks, normaliser, labels), switches in the middle. At 0 and 1 it is a and
/// b, bit by bit.
Scene blend(const Scene& a, const Scene& b, double share);

/// What of the two switches instead of going over, in words: "masks, normaliser"; empty where nothing does.
std::string whatSwitches(const Scene& a, const Scene& b);

/// The first counts that differ, in one line: "A has 8 keys, B has 9"; empty where none does.
std::string shapeDifference(const Shapes& a, const Shapes& b);

}  // namespace attn
