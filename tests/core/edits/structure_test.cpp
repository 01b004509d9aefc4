#include <gtest/gtest.h>

#include "core/edits/arrangement.h"
#include "core/edits/dimensions.h"
#include "core/edits/heads.h"
#include "core/edits/inputs.h"
#include "core/edits/mask_rules.h"
#include "core/edits/source.h"
#include "core/edits/tokens.h"
#include "core/error.h"
#include "core/evaluate.h"
#include "core/io/scene_json.h"
#include "core/same_scene.h"
#include "tests/core/edits/random_scene.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

constexpr AnySource kSources[] = {AnySource::given, AnySource::self, AnySource::cross};

template <class Edit>
std::string refusal(Edit edit) {
  try {
    edit();
  } catch (const Error& error) {
    return error.what();
  }
  return "(done)";
}

void expectSame(const Scene& found, const Scene& expected) {
  ASSERT_TRUE(sameScene(withoutFills(found), withoutFills(expected)))
      << writeSceneJson(withoutFills(found)) << writeSceneJson(withoutFills(expected));
}

TEST(Edits, AddThenRemoveIsIdentity) {
  Dice dice(1);
  for (int round = 0; round < 600; ++round) {
    const Scene before = anyScene(dice, kSources[round % 3]);
    const Shapes s = shapesOf(before);
    Scene scene = before;
    for (const Tokens tokens : {Tokens::queries, Tokens::keys}) {
      const Index at = dice.below((tokens == Tokens::queries ? s.queries : s.keys) + 1);
      addToken(scene, tokens, at, dice.oneIn(2) ? "new" : "");
      removeToken(scene, tokens, at);
      ASSERT_NO_FATAL_FAILURE(expectSame(scene, before));
    }
    for (const Dimension d :
         {Dimension::key, Dimension::value, Dimension::model, Dimension::other, Dimension::out}) {
      if (widthOf(scene, d) == 0) continue;
      const Index at = dice.below(widthOf(scene, d) + 1);
      addDimension(scene, d, at);
      removeDimension(scene, d, at);
      ASSERT_NO_FATAL_FAILURE(expectSame(scene, before));
    }
    const Index at = dice.below(s.heads + 1);
    addHead(scene, at);
    removeHead(scene, at);
    // A shared bias and a bias a head look alike for one head only: sizes stay as they were.
    ASSERT_NO_FATAL_FAILURE(expectSame(scene, before));
  }
}

TEST(Edits, DuplicateThenRemoveIsIdentity) {
  Dice dice(2);
  for (int round = 0; round < 600; ++round) {
    const Scene before = anyScene(dice, kSources[round % 3]);
    const Shapes s = shapesOf(before);
    Scene scene = before;
    const Index copy = dice.below(2);  // either of the two may go
    const auto expectAsBefore = [&] {
      // The cell that the gradient comes from goes with the first one.
      if (copy == 0) scene.upstream.row = before.upstream.row, scene.upstream.col = before.upstream.col;
      expectSame(scene, before);
    };
    const Index token = dice.below(s.keys), head = dice.below(s.heads), column = dice.below(s.valueWidth);
    duplicateToken(scene, Tokens::keys, token);
    removeToken(scene, Tokens::keys, token + copy);
    ASSERT_NO_FATAL_FAILURE(expectAsBefore());
    duplicateHead(scene, head);
    removeHead(scene, head + copy);
    ASSERT_NO_FATAL_FAILURE(expectAsBefore());
    duplicateDimension(scene, Dimension::value, column);
    removeDimension(scene, Dimension::value, column + copy);
    ASSERT_NO_FATAL_FAILURE(expectAsBefore());
  }
}

