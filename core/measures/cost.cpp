#include "core/measures/cost.h"

#include <bit>
#include <initializer_list>
#include <limits>

namespace attn {
namespace {

using Number = std::uint64_t;
constexpr Number kMost = std::numeric_limits<Number>::max();

Number plus(Number a, Number b) {
  return a > kMost - b ? kMost : a + b;
}

Number times(Number a, Number b) {
  return b != 0 && a > kMost / b ? kMost : a * b;
}

/// A number with its name in a formula, so that the count and the formula cannot part.
struct Factor {
  std::string name;
  Number value = 0;
};

Factor factor(const char* name, Index value) {
  return {name, static_cast<Number>(value < 0 ? 0 : value)};
}

Factor lessOne(const Factor& f) {
  return {"(" + f.name + "−1)", f.value == 0 ? 0 : f.value - 1};
}

Factor oneMore(const Factor& f) {
  return {"(" + f.name + "+1)", plus(f.value, 1)};
}

Factor constant(Number value) {
  return {std::to_string(value), value};
}

/// ⌈log₂n⌉
Number levelsOf(Number n) {
  return n < 2 ? 0 : static_cast<Number>(std::bit_width(n - 1));
}

/// Comparisons of a merge sort at worst.
Factor sorting(const Factor& n) {
  const Number levels = levelsOf(n.value);
  const Number saved = levels < 64 ? (Number{1} << levels) - 1 : kMost;
  const Number worst = times(n.value, levels);
  const std::string log = "⌈log₂" + n.name + "⌉";
  return {"(" + n.name + "·" + log + "−2^" + log + "+1)", worst == kMost ? kMost : worst - saved};
}

struct Kind {
  Number OperationCount::*count;
  const char* name;
};
constexpr Kind kMultiplications = {&OperationCount::multiplications, "multiplications"};
constexpr Kind kAdditions = {&OperationCount::additions, "additions"};
constexpr Kind kDivisions = {&OperationCount::divisions, "divisions"};
constexpr Kind kExponentials = {&OperationCount::exponentials, "exponentials"};
constexpr Kind kTangents = {&OperationCount::tangents, "tanh"};
constexpr Kind kSquareRoots = {&OperationCount::squareRoots, "square roots"};
constexpr Kind kComparisons = {&OperationCount::comparisons, "comparisons"};

/// One stage being written: every `add` is one term of its formula.
class StageWriter {
 public:
  StageWriter(std::string stage, Factor heads) : cost_{std::move(stage), {}, ""}, heads_(std::move(heads)) {}

  StageWriter& add(const Kind& kind, std::initializer_list<Factor> factors) {
    Number count = heads_.value;
    std::string text = heads_.value == 1 ? "" : heads_.name;
    for (const Factor& f : factors) {
      count = times(count, f.value);
      if (f.name != "1") text += (text.empty() ? "" : "·") + f.name;
    }
    cost_.count.*kind.count = plus(cost_.count.*kind.count, count);
    cost_.formula += (cost_.formula.empty() ? "" : ", ") + text + " " + kind.name;
    return *this;
  }
  /// (n × depth)·(depth × m)
  StageWriter& product(const Factor& n, const Factor& m, const Factor& depth) {
    return add(kMultiplications, {n, m, depth}).add(kAdditions, {n, m, lessOne(depth)});
  }
  operator StageCost() const { return cost_; }

 private:
  StageCost cost_;
  Factor heads_;
};

/// The shapes under the names of the formulas.
struct Sizes {
  Factor heads, queries, keys, keyWidth, valueWidth, modelWidth, otherWidth, concatWidth, outWidth;

  explicit Sizes(const Shapes& s)
      : heads(factor("h", s.heads)),
        queries(factor("n_q", s.queries)),
        keys(factor("n_k", s.keys)),
        keyWidth(factor("d_k", s.keyWidth)),
        valueWidth(factor("d_v", s.valueWidth)),
        modelWidth(factor("d_model", s.modelWidth)),
        otherWidth(factor("d_kv", s.otherWidth)),
        concatWidth{heads.value == 1 ? "d_v" : "h·d_v", times(heads.value, valueWidth.value)},
        outWidth(factor("d_out", s.outWidth)) {}

