#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/attention/cap.h"
#include "core/attention/normalise.h"
#include "core/attention/visibility.h"
#include "core/explain/explain.h"

namespace attn {

/// Writes one derivation: hands out operands, in double, and appends steps.
template <class T>
class ExplanationBuilder {
 public:
  ExplanationBuilder(const SceneOf<T>& sceneIn, const ResultsOf<T>& resultsIn, const Cell& cellIn)
      : scene(sceneIn),
        results(resultsIn),
        shapes(resultsIn.shapes),
        cell(cellIn),
        derivation{cellIn, {}, 0} {}

  const SceneOf<T>& scene;
  const ResultsOf<T>& results;
  const Shapes& shapes;
  const Cell cell;
  Derivation derivation;

  /// Names: a plain one, one with a column, one with a row and a column.
  static Operand named(const std::string& symbol, double value) {
    return {symbol, value, symbol, {}, {}, {}, {}};
  }
  static Operand named(const std::string& symbol, double value, Index col) {
    return {symbol + "[" + std::to_string(col) + "]", value, symbol, {}, {}, col, {}};
  }
  Operand named(const std::string& symbol, double value, std::optional<Index> head, Index row,
                Index col) const {
    if (shapes.heads == 1) head.reset();
    const std::string place = std::to_string(row) + "," + std::to_string(col) + "]";
    return {
        symbol + "[" + (head ? std::to_string(*head) + "," : "") + place, value, symbol, head, row, col, {}};
  }
  Operand input(const std::string& symbol, const InputOf<T>& matrix, Index row, Index col,
                std::optional<Index> head = {}) const {
    return named(symbol, wide(matrix.values(row, col)), head, row, col);
  }
  /// A cell of a stage, to be used as an operand.
  Operand of(Stage stage, Index head, Index row, Index col) {
    return ofStage(stage, head, row, col, valueOf(stage, head, row, col));
  }
  Operand of(Stage stage, Index row, Index col) { return of(stage, cell.head, row, col); }

  /// Appends a step and returns its result, which takes the name of `result`.
  Operand derive(Operation operation, std::vector<Operand> operands, Operand result) {
    Step step{operation, std::move(operands), std::move(result)};
    step.result.value = apply(step);
    derivation.steps.push_back(std::move(step));
    return derivation.steps.back().result;
  }
  Operand derive(Operation operation, std::vector<Operand> operands, const std::string& symbol) {
    return derive(operation, std::move(operands), named(symbol, 0));
  }
  /// The last step: its result is the cell.
  void conclude(Operation operation, std::vector<Operand> operands) {
    derivation.value =
        derive(operation, std::move(operands), ofStage(cell.stage, cell.head, cell.row, cell.col, 0)).value;
  }

  /// What hides a pair: the first mask rule that forbids it, or a bias of −∞.
  std::optional<Operand> hiddenBy(Index head, Index query, Index key) const {
    for (std::size_t rule = 0; rule < scene.masks.size(); ++rule)
      if (!allows(scene.masks[rule], shapes, head, query, key))
        return named("mask rule", static_cast<double>(rule));
    if (scene.bias.empty() || (*biasOf(scene, head))(query, key) != -std::numeric_limits<T>::infinity())
      return {};
    return bias(head, query, key);
  }
  bool sees(Index head, Index query, Index key) const { return !hiddenBy(head, query, key); }
  std::vector<Index> visibleKeys(Index query) const {
    return seen(shapes.keys, [&](Index j) { return sees(cell.head, query, j); });
  }
  std::vector<Index> seeingQueries(Index key) const {
    return seen(shapes.queries, [&](Index i) { return sees(cell.head, i, key); });
  }

  Operand bias(Index head, Index query, Index key) const {
    return named("bias", wide((*biasOf(scene, head))(query, key)),
                 scene.bias.size() > 1 ? std::optional(head) : std::nullopt, query, key);
  }
  double slopeOf(Index head) const { return alibiSlope(scene.alibi, head, shapes.heads); }

  /// rule × temperature, in steps; nothing where both are 1.
  std::optional<Operand> divisor();
  /// ‖q_i‖ or ‖k_j‖, in steps.
  Operand length(Stage stage, Index row);

 private:
  static double wide(T value) { return static_cast<double>(value); }

  template <class Sees>
  static std::vector<Index> seen(Index count, const Sees& sees) {
    std::vector<Index> all;
    for (Index at = 0; at < count; ++at)
      if (sees(at)) all.push_back(at);
    return all;
  }
  Operand ofStage(Stage stage, Index head, Index row, Index col, double value) const {
    const StageShape shape = stageShape(scene, stage);
    Operand operand =
        named(stageSymbol(stage), value, shape.heads > 1 ? std::optional(head) : std::nullopt, row, col);
    operand.stage = stage;
    return operand;
  }

  double valueOf(Stage stage, Index head, Index row, Index col);
  double scaledScore(Index head, Index query, Index key) const;
  double score(Index head, Index query, Index key) const;
  double dProb(Index head, Index query, Index key) const;
  double dScore(Index head, Index query, Index key);
  double dScaledScore(Index head, Index query, Index key);

  // dScores of the row that was asked for last: a column of gradients asks row by row.
  std::vector<double> dScores_;
  Index dScoresHead_ = -1, dScoresRow_ = -1;
};

template <class T>
void explainForward(ExplanationBuilder<T>& builder);
template <class T>
void explainBackward(ExplanationBuilder<T>& builder);
/// A cell of dScores as its row of the Jacobian times dProbs. False where there is no such row.
template <class T>
bool explainByJacobian(ExplanationBuilder<T>& builder);

/// Operands of a sum of products: pair(n) gives the n-th two factors.
template <class Range, class Pair>
std::vector<Operand> pairsOver(const Range& range, const Pair& pair) {
  std::vector<Operand> operands;
  for (Index n : range) {
    auto [a, b] = pair(n);
    operands.push_back(std::move(a));
    operands.push_back(std::move(b));
  }
  return operands;
}

inline std::vector<Index> upTo(Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = static_cast<Index>(n);
  return all;
}

}  // namespace attn
