// Heads of few short tokens go a way of their own, in one call and in double: on every SIMD target it is held
// against the reference and against the tiles that larger heads take.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "core/evaluate.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

using Kind = Normaliser::Kind;

class SmallHeads : public testing::TestWithParam<std::string> {
 protected:
  SmallHeads() { tiles_.smallForward = nullptr; }
  Results run(const PreciseScene& scene, const Wanted& wanted = Wanted::everything()) {
    return runOn(kernelsNamed(GetParam()), scene, wanted);
  }
  /// The same without the short way.
  Results runTiles(const PreciseScene& scene, const Wanted& wanted = Wanted::everything()) {
    return runOn(tiles_, scene, wanted);
  }
  Index below(Index n) { return static_cast<Index>(random_() % static_cast<std::uint32_t>(n)); }
  std::mt19937 random_{23};

 private:
  static Results runOn(const Kernels& kernels, const PreciseScene& scene, const Wanted& wanted) {
    Results results;
    Evaluator(kernels, 1).evaluate(narrow(scene), wanted, results);
    return results;
  }
  Kernels tiles_ = kernelsNamed(GetParam());
};

INSTANTIATE_TEST_SUITE_P(All, SmallHeads, testing::ValuesIn(simdTargets()),
                         [](const auto& info) { return info.param; });

/// Within `ulps` roundings of the largest number.
template <class A, class B>
void expectClose(const A& found, const B& right, double ulps, const char* name) {
  ASSERT_EQ(found.size(), right.size()) << name;
  double largest = 0;
  for (Index i = 0; i < right.size(); ++i)
    if (std::isfinite(right.data()[i]))
      largest = std::max(largest, std::abs(static_cast<double>(right.data()[i])));
  for (Index i = 0; i < right.size(); ++i) {
    const double expected = static_cast<double>(right.data()[i]);
    if (std::isfinite(expected))
      ASSERT_NEAR(found.data()[i], expected, ulps * std::ldexp(largest, -24) + 1e-30) << name << " " << i;
    else
      ASSERT_EQ(static_cast<double>(found.data()[i]), expected) << name << " " << i;
  }
}

/// The maps are right to a rounding or two; gradients also carry what the float inputs of a cap were rounded.
template <class R>
void expectCloseResults(const Results& found, const R& right, double ulps) {
  expectClose(found.rawScores, right.rawScores, ulps, "rawScores");
  expectClose(found.scaledScores, right.scaledScores, ulps, "scaledScores");
  expectClose(found.cappedScores, right.cappedScores, ulps, "cappedScores");
  expectClose(found.scores, right.scores, ulps, "scores");
  expectClose(found.probs, right.probs, ulps, "probs");
  expectClose(found.headOut, right.headOut, ulps, "headOut");
  expectClose(found.out, right.out, ulps, "out");
  expectClose(found.d.probs, right.d.probs, ulps, "dProbs");
  expectClose(found.d.scores, right.d.scores, 4 * ulps, "dScores");
  expectClose(found.d.scaledScores, right.d.scaledScores, 4 * ulps, "dScaledScores");
  expectClose(found.d.q, right.d.q, 4 * ulps, "dQ");
  expectClose(found.d.k, right.d.k, 4 * ulps, "dK");
  expectClose(found.d.v, right.d.v, ulps, "dV");
  expectClose(found.measures.largestWeight, right.measures.largestWeight, ulps, "largestWeight");
  expectClose(found.measures.entropy, right.measures.entropy, 8 * ulps, "entropy");
  expectClose(found.measures.entropyShare, right.measures.entropyShare, 8 * ulps, "entropyShare");
  expectClose(found.measures.effectiveKeys, right.measures.effectiveKeys, 8 * ulps, "effectiveKeys");
  expectClose(found.measures.jacobianNorm, right.measures.jacobianNorm, 8 * ulps, "jacobianNorm");
}

PreciseScene withUpstream(PreciseScene scene, const RandomShape& s, std::uint64_t seed) {
  scene.upstream.kind = UpstreamOf<double>::Kind::given;
  scene.upstream.matrix = noise(s.queries, s.heads * s.valueWidth, seed).values;
  return scene;
}

/// Every number of queries and keys up to the limit and one beyond.
TEST_P(SmallHeads, EveryShapeAgreesWithTheReference) {
  for (Index queries = 1; queries <= kSmallTokens + 1; ++queries)
    for (Index keys = 1; keys <= kSmallTokens + 1; ++keys) {
      const RandomShape s = {.heads = 1 + below(3),
                             .queries = queries,
                             .keys = keys,
                             .keyWidth = 1 + below(kSmallWidth),
                             .valueWidth = 1 + below(kSmallWidth)};
      const PreciseScene scene = withUpstream(randomScene(s, random_()), s, random_());
      SCOPED_TRACE(std::to_string(queries) + " × " + std::to_string(keys) + ", widths " +
                   std::to_string(s.keyWidth) + " and " + std::to_string(s.valueWidth));
      // Just beyond the limit tiles compute outputs and gradients in float.
      const bool small = std::max(queries, keys) <= kSmallTokens;
      expectCloseResults(run(scene), evaluateReference(scene, Wanted::everything()), small ? 2 : 40);
      if (HasFatalFailure()) return;
    }
}

