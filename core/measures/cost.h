#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/scene.h"

namespace attn {

/// How often each kind of operation is done. Counts stop at 2⁶⁴ − 1 instead of wrapping around.
struct OperationCount {
  std::uint64_t multiplications = 0;
  std::uint64_t additions = 0;  // and subtractions
  std::uint64_t divisions = 0;
  std::uint64_t exponentials = 0;
  std::uint64_t tangents = 0;  // tanh
  std::uint64_t squareRoots = 0;
  std::uint64_t comparisons = 0;

  OperationCount& operator+=(const OperationCount& other);
  std::uint64_t total() const;
  bool operator==(const OperationCount&) const = default;
};

struct StageCost {
  std::string stage;  // "scores", "softmax", "d_q"
  OperationCount count;
  std::string formula;  // what `count` was computed from: "n_q·n_k·d_k multiplications, …"
};

/// What of a scene, besides its shapes, decides which operations are done.
struct CostSwitches {
  bool scaled = true;  // a divisor, a temperature or a gain: one division a score
  bool qkNorm = false;
  bool capped = false;
  bool alibi = false;
  bool biased = false;
  bool masked = false;
  Normaliser::Kind normaliser = Normaliser::Kind::softmax;
  bool projected = false;  // Q, K and V are made from X
  bool cross = false;      // K and V are made from another sequence
  bool projectsOut = false;
  bool target = false;  // dOut = out − target
};
template <class T>
CostSwitches switchesOf(const SceneOf<T>& scene);

/// The stages of a pass in their order, with the operations that a textbook's loops do:
/// - A product of n × d with d × m takes n·m·d multiplications and n·m·(d−1) additions.
/// - Hidden pairs count like the others: a mask is a matrix that is added.
/// - Signs, copies, distances |i−j| and what is computed once for all (√d_k) are free.
/// - Subtracting the largest score before the exponentials is a stage of its own, "stabilise".
/// - Sparsemax and entmax sort each row by merging, in n⌈log₂n⌉ − 2^⌈log₂n⌉ + 1 comparisons at worst,
///   and then try all n thresholds.
std::vector<StageCost> forwardCost(const Shapes& shapes, const CostSwitches& switches);
std::vector<StageCost> backwardCost(const Shapes& shapes, const CostSwitches& switches);

template <class T>
std::vector<StageCost> forwardCost(const SceneOf<T>& scene) {
  return forwardCost(shapesOf(scene), switchesOf(scene));
}
template <class T>
std::vector<StageCost> backwardCost(const SceneOf<T>& scene) {
  return backwardCost(shapesOf(scene), switchesOf(scene));
}

OperationCount totalOf(const std::vector<StageCost>& stages);

}  // namespace attn
