// Every SIMD target that this machine has against the plain loops in double, and properties that no twin
// could fake.
#include "core/kernels/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "core/error.h"
#include "core/evaluate.h"
#include "core/random.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

using Kind = Normaliser::Kind;
constexpr Kind kAllKinds[] = {Kind::softmax, Kind::sink, Kind::sparsemax, Kind::entmax15, Kind::sigmoid};

class Targets : public testing::TestWithParam<std::string> {
 protected:
  Results run(const Scene& scene, const Wanted& wanted = Wanted::everything(), int threads = 1) {
    Results results;
    Evaluator(kernelsNamed(GetParam()), threads).evaluate(scene, wanted, results);
    return results;
  }
  std::mt19937 random{17};
  Index below(Index n) { return static_cast<Index>(random() % static_cast<std::uint32_t>(n)); }
};

INSTANTIATE_TEST_SUITE_P(All, Targets, testing::ValuesIn(simdTargets()),
                         [](const auto& info) { return info.param; });

/// In units of the last place of the float nearest to `right`.
double ulps(float found, double right) {
  int exponent;
  std::frexp(right, &exponent);
  return std::abs(found - right) / std::ldexp(1.0, exponent - 24);
}

template <class A, class B>
double squaredError(const A& found, const B& right) {
  double sum = 0;
  for (Index i = 0; i < right.size(); ++i) {
    const double e = static_cast<double>(found.data()[i]) - right.data()[i];
    sum += e * e;
  }
  return sum;
}

/// Squared errors of ours and of plain float loops.
struct Errors {
  double ours = 0, plain = 0;
  template <class A, class B>
  void add(const A& found, const A& plainLoops, const B& right) {
    ours += squaredError(found, right);
    plain += squaredError(plainLoops, right);
  }
};

TEST_P(Targets, ForwardErrorIsNoLargerThanThatOfPlainFloatLoops) {
  EvaluatorOf<float> plain(referenceKernels<float>(), 1);
  Results loops;
  Errors allProbs, allOut;
  for (Index keys = 1; keys <= 4 * 16 + 3; ++keys) {
    // One shape alone is a lottery of roundings: thirty are summed up for each number of keys.
    Errors probs, out;
    for (int n = 0; n < 30; ++n) {
      const RandomShape s = {.heads = 1,
                             .queries = 1 + below(40),
                             .keys = keys,
                             .keyWidth = 1 + below(90),
                             .valueWidth = 1 + below(40)};
      const PreciseScene scene = randomScene(s, random());
      const PreciseResults right = evaluateReference(scene, Wanted::forwardOnly());
      const Results found = run(narrow(scene), Wanted::forwardOnly());
      plain.evaluate(narrow(scene), Wanted::forwardOnly(), loops);
      for (Errors* errors : {&probs, &allProbs}) errors->add(found.probs, loops.probs, right.probs);
      for (Errors* errors : {&out, &allOut}) errors->add(found.out, loops.out, right.out);
    }
    EXPECT_LE(probs.ours, probs.plain) << keys << " keys";
    EXPECT_LE(out.ours, out.plain) << keys << " keys";
  }
  EXPECT_LE(std::sqrt(allProbs.ours / allProbs.plain), 0.65);
  EXPECT_LE(std::sqrt(allOut.ours / allOut.plain), 0.75);
  RecordProperty("probsErrorRatio", std::to_string(std::sqrt(allProbs.ours / allProbs.plain)));
  RecordProperty("outErrorRatio", std::to_string(std::sqrt(allOut.ours / allOut.plain)));
}

/// The worst error of a weight above 1e-3, and the share of such weights that are off by more than 4 ulp.
struct UlpCount {
  double worst = 0;
  Index counted = 0, beyondFour = 0;
  void add(const Results& found, const PreciseResults& right) {
    for (Index i = 0; i < right.probs.size(); ++i) {
      if (right.probs.data()[i] < 1e-3) continue;
      const double error = ulps(found.probs.data()[i], right.probs.data()[i]);
      worst = std::max(worst, error);
      ++counted;
      beyondFour += error > 4;
    }
  }
  double share() const { return static_cast<double>(beyondFour) / static_cast<double>(counted); }
};

