#include "core/edits/source.h"

#include <gtest/gtest.h>

#include "core/edits/dimensions.h"
#include "core/edits/inputs.h"
#include "core/edits/tokens.h"
#include "core/evaluate.h"
#include "core/io/scene_json.h"
#include "core/same_scene.h"
#include "tests/core/edits/random_scene.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

using Kind = SourceOf<float>::Kind;

TEST(EditSource, FirstSwitchToGivenTakesWhatTheProjectionsGive) {
  Dice dice(1);
  for (int round = 0; round < 100; ++round) {
    Scene scene = anyScene(dice, round % 2 ? AnySource::self : AnySource::cross);
    const Results before = evaluate(scene);
    useGiven(scene);
    ASSERT_EQ(scene.source.kind, Kind::given);
    const Results after = evaluate(scene);
    for (Index h = 0; h < before.shapes.heads; ++h)
      ASSERT_TRUE(sameBits(scene.source.given[static_cast<std::size_t>(h)].k.values, Matrix(before.k[h])));
    ASSERT_TRUE(sameBits(after.out, before.out));
  }
}

TEST(EditSource, FirstSwitchToProjectionsGivesBackQKV) {
  Dice dice(2);
  for (int round = 0; round < 100; ++round) {
    Scene scene = anyScene(dice, AnySource::given);
    const std::vector<GivenHeadOf<float>> given = scene.source.given;
    const Results before = evaluate(scene);
    const bool one = isOneSequence(scene);
    useProjections(scene);
    ASSERT_EQ(scene.source.kind, Kind::projected);
    ASSERT_EQ(scene.source.other.has_value(), !one);
    const Results after = evaluate(scene);
    for (std::size_t h = 0; h < given.size(); ++h) {
      const auto head = static_cast<Index>(h);
      ASSERT_TRUE(given[h].q.values.isApprox(Matrix(after.q[head]), 0));
      ASSERT_TRUE(given[h].k.values.isApprox(Matrix(after.k[head]), 0));
      ASSERT_TRUE(given[h].v.values.isApprox(Matrix(after.v[head]), 0));
    }
    ASSERT_TRUE(after.out.isApprox(before.out, 1e-6f));
  }
}

TEST(EditSource, EqualMatricesShareTheirColumnsOfX) {
  Scene scene = narrow(randomScene({.heads = 1, .queries = 3, .keys = 3}, 1));
  scene.source.given[0].k = scene.source.given[0].v = scene.source.given[0].q;
  useProjections(scene);
  EXPECT_TRUE(sameBits(scene.source.x.values, scene.source.given[0].q.values));
  EXPECT_EQ(scene.source.projected[0].wv.fill.kind, Fill::Kind::identity);
}

TEST(EditSource, SwitchingThereAndBackLosesNothing) {
  Dice dice(3);
  for (int round = 0; round < 200; ++round) {
    Scene scene = anyScene(dice, round % 2 ? AnySource::self : AnySource::cross);
    useGiven(scene);
    setCell(scene, {InputName::q}, 0, 0, 42);
    const Scene given = scene;
    useProjections(scene);
    const Scene projected = scene;
    useGiven(scene);
    ASSERT_TRUE(sameScene(scene, given));
    useProjections(scene);
    ASSERT_TRUE(sameScene(scene, projected));
  }
}

TEST(EditSource, BothKindsFollowATokenThatMoves) {
  Scene scene = narrow(projectedScene(2, 4, 4, false, 1));
  scene.queryLabels = scene.keyLabels = {"a", "b", "c", "d"};
  useGiven(scene);
  const Matrix before = scene.source.given[1].k.values;
  useProjections(scene);
  moveToken(scene, Tokens::queries, 0, 3);
  useGiven(scene);
  EXPECT_EQ(scene.keyLabels, (std::vector<std::string>{"b", "c", "d", "a"}));
  EXPECT_TRUE(sameBits(scene.source.given[1].k.values.row(3), before.row(0)));
}

TEST(EditSource, KeptSourceOfOtherCountsIsFitted) {
  Scene scene = narrow(projectedScene(2, 4, 4, false, 1));
  scene.queryLabels = scene.keyLabels = {"a", "b", "c", "d"};
  useGiven(scene);
  addToken(scene, Tokens::keys, 1, "x");  // X has no row that is a key alone
  useProjections(scene);
  EXPECT_NO_THROW(check(scene));
  EXPECT_EQ(shapesOf(scene).keys, 4);
  EXPECT_EQ(scene.keyLabels, scene.queryLabels);
  useGiven(scene);
  EXPECT_EQ(shapesOf(scene).keys, 5);
  EXPECT_NO_THROW(check(scene));
}

TEST(EditSource, CrossAttentionKeepsItsSequence) {
  Scene scene = narrow(projectedScene(2, 3, 3, false, 1));
  scene.queryLabels = scene.keyLabels = {"a", "b", "c"};
  const Scene self = scene;
  setCrossAttention(scene, true);
  EXPECT_TRUE(sameBits(scene.source.other->values, scene.source.x.values));
  EXPECT_TRUE(sameBits(evaluate(scene).out, evaluate(self).out));
  addToken(scene, Tokens::keys, 3, "new");
  addDimension(scene, Dimension::other, 0);
  setCell(scene, {InputName::wk, 1}, 0, 0, 7);
  const Scene cross = scene;
  setCrossAttention(scene, false);
  EXPECT_TRUE(sameBits(evaluate(scene).out, evaluate(self).out));
  EXPECT_EQ(scene.keyLabels, self.keyLabels);
  const Scene parked = narrow(readSceneJson(writeSceneJson(scene), "scene"));
  EXPECT_TRUE(sameScene(parked, scene));
  setCrossAttention(scene, true);
  EXPECT_TRUE(sameScene(scene, cross));
}

TEST(EditSource, ParkedProjectionsFollowWidthsAndHeads) {
  Dice dice(4);
  for (int round = 0; round < 200; ++round) {
    Scene scene = anyScene(dice, AnySource::cross);
    const Scene before = scene;
    setCrossAttention(scene, false);
    addDimension(scene, Dimension::value, 0);
    addDimension(scene, Dimension::key, 0);
    removeDimension(scene, Dimension::key, 0);
    removeDimension(scene, Dimension::value, 0);
    setCrossAttention(scene, true);
    ASSERT_TRUE(sameBits(scene.source.other->values, before.source.other->values));
    for (std::size_t h = 0; h < before.source.projected.size(); ++h) {
      ASSERT_TRUE(sameBits(scene.source.projected[h].wk.values, before.source.projected[h].wk.values));
      ASSERT_TRUE(sameBits(scene.source.projected[h].wv.values, before.source.projected[h].wv.values));
    }
  }
}

TEST(EditSource, OutputProjectionStartsAsTheIdentity) {
  Dice dice(5);
  for (int round = 0; round < 100; ++round) {
    Scene scene = anyScene(dice, AnySource::given);
    scene.source.wo.reset();
    scene.upstream = {};
    const Scene before = scene;
    addOutputProjection(scene);
    ASSERT_TRUE(evaluate(scene).out.isApprox(evaluate(before).out, 0));
    removeOutputProjection(scene);
    ASSERT_TRUE(sameScene(scene, before));
  }
}

}  // namespace
}  // namespace attn
