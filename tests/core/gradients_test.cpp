// Every gradient against central differences of the loss, in double.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "core/evaluate.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

using Kind = Normaliser::Kind;

double lossOf(const PreciseScene& scene) {
  const auto results = evaluateReference(scene);
  return results.loss;
}

/// Moves one number of the scene both ways. The step balances rounding against the third derivative.
double slope(PreciseScene& scene, double& number) {
  const double kept = number, step = 1e-5;
  const auto at = [&](double offset) {
    number = kept + offset;
    return lossOf(scene);
  };
  // Five points: the error is of fourth order in the step.
  const double d = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
  number = kept;
  return d;
}

void expectGradient(PreciseScene& scene, MatrixOf<double>& input, ConstMatrixView<double> gradient,
                    const char* name) {
  ASSERT_EQ(input.size(), gradient.size()) << name;
  for (Index i = 0; i < input.size(); ++i) {
    const double expected = slope(scene, input.data()[i]);
    EXPECT_NEAR(gradient.data()[i], expected, 1e-8 + 1e-6 * std::abs(expected)) << name << " cell " << i;
  }
}

ConstMatrixView<double> view(const MatrixOf<double>& m) {
  return {m.data(), m.rows(), m.cols()};
}

void expectAllGradients(PreciseScene scene) {
  const PreciseResults results = evaluateReference(scene, Wanted::everything());
  SourceOf<double>& source = scene.source;
  const auto head = [](Index h) { return static_cast<std::size_t>(h); };
  const auto& d = results.d;
  for (Index h = 0; h < results.shapes.heads; ++h) {
    if (source.kind == SourceOf<double>::Kind::given) {
      expectGradient(scene, source.given[head(h)].q.values, d.q[h], "q");
      expectGradient(scene, source.given[head(h)].k.values, d.k[h], "k");
      expectGradient(scene, source.given[head(h)].v.values, d.v[h], "v");
    } else {
      expectGradient(scene, source.projected[head(h)].wq.values, d.wq[h], "w_q");
      expectGradient(scene, source.projected[head(h)].wk.values, d.wk[h], "w_k");
      expectGradient(scene, source.projected[head(h)].wv.values, d.wv[h], "w_v");
    }
    // A bias is added to the scores, so its gradient is theirs.
    if (scene.bias.size() == head(results.shapes.heads))
      expectGradient(scene, scene.bias[head(h)].values, d.scores[h], "scores");
  }
  if (source.kind == SourceOf<double>::Kind::projected)
    expectGradient(scene, source.x.values, view(d.x), "x");
  if (source.other) expectGradient(scene, source.other->values, view(d.other), "x_kv");
  if (source.wo) expectGradient(scene, source.wo->values, view(d.wo), "w_o");
}

/// Biases of every head, so that dScores can be checked.
void addBias(PreciseScene& scene, std::uint64_t seed) {
  const Shapes s = shapesOf(scene);
  for (Index h = 0; h < s.heads; ++h)
    scene.bias.push_back(noise(s.queries, s.keys, seed + 100 + static_cast<std::uint64_t>(h), 0.3));
}

class Normalisers : public testing::TestWithParam<Kind> {};

TEST_P(Normalisers, GivenHeads) {
  PreciseScene scene = randomScene({.heads = 2, .queries = 3, .keys = 5, .keyWidth = 4, .valueWidth = 2}, 11);
  scene.normaliser = {GetParam(), 0.4};
  scene.upstream.kind = UpstreamOf<double>::Kind::target;
  scene.upstream.matrix = noise(3, 4, 99).values;
  addBias(scene, 5);
  expectAllGradients(scene);
}