/// A score of size s rounds by up to s·2⁻²⁴ as a float and is read as an exponent: that alone costs a weight
/// s ulp. Scenes of up to 400,000 multiplications are therefore computed in double, and their weights
/// are right to the last bit but one at any size of the scores.
TEST_P(Targets, WeightsOfSmallScenesAreWithinOneUlp) {
  for (const double deviation : {0.4, 1.0, 3.0}) {
    UlpCount ours;
    for (int n = 0; n < 1005; ++n) {
      RandomShape s = {.queries = 1 + below(67), .keys = Index{1} + n % 67, .keyWidth = 1 + 2 * below(37)};
      s.heads = 1 + below(std::min<Index>(4, 390000 / (s.queries * s.keys * s.keyWidth)));
      PreciseScene scene = randomScene(s, random(), deviation);
      scene.scale.temperature = 0.5 + 0.1 * static_cast<double>(below(10));
      ours.add(run(narrow(scene), Wanted::forwardOnly()), evaluateReference(scene, Wanted::forwardOnly()));
    }
    EXPECT_LE(ours.worst, 1.0) << "deviation " << deviation;
    RecordProperty("worstUlp" + std::to_string(deviation), std::to_string(ours.worst));
  }
}

/// Every normaliser, cap, bias and mask goes through the same doubles.
TEST_P(Targets, WeightsOfEveryNormaliserAreWithinOneUlp) {
  for (const Kind kind : kAllKinds)
    for (int n = 0; n < 100; ++n) {
      PreciseScene scene = randomScene({.queries = 5, .keys = 1 + below(67), .keyWidth = 9}, random(), 1.5);
      scene.normaliser = {kind, 0.5};
      if (below(2)) scene.cap = 2.5;
      if (below(2)) scene.alibi = Alibi{};
      if (below(2)) scene.masks.push_back(CausalRule{Alignment::bottomRight});
      UlpCount ours;
      ours.add(run(narrow(scene), Wanted::forwardOnly()), evaluateReference(scene, Wanted::forwardOnly()));
      ASSERT_LE(ours.worst, 1.0) << "normaliser " << static_cast<int>(kind) << ", scene " << n;
    }
}

/// Larger heads are computed in float. 4 ulp hold for nearly all of their weights, and plain loops do worse.
TEST_P(Targets, WeightsOfLargeScenesAreCloserThanPlainLoops) {
  EvaluatorOf<float> plain(referenceKernels<float>(), 1);
  Results loops;
  UlpCount ours, plainLoops;
  Errors probs;
  for (int n = 0; n < 6; ++n) {
    const RandomShape s = {.heads = 1, .queries = 150, .keys = 90 + below(90), .keyWidth = 64 + below(66)};
    const PreciseScene scene = randomScene(s, random());
    const PreciseResults right = evaluateReference(scene, Wanted::forwardOnly());
    const Results found = run(narrow(scene), Wanted::forwardOnly());
    plain.evaluate(narrow(scene), Wanted::forwardOnly(), loops);
    ours.add(found, right);
    plainLoops.add(loops, right);
    probs.add(found.probs, loops.probs, right.probs);
  }
  EXPECT_LE(ours.worst, plainLoops.worst);
  EXPECT_LE(ours.share(), 0.05);
  EXPECT_LE(std::sqrt(probs.ours / probs.plain), 0.9);
  RecordProperty("worstUlp", std::to_string(ours.worst) + " of " + std::to_string(plainLoops.worst));
  RecordProperty("shareBeyond4Ulp",
                 std::to_string(ours.share()) + " of " + std::to_string(plainLoops.share()));
  RecordProperty("rmsRatio", std::to_string(std::sqrt(probs.ours / probs.plain)));
}

