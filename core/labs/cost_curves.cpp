#include "core/labs/cost_curves.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string_view>

#include "core/evaluate.h"
#include "core/fill.h"

namespace attn {
namespace {

constexpr Index kMostLength = Index{1} << 20;

InputOf<float> drawn(Index rows, Index cols, double deviation, std::uint64_t seed) {
  InputOf<float> input{Matrix(rows, cols),
                       {.kind = Fill::Kind::normal, .deviation = deviation, .seed = seed}};
  refill(input);
  return input;
}

/// The first x from `from` to `to` for which the test holds; it has to hold for all that follow.
template <class Test>
Index firstWhere(Index from, Index to, const Test& test) {
  while (from < to) {
    const Index middle = from + (to - from) / 2;
    if (test(middle))
      to = middle;
    else
      from = middle + 1;
  }
  return from;
}

}  // namespace

Shapes shapesOf(const CostLab& lab) {
  const Index headWidth = lab.modelWidth / lab.heads;
  return {.heads = lab.heads,
          .queries = lab.queries,
          .keys = lab.keys,
          .keyWidth = headWidth,
          .valueWidth = headWidth,
          .modelWidth = lab.modelWidth,
          .otherWidth = lab.modelWidth,
          .outWidth = lab.modelWidth};
}

std::vector<StageCost> costOf(const CostLab& lab) {
  CostSwitches switches;
  switches.projected = switches.projectsOut = true;
  switches.cross = lab.queries != lab.keys;
  return forwardCost(shapesOf(lab), switches);
}

CostShares sharesOf(const CostLab& lab) {
  CostShares shares;
  for (const StageCost& stage : costOf(lab)) {
    const auto total = static_cast<double>(stage.count.total());
    const std::string_view name = stage.stage;
    double& share = name == "q" || name == "k" || name == "v" || name == "out" ? shares.projections
                    : name == "scores"                                         ? shares.scores
                    : name == "mix"                                            ? shares.mix
                                                                               : shares.softmax;
    share += total;
  }
  return shares;
}

CostLab resized(const CostLab& lab, CostLab::Over over, Index x) {
  CostLab there = lab;
  if (over == CostLab::Over::length)
    there.queries = there.keys = x;
  else
    there.modelWidth = x;
  while (there.modelWidth % there.heads != 0) --there.heads;
  return there;
}

Index lengthOfCrossover(const CostLab& lab) {
  return firstWhere(1, kMostLength, [&](Index n) {
    const CostShares shares = sharesOf(resized(lab, CostLab::Over::length, n));
    return shares.attention() >= shares.projections;
  });
}

Index widthOfCrossover(const CostLab& lab) {
  // Widths that the heads divide: others would have fewer heads, and jump.
  const Index beyond = firstWhere(1, kMostLength / lab.heads, [&](Index headWidth) {
    const CostShares shares = sharesOf(resized(lab, CostLab::Over::modelWidth, headWidth * lab.heads));
    return shares.attention() < shares.projections;
  });
  return (beyond - 1) * lab.heads;
}

Scene sceneOf(const CostLab& lab) {
  Scene scene;
  scene.title = "Attention of " + std::to_string(lab.queries) + " queries and " + std::to_string(lab.keys) +
                " keys, d_model " + std::to_string(lab.modelWidth);
  scene.source.kind = SourceOf<float>::Kind::projected;
  const Index width = lab.modelWidth, headWidth = width / lab.heads;
  const double deviation = 1 / std::sqrt(static_cast<double>(width));
  std::uint64_t seed = 1;
  scene.source.x = drawn(lab.queries, width, 1, seed++);
  if (lab.queries != lab.keys) scene.source.other = drawn(lab.keys, width, 1, seed++);
  for (Index head = 0; head < lab.heads; ++head) {
    auto& made = scene.source.projected.emplace_back();
    for (InputOf<float>* matrix : {&made.wq, &made.wk, &made.wv})
      *matrix = drawn(width, headWidth, deviation, seed++);
  }
  scene.source.wo = drawn(width, width, deviation, seed++);
  return scene;
}

bool canBeTimed(const CostLab& lab) {
  constexpr double kMostNumbers = 3e7;
  const auto width = static_cast<double>(lab.modelWidth);
  const double numbers = 4 * width * width + static_cast<double>(lab.queries + lab.keys) * width;
  return numbers <= kMostNumbers && sharesOf(lab).total() <= kMostOperations;
}

bool canBeShown(const CostLab& lab) {
  constexpr double kMostWeights = 1 << 24;
  return canBeTimed(lab) && static_cast<double>(lab.heads * lab.queries * lab.keys) <= kMostWeights;
}

CostTiming timed(const CostLab& lab, Index x, const std::stop_token& isAbandoned) {
  using Clock = std::chrono::steady_clock;
  constexpr double kEnough = 0.06;
  constexpr int kMostRuns = 50, kFewestRuns = 2;
  const Scene scene = sceneOf(lab);
  Evaluator evaluator(bestKernels(), 1);
  Results results;
  Wanted wanted = Wanted::outputOnly();
  wanted.measures = false;
  CostTiming timing{x, sharesOf(lab).total(), INFINITY};
  double spent = 0;
  for (int run = 0; run < kMostRuns && (run < kFewestRuns || spent < kEnough); ++run) {
    if (isAbandoned.stop_requested()) break;
    const Clock::time_point start = Clock::now();
    evaluator.evaluate(scene, wanted, results);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    timing.seconds = std::min(timing.seconds, seconds), spent += seconds;
  }
  return timing;
}

double paceOf(std::vector<CostTiming> timings) {
  std::vector<double> paces;
  for (const CostTiming& timing : timings) paces.push_back(timing.seconds / timing.operations);
  if (paces.empty()) return 0;
  const auto middle = paces.begin() + static_cast<std::ptrdiff_t>(paces.size() / 2);
  std::nth_element(paces.begin(), middle, paces.end());
  return *middle;
}

}  // namespace attn
