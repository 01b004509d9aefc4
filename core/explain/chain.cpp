#include <algorithm>
#include <cmath>
#include <limits>

#include "core/explain/explain.h"

namespace attn {
namespace {

/// The stages that a chain goes back to from a cell; none where it begins.
std::vector<Stage> stagesBefore(Stage stage) {
  switch (stage) {
    case Stage::cappedScores:
      return {Stage::scaledScores};
    case Stage::scores:  // whichever of the two there is
      return {Stage::cappedScores, Stage::scaledScores};
    case Stage::probs:
      return {Stage::scores};
    case Stage::headOut:
      return {Stage::probs};
    case Stage::out:
      return {Stage::headOut};
    case Stage::dHeadOut:
    case Stage::dWo:
      return {Stage::dOut};
    case Stage::dProbs:
    case Stage::dV:
      return {Stage::dHeadOut};
    case Stage::dScores:
      return {Stage::dProbs};
    case Stage::dScaledScores:
      return {Stage::dScores};
    case Stage::dRawScores:
    case Stage::dQ:
    case Stage::dK:
      return {Stage::dScaledScores};
    case Stage::dX:
    case Stage::dOther:
      return {Stage::dQ, Stage::dK, Stage::dV};
    case Stage::dWq:
      return {Stage::dQ};
    case Stage::dWk:
      return {Stage::dK};
    case Stage::dWv:
      return {Stage::dV};
    default:
      return {};
  }
}

/// How much an operand has to do with the result of its step: the size of its product, or all where it is of
/// the same pair as the cell, or what makes it a NaN.
double weightOf(const Derivation& derivation, const Step& step, std::size_t operand) {
  constexpr double kMost = std::numeric_limits<double>::infinity();
  const Operand& own = step.operands[operand];
  double size = own.value;
  if (step.operation == Operation::sumOfProducts)
    size *= step.operands[operand % 2 == 0 ? operand + 1 : operand - 1].value;
  else if (own.row == derivation.cell.row && own.col == derivation.cell.col)
    return kMost;
  return std::isnan(size) ? kMost : std::abs(size);
}

std::optional<Cell> cellBefore(const Derivation& derivation) {
  const std::vector<Stage> before = stagesBefore(derivation.cell.stage);
  std::optional<Cell> found;
  if (derivation.steps.back().operation == Operation::zero) return found;  // has said why
  double most = -1;
  for (const Step& step : derivation.steps)
    for (std::size_t n = 0; n < step.operands.size(); ++n) {
      const Operand& operand = step.operands[n];
      if (!operand.stage || std::find(before.begin(), before.end(), *operand.stage) == before.end()) continue;
      const double weight = weightOf(derivation, step, n);
      if (weight <= most) continue;
      most = weight;
      found = Cell{*operand.stage, operand.head.value_or(0), *operand.row, *operand.col};
    }
  return found;
}

}  // namespace

template <class T>
std::vector<Derivation> explainChain(const SceneOf<T>& scene, const ResultsOf<T>& results, const Cell& cell) {
  std::vector<Derivation> chain;
  for (std::optional<Cell> at = cell; at;) {
    chain.push_back(explain(scene, results, *at));
    if (auto byJacobian = explainByJacobian(scene, results, chain.back().cell))
      chain.push_back(std::move(*byJacobian));
    at = cellBefore(chain.back());
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

template std::vector<Derivation> explainChain(const Scene&, const Results&, const Cell&);
template std::vector<Derivation> explainChain(const PreciseScene&, const PreciseResults&, const Cell&);

}  // namespace attn