  StageWriter perHead(const char* stage) const { return {stage, heads}; }
  static StageWriter once(const char* stage) { return {stage, constant(1)}; }
};

bool sorts(Normaliser::Kind kind) {
  return kind == Normaliser::Kind::sparsemax || kind == Normaliser::Kind::entmax15;
}

/// s_j − max, of the sink too where there is one.
StageCost stabilise(const Sizes& s, bool sink) {
  const Factor count = sink ? oneMore(s.keys) : s.keys;
  const Factor comparisons = sink ? s.keys : lessOne(s.keys);
  return s.perHead("stabilise")
      .add(kComparisons, {s.queries, comparisons})
      .add(kAdditions, {s.queries, count});
}

/// exp, Σ and the ratio; the sink has an exponential and a place in the sum, but no ratio.
StageCost softmax(const Sizes& s, bool sink) {
  return s.perHead(sink ? "sink softmax" : "softmax")
      .add(kExponentials, {s.queries, sink ? oneMore(s.keys) : s.keys})
      .add(kAdditions, {s.queries, sink ? s.keys : lessOne(s.keys)})
      .add(kDivisions, {s.queries, s.keys});
}

/// 1 / (1 + exp(−(s + b)))
StageCost sigmoid(const Sizes& s) {
  return s.perHead("sigmoid")
      .add(kAdditions, {constant(2), s.queries, s.keys})
      .add(kExponentials, {s.queries, s.keys})
      .add(kDivisions, {s.queries, s.keys});
}

/// Running sums (n−1), candidates (Σ − 1)/k and their test (n), then max(s − τ, 0).
StageCost sparsemax(const Sizes& s) {
  return s.perHead("sparsemax")
      .add(kComparisons, {s.queries, sorting(s.keys)})
      .add(kAdditions, {s.queries, lessOne(s.keys)})
      .add(kAdditions, {constant(2), s.queries, s.keys})
      .add(kDivisions, {s.queries, s.keys})
      .add(kComparisons, {constant(2), s.queries, s.keys});
}

/// s/2; running mean and spread, candidates mean − √((1 − spread)/k), is there room, is s above;
/// then max(s/2 − τ, 0)².
StageCost entmax15(const Sizes& s) {
  return s.perHead("entmax15")
      .add(kComparisons, {s.queries, sorting(s.keys)})
      .add(kDivisions, {constant(3), s.queries, s.keys})
      .add(kAdditions, {constant(7), s.queries, s.keys})
      .add(kMultiplications, {constant(2), s.queries, s.keys})
      .add(kSquareRoots, {s.queries, s.keys})
      .add(kComparisons, {constant(3), s.queries, s.keys});
}

void addNormaliser(const Sizes& s, Normaliser::Kind kind, std::vector<StageCost>& stages) {
  const bool sink = kind == Normaliser::Kind::sink;
  if (kind == Normaliser::Kind::sigmoid) return stages.push_back(sigmoid(s));
  if (kind == Normaliser::Kind::sparsemax) return stages.push_back(sparsemax(s));
  if (kind == Normaliser::Kind::entmax15) return stages.push_back(entmax15(s));
  stages.push_back(stabilise(s, sink));
  stages.push_back(softmax(s, sink));
}

/// Σ of squares, √ and one division a number, for one of the two sets of vectors.
StageCost unitLength(const Sizes& s, const char* stage, const Factor& tokens) {
  return s.perHead(stage)
      .add(kMultiplications, {tokens, s.keyWidth})
      .add(kAdditions, {tokens, lessOne(s.keyWidth)})
      .add(kSquareRoots, {tokens})
      .add(kDivisions, {tokens, s.keyWidth});
}

/// (dû − û(û·dû)) / ‖x‖
StageCost unitLengthBackward(const Sizes& s, const char* stage, const Factor& tokens) {
  return s.perHead(stage)
      .add(kMultiplications, {constant(2), tokens, s.keyWidth})
      .add(kAdditions, {tokens, lessOne(s.keyWidth)})
      .add(kAdditions, {tokens, s.keyWidth})
      .add(kDivisions, {tokens, s.keyWidth});
}

/// u·(dp − κ Σ u·dp): u and κ first, where they are not p and 1.
StageCost dScores(const Sizes& s, Normaliser::Kind kind) {
  StageWriter stage = s.perHead("d_scores");
  if (kind == Normaliser::Kind::sigmoid)
    return stage.add(kAdditions, {s.queries, s.keys}).add(kMultiplications, {constant(2), s.queries, s.keys});
  if (sorts(kind))
    stage.add(kind == Normaliser::Kind::sparsemax ? kComparisons : kSquareRoots, {s.queries, s.keys})
        .add(kAdditions, {s.queries, lessOne(s.keys)})
        .add(kDivisions, {s.queries})
        .add(kMultiplications, {s.queries});
  return stage.add(kMultiplications, {constant(2), s.queries, s.keys})
      .add(kAdditions, {s.queries, lessOne(s.keys)})
      .add(kAdditions, {s.queries, s.keys});
}

/// dX or dX_kv: the products of every head, and the sum of all of them.
StageCost dSequence(const Sizes& s, const char* stage, const Factor& tokens, const Factor& width,
                    const std::vector<Factor>& depths) {
  StageWriter products = s.perHead(stage);
  for (const Factor& depth : depths) products.product(tokens, width, depth);
  StageCost cost = products;
  const Number parts = times(s.heads.value, depths.size());
  if (parts < 2) return cost;
  const std::string each = depths.size() == 1 ? "" : std::to_string(depths.size()) + "·";
  const Factor sums = s.heads.value == 1 ? constant(parts - 1) : Factor{"(" + each + "h−1)", parts - 1};
  const StageCost adding = s.once(stage).add(kAdditions, {sums, tokens, width});
  cost.count += adding.count;
  cost.formula += ", " + adding.formula;
  return cost;
}

void addProjectionsBackward(const Sizes& s, bool cross, std::vector<StageCost>& stages) {
  stages.push_back(s.perHead("d_w_q").product(s.modelWidth, s.keyWidth, s.queries));
  stages.push_back(s.perHead("d_w_k").product(s.otherWidth, s.keyWidth, s.keys));
  stages.push_back(s.perHead("d_w_v").product(s.otherWidth, s.valueWidth, s.keys));
  if (!cross)
    return stages.push_back(
        dSequence(s, "d_x", s.queries, s.modelWidth, {s.keyWidth, s.keyWidth, s.valueWidth}));
  stages.push_back(dSequence(s, "d_x", s.queries, s.modelWidth, {s.keyWidth}));
  stages.push_back(dSequence(s, "d_x_kv", s.keys, s.otherWidth, {s.keyWidth, s.valueWidth}));
}

}  // namespace

OperationCount& OperationCount::operator+=(const OperationCount& other) {
  for (const Kind& kind :
       {kMultiplications, kAdditions, kDivisions, kExponentials, kTangents, kSquareRoots, kComparisons})
    this->*kind.count = plus(this->*kind.count, other.*kind.count);
  return *this;
}

std::uint64_t OperationCount::total() const {
  Number sum = 0;
  for (Number count :
       {multiplications, additions, divisions, exponentials, tangents, squareRoots, comparisons})
    sum = plus(sum, count);
  return sum;
}

template <class T>
CostSwitches switchesOf(const SceneOf<T>& scene) {
  const Scale& scale = scene.scale;
  const bool projected = scene.source.kind == SourceOf<T>::Kind::projected;
  return {.scaled = scale.rule != Scale::Rule::none || scale.temperature != 1 || scale.qkNormGain,
          .qkNorm = scale.qkNormGain.has_value(),
          .capped = scene.cap.has_value(),
          .alibi = scene.alibi.has_value(),
          .biased = !scene.bias.empty(),
          .masked = !scene.masks.empty(),
          .normaliser = scene.normaliser.kind,
          .projected = projected,
          .cross = projected && scene.source.other.has_value(),
          .projectsOut = scene.source.wo.has_value(),
          .target = scene.upstream.kind == UpstreamOf<T>::Kind::target};
}

std::vector<StageCost> forwardCost(const Shapes& shapes, const CostSwitches& on) {
  const Sizes s(shapes);
  std::vector<StageCost> stages;
  if (on.projected) {
    stages.push_back(s.perHead("q").product(s.queries, s.keyWidth, s.modelWidth));
    stages.push_back(s.perHead("k").product(s.keys, s.keyWidth, s.otherWidth));
    stages.push_back(s.perHead("v").product(s.keys, s.valueWidth, s.otherWidth));
  }
  if (on.qkNorm) {
    stages.push_back(unitLength(s, "unit_q", s.queries));
    stages.push_back(unitLength(s, "unit_k", s.keys));
  }
  stages.push_back(s.perHead("scores").product(s.queries, s.keys, s.keyWidth));
  const auto pairwise = [&](bool exists, const char* stage, std::initializer_list<Kind> kinds) {
    StageWriter writer = s.perHead(stage);
    for (const Kind& kind : kinds) writer.add(kind, {s.queries, s.keys});
    if (exists) stages.push_back(writer);
  };
  pairwise(on.scaled, "scale", {kDivisions});
  pairwise(on.capped, "cap", {kDivisions, kTangents, kMultiplications});
  pairwise(on.alibi, "alibi", {kMultiplications, kAdditions});
  pairwise(on.biased, "bias", {kAdditions});
  pairwise(on.masked, "mask", {kAdditions});
  addNormaliser(s, on.normaliser, stages);
  stages.push_back(s.perHead("mix").product(s.queries, s.valueWidth, s.keys));
  if (on.projectsOut) stages.push_back(s.once("out").product(s.queries, s.outWidth, s.concatWidth));
  return stages;
}

std::vector<StageCost> backwardCost(const Shapes& shapes, const CostSwitches& on) {
  const Sizes s(shapes);
  std::vector<StageCost> stages;
  if (on.target) stages.push_back(s.once("d_out").add(kAdditions, {s.queries, s.outWidth}));
  if (on.projectsOut) {
    stages.push_back(s.once("d_w_o").product(s.concatWidth, s.outWidth, s.queries));
    stages.push_back(s.once("d_head_out").product(s.queries, s.concatWidth, s.outWidth));
  }
  stages.push_back(s.perHead("d_probs").product(s.queries, s.keys, s.valueWidth));
  stages.push_back(s.perHead("d_v").product(s.keys, s.valueWidth, s.queries));
  stages.push_back(dScores(s, on.normaliser));
  if (on.capped)  // ds·(1 − t)·(1 + t) with t = capped/c
    stages.push_back(s.perHead("d_scaled_scores")
                         .add(kDivisions, {s.queries, s.keys})
                         .add(kAdditions, {constant(2), s.queries, s.keys})
                         .add(kMultiplications, {constant(2), s.queries, s.keys}));
  if (on.scaled) stages.push_back(s.perHead("d_raw_scores").add(kDivisions, {s.queries, s.keys}));
  stages.push_back(s.perHead(on.qkNorm ? "d_unit_q" : "d_q").product(s.queries, s.keyWidth, s.keys));
  stages.push_back(s.perHead(on.qkNorm ? "d_unit_k" : "d_k").product(s.keys, s.keyWidth, s.queries));
  if (on.qkNorm) {
    stages.push_back(unitLengthBackward(s, "d_q", s.queries));
    stages.push_back(unitLengthBackward(s, "d_k", s.keys));
  }
  if (on.projected) addProjectionsBackward(s, on.cross, stages);
  return stages;
}

OperationCount totalOf(const std::vector<StageCost>& stages) {
  OperationCount total;
  for (const StageCost& stage : stages) total += stage.count;
  return total;
}

template CostSwitches switchesOf(const Scene&);
template CostSwitches switchesOf(const PreciseScene&);

}  // namespace attn