TEST(Edits, MovingThereAndBackIsIdentity) {
  Dice dice(3);
  for (int round = 0; round < 600; ++round) {
    const Scene before = anyScene(dice, kSources[round % 3]);
    const Shapes s = shapesOf(before);
    Scene scene = before;
    const Index q = dice.below(s.queries), q2 = dice.below(s.queries);
    moveToken(scene, Tokens::queries, q, q2);
    moveToken(scene, Tokens::queries, q2, q);
    const Index k = dice.below(s.keys), k2 = dice.below(s.keys);
    moveToken(scene, Tokens::keys, k, k2);
    moveToken(scene, Tokens::keys, k2, k);
    const Index h = dice.below(s.heads), h2 = dice.below(s.heads);
    moveHead(scene, h, h2);
    moveHead(scene, h2, h);
    const Index d = dice.below(s.valueWidth), d2 = dice.below(s.valueWidth);
    moveDimension(scene, Dimension::value, d, d2);
    moveDimension(scene, Dimension::value, d2, d);
    ASSERT_NO_FATAL_FAILURE(expectSame(scene, before));
  }
}

/// One random edit; most succeed, the others must leave the scene as it is.
void editAtRandom(Dice& dice, Scene& scene) {
  const Shapes s = shapesOf(scene);
  constexpr Tokens kTokens[] = {Tokens::queries, Tokens::keys, Tokens::both};
  constexpr Dimension kDimensions[] = {Dimension::key, Dimension::value, Dimension::model, Dimension::other,
                                       Dimension::out};
  constexpr InputName kInputs[] = {InputName::q,     InputName::k,   InputName::v,  InputName::x,
                                   InputName::other, InputName::wq,  InputName::wk, InputName::wv,
                                   InputName::wo,    InputName::bias};
  const Tokens tokens = kTokens[dice.below(3)];
  const Dimension dimension = kDimensions[dice.below(5)];
  const InputRef ref = {kInputs[dice.below(10)], dice.below(s.heads)};
  const Index a = dice.below(4), b = dice.below(4);
  // Large scenes shrink, small ones grow.
  const bool grows =
      dice.below(12) > std::max({s.queries, s.keys, s.keyWidth, s.valueWidth, s.outWidth, 2 * s.heads});
  switch (dice.below(18)) {
    case 0:
      return grows ? addToken(scene, tokens, a, "t" + std::to_string(b)) : removeToken(scene, tokens, a);
    case 1:
      return grows ? duplicateToken(scene, tokens, a) : removeToken(scene, tokens, a);
    case 2:
      return moveToken(scene, tokens, a, b);
    case 3:
      return grows ? addDimension(scene, dimension, a) : removeDimension(scene, dimension, a);
    case 4:
      return grows ? duplicateDimension(scene, dimension, a) : removeDimension(scene, dimension, a);
    case 5:
      return moveDimension(scene, dimension, a, b);
    case 6:
      return grows ? addHead(scene, a) : removeHead(scene, a);
    case 7:
      return grows ? duplicateHead(scene, a) : removeHead(scene, a);
    case 8:
      return moveHead(scene, a, b);
    case 9:
      return renameToken(scene, tokens, a, b % 2 ? "name" : "");
    case 10:
      return setCell(scene, ref, a, b, static_cast<float>(a - b));
    case 11:
      return setBlock(scene, ref, a, b, Matrix::Constant(2, 2, 0.5f));
    case 12:
      return fillInput(scene, ref, anyInput(dice, 1, 1).fill);
    case 13:
      return dice.oneIn(2) ? useGiven(scene) : useProjections(scene);
    case 14:
      return setCrossAttention(scene, dice.oneIn(2));
    case 15:
      return dice.oneIn(2) ? addOutputProjection(scene) : removeOutputProjection(scene);
    case 16:
      return dice.oneIn(2) ? addRule(scene, anyRule(dice, s))
                           : removeRule(scene, static_cast<std::size_t>(a));
    default:
      return dice.oneIn(9) ? applyPreset(scene, kMaskPresets[dice.below(5)])
                           : paint(scene, rectangle(a, b, dice.below(6), dice.below(6)), dice.oneIn(2),
                                   dice.oneIn(2) ? std::optional(dice.below(s.heads)) : std::nullopt);
  }
}

