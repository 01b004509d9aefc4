// What must never happen: a crash, a NaN out of nothing, a NaN that leaks from behind a mask, or one that
// hides.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/evaluate.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

using Kind = Normaliser::Kind;
constexpr Kind kAllKinds[] = {Kind::softmax, Kind::sink, Kind::sparsemax, Kind::entmax15, Kind::sigmoid};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMax = std::numeric_limits<float>::max();

template <class A>
bool allFinite(const A& a) {
  for (Index i = 0; i < a.size(); ++i)
    if (!std::isfinite(a.data()[i])) return false;
  return true;
}

template <class A>
bool allZero(const A& a) {
  return (a.array() == 0).all();
}

template <class A>
void expectSame(const A& a, const A& b, const char* name) {
  ASSERT_EQ(a.size(), b.size());
  for (Index i = 0; i < a.size(); ++i) ASSERT_EQ(a.data()[i], b.data()[i]) << name << " " << i;
}

/// Runs a check on every SIMD target and on the plain loops.
template <class Check>
void onEveryKernel(const Scene& scene, const Check& check, const Wanted& wanted = Wanted::everything()) {
  std::vector<const Kernels*> all = {&referenceKernels<float>()};
  for (const std::string& name : simdTargets()) all.push_back(&kernelsNamed(name));
  for (const Kernels* kernels : all) {
    SCOPED_TRACE(kernels->name);
    Results results;
    Evaluator(*kernels, 1).evaluate(scene, wanted, results);
    check(results);
  }
}

TEST(Robustness, ARowWithoutVisibleKeysIsZeroAndFlagged) {
  for (const Kind kind : kAllKinds) {
    PreciseScene scene =
        randomScene({.heads = 2, .queries = 20, .keys = 37, .keyWidth = 5, .valueWidth = 4}, 3);
    scene.normaliser = {kind, 0.7};
    scene.cap = 4;
    Bytes cells = Bytes::Ones(20, 37);
    cells.row(6).setZero();
    cells.row(19).setZero();
    scene.masks = {PaintedRule{{cells}}};
    onEveryKernel(narrow(scene), [&](const Results& r) {
      for (Index h = 0; h < 2; ++h)
        for (Index i = 0; i < 20; ++i) {
          const bool empty = i == 6 || i == 19;
          EXPECT_EQ(r.maskedRows.at(h, i, 0), empty);
          EXPECT_FALSE(r.nonFiniteRows.at(h, i, 0));
          if (!empty) continue;
          EXPECT_TRUE(allZero(r.probs[h].row(i)) && allZero(r.headOut[h].row(i)));
          EXPECT_TRUE(allZero(r.d.scores[h].row(i)) && allZero(r.d.q[h].row(i)) &&
                      allZero(r.d.probs[h].row(i)));
          EXPECT_EQ(r.scores.at(h, i, 0), -std::numeric_limits<float>::infinity());
          EXPECT_EQ(r.measures.entropy.at(h, i, 0), 0);
          EXPECT_EQ(r.measures.effectiveKeys.at(h, i, 0), 0);
        }
      EXPECT_TRUE(allFinite(r.out) && allFinite(r.d.q) && allFinite(r.d.k) && allFinite(r.d.v));
      EXPECT_TRUE(allFinite(r.measures.jacobianNorm) && allFinite(r.measures.jacobianEigenvalue));
    });
  }
}

TEST(Robustness, EverythingMasked) {
  PreciseScene scene = projectedScene(2, 5, 5, false, 4);
  scene.masks = {PaddingLengthRule{0}};
  onEveryKernel(narrow(scene), [&](const Results& r) {
    EXPECT_TRUE(allZero(r.out) && allZero(r.d.x) && allZero(r.d.wo));
    EXPECT_EQ(r.norms.q.all, 0);
  });
}