/// Given the same float scores, of any size, the normaliser itself is within 4 ulp, in float (600 queries) as
/// in double (3).
TEST_P(Targets, SoftmaxOfTheSameScoresIsWithinFourUlp) {
  const auto expectWithinFour = [&](Index queries, Index keys, double deviation) {
    PreciseScene scene =
        randomScene({.queries = queries, .keys = keys, .keyWidth = 1, .valueWidth = 1}, random());
    scene.source.given[0].q.values.setOnes();
    scene.source.given[0].k = noise(keys, 1, random(), deviation);
    scene.scale.rule = Scale::Rule::none;
    UlpCount ours;
    ours.add(run(narrow(scene), Wanted::forwardOnly()), evaluateReference(scene, Wanted::forwardOnly()));
    EXPECT_LE(ours.worst, 4.0) << queries << " × " << keys << ", deviation " << deviation;
  };
  for (const double deviation : {0.1, 1.0, 10.0, 100.0}) {
    for (Index keys = 1; keys < 200; ++keys) expectWithinFour(3, keys, deviation);
    for (const Index keys : {850, 901}) expectWithinFour(600, keys, deviation);
  }
}

/// Makes Q, K and V projections, of one sequence or of two, and adds W_O.
void project(PreciseScene& scene, const RandomShape& s, std::mt19937& random) {
  SourceOf<double>& source = scene.source;
  source.kind = SourceOf<double>::Kind::projected;
  source.x = noise(s.queries, 7, random());
  source.other = noise(s.keys, 6, random());
  for (Index h = 0; h < s.heads; ++h)
    source.projected.push_back({noise(7, s.keyWidth, random(), 0.5), noise(6, s.keyWidth, random(), 0.5),
                                noise(6, s.valueWidth, random(), 0.5)});
  source.wo = noise(s.heads * s.valueWidth, s.heads * s.valueWidth, random(), 0.3);
}

PreciseScene variedScene(std::mt19937& random, Kind kind) {
  const auto below = [&](Index n) { return static_cast<Index>(random() % static_cast<std::uint32_t>(n)); };
  const RandomShape s = {.heads = 1 + below(3),
                         .queries = 1 + below(40),
                         .keys = 1 + below(70),
                         .keyWidth = 1 + below(20),
                         .valueWidth = 1 + below(40)};
  PreciseScene scene = randomScene(s, random());
  if (below(2)) project(scene, s, random);
  scene.normaliser = {kind, 0.5};
  scene.scale.temperature = 0.5 + 0.1 * static_cast<double>(below(10));
  if (below(2)) scene.scale.qkNormGain = 3;
  if (below(2)) scene.cap = 2.5;
  if (below(2)) scene.alibi = Alibi{};
  if (below(2)) scene.bias = {noise(s.queries, s.keys, random(), 0.5)};
  if (below(2)) scene.masks.push_back(CausalRule{below(2) ? Alignment::topLeft : Alignment::bottomRight});
  if (below(2)) scene.masks.push_back(WindowRule{1 + below(s.keys)});
  if (below(2)) scene.masks.push_back(PaddingLengthRule{below(s.keys + 1)});
  if (below(2)) {
    Bytes cells(s.queries, s.keys);
    for (Index i = 0; i < cells.size(); ++i) cells.data()[i] = below(4) != 0;
    scene.masks.push_back(PaintedRule{{cells}});
  }
  scene.upstream.kind = UpstreamOf<double>::Kind::given;
  scene.upstream.matrix = noise(s.queries, s.heads * s.valueWidth, random()).values;
  return scene;
}

template <class A, class B>
void expectNear(const A& found, const B& right, double tolerance, const char* name) {
  ASSERT_EQ(found.size(), right.size()) << name;
  double largest = 0;
  for (Index i = 0; i < right.size(); ++i)
    if (std::isfinite(right.data()[i]))
      largest = std::max(largest, std::abs(static_cast<double>(right.data()[i])));
  for (Index i = 0; i < right.size(); ++i) {
    if (std::isfinite(right.data()[i]))
      ASSERT_NEAR(found.data()[i], right.data()[i], tolerance * (largest + 1)) << name << " " << i;
    else
      ASSERT_EQ(static_cast<double>(found.data()[i]), right.data()[i]) << name << " " << i;
  }
}

