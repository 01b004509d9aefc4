// Every cell of every stage of small scenes: the steps hold, and end at the number that was computed.
#include "core/explain/explain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "core/error.h"
#include "core/evaluate.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool near(double found, double expected, double relative, double absolute) {
  if (std::isnan(expected)) return std::isnan(found);
  if (std::isinf(expected)) return found == expected;
  return std::abs(found - expected) <= absolute + relative * std::abs(expected);
}

template <class T>
double mapped(const SceneOf<T>& scene, const ResultsOf<T>& r, const Cell& c) {
  const auto in = [&](const StackOf<T>& stack) {
    return static_cast<double>(stack.at(c.head, c.row, c.col));
  };
  const auto of = [&](const MatrixOf<T>& matrix) { return static_cast<double>(matrix(c.row, c.col)); };
  switch (c.stage) {
    case Stage::q:
      return static_cast<double>(queriesOf(scene, r, c.head)(c.row, c.col));
    case Stage::k:
      return static_cast<double>(keysOf(scene, r, c.head)(c.row, c.col));
    case Stage::v:
      return static_cast<double>(valuesOf(scene, r, c.head)(c.row, c.col));
    case Stage::unitQ:
      return in(r.unitQ);
    case Stage::unitK:
      return in(r.unitK);
    case Stage::rawScores:
      return in(r.rawScores);
    case Stage::scaledScores:
      return in(r.scaledScores);
    case Stage::cappedScores:
      return in(r.cappedScores);
    case Stage::scores:
      return in(r.scores);
    case Stage::probs:
      return in(r.probs);
    case Stage::headOut:
      return in(r.headOut);
    case Stage::out:
      return of(r.out);
    case Stage::dOut:
      return of(r.d.out);
    case Stage::dHeadOut:
      return in(r.d.headOut);
    case Stage::dProbs:
      return in(r.d.probs);
    case Stage::dScores:
      return in(r.d.scores);
    case Stage::dScaledScores:
      return in(r.d.scaledScores);
    case Stage::dRawScores:
      return in(r.d.rawScores);
    case Stage::dQ:
      return in(r.d.q);
    case Stage::dK:
      return in(r.d.k);
    case Stage::dV:
      return in(r.d.v);
    case Stage::dX:
      return of(r.d.x);
    case Stage::dOther:
      return of(r.d.other);
    case Stage::dWq:
      return in(r.d.wq);
    case Stage::dWk:
      return in(r.d.wk);
    case Stage::dWv:
      return in(r.d.wv);
    case Stage::dWo:
      return of(r.d.wo);
  }
  return 0;
}

void forEachCell(const PreciseScene& scene, const std::function<void(const Cell&)>& visit) {
  for (int n = 0; n < kStageCount; ++n) {
    const auto stage = static_cast<Stage>(n);
    const StageShape shape = stageShape(scene, stage);
    for (Index h = 0; h < shape.heads; ++h)
      for (Index i = 0; i < shape.rows; ++i)
        for (Index j = 0; j < shape.cols; ++j) visit({stage, h, i, j});
  }
}

/// Each step holds, and a name stands for one number throughout.
void expectSound(const Derivation& derivation) {
  std::map<std::string, double> numbers;
  std::set<std::string> made;
  const auto expectOneNumber = [&](const Operand& operand) {
    const double first = numbers.emplace(operand.name, operand.value).first->second;
    EXPECT_TRUE(near(operand.value, first, 0, 0))
        << operand.name << ": " << operand.value << " and " << first;
  };
  ASSERT_FALSE(derivation.steps.empty());
  for (const Step& step : derivation.steps) {
    for (const Operand& operand : step.operands) expectOneNumber(operand);
    EXPECT_TRUE(near(apply(step), step.result.value, 1e-12, 0)) << toText(step);
    expectOneNumber(step.result);
    EXPECT_TRUE(made.insert(step.result.name).second) << step.result.name << " is made twice";
  }
  const Operand& last = derivation.steps.back().result;
  EXPECT_TRUE(near(last.value, derivation.value, 0, 0));
  EXPECT_EQ(last.stage, derivation.cell.stage);
  EXPECT_EQ(last.row, derivation.cell.row);
  EXPECT_EQ(last.col, derivation.cell.col);
}