void expectSameResults(const Results& a, const Results& b) {
  expectSame(a.probs, b.probs, "probs");
  expectSame(a.out, b.out, "out");
  expectSame(a.d.scores, b.d.scores, "dScores");
  expectSame(a.d.q, b.d.q, "dQ");
  expectSame(a.d.k, b.d.k, "dK");
  expectSame(a.d.v, b.d.v, "dV");
  expectSame(a.d.x, b.d.x, "dX");
  expectSame(a.d.other, b.d.other, "dX_kv");
  expectSame(a.d.wq, b.d.wq, "dW_Q");
  expectSame(a.d.wk, b.d.wk, "dW_K");
  expectSame(a.d.wv, b.d.wv, "dW_V");
  expectSame(a.d.wo, b.d.wo, "dW_O");
  expectSame(a.measures.entropy, b.measures.entropy, "entropy");
  expectSame(a.nonFiniteRows, b.nonFiniteRows, "nonFiniteRows");
}

/// The whole result, backward included, must not know what a hidden key holds: to the last bit.
TEST(Robustness, WhatIsBehindAMaskChangesNothing) {
  for (const Kind kind : kAllKinds)
    for (const bool normed : {false, true})
      for (const double poison : {std::nan(""), kInfinity, -kInfinity, 2e38}) {
        PreciseScene scene = projectedScene(2, 6, 9, true, 5);
        scene.normaliser.kind = kind;
        if (normed) scene.scale.qkNormGain = 3, scene.cap = 2;
        scene.masks = {PaddingFlagsRule{{false, false, true, false, false, false, false, false, true}}};
        PreciseScene poisoned = scene, zeroed = scene;
        poisoned.source.other->values.row(2).setConstant(poison);
        poisoned.source.other->values(8, 1) = poison;
        zeroed.source.other->values.row(2).setZero();
        zeroed.source.other->values(8, 1) = 0;
        for (const std::string& name : simdTargets()) {
          SCOPED_TRACE(name);
          Results clean, dirty;
          Evaluator evaluator(kernelsNamed(name), 1);
          evaluator.evaluate(narrow(zeroed), Wanted::everything(), clean);
          evaluator.evaluate(narrow(poisoned), Wanted::everything(), dirty);
          expectSameResults(clean, dirty);
          EXPECT_FALSE(allFinite(dirty.rawScores) && poison != 2e38);
        }
      }
}

/// A masked query that holds a NaN, or into whose output one flows, harms nobody.
TEST(Robustness, AMaskedQueryChangesNothing) {
  for (const Kind kind : kAllKinds) {
    PreciseScene scene = projectedScene(1, 5, 7, true, 15);
    scene.normaliser.kind = kind;
    Bytes cells = Bytes::Ones(5, 7);
    cells.row(3).setZero();
    scene.masks = {PaintedRule{{cells}}};
    scene.upstream.kind = UpstreamOf<double>::Kind::given;
    scene.upstream.matrix = noise(5, 6, 16).values;
    PreciseScene dirty = scene;
    dirty.source.x.values(3, 2) = std::nan("");
    dirty.upstream.matrix(3, 1) = std::nan("");
    const auto right = evaluateReference(scene, Wanted::everything());
    onEveryKernel(narrow(dirty), [&](const Results& r) {
      EXPECT_TRUE(allFinite(r.out) && allFinite(r.d.wq) && allFinite(r.d.wk) && allFinite(r.d.wv) &&
                  allFinite(r.d.wo));
      EXPECT_TRUE(allFinite(r.d.k) && allFinite(r.d.q) && allFinite(r.d.x) && allFinite(r.d.other));
      EXPECT_LE((r.d.wo.cast<double>() - right.d.wo).cwiseAbs().maxCoeff(), 1e-5);
      EXPECT_LE((r.d.wk[0].cast<double>() - right.d.wk[0]).cwiseAbs().maxCoeff(), 1e-5);
    });
  }
}