PreciseScene varied(std::mt19937& random, Kind kind) {
  const auto below = [&](Index n) { return static_cast<Index>(random() % static_cast<std::uint32_t>(n)); };
  const RandomShape s = {.heads = 1 + below(3),
                         .queries = 1 + below(kSmallTokens),
                         .keys = 1 + below(kSmallTokens),
                         .keyWidth = 1 + below(kSmallWidth),
                         .valueWidth = 1 + below(kSmallWidth)};
  PreciseScene scene = withUpstream(randomScene(s, random()), s, random());
  scene.normaliser = {kind, 0.5};
  scene.scale.temperature = 0.5 + 0.1 * static_cast<double>(below(10));
  if (below(2)) scene.cap = 2.5;
  if (below(2)) scene.alibi = Alibi{};
  if (below(2)) scene.bias = {noise(s.queries, s.keys, random(), 0.5)};
  if (below(2)) scene.masks.push_back(CausalRule{below(2) ? Alignment::topLeft : Alignment::bottomRight});
  if (below(2)) scene.masks.push_back(WindowRule{1 + below(s.keys)});
  if (below(3) == 0) {
    Bytes cells(s.queries, s.keys);
    for (Index i = 0; i < cells.size(); ++i) cells.data()[i] = below(4) != 0;
    scene.masks.push_back(PaintedRule{{cells}});
  }
  return scene;
}

/// Whether some weight is so near the threshold that a rounding may put it on the other side.
bool isAtThreshold(const PreciseResults& r) {
  for (Index i = 0; i < r.probs.size(); ++i)
    if (r.probs.data()[i] > 0 && r.probs.data()[i] < 1e-3) return true;
  return false;
}

TEST_P(SmallHeads, EveryStageAgreesWithTheReferenceAndTheTiles) {
  for (const Kind kind : {Kind::softmax, Kind::sink, Kind::sparsemax, Kind::entmax15, Kind::sigmoid})
    for (int n = 0; n < 150; ++n) {
      const PreciseScene scene = varied(random_, kind);
      const PreciseResults right = evaluateReference(scene, Wanted::everything());
      if ((kind == Kind::sparsemax || kind == Kind::entmax15) && isAtThreshold(right)) continue;
      SCOPED_TRACE("normaliser " + std::to_string(static_cast<int>(kind)) + ", scene " + std::to_string(n));
      const Results found = run(scene);
      expectCloseResults(found, right, 8);
      expectCloseResults(found, runTiles(scene), 400);  // they are in float
      if (HasFatalFailure()) return;
    }
}

template <class A>
bool sameBits(const A& a, const A& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(*a.data())) == 0;
}

/// One head's infinity is no other head's business, and what it does to its own is what tiles say.
TEST_P(SmallHeads, AnInfinityStaysInItsHead) {
  const RandomShape s = {.heads = 3, .queries = 5, .keys = 6, .keyWidth = 3, .valueWidth = 2};
  const PreciseScene scene = withUpstream(randomScene(s, 3), s, 4);
  const Results clean = run(scene);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()})
    for (const Wanted& wanted : {Wanted{}, Wanted::everything()}) {
      PreciseScene dirty = scene;
      dirty.source.given[1].k.values(2, 1) = bad;
      const Results found = run(dirty, wanted), tiles = runTiles(dirty, wanted);
      for (const Index head : {0, 2})
        for (Index i = 0; i < s.queries * s.keys; ++i)
          ASSERT_EQ(found.probs.head(head)[i], clean.probs.head(head)[i]) << bad;
      for (const Index head : {0, 2})
        for (Index i = 0; i < s.keys * s.keyWidth; ++i)
          ASSERT_EQ(found.d.k.head(head)[i], clean.d.k.head(head)[i]) << bad;
      EXPECT_TRUE(sameBits(found.nonFiniteRows, tiles.nonFiniteRows));
      for (Index i = 0; i < s.queries * s.keys; ++i)
        EXPECT_EQ(std::isnan(found.probs.head(1)[i]), std::isnan(tiles.probs.head(1)[i])) << bad << " " << i;
    }
}

/// No map that is not wanted changes a bit of the others.
TEST_P(SmallHeads, UnwantedMapsChangeNothing) {
  for (int n = 0; n < 40; ++n) {
    const PreciseScene scene = varied(random_, Kind::softmax);
    const Results all = run(scene);
    Wanted few;
    few.measures = false;
    const Results some = run(scene, few);
    ASSERT_TRUE(sameBits(some.probs, all.probs) && sameBits(some.headOut, all.headOut)) << n;
    ASSERT_TRUE(sameBits(some.d.q, all.d.q) && sameBits(some.d.k, all.d.k) && sameBits(some.d.v, all.d.v))
        << n;
  }
}

/// Norms of rows of any width, of numbers whose squares are no floats too.
TEST_P(SmallHeads, SquaresOfRowsAreThoseOfDoubles) {
  const Kernels& kernels = kernelsNamed(GetParam());
  for (Index width = 1; width <= 150; ++width)
    for (const double size : {1e-30, 1.0, 1e25}) {
      constexpr Index kRows = 11;
      const Matrix rows = (noise(kRows, width, random_()).values * size).cast<float>();
      double found[kRows + 1] = {};
      kernels.squaresOfRows(rows.data(), kRows, width, found);
      EXPECT_EQ(found[kRows], 0);
      for (Index i = 0; i < kRows; ++i) {
        const double right = rows.row(i).cast<double>().squaredNorm();
        ASSERT_NEAR(found[i], right, 1e-6 * right) << width << " numbers about " << size;
      }
      kernels.squareRoots(found, kRows);
      ASSERT_NEAR(found[kRows - 1], rows.row(kRows - 1).cast<double>().norm(), 1e-6 * found[kRows - 1]);
    }
}

}  // namespace
}  // namespace attn