TEST(Edits, AnyOrderLeavesASceneThatFitsTogether) {
  Dice dice(4);
  int refused = 0, edits = 0;
  for (int start = 0; start < 60; ++start) {
    Scene scene = anyScene(dice, kSources[start % 3]);
    for (int n = 0; n < 200; ++n, ++edits) {
      const Scene before = scene;
      try {
        editAtRandom(dice, scene);
      } catch (const Error& error) {
        ++refused;
        ASSERT_TRUE(sameScene(scene, before)) << error.what();
        ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      }
      ASSERT_NO_THROW(check(scene)) << writeSceneJson(before);
      if (n % 10 != 0) continue;
      // What is kept as a fill is that fill, and what is not in use is kept in the file too.
      const std::string text = writeSceneJson(scene);
      ASSERT_TRUE(sameScene(narrow(readSceneJson(text, "scene")), scene)) << text;
    }
  }
  EXPECT_GT(edits - refused, 5000);
  EXPECT_GT(refused, 200);
}

/// Weights of a scene without rules that count places.
Scene sceneWithoutPlaces(Dice& dice, AnySource kind) {
  Scene scene = anyScene(dice, kind);
  scene.alibi.reset();
  std::erase_if(scene.masks, [](const MaskRule& rule) {
    return !std::holds_alternative<PaddingFlagsRule>(rule) && !std::holds_alternative<DocumentsRule>(rule) &&
           !std::holds_alternative<PaintedRule>(rule);
  });
  return scene;
}

TEST(Edits, MovingKeysMovesTheirWeightsAndNothingElse) {
  Dice dice(5);
  for (int round = 0; round < 300; ++round) {
    Scene scene = sceneWithoutPlaces(dice, round % 2 ? AnySource::given : AnySource::cross);
    const Results before = evaluate(scene);
    const Shapes s = before.shapes;
    const Index from = dice.below(s.keys), to = dice.below(s.keys);
    moveToken(scene, Tokens::keys, from, to);
    const Results after = evaluate(scene);
    const Arrangement order = withMoved("keys", s.keys, from, to);
    for (Index h = 0; h < s.heads; ++h)
      for (Index i = 0; i < s.queries; ++i)
        for (Index j = 0; j < s.keys; ++j)
          ASSERT_NEAR(after.probs.at(h, i, j), before.probs.at(h, i, order[static_cast<std::size_t>(j)]),
                      1e-5f);
    ASSERT_TRUE(after.out.isApprox(before.out, 1e-4f) || (after.out - before.out).norm() < 1e-4f);
  }
}

TEST(Edits, MovingATokenOfOneSequenceMovesRowsAndColumns) {
  Dice dice(6);
  for (int round = 0; round < 300; ++round) {
    Scene scene = sceneWithoutPlaces(dice, AnySource::self);
    const Results before = evaluate(scene);
    const Shapes s = before.shapes;
    const Index from = dice.below(s.queries), to = dice.below(s.queries);
    moveToken(scene, Tokens::keys, from, to);
    const Results after = evaluate(scene);
    const Arrangement order = withMoved("tokens", s.queries, from, to);
    const auto old = [&](Index i) { return order[static_cast<std::size_t>(i)]; };
    for (Index h = 0; h < s.heads; ++h)
      for (Index i = 0; i < s.queries; ++i)
        for (Index j = 0; j < s.keys; ++j)
          ASSERT_NEAR(after.probs.at(h, i, j), before.probs.at(h, old(i), old(j)), 1e-5f);
    ASSERT_EQ(scene.queryLabels, scene.keyLabels);
  }
}

TEST(Edits, MovingHeadsChangesNoOutputBehindWO) {
  Dice dice(7);
  for (int round = 0; round < 200; ++round) {
    Scene scene = anyScene(dice, kSources[round % 3]);
    addOutputProjection(scene);
    if (scene.alibi && scene.alibi->slopes.empty()) scene.alibi.reset();  // the usual slopes belong to places
    const Results before = evaluate(scene);
    moveHead(scene, dice.below(before.shapes.heads), dice.below(before.shapes.heads));
    const Results after = evaluate(scene);
    ASSERT_LT((after.out - before.out).norm(), 1e-4f * (1 + before.out.norm()));
  }
}

