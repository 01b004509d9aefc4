// The counts against textbook loops over a number that counts what is done with it.
#include "core/measures/cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/core/scenes.h"

namespace attn {
namespace {

struct Counted {
  double value = 0;
  static inline OperationCount count;

  friend Counted operator-(Counted a) { return {-a.value}; }
  friend Counted operator+(Counted a, Counted b) { return ++count.additions, Counted{a.value + b.value}; }
  friend Counted operator-(Counted a, Counted b) { return ++count.additions, Counted{a.value - b.value}; }
  friend Counted operator*(Counted a, Counted b) {
    return ++count.multiplications, Counted{a.value * b.value};
  }
  friend Counted operator/(Counted a, Counted b) { return ++count.divisions, Counted{a.value / b.value}; }
  friend bool operator<(Counted a, Counted b) { return ++count.comparisons, a.value < b.value; }
  friend Counted exp(Counted a) { return ++count.exponentials, Counted{std::exp(a.value)}; }
  friend Counted tanh(Counted a) { return ++count.tangents, Counted{std::tanh(a.value)}; }
  friend Counted sqrt(Counted a) { return ++count.squareRoots, Counted{std::sqrt(a.value)}; }
};

const Counted kZero{0}, kOne{1};
using Row = std::vector<Counted>;
using Table = std::vector<Row>;

Table table(Index rows, Index cols) {
  return Table(static_cast<std::size_t>(rows), Row(static_cast<std::size_t>(cols), Counted{0.5}));
}

Counted sum(const Row& row) {
  Counted total = row[0];
  for (std::size_t n = 1; n < row.size(); ++n) total = total + row[n];
  return total;
}

Counted dot(const Row& a, const Row& b) {
  Row products;
  for (std::size_t n = 0; n < a.size(); ++n) products.push_back(a[n] * b[n]);
  return sum(products);
}

/// (rows × depth)·(cols × depth)ᵀ
Table product(Index rows, Index cols, Index depth) {
  const Table a = table(rows, depth), bTransposed = table(cols, depth);
  Table c = table(rows, cols);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < bTransposed.size(); ++j) c[i][j] = dot(a[i], bTransposed[j]);
  return c;
}

void eachCell(Index rows, Index cols, const std::function<void(Counted)>& work) {
  for (Index n = 0; n < rows * cols; ++n) work({0.5});
}

/// Falling order by merging halves.
Row mergeSorted(const Row& row) {
  if (row.size() < 2) return row;
  const auto middle = row.begin() + static_cast<std::ptrdiff_t>(row.size() / 2);
  const Row left = mergeSorted({row.begin(), middle}), right = mergeSorted({middle, row.end()});
  Row merged;
  std::size_t l = 0, r = 0;
  while (l < left.size() && r < right.size()) merged.push_back(left[l] < right[r] ? right[r++] : left[l++]);
  merged.insert(merged.end(), left.begin() + static_cast<std::ptrdiff_t>(l), left.end());
  merged.insert(merged.end(), right.begin() + static_cast<std::ptrdiff_t>(r), right.end());
  return merged;
}

/// The order in which merging has the most to compare: each half takes every second number.
Row worstOrder(const Row& falling) {
  if (falling.size() < 2) return falling;
  Row halves[2];
  const std::size_t leftIsLast = falling.size() % 2;  // the right half is the longer one
  for (std::size_t n = 0; n < falling.size(); ++n) halves[(n + leftIsLast) % 2].push_back(falling[n]);
  Row row = worstOrder(halves[0]);
  const Row right = worstOrder(halves[1]);
  row.insert(row.end(), right.begin(), right.end());
  return row;
}

Row unsortedRow(Index count) {
  Row falling;
  for (Index n = 0; n < count; ++n) falling.push_back({-0.1 * static_cast<double>(n)});
  return worstOrder(falling);
}

Counted positive(Counted a) {
  return a < kZero ? kZero : a;
}

void sparsemaxRow(const Row& row) {
  const Row falling = mergeSorted(row);
  Counted total = falling[0], threshold = kZero;
  for (std::size_t k = 1; k <= falling.size(); ++k) {
    if (k > 1) total = total + falling[k - 1];
    const Counted candidate = (total - kOne) / Counted{static_cast<double>(k)};
    if (candidate < falling[k - 1]) threshold = candidate;
  }
  for (Counted s : row) positive(s - threshold);
}

void entmaxRow(Row row) {
  for (Counted& s : row) s = s / Counted{2};
  Counted mean = kZero, spread = kZero, threshold = kZero;
  const Row falling = mergeSorted(row);
  for (std::size_t k = 1; k <= falling.size(); ++k) {
    const Counted size{static_cast<double>(k)}, step = falling[k - 1] - mean;
    mean = mean + step / size;
    spread = spread + step * (falling[k - 1] - mean);
    const Counted room = (kOne - spread) / size;
    const bool hasRoom = !(room < kZero);
    const Counted candidate = mean - sqrt(room);
    const bool isAbove = candidate < falling[k - 1];
    if (hasRoom && isAbove) threshold = candidate;
  }
  for (Counted s : row) {
    const Counted root = positive(s - threshold);
    root* root;
  }
}

/// exp(s − max) / Σ in two stages; the sink is the last number of the row.
Row stabiliseRow(Row row) {
  Counted largest = row[0];
  for (std::size_t n = 1; n < row.size(); ++n)
    if (largest < row[n]) largest = row[n];
  for (Counted& s : row) s = s - largest;
  return row;
}

void softmaxRow(Row row, Index keys) {
  for (Counted& s : row) s = exp(s);
  const Counted total = sum(row);
  for (Index j = 0; j < keys; ++j) row[static_cast<std::size_t>(j)] / total;
}

void unitRow(const Row& row) {
  const Counted length = sqrt(dot(row, row));
  for (Counted x : row) x / length;
}

void unitRowBackward(const Row& unit, const Row& d) {
  const Counted along = dot(unit, d);
  for (std::size_t t = 0; t < d.size(); ++t) (d[t] - unit[t] * along) / kOne;
}

void dScoresRow(Normaliser::Kind kind, const Row& p, const Row& dp) {
  Row u = p;
  for (Counted& x : u) {
    if (kind == Normaliser::Kind::sparsemax) x = kZero < x ? kOne : kZero;
    if (kind == Normaliser::Kind::entmax15) x = sqrt(x);
    if (kind == Normaliser::Kind::sigmoid) x = x * (kOne - x);
  }
  Counted shared = kZero;
  if (kind != Normaliser::Kind::sigmoid) shared = dot(u, dp);
  if (kind == Normaliser::Kind::sparsemax || kind == Normaliser::Kind::entmax15)
    shared = kOne / sum(u) * shared;
  for (std::size_t j = 0; j < u.size(); ++j)
    kind == Normaliser::Kind::sigmoid ? u[j] * dp[j] : u[j] * (dp[j] - shared);
}

using Counts = std::vector<std::pair<std::string, OperationCount>>;

/// Runs stages and writes down what each has counted.
struct Runner {
  Index heads;
  Counts counts = {};

