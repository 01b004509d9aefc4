#include "core/labs/receptive.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "core/error.h"
#include "core/evaluate.h"

namespace attn {
namespace {

/// Follows every path down from the node, one after the other: (heads + 1)^layers of them.
struct Search {
  const HardAttention& attention;
  std::vector<std::set<Index>> seen;
  Index leaves = 0;

  explicit Search(const HardAttention& of, Index node)
      : attention(of), seen(static_cast<std::size_t>(of.layers + 1)) {
    walk(node, 0);
  }
  void walk(Index token, Index level) {
    seen[static_cast<std::size_t>(level)].insert(token);
    if (level == attention.layers) {
      ++leaves;
      return;
    }
    walk(token, level + 1);
    for (Index head = 0; head < attention.heads; ++head)
      walk(attention.target(attention.layers - 1 - level, head, token), level + 1);
  }
};

TEST(ReceptiveField, IsWhatAnExplicitSearchFinds) {
  ReceptiveLab lab;
  for (const bool isCausal : {false, true})
    for (lab.heads = 1; lab.heads <= 3; ++lab.heads)
      for (lab.layers = 1; lab.layers <= 5; ++lab.layers) {
        lab.isCausal = isCausal, lab.seed += 1;
        const HardAttention attention = drawnAttention(lab);
        std::vector<double> means(static_cast<std::size_t>(lab.layers + 1), 0);
        for (Index node = 0; node < lab.tokens; ++node) {
          const Search search(attention, node);
          const Field field = fieldOf(attention, node);
          EXPECT_EQ(search.leaves, mostSeen(lab.heads, lab.layers));
          for (Index level = 0; level <= lab.layers; ++level) {
            const auto& found = search.seen[static_cast<std::size_t>(level)];
            EXPECT_EQ(field.size(level), static_cast<Index>(found.size()));
            for (Index token = 0; token < lab.tokens; ++token)
              EXPECT_EQ(field.sees[static_cast<std::size_t>(level)][static_cast<std::size_t>(token)] != 0,
                        found.contains(token));
            EXPECT_LE(field.size(level), std::min(lab.tokens, mostSeen(lab.heads, level)));
            means[static_cast<std::size_t>(level)] +=
                static_cast<double>(found.size()) / static_cast<double>(lab.tokens);
          }
        }
        const std::vector<double> found = meanSizes(attention);
        for (std::size_t level = 0; level < means.size(); ++level)
          EXPECT_NEAR(found[level], means[level], 1e-12);
      }
}

/// Without overlap the law holds with equality: head h of layer l looks (h + 1)(k + 1)ˡ tokens back.
TEST(ReceptiveField, WithoutOverlapItIsTheWholeTree) {
  for (Index heads = 1; heads <= 3; ++heads) {
    HardAttention attention{3, heads, 64, {}};
    for (Index layer = 0; layer < 3; ++layer)
      for (Index head = 0; head < heads; ++head)
        for (Index token = 0; token < 64; ++token)
          attention.targets.push_back(std::max<Index>(0, token - (head + 1) * mostSeen(heads, layer)));
    const Field field = fieldOf(attention, 63);
    for (Index level = 0; level <= 3; ++level) EXPECT_EQ(field.size(level), mostSeen(heads, level));
  }
}

TEST(ReceptiveField, CausalTargetsLieBeforeAndAllTokensAreDrawn) {
  ReceptiveLab lab;
  lab.tokens = 16, lab.layers = 8, lab.heads = 8;
  std::set<Index> drawn;
  for (const Index target : drawnAttention(lab).targets) drawn.insert(target);
  EXPECT_EQ(drawn.size(), 16u);
  EXPECT_EQ(*drawn.rbegin(), 15);
  lab.isCausal = true;
  const HardAttention causal = drawnAttention(lab);
  for (Index layer = 0; layer < 8; ++layer)
    for (Index head = 0; head < 8; ++head)
      for (Index token = 0; token < 16; ++token) EXPECT_LE(causal.target(layer, head, token), token);
}

TEST(ReceptiveField, TheSceneAttendsWhereTheHeadsLook) {
  ReceptiveLab lab;
  const HardAttention attention = drawnAttention(lab);
  const Scene scene = sceneOf(attention, 1);
  check(scene);
  const Results results = evaluate(scene);
  const HardAttention back = attentionOf(results.probs, 1);
  for (Index head = 0; head < lab.heads; ++head)
    for (Index token = 0; token < lab.tokens; ++token) {
      EXPECT_EQ(back.target(0, head, token), attention.target(1, head, token));
      EXPECT_GT(results.probs.at(head, token, attention.target(1, head, token)), 0.999f);
    }
}

TEST(ReceptiveField, OtherKeysThanQueriesAreRefused) {
  StackOf<float> weights;
  weights.resize(1, 2, 3);
  EXPECT_THROW(attentionOf(weights, 2), Error);
}

/// A field of each of thousands of tokens would take longer than a frame.
TEST(ReceptiveField, MoreTokensThanCanBeShownAreRefused) {
  StackOf<float> weights;
  weights.resize(1, kMostTokensOfAField, kMostTokensOfAField);
  EXPECT_NO_THROW(attentionOf(weights, 1));
  weights.resize(1, kMostTokensOfAField + 1, kMostTokensOfAField + 1);
  EXPECT_THROW(attentionOf(weights, 1), Error);
}

}  // namespace
}  // namespace attn