TEST(Edits, ANewDimensionChangesNoDotProduct) {
  Dice dice(8);
  for (int round = 0; round < 200; ++round) {
    Scene scene = anyScene(dice, kSources[round % 3]);
    scene.scale.rule = Scale::Rule::none;
    const Results before = evaluate(scene);
    addDimension(scene, Dimension::key, dice.below(before.shapes.keyWidth + 1));
    if (widthOf(scene, Dimension::model) > 0) addDimension(scene, Dimension::model, 0);
    const Results after = evaluate(scene);
    ASSERT_LT((after.out - before.out).norm(), 1e-4f * (1 + before.out.norm()));
  }
}

TEST(Edits, NoiseThatGrowsAtItsEndStaysAFill) {
  Scene scene = narrow(projectedScene(2, 4, 4, false, 1));
  fillInput(scene, {InputName::x}, {.kind = Fill::Kind::normal, .seed = 9});
  const Scene before = scene;
  addToken(scene, Tokens::both, 4);
  EXPECT_EQ(scene.source.x.fill, before.source.x.fill);
  EXPECT_TRUE(sameBits(scene.source.x.values.topRows(4), before.source.x.values));
  EXPECT_GT(scene.source.x.values.row(4).norm(), 0);
  removeToken(scene, Tokens::both, 4);
  EXPECT_TRUE(sameScene(scene, before));
  addToken(scene, Tokens::both, 1);
  EXPECT_EQ(scene.source.x.fill, Fill{});
  EXPECT_GT(scene.source.x.values.row(1).norm(), 0);
}

TEST(Edits, ANewHeadIsNoiseThatTheSceneDoesNotHaveYet) {
  Scene scene = narrow(projectedScene(2, 4, 4, false, 1));
  fillInput(scene, {InputName::wq, 1}, {.kind = Fill::Kind::normal, .seed = 77});
  addHead(scene, 2);
  ASSERT_EQ(scene.source.projected.size(), 3u);
  EXPECT_EQ(scene.source.projected[2].wq.fill.seed, 78u);
  EXPECT_EQ(scene.source.projected[2].wv.fill.seed, 80u);
  EXPECT_EQ(scene.source.wo->values.rows(), 6);
  EXPECT_GT(scene.source.wo->values.bottomRows(2).norm(), 0);
}

TEST(Edits, WhatFollowsAToken) {
  Scene scene = narrow(randomScene({.heads = 1, .queries = 2, .keys = 3}, 1));
  scene.keyLabels = {"a", "b", "c"};
  scene.masks = {PaddingFlagsRule{{false, false, true}}, PaddingLengthRule{2}, PrefixRule{1},
                 DocumentsRule{{0, 1}, {0, 0, 1}}};
  moveToken(scene, Tokens::keys, 2, 0);
  EXPECT_EQ(scene.keyLabels, (std::vector<std::string>{"c", "a", "b"}));
  EXPECT_EQ(std::get<PaddingFlagsRule>(scene.masks[0]).isPadding, (std::vector<bool>{true, false, false}));
  EXPECT_EQ(std::get<PaddingLengthRule>(scene.masks[1]).length, 2);
  EXPECT_EQ(std::get<DocumentsRule>(scene.masks[3]).ofKey, (std::vector<int>{1, 0, 0}));
  addToken(scene, Tokens::keys, 1, "x");
  EXPECT_EQ(scene.keyLabels, (std::vector<std::string>{"c", "x", "a", "b"}));
  EXPECT_EQ(std::get<PaddingLengthRule>(scene.masks[1]).length, 3);
  EXPECT_EQ(std::get<PrefixRule>(scene.masks[2]).length, 1);
  EXPECT_EQ(std::get<DocumentsRule>(scene.masks[3]).ofKey, (std::vector<int>{1, 1, 0, 0}));
}

