#include "core/explain/explain.h"

#include <array>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/explain/builder.h"

namespace attn {
namespace {

struct StageText {
  const char* name;
  const char* symbol;
};

// In the order of the enumeration.
constexpr std::array<StageText, kStageCount> kStageTexts = {{
    {"q", "q"},
    {"k", "k"},
    {"v", "v"},
    {"unit_q", "q̂"},
    {"unit_k", "k̂"},
    {"raw_scores", "raw"},
    {"scaled_scores", "scaled"},
    {"capped_scores", "capped"},
    {"scores", "s"},
    {"probs", "p"},
    {"head_out", "o"},
    {"out", "out"},
    {"d_out", "dout"},
    {"d_head_out", "do"},
    {"d_probs", "dp"},
    {"d_scores", "ds"},
    {"d_scaled_scores", "dscaled"},
    {"d_raw_scores", "draw"},
    {"d_q", "dq"},
    {"d_k", "dk"},
    {"d_v", "dv"},
    {"d_x", "dx"},
    {"d_x_kv", "dx_kv"},
    {"d_w_q", "dw_q"},
    {"d_w_k", "dw_k"},
    {"d_w_v", "dw_v"},
    {"d_w_o", "dw_o"},
}};

double sumOfProducts(const std::vector<Operand>& operands) {
  double sum = 0;
  for (std::size_t n = 0; n + 1 < operands.size(); n += 2) sum += operands[n].value * operands[n + 1].value;
  return sum;
}

double sigmoid(double x) {
  const double e = std::exp(-std::abs(x));  // never overflows
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

/// max(x, 0), where a NaN stays one.
double positivePart(double x) {
  return x < 0 ? 0 : x;
}

template <class Combine>
double folded(const std::vector<Operand>& operands, double start, const Combine& combine) {
  for (const Operand& operand : operands) start = combine(start, operand.value);
  return start;
}

template <class T>
void expectCell(const SceneOf<T>& scene, const ResultsOf<T>& results, const Cell& cell) {
  if (results.probs.empty()) throw Error("explain: the results keep no weights, expected Wanted::probs");
  const std::string name = stageName(cell.stage);
  const StageShape shape = stageShape(scene, cell.stage);
  if (shape.heads == 0) throw Error(name + ": the scene has no such stage");
  if (cell.stage >= Stage::dOut && results.d.out.size() == 0)
    throw Error(name + ": no gradients have been computed");
  const bool inside = cell.row >= 0 && cell.row < shape.rows && cell.col >= 0 && cell.col < shape.cols;
  if (!inside)
    throw Error(name + ": cell " + shapeText(cell.row, cell.col) + ", expected one inside " +
                shapeText(shape.rows, shape.cols));
  if (cell.head < 0 || cell.head >= shape.heads)
    throw Error(name + ": head " + std::to_string(cell.head) + ", expected 0 to " +
                std::to_string(shape.heads - 1));
}

bool hasHeads(Stage stage) {
  return stage != Stage::out && stage != Stage::dOut && stage != Stage::dX && stage != Stage::dOther &&
         stage != Stage::dWo;
}

}  // namespace

const char* stageName(Stage stage) {
  return kStageTexts[static_cast<std::size_t>(stage)].name;
}

const char* stageSymbol(Stage stage) {
  return kStageTexts[static_cast<std::size_t>(stage)].symbol;
}

std::optional<Stage> stageNamed(const std::string& name) {
  for (std::size_t n = 0; n < kStageTexts.size(); ++n)
    if (name == kStageTexts[n].name) return static_cast<Stage>(n);
  return {};
}

template <class T>
StageShape stageShape(const SceneOf<T>& scene, Stage stage) {
  const Shapes s = shapesOf(scene);
  const SourceOf<T>& source = scene.source;
  const bool projected = source.kind == SourceOf<T>::Kind::projected;
  const auto onlyIf = [](bool exists, StageShape shape) { return exists ? shape : StageShape{}; };
  switch (stage) {
    case Stage::unitQ:
      return onlyIf(scene.scale.qkNormGain.has_value(), {s.heads, s.queries, s.keyWidth});
    case Stage::unitK:
      return onlyIf(scene.scale.qkNormGain.has_value(), {s.heads, s.keys, s.keyWidth});
    case Stage::q:
    case Stage::dQ:
      return {s.heads, s.queries, s.keyWidth};
    case Stage::k:
    case Stage::dK:
      return {s.heads, s.keys, s.keyWidth};
    case Stage::v:
    case Stage::dV:
      return {s.heads, s.keys, s.valueWidth};
    case Stage::headOut:
    case Stage::dHeadOut:
      return {s.heads, s.queries, s.valueWidth};
    case Stage::out:
    case Stage::dOut:
      return {1, s.queries, s.outWidth};
    case Stage::dX:
      return onlyIf(projected, {1, s.queries, s.modelWidth});
    case Stage::dOther:
      return onlyIf(projected && source.other.has_value(), {1, s.keys, s.otherWidth});
    case Stage::dWq:
      return onlyIf(projected, {s.heads, s.modelWidth, s.keyWidth});
    case Stage::dWk:
      return onlyIf(projected, {s.heads, s.otherWidth, s.keyWidth});
    case Stage::dWv:
      return onlyIf(projected, {s.heads, s.otherWidth, s.valueWidth});
    case Stage::dWo:
      return onlyIf(source.wo.has_value(), {1, s.heads * s.valueWidth, s.outWidth});
    default:
      return {s.heads, s.queries, s.keys};
  }
}

double apply(const Step& step) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<Operand>& all = step.operands;
  const double a = all.empty() ? 0 : all[0].value, b = all.size() < 2 ? 0 : all[1].value;
  switch (step.operation) {
    case Operation::given:
    case Operation::copied:
      return a;
    case Operation::sum:
      return folded(all, 0, [](double x, double y) { return x + y; });
    case Operation::sumOfProducts:
      return sumOfProducts(all);
    case Operation::difference:
      return a - b;
    case Operation::product:
      return folded(all, 1, [](double x, double y) { return x * y; });
    case Operation::quotient:
      return a / b;
    case Operation::square:
      return a * a;
    case Operation::squareRoot:
      return std::sqrt(a);
    case Operation::maximum:
      return folded(all, -kInfinity, [](double x, double y) { return x < y ? y : x; });
    case Operation::exponentialOfDifference:
      return std::exp(a - b);
    case Operation::positivePart:
      return positivePart(a - b);
    case Operation::isPositive:
      return std::isnan(a) ? a : a > 0 ? 1 : 0;
    case Operation::sigmoid:
      return sigmoid(a);
    case Operation::cappedTanh:
      return b * std::tanh(a / b);
    case Operation::capSlope:
      return (1 - a / b) * (1 + a / b);  // 1 − (a/b)² without its cancellation
    case Operation::masked:
      return -kInfinity;
    case Operation::zero:
      return 0;
  }
  return std::nan("");
}

template <class T>
Derivation explain(const SceneOf<T>& scene, const ResultsOf<T>& results, const Cell& cell) {
  Cell normal = cell;
  if (!hasHeads(cell.stage)) normal.head = 0;
  expectCell(scene, results, normal);
  ExplanationBuilder<T> builder(scene, results, normal);
  normal.stage < Stage::dOut ? explainForward(builder) : explainBackward(builder);
  return std::move(builder.derivation);
}

template <class T>
std::optional<Derivation> explainByJacobian(const SceneOf<T>& scene, const ResultsOf<T>& results,
                                            const Cell& cell) {
  expectCell(scene, results, cell);
  ExplanationBuilder<T> builder(scene, results, cell);
  if (!explainByJacobian(builder)) return {};
  return std::move(builder.derivation);
}

template std::optional<Derivation> explainByJacobian(const Scene&, const Results&, const Cell&);
template std::optional<Derivation> explainByJacobian(const PreciseScene&, const PreciseResults&, const Cell&);
template StageShape stageShape(const Scene&, Stage);
template StageShape stageShape(const PreciseScene&, Stage);
template Derivation explain(const Scene&, const Results&, const Cell&);
template Derivation explain(const PreciseScene&, const PreciseResults&, const Cell&);

}  // namespace attn