TEST_P(Normalisers, EverythingOn) {
  PreciseScene scene = projectedScene(2, 4, 6, true, 21);
  scene.normaliser = {GetParam(), -0.3};
  scene.scale = {.rule = Scale::Rule::none, .temperature = 0.7, .qkNormGain = 2.5};
  scene.cap = 1.5;
  scene.alibi = Alibi{};
  scene.masks = {CausalRule{Alignment::bottomRight}, PaddingLengthRule{5}};
  scene.upstream.kind = UpstreamOf<double>::Kind::given;
  scene.upstream.matrix = noise(4, 6, 77).values;
  addBias(scene, 6);
  expectAllGradients(scene);
}

TEST_P(Normalisers, SelfAttentionWithAnEmptyRow) {
  PreciseScene scene = projectedScene(2, 4, 4, false, 31);
  scene.normaliser = {GetParam(), 0};
  Bytes painted = Bytes::Ones(4, 4);
  painted.row(1).setZero();
  painted(2, 3) = 0;
  scene.masks = {PaintedRule{{painted}}};
  scene.upstream.kind = UpstreamOf<double>::Kind::cell;
  scene.upstream.row = 2, scene.upstream.col = 1;
  expectAllGradients(scene);
}

INSTANTIATE_TEST_SUITE_P(All, Normalisers,
                         testing::Values(Kind::softmax, Kind::sink, Kind::sparsemax, Kind::entmax15,
                                         Kind::sigmoid));

TEST(Gradients, EveryScaleRuleAndMask) {
  for (const auto rule :
       {Scale::Rule::none, Scale::Rule::sqrtKeyWidth, Scale::Rule::keyWidth, Scale::Rule::number}) {
    PreciseScene scene = randomScene({.heads = 1, .queries = 4, .keys = 4}, 41);
    scene.scale = {.rule = rule, .number = 2.5, .temperature = 1.5};
    scene.masks = {WindowRule{2}, DocumentsRule{{0, 0, 1, 1}, {0, 0, 1, 1}}, PrefixRule{1},
                   PaddingFlagsRule{{false, false, true, false}}};
    addBias(scene, 7);
    expectAllGradients(scene);
  }
}

/// dP, dScaled and dRaw have no number of the scene to move: they follow from dScores by the chain.
TEST(Gradients, StagesFollowTheChain) {
  PreciseScene scene = randomScene({.heads = 2, .queries = 3, .keys = 4, .keyWidth = 4, .valueWidth = 3}, 51);
  scene.cap = 2.0;
  const auto r = evaluateReference(scene, Wanted::everything());
  for (Index h = 0; h < 2; ++h) {
    const MatrixOf<double> dP =
        r.d.headOut[h] * scene.source.given[static_cast<std::size_t>(h)].v.values.transpose();
    EXPECT_LE((dP - r.d.probs[h]).cwiseAbs().maxCoeff(), 1e-14);
    const MatrixOf<double> t = (r.scaledScores[h] / 2.0).array().tanh();
    const MatrixOf<double> dScaled = r.d.scores[h].array() * (1 - t.array().square());
    EXPECT_LE((dScaled - r.d.scaledScores[h]).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LE((dScaled / 2.0 - r.d.rawScores[h]).cwiseAbs().maxCoeff(), 1e-14);  // √4 = 2
  }
}

TEST(Gradients, NormsAreThoseOfTheMatrices) {
  const auto r = evaluateReference(projectedScene(2, 3, 3, false, 61), Wanted::everything());
  EXPECT_NEAR(r.norms.wo.all, r.d.wo.norm(), 1e-12);
  EXPECT_NEAR(r.norms.x.all, r.d.x.norm(), 1e-12);
  for (Index h = 0; h < 2; ++h) {
    EXPECT_NEAR(r.norms.q.ofHead[static_cast<std::size_t>(h)], r.d.q[h].norm(), 1e-12);
    for (Index i = 0; i < 3; ++i)
      EXPECT_NEAR(r.norms.v.ofRow[static_cast<std::size_t>(h * 3 + i)], r.d.v[h].row(i).norm(), 1e-12);
  }
  EXPECT_NEAR(r.norms.q.all, std::hypot(r.d.q[0].norm(), r.d.q[1].norm()), 1e-12);
}

}  // namespace
}  // namespace attn