/// An operand that is a cell of another stage has the number that the stage has there.
template <class T>
void expectOperandsMapped(const SceneOf<T>& scene, const ResultsOf<T>& results, const Derivation& derivation,
                          double relative, double absolute) {
  for (const Step& step : derivation.steps)
    for (const Operand& operand : step.operands) {
      if (!operand.stage) continue;
      const Cell cell{*operand.stage, operand.head.value_or(0), *operand.row, *operand.col};
      EXPECT_TRUE(near(operand.value, mapped(scene, results, cell), relative, absolute)) << operand.name;
    }
}

template <class T>
void expectExplained(const SceneOf<T>& scene, const ResultsOf<T>& complete, const ResultsOf<T>& lean,
                     const Cell& cell, double relative, double absolute) {
  const double expected = mapped(scene, complete, cell);
  for (const ResultsOf<T>* results : {&complete, &lean}) {
    const Derivation derivation = explain(scene, *results, cell);
    expectSound(derivation);
    expectOperandsMapped(scene, complete, derivation, relative, absolute);
    EXPECT_TRUE(near(derivation.value, expected, relative, absolute))
        << stageName(cell.stage) << " " << cell.head << " " << shapeText(cell.row, cell.col) << ": expected "
        << expected << "\n"
        << toText(derivation);
  }
}

/// The chain ends at the cell, and each of its derivations ends at what the stage has there.
void expectChained(const PreciseScene& scene, const PreciseResults& complete, const Cell& cell) {
  const std::vector<Derivation> chain = explainChain(scene, complete, cell);
  for (const Derivation& derivation : chain) {
    expectSound(derivation);
    const double expected = mapped(scene, complete, derivation.cell);
    EXPECT_TRUE(near(derivation.value, expected, 1e-9, 1e-9))
        << stageName(derivation.cell.stage) << ": expected " << expected << "\n"
        << toText(derivation);
  }
  EXPECT_EQ(chain.back().cell.stage, cell.stage);
}

void walk(const PreciseScene& scene) {
  const PreciseResults complete = evaluateReference(scene, Wanted::everything()),
                       lean = evaluateReference(scene);
  const Scene narrowed = narrow(scene);
  const Results fast = evaluate(narrowed, Wanted::everything()), fastLean = evaluate(narrowed);
  int cells = 0;
  forEachCell(scene, [&](const Cell& cell) {
    if (testing::Test::HasFailure()) return;  // one cell tells enough
    expectExplained(scene, complete, lean, cell, 1e-9, 1e-9);
    expectExplained(narrowed, fast, fastLean, cell, 2e-5, 2e-5);
    expectChained(scene, complete, cell);
    ++cells;
  });
  EXPECT_GT(cells, 50);
}

PaintedRule painted(std::initializer_list<std::initializer_list<double>> rows) {
  return {{matrix(rows).cast<std::uint8_t>()}};
}

TEST(Explain, GivenOneHead) {
  walk(randomScene({1, 3, 4, 2, 3}, 11));
}

TEST(Explain, EveryDivisor) {
  PreciseScene scene = randomScene({2, 3, 4, 3, 2}, 21);
  scene.scale = {.rule = Scale::Rule::none};
  walk(scene);
  scene.scale.temperature = 0.5;
  walk(scene);
  scene.scale = {.rule = Scale::Rule::keyWidth, .temperature = 1.5};
  walk(scene);
  scene.scale = {.rule = Scale::Rule::number, .number = 2.5};
  walk(scene);
}

TEST(Explain, SelfAttentionWithTwoHeadsAndTarget) {
  PreciseScene scene = projectedScene(2, 4, 4, false, 31);
  scene.masks = {CausalRule{}};
  scene.upstream.kind = UpstreamOf<double>::Kind::target;
  scene.upstream.matrix = noise(4, 6, 77).values;
  walk(scene);
}