TEST_P(Targets, EveryStageAgreesWithTheReference) {
  for (const Kind kind : kAllKinds)
    for (int n = 0; n < 200; ++n) {
      const PreciseScene scene = variedScene(random, kind);
      const PreciseResults right = evaluateReference(scene, Wanted::everything());
      const Results found = run(narrow(scene));
      SCOPED_TRACE("normaliser " + std::to_string(static_cast<int>(kind)) + ", scene " + std::to_string(n));
      expectNear(found.rawScores, right.rawScores, 5e-6, "rawScores");
      expectNear(found.scaledScores, right.scaledScores, 5e-6, "scaledScores");
      expectNear(found.cappedScores, right.cappedScores, 5e-6, "cappedScores");
      expectNear(found.scores, right.scores, 5e-6, "scores");
      expectNear(found.probs, right.probs, 1e-5, "probs");
      expectNear(found.out, right.out, 1e-5, "out");
      expectNear(found.d.probs, right.d.probs, 5e-6, "dProbs");
      // Sparsemax moves in steps: a key at the threshold may be in for one and out for the other.
      if (kind != Kind::sparsemax && kind != Kind::entmax15) {
        expectNear(found.d.scores, right.d.scores, 1e-5, "dScores");
        expectNear(found.d.scaledScores, right.d.scaledScores, 1e-5, "dScaledScores");
        expectNear(found.d.rawScores, right.d.rawScores, 1e-4, "dRawScores");  // short vectors under QK-norm
        expectNear(found.d.q, right.d.q, 1e-4, "dQ");
        expectNear(found.d.k, right.d.k, 1e-4, "dK");
        expectNear(found.measures.jacobianNorm, right.measures.jacobianNorm, 1e-5, "jacobianNorm");
        expectNear(found.measures.jacobianEigenvalue, right.measures.jacobianEigenvalue, 1e-5, "eigenvalue");
      }
      expectNear(found.d.v, right.d.v, 1e-5, "dV");
      if (kind != Kind::sparsemax && kind != Kind::entmax15) {
        expectNear(found.d.x, right.d.x, 1e-4, "dX");
        expectNear(found.d.other, right.d.other, 1e-4, "dX_kv");
        expectNear(found.d.wq, right.d.wq, 1e-4, "dW_Q");
        expectNear(found.d.wk, right.d.wk, 1e-4, "dW_K");
      }
      expectNear(found.d.wv, right.d.wv, 2e-5, "dW_V");
      expectNear(found.d.wo, right.d.wo, 2e-5, "dW_O");
      expectNear(found.measures.largestWeight, right.measures.largestWeight, 1e-5, "largestWeight");
      expectNear(found.measures.entropy, right.measures.entropy, 2e-5, "entropy");
      expectNear(found.measures.effectiveKeys, right.measures.effectiveKeys, 3e-5, "effectiveKeys");
      if (HasFatalFailure()) return;
    }
}

/// Where no key sits at the threshold, the sparse normalisers' gradients agree too.
TEST_P(Targets, SparseGradientsAgreeAwayFromTheThreshold) {
  for (const Kind kind : {Kind::sparsemax, Kind::entmax15})
    for (int n = 0; n < 200; ++n) {
      PreciseScene scene = variedScene(random, kind);
      const PreciseResults right = evaluateReference(scene, Wanted::everything());
      double nearest = 1;
      for (Index i = 0; i < right.probs.size(); ++i)
        if (right.probs.data()[i] > 0) nearest = std::min(nearest, right.probs.data()[i]);
      const Results found = run(narrow(scene));
      for (Index i = 0; i < right.probs.size(); ++i)
        if ((right.probs.data()[i] > 0) != (found.probs.data()[i] > 0)) nearest = 0;
      if (nearest < 1e-3) continue;
      expectNear(found.d.scores, right.d.scores, 1e-4, "dScores");
      expectNear(found.d.q, right.d.q, 1e-4, "dQ");
      expectNear(found.d.k, right.d.k, 1e-4, "dK");
      if (HasFatalFailure()) return;
    }
}