  void once(const std::string& stage, const std::function<void()>& work) {
    Counted::count = {};
    work();
    counts.emplace_back(stage, Counted::count);
  }
  void perHead(const std::string& stage, const std::function<void()>& work) {
    once(stage, [&] {
      for (Index h = 0; h < heads; ++h) work();
    });
  }
  void rows(const std::string& stage, Index count, const std::function<void()>& work) {
    perHead(stage, [&] {
      for (Index i = 0; i < count; ++i) work();
    });
  }
};

void runNormaliser(Runner& run, const Shapes& s, Normaliser::Kind kind) {
  const Row row = unsortedRow(s.keys);
  Row withSink = row;
  if (kind == Normaliser::Kind::sink) withSink.push_back(kOne);
  switch (kind) {
    case Normaliser::Kind::sparsemax:
      return run.rows("sparsemax", s.queries, [&] { sparsemaxRow(row); });
    case Normaliser::Kind::entmax15:
      return run.rows("entmax15", s.queries, [&] { entmaxRow(row); });
    case Normaliser::Kind::sigmoid:
      return run.rows("sigmoid", s.queries, [&] {
        for (Counted x : row) kOne / (kOne + exp(-(x + kOne)));
      });
    default: {
      const std::string name = kind == Normaliser::Kind::sink ? "sink softmax" : "softmax";
      run.rows("stabilise", s.queries, [&] { stabiliseRow(withSink); });
      run.rows(name, s.queries, [&] { softmaxRow(withSink, s.keys); });
    }
  }
}

Counts runForward(const Shapes& s, const CostSwitches& on) {
  Runner run{s.heads};
  const Counted c{2};
  if (on.projected) {
    run.perHead("q", [&] { product(s.queries, s.keyWidth, s.modelWidth); });
    run.perHead("k", [&] { product(s.keys, s.keyWidth, s.otherWidth); });
    run.perHead("v", [&] { product(s.keys, s.valueWidth, s.otherWidth); });
  }
  if (on.qkNorm) {
    run.rows("unit_q", s.queries, [&] { unitRow(table(1, s.keyWidth)[0]); });
    run.rows("unit_k", s.keys, [&] { unitRow(table(1, s.keyWidth)[0]); });
  }
  run.perHead("scores", [&] { product(s.queries, s.keys, s.keyWidth); });
  const auto cells = [&](bool exists, const char* stage, const std::function<void(Counted)>& work) {
    if (exists) run.perHead(stage, [&] { eachCell(s.queries, s.keys, work); });
  };
  cells(on.scaled, "scale", [&](Counted x) { x / c; });
  cells(on.capped, "cap", [&](Counted x) { c* tanh(x / c); });
  cells(on.alibi, "alibi", [&](Counted x) { x - c* kOne; });
  cells(on.biased, "bias", [&](Counted x) { x + c; });
  cells(on.masked, "mask", [&](Counted x) { x + kZero; });
  runNormaliser(run, s, on.normaliser);
  run.perHead("mix", [&] { product(s.queries, s.valueWidth, s.keys); });
  if (on.projectsOut) run.once("out", [&] { product(s.queries, s.outWidth, s.heads * s.valueWidth); });
  return run.counts;
}

/// dX: a product for every head and every way from the sequence, added up.
void sequenceGradient(Index heads, Index tokens, Index width, const std::vector<Index>& depths) {
  std::vector<Table> parts;
  for (Index h = 0; h < heads; ++h)
    for (Index depth : depths) parts.push_back(product(tokens, width, depth));
  for (std::size_t n = 1; n < parts.size(); ++n)
    for (std::size_t i = 0; i < parts[n].size(); ++i)
      for (std::size_t t = 0; t < parts[n][i].size(); ++t) parts[0][i][t] = parts[0][i][t] + parts[n][i][t];
}

void runProjectionsBackward(Runner& run, const Shapes& s, bool cross) {
  run.perHead("d_w_q", [&] { product(s.modelWidth, s.keyWidth, s.queries); });
  run.perHead("d_w_k", [&] { product(s.otherWidth, s.keyWidth, s.keys); });
  run.perHead("d_w_v", [&] { product(s.otherWidth, s.valueWidth, s.keys); });
  std::vector<Index> ofX = {s.keyWidth, s.keyWidth, s.valueWidth};
  if (cross) ofX = {s.keyWidth};
  run.once("d_x", [&] { sequenceGradient(s.heads, s.queries, s.modelWidth, ofX); });
  if (cross)
    run.once("d_x_kv", [&] { sequenceGradient(s.heads, s.keys, s.otherWidth, {s.keyWidth, s.valueWidth}); });
}

Counts runBackward(const Shapes& s, const CostSwitches& on) {
  Runner run{s.heads};
  const Counted c{2};
  const Index concatWidth = s.heads * s.valueWidth;
  if (on.target) run.once("d_out", [&] { eachCell(s.queries, s.outWidth, [&](Counted x) { x - c; }); });
  if (on.projectsOut) {
    run.once("d_w_o", [&] { product(concatWidth, s.outWidth, s.queries); });
    run.once("d_head_out", [&] { product(s.queries, concatWidth, s.outWidth); });
  }
  run.perHead("d_probs", [&] { product(s.queries, s.keys, s.valueWidth); });
  run.perHead("d_v", [&] { product(s.keys, s.valueWidth, s.queries); });
  const Row row = table(1, s.keys)[0], vector = table(1, s.keyWidth)[0];
  run.rows("d_scores", s.queries, [&] { dScoresRow(on.normaliser, row, row); });
  const auto throughCap = [&](Counted x) {
    const Counted t = x / c;
    x*((kOne - t) * (kOne + t));
  };
  if (on.capped) run.perHead("d_scaled_scores", [&] { eachCell(s.queries, s.keys, throughCap); });
  if (on.scaled) run.perHead("d_raw_scores", [&] { eachCell(s.queries, s.keys, [&](Counted x) { x / c; }); });
  run.perHead(on.qkNorm ? "d_unit_q" : "d_q", [&] { product(s.queries, s.keyWidth, s.keys); });
  run.perHead(on.qkNorm ? "d_unit_k" : "d_k", [&] { product(s.keys, s.keyWidth, s.queries); });
  if (on.qkNorm) {
    run.rows("d_q", s.queries, [&] { unitRowBackward(vector, vector); });
    run.rows("d_k", s.keys, [&] { unitRowBackward(vector, vector); });
  }
  if (on.projected) runProjectionsBackward(run, s, on.cross);
  return run.counts;
}

void expectCounted(const std::vector<StageCost>& found, const Counts& counted) {
  ASSERT_EQ(found.size(), counted.size());
  for (std::size_t n = 0; n < found.size(); ++n) {
    EXPECT_EQ(found[n].stage, counted[n].first);
    const OperationCount &a = found[n].count, &b = counted[n].second;
    EXPECT_EQ(a, b) << found[n].stage << ": " << found[n].formula << "; counted " << b.multiplications
                    << " ·, " << b.additions << " +, " << b.divisions << " /, " << b.exponentials << " exp, "
                    << b.tangents << " tanh, " << b.squareRoots << " √, " << b.comparisons << " <";
  }
}

const Shapes kShapes[] = {{1, 2, 3, 2, 3, 0, 0, 3},
                          {2, 4, 4, 3, 2, 6, 6, 5},
                          {3, 5, 9, 4, 1, 7, 3, 2},
                          {1, 1, 1, 1, 1, 1, 1, 1},
                          {2, 3, 16, 2, 2, 4, 5, 4}};

TEST(Cost, CountsWhatTheLoopsDo) {
  using Kind = Normaliser::Kind;
  for (const Shapes& shapes : kShapes)
    for (const Kind kind : {Kind::softmax, Kind::sink, Kind::sparsemax, Kind::entmax15, Kind::sigmoid})
      for (unsigned bits = 0; bits < 512; ++bits) {
        const auto on = [&](unsigned bit) { return (bits >> bit & 1) != 0; };
        const bool projected = on(0) && shapes.modelWidth > 0;
        const CostSwitches switches = {.scaled = on(1),
                                       .qkNorm = on(2),
                                       .capped = on(3),
                                       .alibi = on(4),
                                       .biased = on(5),
                                       .masked = on(6),
                                       .normaliser = kind,
                                       .projected = projected,
                                       .cross = projected && on(7),
                                       .projectsOut = on(8),
                                       .target = on(7)};
        expectCounted(forwardCost(shapes, switches), runForward(shapes, switches));
        expectCounted(backwardCost(shapes, switches), runBackward(shapes, switches));
        if (HasFailure()) return;
      }
}

const StageCost& stageOf(const std::vector<StageCost>& stages, const std::string& name) {
  static const StageCost kNone;
  const auto at =
      std::find_if(stages.begin(), stages.end(), [&](const StageCost& s) { return s.stage == name; });
  EXPECT_NE(at, stages.end()) << name;
  return at == stages.end() ? kNone : *at;
}

TEST(Cost, Sheet000Exercise2c) {
  for (const auto& [nq, nk, dk, dv] : {std::array{2, 3, 2, 3}, {7, 5, 64, 32}, {128, 128, 64, 64}}) {
    const auto n = [](int value) { return static_cast<std::uint64_t>(value); };
    const auto stages = forwardCost({1, nq, nk, dk, dv, 0, 0, dv}, {});
    ASSERT_EQ(stages.size(), 5u);
    EXPECT_EQ(stageOf(stages, "scores").count,
              (OperationCount{.multiplications = n(nq * nk * dk), .additions = n(nq * nk * (dk - 1))}));
    EXPECT_EQ(stageOf(stages, "scale").count, (OperationCount{.divisions = n(nq * nk)}));
    EXPECT_EQ(
        stageOf(stages, "softmax").count,
        (OperationCount{.additions = n(nq * (nk - 1)), .divisions = n(nq * nk), .exponentials = n(nq * nk)}));
    EXPECT_EQ(stageOf(stages, "stabilise").count,
              (OperationCount{.additions = n(nq * nk), .comparisons = n(nq * (nk - 1))}));
    EXPECT_EQ(stageOf(stages, "mix").count,
              (OperationCount{.multiplications = n(nq * dv * nk), .additions = n(nq * dv * (nk - 1))}));
  }
}

// n_t·d_model² for q and the output, n_s·d_model² for k and v, n_t·n_s·d_model for each product of a head.
TEST(Cost, Sheet004Question2cMultiplications) {
  const std::uint64_t nt = 10, ns = 14, dHead = 8, h = 4, dModel = dHead * h;
  const auto stages =
      forwardCost({4, 10, 14, 8, 8, 32, 32, 32}, {.projected = true, .cross = true, .projectsOut = true});
  EXPECT_EQ(stageOf(stages, "q").count.multiplications, nt * dModel * dModel);
  EXPECT_EQ(stageOf(stages, "k").count.multiplications, ns * dModel * dModel);
  EXPECT_EQ(stageOf(stages, "v").count.multiplications, ns * dModel * dModel);
  EXPECT_EQ(stageOf(stages, "scores").count.multiplications, nt * ns * dModel);
  EXPECT_EQ(stageOf(stages, "mix").count.multiplications, nt * ns * dModel);
  EXPECT_EQ(stageOf(stages, "out").count.multiplications, nt * dModel * dModel);
  EXPECT_EQ(totalOf(stages).multiplications,
            2 * nt * dModel * dModel + 2 * ns * dModel * dModel + 2 * nt * ns * dModel);
}

TEST(Cost, FormulasNameTheSizes) {
  const auto one = forwardCost({1, 2, 3, 2, 3, 0, 0, 3}, {});
  EXPECT_EQ(stageOf(one, "scores").formula, "n_q·n_k·d_k multiplications, n_q·n_k·(d_k−1) additions");
  const auto two = backwardCost({2, 4, 4, 3, 2, 6, 6, 5}, {.projected = true});
  EXPECT_EQ(stageOf(two, "d_raw_scores").formula, "h·n_q·n_k divisions");
}

TEST(Cost, FollowsTheScene) {
  PreciseScene scene = randomScene({1, 3, 4, 2, 2}, 5);
  const auto has = [&](const char* name) {
    const auto stages = forwardCost(scene);
    return std::any_of(stages.begin(), stages.end(), [&](const StageCost& s) { return s.stage == name; });
  };
  EXPECT_TRUE(has("scale"));
  scene.scale.rule = Scale::Rule::none;
  EXPECT_FALSE(has("scale"));
  scene.scale.temperature = 2;
  EXPECT_TRUE(has("scale"));
  scene.scale = {.rule = Scale::Rule::none, .qkNormGain = 3};
  EXPECT_TRUE(has("scale") && has("unit_q"));
  EXPECT_FALSE(has("cap") || has("alibi") || has("bias") || has("mask") || has("q") || has("out"));
  scene = projectedScene(2, 3, 4, true, 5);
  scene.cap = 2, scene.alibi = Alibi{}, scene.bias = {noise(3, 4, 6)}, scene.masks = {CausalRule{}};
  EXPECT_TRUE(has("cap") && has("alibi") && has("bias") && has("mask") && has("q") && has("out"));
  EXPECT_EQ(totalOf(backwardCost(narrow(scene))), totalOf(backwardCost(scene)));
}

TEST(Cost, HugeShapesStopAtTheLargestNumber) {
  const Index huge = std::numeric_limits<Index>::max();
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const auto kind :
       {Normaliser::Kind::softmax, Normaliser::Kind::sparsemax, Normaliser::Kind::entmax15}) {
    const CostSwitches switches = {
        .qkNorm = true, .normaliser = kind, .projected = true, .projectsOut = true};
    const Shapes shapes = {huge, huge, huge, huge, huge, huge, huge, huge};
    EXPECT_EQ(totalOf(forwardCost(shapes, switches)).multiplications, most);
    EXPECT_EQ(totalOf(forwardCost(shapes, switches)).comparisons, most);
    EXPECT_EQ(totalOf(forwardCost(shapes, switches)).total(), most);
    EXPECT_EQ(totalOf(backwardCost(shapes, switches)).additions, most);
  }
  EXPECT_EQ(stageOf(forwardCost({1, 65536, 65536, 128, 128, 0, 0, 128}, {}), "scores").count.multiplications,
            std::uint64_t{1} << 39);
}

}  // namespace
}  // namespace attn