/// Self-attention over a padded token that is NaN, as key hidden and as query without gradient.
TEST(Robustness, APaddedTokenOfSelfAttentionHasNoGradient) {
  PreciseScene scene = projectedScene(2, 5, 5, false, 17);
  scene.masks = {PaddingLengthRule{4}};
  scene.upstream.kind = UpstreamOf<double>::Kind::given;
  scene.upstream.matrix = noise(5, 6, 18).values;
  scene.upstream.matrix.row(4).setZero();
  PreciseScene dirty = scene;
  dirty.source.x.values.row(4).setConstant(std::nan(""));
  const auto right = evaluateReference(scene, Wanted::everything());
  onEveryKernel(narrow(dirty), [&](const Results& r) {
    EXPECT_TRUE(allFinite(r.d.x) && allFinite(r.d.wq) && allFinite(r.d.wk) && allFinite(r.d.wv));
    EXPECT_LE((r.d.x.cast<double>() - right.d.x).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_TRUE(r.nonFiniteRows.at(0, 4, 0) && !r.nonFiniteRows.at(0, 3, 0));
  });
}

TEST(Robustness, ANaNInTheOutputProjectionIsFlagged) {
  PreciseScene scene = projectedScene(2, 4, 4, false, 19);
  scene.source.wo->values(1, 2) = std::nan("");
  Bytes cells = Bytes::Ones(4, 4);
  cells.row(1).setZero();
  scene.masks = {PaintedRule{{cells}}};
  onEveryKernel(narrow(scene), [](const Results& r) {
    for (Index i = 0; i < 4; ++i) EXPECT_EQ(r.nonFiniteRows.at(1, i, 0), i != 1);
    EXPECT_TRUE(allZero(r.out.row(1)));
  });
}

/// dO·v of a hidden pair overflows: its 0·∞ must not reach the others.
TEST(Robustness, AnOverflowBehindTheMaskStaysThere) {
  for (const Kind kind : kAllKinds) {
    PreciseScene scene = randomScene({.queries = 5, .keys = 5, .keyWidth = 3, .valueWidth = 4}, 20);
    scene.normaliser.kind = kind;
    scene.masks = {PaddingLengthRule{4}};
    scene.source.given[0].v.values.row(4).setConstant(2e38);
    for (const bool everything : {false, true}) {
      Results r;
      Evaluator(bestKernels(), 1).evaluate(narrow(scene), everything ? Wanted::everything() : Wanted{}, r);
      EXPECT_TRUE(allFinite(r.d.q) && allFinite(r.d.k) && allFinite(r.d.v));
    }
  }
}

/// The same key is hidden from one query and seen by the next: only the one that sees it is harmed.
TEST(Robustness, ANaNSurfacesWhereItIsSeenAndNowhereElse) {
  for (const Kind kind : kAllKinds) {
    PreciseScene scene = randomScene({.queries = 8, .keys = 8, .keyWidth = 4, .valueWidth = 3}, 6);
    scene.normaliser.kind = kind;
    scene.masks = {CausalRule{}};
    scene.source.given[0].v.values(5, 1) = std::nan("");
    scene.source.given[0].k.values(6, 0) = std::nan("");
    onEveryKernel(narrow(scene), [&](const Results& r) {
      for (Index i = 0; i < 8; ++i) {
        EXPECT_EQ(r.nonFiniteRows.at(0, i, 0), i >= 5) << i;
        EXPECT_EQ(std::isnan(r.out(i, 1)), i >= 5) << i;
        EXPECT_EQ(std::isnan(r.probs.at(0, i, 0)), i >= 6 && kind != Kind::sigmoid) << i;
        for (Index j = i + 1; j < 8; ++j) EXPECT_EQ(r.probs.at(0, i, j), 0);
      }
    });
  }
}

/// Whatever maps are wanted, and in heads that are computed in double as in those that are not.
TEST(Robustness, ANaNSurfacesWhateverIsWanted) {
  for (const Index keyWidth : {4, 70})
    for (const Wanted& wanted : {Wanted{}, Wanted::everything()}) {
      PreciseScene scene = randomScene({.queries = 70, .keys = 75, .keyWidth = keyWidth, .valueWidth = 3}, 6);
      scene.source.given[0].k.values(3, 0) = std::nan("");
      onEveryKernel(
          narrow(scene),
          [&](const Results& r) {
            for (Index i = 0; i < 70; ++i) {
              EXPECT_TRUE(r.nonFiniteRows.at(0, i, 0)) << i;
              EXPECT_TRUE(std::isnan(r.probs.at(0, i, 3)) && std::isnan(r.out(i, 0))) << i;
            }
          },
          wanted);
    }
}

/// A score that overflows to −∞ is a weight of 0, in the middle of a row as at its edge.
TEST(Robustness, AScoreThatOverflowsIsNoNaN) {
  for (const Index width : {50, 64, 100})
    for (const Wanted& wanted : {Wanted{}, Wanted::everything()})
      for (const Index key : {5, 129}) {
        PreciseScene scene = randomScene({.queries = 70, .keys = 130, .keyWidth = width, .valueWidth = 4}, 9);
        auto& head = scene.source.given[0];
        head.q.values.col(0).setConstant(1e20);
        head.k.values.col(0).setZero();
        head.k.values(key, 0) = -1e20;
        onEveryKernel(
            narrow(scene),
            [&](const Results& r) {
              for (Index i = 0; i < 70; ++i) {
                EXPECT_FALSE(r.nonFiniteRows.at(0, i, 0)) << i;
                EXPECT_EQ(r.probs.at(0, i, key), 0) << i;
              }
            },
            wanted);
      }
}

template <class A, class B>
void expectAlike(const A& found, const B& right, const char* name) {
  ASSERT_EQ(found.size(), right.size());
  for (Index i = 0; i < right.size(); ++i) {
    ASSERT_EQ(std::isnan(found.data()[i]), std::isnan(right.data()[i])) << name << " " << i;
    if (!std::isfinite(right.data()[i])) continue;
    ASSERT_NEAR(found.data()[i], right.data()[i], 1e-4) << name << " " << i;
  }
}

/// Of so many queries, the way back is cut into parts; the plain loops must then stand in for all of them.
TEST(Robustness, ANaNReachesTheGradientsThatItShould) {
  for (const char in : {'q', 'k', 'v'}) {
    PreciseScene scene = randomScene({.queries = 400, .keys = 90, .keyWidth = 10, .valueWidth = 6}, 6);
    scene.masks = {CausalRule{Alignment::bottomRight}};
    auto& head = scene.source.given[0];
    (in == 'q' ? head.q : in == 'k' ? head.k : head.v).values(in == 'q' ? 399 : 80, 1) = std::nan("");
    const PreciseResults right = evaluateReference(scene, Wanted::everything());
    onEveryKernel(narrow(scene), [&](const Results& r) {
      SCOPED_TRACE(in);
      expectAlike(r.d.probs, right.d.probs, "dProbs");
      expectAlike(r.d.scores, right.d.scores, "dScores");
      expectAlike(r.d.q, right.d.q, "dQ");
      expectAlike(r.d.k, right.d.k, "dK");
      expectAlike(r.d.v, right.d.v, "dV");
    });
  }
}

/// Next to a sink that takes nearly all, what the keys share is small, but it has all its digits.
TEST(Robustness, MeasuresBesideALargeSinkKeepTheirDigits) {
  for (const double logit : {0.0, 20.0, 40.0}) {
    PreciseScene scene = randomScene({.queries = 8, .keys = 8, .keyWidth = 4, .valueWidth = 3}, 6);
    scene.normaliser = {Kind::sink, logit};
    const PreciseResults right = evaluateReference(scene, Wanted::everything());
    onEveryKernel(narrow(scene), [&](const Results& r) {
      for (Index i = 0; i < 8; ++i)
        EXPECT_NEAR(r.measures.effectiveKeys.at(0, i, 0), right.measures.effectiveKeys.at(0, i, 0), 1e-3)
            << logit;
    });
  }
}

TEST(Robustness, ANaNInTheBiasSurfacesOnlyWhereVisible) {
  PreciseScene scene = randomScene({.queries = 6, .keys = 21}, 7);
  MatrixOf<double> bias = MatrixOf<double>::Zero(6, 21);
  bias(1, 4) = bias(3, 20) = std::nan("");
  scene.bias = {input(bias)};
  scene.masks = {PaddingLengthRule{18}};
  onEveryKernel(narrow(scene), [&](const Results& r) {
    for (Index i = 0; i < 6; ++i) EXPECT_EQ(r.nonFiniteRows.at(0, i, 0), i == 1) << i;
    for (Index j = 18; j < 21; ++j) {
      EXPECT_EQ(r.probs.at(0, 1, j), 0);
      EXPECT_EQ(r.d.scores.at(0, 1, j), 0);
    }
    EXPECT_TRUE(allFinite(r.d.k[0].row(19)));
  });
}

/// One query, one dimension, K = 1: the scores are the numbers given.
PreciseScene withScores(std::initializer_list<double> scores) {
  const Index count = static_cast<Index>(scores.size());
  MatrixOf<double> keys(count, 1);
  std::copy(scores.begin(), scores.end(), keys.data());
  PreciseScene scene = givenScene(matrix({{1}}), keys, noise(count, 2, 8).values);
  scene.scale.rule = Scale::Rule::none;
  return scene;
}

TEST(Robustness, ExtremeScoresAreFiniteOrFlagged) {
  const PreciseScene scenes[] = {withScores({kMax, -kMax, 0}),
                                 withScores({kMax, kMax, kMax}),
                                 withScores({-kMax, -kMax}),
                                 withScores({7, 7, 7, 7, 7}),
                                 withScores({kInfinity, 1, 2}),
                                 withScores({-kInfinity, -kInfinity}),
                                 withScores({1e-45, -1e-45, 1e-39, 0}),
                                 withScores({-200, 0, -104, -90}),
                                 withScores({88, 89, -88, 3.4e38})};
  for (const PreciseScene& precise : scenes)
    for (const Kind kind : kAllKinds)
      for (const bool capped : {false, true}) {
        PreciseScene scene = precise;
        scene.normaliser.kind = kind;
        if (capped) scene.cap = 5;
        onEveryKernel(narrow(scene), [&](const Results& r) {
          const bool finite = allFinite(r.probs) && allFinite(r.out);
          EXPECT_EQ(finite, !r.nonFiniteRows.at(0, 0, 0));
          if (!finite) return;
          double sum = 0;
          for (Index j = 0; j < r.probs.size(); ++j) {
            EXPECT_GE(r.probs.data()[j], 0);
            sum += r.probs.data()[j];
          }
          const bool sumsToOne = kind != Kind::sink && kind != Kind::sigmoid;
          EXPECT_NEAR(sum, sumsToOne ? 1 : sum, 1e-6);
        });
      }
}

TEST(Robustness, FloatMaxAgainstItselfIsShared) {
  onEveryKernel(narrow(withScores({kMax, kMax, -kMax})), [](const Results& r) {
    EXPECT_EQ(r.probs.at(0, 0, 0), 0.5f);
    EXPECT_EQ(r.probs.at(0, 0, 1), 0.5f);
    EXPECT_EQ(r.probs.at(0, 0, 2), 0.0f);
  });
}

TEST(Robustness, DenormalWeightsAreKept) {
  onEveryKernel(narrow(withScores({0, -95})),
                [](const Results& r) { EXPECT_NEAR(r.probs.at(0, 0, 1) / std::exp(-95.0), 1, 1e-3); });
}

/// Small heads are computed in double, where these products are ordinary numbers; larger ones are flagged.
TEST(Robustness, OverflowingDotProductsAreRightOrFlagged) {
  for (const Index keys : {18, 1000}) {
    PreciseScene scene = randomScene({.queries = 3, .keys = keys, .keyWidth = 200}, 9);
    scene.source.given[0].q.values.row(1).setConstant(3e38);
    scene.source.given[0].k.values.setConstant(3e38);
    onEveryKernel(narrow(scene), [&](const Results& r) {
      const bool flagged = r.nonFiniteRows.at(0, 1, 0);
      EXPECT_TRUE(flagged || keys == 18);
      for (Index j = 0; j < keys && !flagged; ++j)
        EXPECT_FLOAT_EQ(r.probs.at(0, 1, j), 1.0f / static_cast<float>(keys));
    });
  }
}

TEST(Robustness, QkNormOfAZeroVectorIsZeroWithoutGradient) {
  for (const double gain : {10.0, 0.0}) {
    PreciseScene scene = randomScene({.queries = 3, .keys = 5, .keyWidth = 4}, 10);
    scene.scale.qkNormGain = gain;
    scene.source.given[0].q.values.row(1).setZero();
    scene.source.given[0].k.values.row(2).setZero();
    onEveryKernel(narrow(scene), [](const Results& r) {
      EXPECT_TRUE(allFinite(r.probs) && allFinite(r.d.q) && allFinite(r.d.k) && allFinite(r.d.rawScores));
      EXPECT_TRUE(allZero(r.d.q[0].row(1)));
      EXPECT_NEAR(r.probs.at(0, 1, 0), 0.2, 1e-6);
    });
  }
}

TEST(Robustness, QkNormIsCosineTimesGain) {
  PreciseScene scene = randomScene({.queries = 3, .keys = 5, .keyWidth = 4}, 11);
  scene.scale = {.rule = Scale::Rule::none, .temperature = 2, .qkNormGain = 10};
  const auto& head = scene.source.given[0];
  onEveryKernel(narrow(scene), [&](const Results& r) {
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 5; ++j) {
        const double dot = head.q.values.row(i).dot(head.k.values.row(j));
        EXPECT_NEAR(r.rawScores.at(0, i, j), dot, 1e-5);
        EXPECT_NEAR(r.scores.at(0, i, j),
                    5 * dot / (head.q.values.row(i).norm() * head.k.values.row(j).norm()), 1e-5);
      }
  });
}