TEST(Explain, CrossAttentionWithGivenUpstream) {
  PreciseScene scene = projectedScene(2, 3, 5, true, 41);
  scene.masks = {PaddingLengthRule{4}};
  scene.upstream.kind = UpstreamOf<double>::Kind::given;
  scene.upstream.matrix = noise(3, 6, 78).values;
  walk(scene);
}

TEST(Explain, ProjectedWithoutOutputProjection) {
  PreciseScene scene = projectedScene(1, 3, 3, false, 45);
  scene.source.wo.reset();
  scene.upstream = {.kind = UpstreamOf<double>::Kind::cell, .row = 1, .col = 1, .matrix = {}};
  walk(scene);
}

TEST(Explain, QkNormWithGainTemperatureAndZeroVector) {
  PreciseScene scene = projectedScene(2, 3, 4, true, 51);
  scene.scale.qkNormGain = 7;
  scene.scale.temperature = 0.8;
  walk(scene);
  PreciseScene plain = randomScene({1, 3, 4, 3, 2}, 52);
  plain.scale = {.rule = Scale::Rule::none, .qkNormGain = -4};
  plain.source.given[0].q.values.row(1).setZero();
  plain.source.given[0].k.values.row(2).setZero();
  plain.masks = {CausalRule{Alignment::bottomRight}};
  walk(plain);
}

TEST(Explain, CapAlibiAndBiasThatHides) {
  PreciseScene scene = randomScene({2, 4, 5, 3, 2}, 61, 2);
  scene.cap = 1.5;
  scene.alibi = Alibi{};
  scene.bias = {noise(4, 5, 62), noise(4, 5, 63)};
  scene.bias[0].values(1, 2) = scene.bias[1].values(3, 0) = -kInfinity;
  walk(scene);
  scene.alibi->slopes = {0.25, 1};
  scene.bias.resize(1);
  walk(scene);
}

TEST(Explain, BottomRightCausalWithMoreQueriesThanKeys) {
  PreciseScene scene = randomScene({1, 5, 3, 2, 2}, 71);
  scene.masks = {CausalRule{Alignment::bottomRight}, WindowRule{4}};
  walk(scene);
}

TEST(Explain, EveryNormaliserWithAFullyMaskedRow) {
  using Kind = Normaliser::Kind;
  for (const Kind kind : {Kind::softmax, Kind::sink, Kind::sparsemax, Kind::entmax15, Kind::sigmoid}) {
    SCOPED_TRACE(static_cast<int>(kind));
    PreciseScene scene = projectedScene(2, 4, 4, false, 81);
    scene.masks = {painted({{1, 1, 0, 1}, {0, 0, 0, 0}, {1, 1, 1, 1}, {0, 0, 1, 0}})};
    scene.normaliser = {.kind = kind, .logit = 0.3};
    walk(scene);
    scene.cap = 3;
    scene.scale.qkNormGain = 5;
    walk(scene);
  }
}

TEST(Explain, NanBehindAMaskStaysThere) {
  PreciseScene scene = projectedScene(1, 3, 4, true, 91);
  scene.source.other->values.row(3).setConstant(std::nan(""));
  scene.masks = {PaddingLengthRule{3}};
  walk(scene);
}

TEST(Explain, NanAmongTheScoresReachesTheWeights) {
  for (const auto kind :
       {Normaliser::Kind::softmax, Normaliser::Kind::sparsemax, Normaliser::Kind::entmax15}) {
    PreciseScene scene = randomScene({1, 3, 4, 2, 2}, 95);
    scene.normaliser.kind = kind;
    scene.source.given[0].q.values(1, 0) = kInfinity;
    walk(scene);
  }
}