TEST_P(Targets, RowsSumToOneUpTo65536Keys) {
  for (const Index keys : {1, 2, 3, 7, 64, 1000, 4099, 50000, 65535, 65536}) {
    for (const double deviation : {0.0, 0.01, 1.0, 8.0}) {
      PreciseScene scene =
          randomScene({.queries = 2, .keys = keys, .keyWidth = 3, .valueWidth = 1}, random());
      scene.source.given[0].k = noise(keys, 3, random(), deviation);
      const Results found = run(narrow(scene), Wanted::forwardOnly());
      for (Index i = 0; i < 2; ++i) {
        double sum = 0;
        for (Index j = 0; j < keys; ++j) sum += found.probs.at(0, i, j);
        EXPECT_LE(std::abs(sum - 1), 2 * std::ldexp(1.0, -24)) << keys << " keys, deviation " << deviation;
      }
    }
  }
}

template <class A>
bool sameBits(const A& a, const A& b) {
  if (a.size() == 0 || b.size() == 0) return a.size() == b.size();
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(*a.data())) == 0;
}

/// Large enough to be computed in float, with parts and edges, whether maps are looked at or not.
TEST_P(Targets, LargeHeadsAgreeWithTheReference) {
  for (const Kind kind : {Kind::softmax, Kind::sink, Kind::sigmoid})
    for (const Wanted& wanted : {Wanted{}, Wanted::everything()}) {
      PreciseScene scene =
          randomScene({.heads = 2, .queries = 405, .keys = 131, .keyWidth = 37, .valueWidth = 21}, 5);
      scene.normaliser = {kind, 0.5};
      scene.masks = {CausalRule{Alignment::bottomRight}, WindowRule{90}};
      const PreciseResults right = evaluateReference(scene, wanted);
      const Results found = run(narrow(scene), wanted, 2);
      SCOPED_TRACE("normaliser " + std::to_string(static_cast<int>(kind)));
      expectNear(found.probs, right.probs, 1e-5, "probs");
      expectNear(found.out, right.out, 1e-5, "out");
      expectNear(found.d.q, right.d.q, 1e-4, "dQ");
      expectNear(found.d.k, right.d.k, 1e-4, "dK");
      expectNear(found.d.v, right.d.v, 1e-4, "dV");
      expectNear(found.measures.largestWeight, right.measures.largestWeight, 1e-5, "largestWeight");
      expectNear(found.measures.entropy, right.measures.entropy, 2e-5, "entropy");
      expectNear(found.measures.effectiveKeys, right.measures.effectiveKeys, 3e-5, "effectiveKeys");
      expectNear(found.measures.jacobianNorm, right.measures.jacobianNorm, 1e-5, "jacobianNorm");
      if (HasFatalFailure()) return;
    }
}

/// Heads that threads share evenly, and heads that they do not.
TEST_P(Targets, TwoRunsAndTwoThreadsGiveTheSameBits) {
  for (const Kind kind : kAllKinds) {
    const Index heads = kind == Kind::softmax ? 4 : 3;
    PreciseScene scene =
        randomScene({.heads = heads, .queries = 430, .keys = 171, .keyWidth = 33, .valueWidth = 17}, 5);
    scene.normaliser.kind = kind;
    scene.masks = {CausalRule{Alignment::bottomRight}};
    const Results once = run(narrow(scene)), twice = run(narrow(scene)),
                  threaded = run(narrow(scene), Wanted::everything(), 2);
    for (const Results* other : {&twice, &threaded}) {
      EXPECT_TRUE(sameBits(once.probs, other->probs));
      EXPECT_TRUE(sameBits(once.out, other->out));
      EXPECT_TRUE(sameBits(once.d.q, other->d.q));
      EXPECT_TRUE(sameBits(once.d.k, other->d.k));
      EXPECT_TRUE(sameBits(once.d.v, other->d.v));
      EXPECT_TRUE(sameBits(once.measures.entropy, other->measures.entropy));
    }
  }
}

