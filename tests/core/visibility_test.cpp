#include "core/attention/visibility.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "tests/core/scenes.h"

namespace attn {
namespace {

/// '#' for a visible pair, '.' for a hidden one, a line a query.
std::string picture(const PreciseScene& scene, Index head = 0) {
  const Shapes s = shapesOf(scene);
  Visibility visible;
  visible.build(scene, s);
  std::string text;
  for (Index i = 0; i < s.queries; ++i, text += '\n')
    for (Index j = 0; j < s.keys; ++j) text += visible.sees(head, i, j) ? '#' : '.';
  return text;
}

std::string pictureOf(MaskRule rule, Index queries, Index keys) {
  PreciseScene scene = randomScene({.queries = queries, .keys = keys}, 1);
  scene.masks = {std::move(rule)};
  check(scene);
  return picture(scene);
}

TEST(Visibility, EachRule) {
  EXPECT_EQ(pictureOf(CausalRule{}, 3, 4), "#...\n##..\n###.\n");
  EXPECT_EQ(pictureOf(CausalRule{Alignment::bottomRight}, 3, 4), "##..\n###.\n####\n");
  EXPECT_EQ(pictureOf(CausalRule{Alignment::bottomRight}, 4, 2), "..\n..\n#.\n##\n");
  EXPECT_EQ(pictureOf(PaddingLengthRule{2}, 2, 4), "##..\n##..\n");
  EXPECT_EQ(pictureOf(PaddingFlagsRule{{false, true, false}}, 2, 3), "#.#\n#.#\n");
  EXPECT_EQ(pictureOf(WindowRule{2}, 4, 4), "##..\n###.\n.###\n..##\n");
  EXPECT_EQ(pictureOf(WindowRule{std::numeric_limits<Index>::max()}, 2, 2), "##\n##\n");
  EXPECT_EQ(pictureOf(PrefixRule{2}, 4, 4), "##..\n##..\n###.\n####\n");
  EXPECT_EQ(pictureOf(DocumentsRule{{0, 0, 1}, {0, 1, 1}}, 3, 3), "#..\n#..\n.##\n");
}

TEST(Visibility, BiasOfMinusInfinityHides) {
  PreciseScene scene = randomScene({.heads = 2, .queries = 2, .keys = 2}, 1);
  scene.bias = {input(matrix({{0, -INFINITY}, {1, 2}})), input(matrix({{0, 1}, {-INFINITY, 2}}))};
  EXPECT_EQ(picture(scene, 0), "#.\n##\n");
  EXPECT_EQ(picture(scene, 1), "##\n.#\n");
}

MaskRule randomRule(std::mt19937& random, const Shapes& s) {
  const auto below = [&](Index n) { return static_cast<Index>(random() % static_cast<std::uint32_t>(n)); };
  const auto align = [&] { return random() % 2 ? Alignment::topLeft : Alignment::bottomRight; };
  const auto ids = [&](Index n) {
    std::vector<int> list(static_cast<std::size_t>(n));
    for (int& id : list) id = static_cast<int>(random() % 2);
    return list;
  };
  switch (random() % 7) {
    case 0:
      return CausalRule{align()};
    case 1:
      return PaddingLengthRule{below(s.keys + 1)};
    case 2: {
      std::vector<bool> flags;
      for (Index j = 0; j < s.keys; ++j) flags.push_back(random() % 3 == 0);
      return PaddingFlagsRule{flags};
    }
    case 3:
      return WindowRule{1 + below(s.keys)};
    case 4:
      return PrefixRule{below(s.keys + 1), align()};
    case 5:
      return DocumentsRule{ids(s.queries), ids(s.keys)};
    default: {
      std::vector<Bytes> cells(random() % 2 ? 1 : static_cast<std::size_t>(s.heads),
                               Bytes(s.queries, s.keys));
      for (Bytes& m : cells)
        for (Index i = 0; i < m.size(); ++i) m.data()[i] = random() % 4 != 0;
      return PaintedRule{cells};
    }
  }
}

TEST(Visibility, AllRulesMustAllowAPair) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    PreciseScene scene =
        randomScene({.heads = 2, .queries = Index{1} + round % 5, .keys = Index{1} + round % 7}, 1);
    const Shapes s = shapesOf(scene);
    for (int n = 0; n < 3; ++n) scene.masks.push_back(randomRule(random, s));
    Visibility visible;
    visible.build(scene, s);
    for (Index h = 0; h < s.heads; ++h)
      for (Index i = 0; i < s.queries; ++i) {
        Index count = 0;
        for (Index j = 0; j < s.keys; ++j) {
          bool all = true;
          for (const MaskRule& rule : scene.masks) all = all && allows(rule, s, h, i, j);
          ASSERT_EQ(visible.sees(h, i, j), all) << "round " << round;
          count += all;
        }
        ASSERT_EQ(visible.countOf(h, i), count);
      }
  }
}

}  // namespace
}  // namespace attn