std::string errorOf(const PreciseScene& scene) {
  try {
    evaluate(narrow(scene));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Robustness, ShapesThatDoNotFitAreNamed) {
  PreciseScene scene = randomScene({.heads = 2, .queries = 3, .keys = 5, .keyWidth = 4, .valueWidth = 2}, 12);
  PreciseScene wrong = scene;
  wrong.source.given[0].k.values.setZero(5, 3);
  EXPECT_EQ(errorOf(wrong), "heads[0].k: shape (5, 3), expected (5, 4)");
  wrong = scene;
  wrong.source.given[1].v.values.setZero(4, 2);
  EXPECT_EQ(errorOf(wrong), "heads[1].v: shape (4, 2), expected (5, 2)");
  wrong = scene;
  wrong.source.wo = input(MatrixOf<double>::Ones(3, 2));
  EXPECT_EQ(errorOf(wrong), "w_o: shape (3, 2), expected (4, 2)");
  wrong = scene;
  wrong.scale.temperature = 0;
  EXPECT_EQ(errorOf(wrong), "scale.temperature: 0, expected a number above 0");
  // What is no float any more, or another one, is refused: 1e39 would be ∞ and 1e-50 would be 0.
  for (const double value : {1e39, 1e-50}) {
    wrong = scene;
    wrong.cap = value;
    EXPECT_NE(errorOf(wrong).find("cap: 1e"), std::string::npos);
    EXPECT_NE(errorOf(wrong).find("expected a number that float32 can hold"), std::string::npos);
    wrong = scene;
    wrong.scale.temperature = value;
    EXPECT_NE(errorOf(wrong).find("scale.temperature: 1e"), std::string::npos);
  }
  wrong = scene;
  wrong.normaliser = {Kind::sink, 1e39};
  EXPECT_EQ(errorOf(wrong), "normalise.logit: 1e+39, expected a finite number");
  wrong = scene;
  wrong.alibi = Alibi{{std::nan(""), 1}};
  EXPECT_EQ(errorOf(wrong), "alibi: nan, expected a finite number");
  wrong = scene;
  wrong.scale = {.rule = Scale::Rule::number, .number = 1e-30, .temperature = 1e-30};
  EXPECT_NE(errorOf(wrong).find("scale: scores would be divided by 1e-60"), std::string::npos);
  wrong = scene;
  wrong.masks = {PaddingFlagsRule{{true}}};
  EXPECT_EQ(errorOf(wrong), "masks[0].flags: length 1, expected 5");
  wrong = scene;
  wrong.source.given.clear();
  EXPECT_EQ(errorOf(wrong), "heads: 0, expected 1 to 65536");
  wrong = scene;
  wrong.source.given[0].q.values(1, 2) = 1e300;
  EXPECT_EQ(errorOf(wrong),
            "heads[0].q[1, 2]: 1e+300, expected a number within ±3.4e38, the range of float32");
  wrong = scene;
  wrong.source.given[0].q.values.setZero(0, 4);
  EXPECT_EQ(errorOf(wrong), "q: shape (0, 4), expected at least one row and one column");
}

/// What is counted beforehand covers what is really taken.
TEST(Robustness, BytesNeededCoverTheMaps) {
  PreciseScene scene =
      randomScene({.heads = 2, .queries = 1800, .keys = 2400, .keyWidth = 1, .valueWidth = 1}, 14);
  const double map = 2.0 * 1800 * 2400 * sizeof(float);
  const auto maps = [&](const Wanted& wanted) {
    return std::floor(static_cast<double>(bytesNeeded(narrow(scene), wanted)) / map);
  };
  EXPECT_EQ(maps(Wanted::outputOnly()), 0);
  EXPECT_EQ(maps(Wanted::forwardOnly()), 1);
  EXPECT_EQ(maps(Wanted{}), 1);  // the way back works on blocks of rows
  EXPECT_EQ(maps(Wanted::everything()), 9);
  scene.cap = 1;
  EXPECT_EQ(maps(Wanted{}), 2);
}

/// What is held already is not asked for twice: a scene that fits once fits again, and leaves results alone
/// where it does not.
TEST(Robustness, ALargeSceneFitsTwiceAndARefusedOneChangesNothing) {
  const Scene scene =
      narrow(randomScene({.queries = 4200, .keys = 4200, .keyWidth = 1, .valueWidth = 1}, 21));
  Evaluator evaluator(bestKernels(), 2);
  Results results;
  evaluator.evaluate(scene, Wanted{}, results);
  evaluator.evaluate(scene, Wanted{}, results);
  const Scene tooLarge =
      narrow(randomScene({.queries = 3000000, .keys = 3000000, .keyWidth = 1, .valueWidth = 1}, 13));
  EXPECT_THROW(evaluator.evaluate(tooLarge, Wanted{}, results), Error);
  EXPECT_EQ(results.shapes.queries, 4200);
  EXPECT_EQ(results.probs.rows(), 4200);
}

TEST(Robustness, AMapBeyondTheMachinesMemoryIsRefused) {
  const PreciseScene scene =
      randomScene({.queries = 3000000, .keys = 3000000, .keyWidth = 1, .valueWidth = 1}, 13);
  EXPECT_NE(errorOf(scene).find("1 head of 3000000 queries × 3000000 keys: needs "), std::string::npos)
      << errorOf(scene);
}

}  // namespace
}  // namespace attn
