#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/results.h"

namespace attn {

/// Everything computed whose cells can be explained; the gradients start with d.
enum class Stage {
  q,
  k,
  v,
  unitQ,
  unitK,
  rawScores,
  scaledScores,
  cappedScores,
  scores,
  probs,
  headOut,
  out,
  dOut,
  dHeadOut,
  dProbs,
  dScores,
  dScaledScores,
  dRawScores,
  dQ,
  dK,
  dV,
  dX,
  dOther,
  dWq,
  dWk,
  dWv,
  dWo
};
constexpr int kStageCount = static_cast<int>(Stage::dWo) + 1;

/// A name for files and the command line: "scaled_scores", "d_w_q".
const char* stageName(Stage stage);
std::optional<Stage> stageNamed(const std::string& name);
/// What the stage is called in a formula: "p", "dp", "q̂".
const char* stageSymbol(Stage stage);

struct StageShape {
  Index heads = 0, rows = 0, cols = 0;  // one head where the stage is not split into heads

  bool operator==(const StageShape&) const = default;
};
/// (0, 0, 0) where the scene has no such stage, such as unit vectors without QK-norm.
template <class T>
StageShape stageShape(const SceneOf<T>& scene, Stage stage);

/// One number of a stage. Counted from 0; the head does not matter where the stage has none.
struct Cell {
  Stage stage = Stage::out;
  Index head = 0, row = 0, col = 0;

  bool operator==(const Cell&) const = default;
};

/// A number with its name. The parts of the name are kept, so that a view can set it in its own way, and
/// the stage where there is one, so that the operand can be explained in turn.
struct Operand {
  std::string name;  // "q[2,1]"; "q[0,2,1]" where there are several heads; "√d_k"
  double value = 0;
  std::string symbol;
  std::optional<Index> head, row, col;
  std::optional<Stage> stage;
};

/// How the operands a, b, … make the result.
enum class Operation {
  given,                    // a, a number of the scene
  copied,                   // a
  sum,                      // a + b + …
  sumOfProducts,            // a·b + c·d + …; 0 where there are none
  difference,               // a − b
  product,                  // a·b·…
  quotient,                 // a / b
  square,                   // a²
  squareRoot,               // √a
  maximum,                  // max(a, b, …)
  exponentialOfDifference,  // exp(a − b)
  positivePart,             // max(a − b, 0)
  isPositive,               // 1 where a > 0, otherwise 0
  sigmoid,                  // 1 / (1 + exp(−a))
  cappedTanh,               // b·tanh(a / b)
  capSlope,                 // 1 − (a / b)²
  masked,  // −∞; a is the bias of −∞, or the index of the mask rule that hides the pair
  zero     // 0: a hidden pair has no weight and no gradient, a vector of length 0 no direction
};

struct Step {
  Operation operation = Operation::copied;
  std::vector<Operand> operands;
  Operand result;
};

/// The result of a step, from its operands alone.
double apply(const Step& step);

/// How a cell came about. An operand is the result of an earlier step, a number of the scene or a cell of
/// an earlier stage; the result of the last step is the cell. All in double, whatever the scene is in.
struct Derivation {
  Cell cell;
  std::vector<Step> steps;
  double value = 0;
};

/// Needs no map of the results but the weights; gradients need `Wanted::backward`. Throws Error where the
/// scene has no such cell. A cell of dK takes queries × keys × valueWidth steps where dScaledScores is not
/// kept; all others look at one row or column.
template <class T>
Derivation explain(const SceneOf<T>& scene, const ResultsOf<T>& results, const Cell& cell);

/// The same for a cell of dScores, by its row of the Jacobian: Σ J_jl·dp_l. Nothing for other stages, for
/// pairs that are hidden, and where the normaliser takes each score by itself.
template <class T>
std::optional<Derivation> explainByJacobian(const SceneOf<T>& scene, const ResultsOf<T>& results,
                                            const Cell& cell);

/// The derivation of a cell and of what it comes from, stage by stage, the earliest first and the cell last:
/// the dot product, scale, cap, bias, mask, softmax and weighted sum of an output; for a gradient the chain
/// from what flows in. Where a sum leads to many cells, the chain goes on with the one that adds most (or
/// that is a NaN).
template <class T>
std::vector<Derivation> explainChain(const SceneOf<T>& scene, const ResultsOf<T>& results, const Cell& cell);

/// One line a step: "scaled[0,1] = raw[0,1] / √d_k = 4 / 1.41421 = 2.82843".
std::string toText(const Derivation& derivation);
std::string toText(const Step& step);

}  // namespace attn
