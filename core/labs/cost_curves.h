#pragma once
#include <stop_token>
#include <vector>

#include "core/measures/cost.h"

namespace attn {

/// Multi-head attention as it is usually built: d_head = d_model/h, Q, K, V and the output are projected.
/// Equal numbers of queries and keys are self-attention; others attend to another sequence.
Shapes shapesOf(const CostLab& lab);
std::vector<StageCost> costOf(const CostLab& lab);

/// All operations, by what they are for.
struct CostShares {
  double projections = 0, scores = 0, softmax = 0, mix = 0;  // softmax: with the division by √d_k

  double attention() const { return scores + softmax + mix; }
  double total() const { return projections + attention(); }
};
CostShares sharesOf(const CostLab& lab);

/// The lab with both lengths, or the model width, at x. Heads that do not divide the width are fewer.
CostLab resized(const CostLab& lab, CostLab::Over over, Index x);

/// The smallest length from which attention takes at least as many operations as the projections; for the
/// products alone that is n = 2·d_model.
Index lengthOfCrossover(const CostLab& lab);
/// The largest model width up to which it does.
Index widthOfCrossover(const CostLab& lab);

/// Random inputs of these shapes, for the engine to be timed with.
Scene sceneOf(const CostLab& lab);

struct CostTiming {
  Index x = 0;
  double operations = 0, seconds = 0;
};
/// How long the engine takes for the output alone, the best of a few runs. Nothing where that would take more
/// than a second, or too much memory.
constexpr double kMostOperations = 4e9;
bool canBeTimed(const CostLab& lab);
/// Whether the window, which keeps every weight, can show it: at most 2²⁴ weights.
bool canBeShown(const CostLab& lab);
CostTiming timed(const CostLab& lab, Index x, const std::stop_token& isAbandoned = {});

/// Seconds an operation: the median over the timings, by which the prediction is drawn.
double paceOf(std::vector<CostTiming> timings);

}  // namespace attn