TEST_P(Targets, UnwantedMapsAreNotMadeAndChangeNothing) {
  PreciseScene scene = randomScene({.heads = 2, .queries = 9, .keys = 21, .keyWidth = 5, .valueWidth = 4}, 8);
  scene.cap = 3;
  scene.masks = {CausalRule{}};
  const Results all = run(narrow(scene)), few = run(narrow(scene), Wanted{}),
                forward = run(narrow(scene), Wanted::forwardOnly());
  EXPECT_TRUE(few.rawScores.empty() && few.scaledScores.empty() && few.scores.empty());
  EXPECT_TRUE(few.d.probs.empty() && few.d.scores.empty() && few.d.rawScores.empty());
  EXPECT_TRUE(forward.d.q.empty() && forward.d.out.size() == 0);
  EXPECT_TRUE(sameBits(all.probs, few.probs) && sameBits(all.out, forward.out));
  const Results output = run(narrow(scene), Wanted::outputOnly());
  EXPECT_TRUE(output.probs.empty() && sameBits(all.out, output.out));
  EXPECT_TRUE(sameBits(all.measures.entropy, output.measures.entropy));
  EXPECT_TRUE(sameBits(all.d.q, few.d.q) && sameBits(all.d.k, few.d.k) && sameBits(all.d.v, few.d.v));
}

/// What a mask hides is not written again while the mask stays: whatever came before, no weight of it is
/// left.
TEST_P(Targets, ResultsThatAreUsedAgainHoldNothingOfTheSceneBefore) {
  const RandomShape shape = {.heads = 2, .queries = 45, .keys = 70, .keyWidth = 5, .valueWidth = 4};
  const RandomShape oneHead = {.heads = 1, .queries = 45, .keys = 70, .keyWidth = 5, .valueWidth = 4};
  PreciseScene poisoned = randomScene(shape, 3);
  poisoned.source.given[0].k.values(7, 2) = std::numeric_limits<double>::quiet_NaN();
  const std::vector<MaskRule> causal = {CausalRule{}}, last = {CausalRule{Alignment::bottomRight}},
                              window = {WindowRule{9}}, none = {};
  struct Step {
    const PreciseScene scene;
    const std::vector<MaskRule>& masks;
    Wanted wanted = {};
  };
  const Step steps[] = {
      {randomScene(shape, 1), none},   {randomScene(shape, 1), causal},
      {randomScene(shape, 2), causal}, {poisoned, causal},
      {randomScene(shape, 2), causal}, {randomScene(shape, 2), window},
      {randomScene(shape, 2), none},   {randomScene(shape, 3), window},
      {randomScene(shape, 3), none},   {randomScene(oneHead, 3), causal},
      {randomScene(shape, 4), causal}, {randomScene(shape, 4), window, Wanted::outputOnly()},
      {randomScene(shape, 5), window}, {randomScene(shape, 5), last, Wanted::everything()},
      {randomScene(shape, 6), last}};
  Evaluator evaluator(kernelsNamed(GetParam()), 1);
  Results again;
  for (const Step& step : steps) {
    PreciseScene scene = step.scene;
    scene.masks = step.masks;
    evaluator.evaluate(narrow(scene), step.wanted, again);
    const Results fresh = run(narrow(scene), step.wanted);
    const auto at = &step - steps;
    ASSERT_TRUE(sameBits(fresh.probs, again.probs)) << "step " << at;
    ASSERT_TRUE(sameBits(fresh.d.k, again.d.k)) << "step " << at;
  }
}

// --- properties ---

TEST_P(Targets, ShiftingARowsScoresChangesNothing) {
  PreciseScene scene = randomScene({.queries = 5, .keys = 19}, 9);
  const Results before = run(narrow(scene));
  scene.bias = {input(MatrixOf<double>::Constant(5, 19, 2.0))};
  const Results after = run(narrow(scene));
  expectNear(after.probs, before.probs, 1e-6, "probs");
  expectNear(after.d.q, before.d.q, 1e-6, "dQ");
}

TEST_P(Targets, PermutingKeysPermutesWeights) {
  const PreciseScene scene = randomScene({.queries = 7, .keys = 23, .keyWidth = 4, .valueWidth = 6}, 10);
  PreciseScene turned = scene;
  auto& head = turned.source.given[0];
  head.k.values = scene.source.given[0].k.values.colwise().reverse();
  head.v.values = scene.source.given[0].v.values.colwise().reverse();
  const Results a = run(narrow(scene)), b = run(narrow(turned));
  const Matrix turnedBack = b.probs[0].rowwise().reverse();
  expectNear(turnedBack, Matrix(a.probs[0]), 1e-7, "probs");
  expectNear(b.out, a.out, 1e-6, "out");
}