TEST(Explain, HiddenCellsNameWhatHidesThem) {
  PreciseScene scene = randomScene({1, 3, 3, 2, 2}, 12);
  scene.masks = {WindowRule{3}, CausalRule{}};
  scene.bias = {input(matrix({{0, 0, 0}, {-kInfinity, 0, 0}, {0, 0, 0}}))};
  const PreciseResults results = evaluateReference(scene);
  const Step byRule = explain(scene, results, {Stage::scores, 0, 0, 1}).steps.front();
  EXPECT_EQ(byRule.operation, Operation::masked);
  EXPECT_EQ(byRule.operands[0].symbol, "mask rule");
  EXPECT_EQ(byRule.operands[0].value, 1);
  const Step byBias = explain(scene, results, {Stage::probs, 0, 1, 0}).steps.front();
  EXPECT_EQ(byBias.operation, Operation::masked);
  EXPECT_EQ(byBias.operands[0].name, "bias[1,0]");
}

TEST(Explain, SoftmaxShowsTheVisibleRow) {
  PreciseScene scene = randomScene({1, 3, 3, 2, 2}, 13);
  scene.masks = {CausalRule{}};
  const Derivation derivation = explain(scene, evaluateReference(scene), {Stage::probs, 0, 1, 0});
  ASSERT_EQ(derivation.steps.size(), 5u);  // max, two exponentials, their sum, the ratio
  EXPECT_EQ(derivation.steps[0].operation, Operation::maximum);
  EXPECT_EQ(derivation.steps[0].operands.size(), 2u);
  EXPECT_EQ(derivation.steps[3].result.name, "Σe");
  EXPECT_EQ(derivation.steps[4].operation, Operation::quotient);
}

TEST(Explain, ReadsAsText) {
  PreciseScene scene = givenScene(matrix({{1, 2}}), matrix({{2, 1}}), matrix({{3}}));
  const PreciseResults results = evaluateReference(scene);
  EXPECT_EQ(toText(explain(scene, results, {Stage::scaledScores, 0, 0, 0})),
            "raw[0,0] = q[0,0]·k[0,0] + q[0,1]·k[0,1] = 1·2 + 2·1 = 4\n"
            "√d_k = √(d_k) = √(2) = 1.41421\n"
            "scaled[0,0] = raw[0,0] / √d_k = 4 / 1.41421 = 2.82843\n");
  EXPECT_EQ(toText(explain(scene, results, {Stage::v, 0, 0, 0})), "v[0,0] = 3, given\n");
}

TEST(Explain, RefusesWhatIsNotThere) {
  PreciseScene scene = randomScene({2, 3, 4, 2, 2}, 14);
  const PreciseResults results = evaluateReference(scene);
  EXPECT_THROW(explain(scene, results, {Stage::unitQ, 0, 0, 0}), Error);
  EXPECT_THROW(explain(scene, results, {Stage::dX, 0, 0, 0}), Error);
  EXPECT_THROW(explain(scene, results, {Stage::dWo, 0, 0, 0}), Error);
  EXPECT_THROW(explain(scene, results, {Stage::probs, 0, 3, 0}), Error);
  EXPECT_THROW(explain(scene, results, {Stage::probs, 0, 0, -1}), Error);
  EXPECT_THROW(explain(scene, results, {Stage::probs, 2, 0, 0}), Error);
  EXPECT_NO_THROW(explain(scene, results, {Stage::out, 2, 0, 0}));  // no heads there
  const PreciseResults forward = evaluateReference(scene, Wanted::forwardOnly());
  EXPECT_NO_THROW(explain(scene, forward, {Stage::probs, 0, 0, 0}));
  EXPECT_THROW(explain(scene, forward, {Stage::dQ, 0, 0, 0}), Error);
}

TEST(Explain, StagesHaveNames) {
  for (int n = 0; n < kStageCount; ++n)
    EXPECT_EQ(stageNamed(stageName(static_cast<Stage>(n))), static_cast<Stage>(n));
  EXPECT_FALSE(stageNamed("no such stage"));
}

}  // namespace
}  // namespace attn
