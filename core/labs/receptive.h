#pragma once
#include <vector>

#include "core/results.h"
#include "core/scene.h"

namespace attn {

/// Where each head of each layer looks when softmax is as sharp as argmax: at one token. Beside that, a token
/// keeps what it has (the residual connection).
struct HardAttention {
  Index layers = 0, heads = 0, tokens = 0;
  std::vector<Index> targets;  // layers × heads × tokens

  Index target(Index layer, Index head, Index token) const {
    return targets[static_cast<std::size_t>((layer * heads + head) * tokens + token)];
  }
};

/// Each target is drawn among all tokens alike, or among those up to its own where attention is causal.
HardAttention drawnAttention(const ReceptiveLab& lab);
constexpr Index kMostTokensOfAField = 256;

/// The key of the largest weight of each row (the first of equal ones), the same in every layer. Queries and
/// keys have to be the same tokens; throws Error where they are not as many, or too many.
HardAttention attentionOf(const StackOf<float>& weights, Index layers);

/// What one node of the uppermost layer sees: flags of all tokens, from its own level (only itself) down to
/// the inputs; layers + 1 of them.
struct Field {
  std::vector<std::vector<std::uint8_t>> sees;  // by level: how many layers beneath the node
  Index size(Index level) const;
};
Field fieldOf(const HardAttention& attention, Index node);

/// (k + 1)ⁿ, what a node would see through n layers of k heads without any overlap; stops at 2⁶² instead of
/// wrapping around.
Index mostSeen(Index heads, Index layers);
/// The mean over all nodes, by level.
std::vector<double> meanSizes(const HardAttention& attention);

/// One layer of it as scaled dot products: keys are directions at right angles, and each query points so far
/// at its target that softmax gives that all but a thousandth.
Scene sceneOf(const HardAttention& attention, Index layer);

}  // namespace attn