TEST_P(Targets, HotterIsFlatter) {
  PreciseScene scene = randomScene({.queries = 6, .keys = 31}, 12);
  std::vector<float> last(6, -1.0f);
  for (const double temperature : {0.1, 0.5, 1.0, 3.0, 100.0}) {
    scene.scale.temperature = temperature;
    const Results found = run(narrow(scene));
    for (Index i = 0; i < 6; ++i) {
      EXPECT_GT(found.measures.entropy.at(0, i, 0), last[static_cast<std::size_t>(i)]);
      last[static_cast<std::size_t>(i)] = found.measures.entropy.at(0, i, 0);
    }
  }
  for (const float entropy : last) EXPECT_NEAR(entropy, std::log(31.0), 1e-3);
}

/// Softmax does not see a shift of its scores, so a row of dScores sums to 0.
TEST_P(Targets, GradientRowsOfSoftmaxSumToZero) {
  const Results found = run(narrow(randomScene({.heads = 2, .queries = 14, .keys = 50, .keyWidth = 8}, 13)));
  for (Index h = 0; h < 2; ++h)
    for (Index i = 0; i < 14; ++i) EXPECT_NEAR(found.d.scores[h].row(i).sum(), 0, 1e-6);
}

TEST_P(Targets, CausalMaskEqualsAttentionOverThePrefix) {
  const PreciseScene scene = randomScene({.queries = 40, .keys = 40, .keyWidth = 5, .valueWidth = 3}, 14);
  PreciseScene causal = scene;
  causal.masks = {CausalRule{}};
  const Results whole = run(narrow(causal));
  for (const Index length : {1, 2, 17, 33, 40}) {
    PreciseScene prefix = scene;
    auto& head = prefix.source.given[0];
    head.q.values = MatrixOf<double>(scene.source.given[0].q.values.topRows(length));
    head.k.values = MatrixOf<double>(scene.source.given[0].k.values.topRows(length));
    head.v.values = MatrixOf<double>(scene.source.given[0].v.values.topRows(length));
    const Results part = run(narrow(prefix));
    const Matrix lastRow = part.out.row(length - 1), same = whole.out.row(length - 1);
    expectNear(lastRow, same, 1e-6, "out");
  }
}

TEST_P(Targets, FiniteTestSeesEveryPlace) {
  const Kernels& kernels = kernelsNamed(GetParam());
  for (Index n = 0; n < 70; ++n) {
    std::vector<float> x(static_cast<std::size_t>(n), 1.0f);
    EXPECT_TRUE(kernels.allFinite(x.data(), n));
    for (Index i = 0; i < n; ++i)
      for (const float bad : {INFINITY, -INFINITY, NAN}) {
        x[static_cast<std::size_t>(i)] = bad;
        ASSERT_FALSE(kernels.allFinite(x.data(), n)) << n << ", " << i;
        x[static_cast<std::size_t>(i)] = 1;
      }
  }
}

/// Every start, every length, and across the place where a position needs its 33rd bit.
TEST_P(Targets, NormalsAreThoseOfTheGeneratorToTheBit) {
  const Kernels& kernels = kernelsNamed(GetParam());
  const std::uint64_t carry = (std::uint64_t{1} << 34) - 300;  // 16 positions make 64
  for (const std::uint64_t first :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{6}, std::uint64_t{1001}, carry}) {
    const Random source(0x123456789abcdef0u);
    std::vector<float> drawn(1500);
    kernels.normals(0x123456789abcdef0u, first, drawn.data(), 1500);
    for (std::size_t i = 0; i < drawn.size(); ++i)
      ASSERT_EQ(drawn[i], source.normal(first + i)) << first << " + " << i;
  }
}

TEST(Kernels, AnUnknownTargetIsNamed) {
  try {
    kernelsNamed("AVX9000");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("target 'AVX9000': expected one of "), std::string::npos);
    EXPECT_NE(std::string(error.what()).find(simdTargets().front()), std::string::npos);
  }
}

}  // namespace
}  // namespace attn