TEST(Edits, WhatIsRefusedSaysWhy) {
  Scene scene = narrow(randomScene({.heads = 1, .queries = 1, .keys = 3, .keyWidth = 2, .valueWidth = 1}, 1));
  const Scene before = scene;
  EXPECT_EQ(refusal([&] { removeToken(scene, Tokens::queries, 0); }),
            "queries: found only one, expected at least two to remove one");
  EXPECT_EQ(refusal([&] { removeToken(scene, Tokens::keys, 3); }), "keys: place 3, expected 0 to 2");
  EXPECT_EQ(refusal([&] { addToken(scene, Tokens::keys, -1); }), "keys: place -1, expected 0 to 3");
  EXPECT_EQ(refusal([&] { addToken(scene, Tokens::both, 0); }),
            "tokens: 1 queries and 3 keys, expected as many of both to edit them together");
  EXPECT_EQ(refusal([&] { setTokenLabels(scene, Tokens::keys, {"a"}); }), "keys: 1 labels, expected 3");
  EXPECT_EQ(refusal([&] { removeDimension(scene, Dimension::value, 0); }),
            "d_v: found only one, expected at least two to remove one");
  EXPECT_EQ(refusal([&] { addDimension(scene, Dimension::model, 0); }),
            "d_model: not in this scene, expected a scene with projections");
  EXPECT_EQ(refusal([&] { removeHead(scene, 0); }),
            "heads: found only one, expected at least two to remove one");
  EXPECT_EQ(refusal([&] { setCell(scene, {InputName::k}, 3, 0, 1); }),
            "k: a block of shape (1, 1) at (3, 0), expected one inside (3, 2)");
  EXPECT_EQ(refusal([&] { setCell(scene, {InputName::x}, 0, 0, 1); }),
            "x: not in this scene, expected a matrix that it has");
  EXPECT_EQ(refusal([&] {
              setCell(scene, {InputName::q, 4}, 0, 0, 1);
            }),
            "q of head 5: not in this scene, expected a matrix that it has");
  EXPECT_EQ(refusal([&] { setCrossAttention(scene, true); }),
            "cross-attention: Q, K and V are given, expected projections of X");
  EXPECT_EQ(
      refusal([&] { fillInput(scene, {InputName::q}, {.kind = Fill::Kind::normal, .deviation = -1}); }),
      "q: a fill of mean 0.000000 and deviation -1.000000, expected finite numbers, the second at least 0");
  scene.scale.temperature = 3e38;
  const Scene hot = scene;
  EXPECT_EQ(
      refusal([&] { addDimension(scene, Dimension::key, 0); }),
      "scale: scores would be divided by 5.19615e+38, expected a number that is neither 0 nor infinite");
  EXPECT_TRUE(sameScene(scene, hot));
  scene.scale.temperature = 1;
  EXPECT_TRUE(sameScene(scene, before));
}

TEST(Edits, BlocksAreSetAndRead) {
  Scene scene = narrow(randomScene({.heads = 2, .queries = 3, .keys = 3}, 1));
  Matrix block(2, 2);
  block << 1, 2, 3, 4;
  setBlock(scene, {InputName::v, 1}, 1, 1, block);
  EXPECT_TRUE(sameBits(blockOf(scene, {InputName::v, 1}, 1, 1, 2, 2), block));
  EXPECT_EQ(scene.source.given[1].v.values(2, 2), 4);
  fillInput(scene, {InputName::v, 1}, {.kind = Fill::Kind::identity});
  EXPECT_TRUE(findInput(scene, {InputName::v, 1})->values.isIdentity());
  setCell(scene, {InputName::v, 1}, 0, 0, 5);
  EXPECT_EQ(scene.source.given[1].v.fill, Fill{});
}

}  // namespace
}  // namespace attn
