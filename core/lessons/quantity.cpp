#include "core/lessons/quantity.h"

#include "core/attention/scale.h"
#include "core/error.h"
#include "core/evaluate.h"

namespace attn {
namespace {

/// Where a range of indices begins and ends: one index, or all of them.
struct Span {
  Index begin, end;
  Span(std::optional<Index> one, Index all) : begin(one.value_or(0)), end(one ? *one + 1 : all) {}
};

struct Reader {
  const Moment& moment;

  std::vector<double> operator()(const CellsOf& cells) const {
    const StageShape shape = stageShape(moment.scene, cells.stage);
    const Span rows(cells.row, shape.rows), cols(cells.col, shape.cols);
    std::vector<double> numbers;
    for (Index i = rows.begin; i < rows.end; ++i)
      for (Index j = cols.begin; j < cols.end; ++j)
        numbers.push_back(explain(moment.scene, moment.results, {cells.stage, cells.head, i, j}).value);
    if (numbers.empty()) throw Error(std::string("the scene has no ") + stageName(cells.stage));
    return numbers;
  }
  std::vector<double> operator()(const MeasureOf& of) const {
    const Shapes& s = moment.results.shapes;
    if (of.head >= s.heads || of.row >= s.queries)
      throw Error("head " + std::to_string(of.head) + ", row " + std::to_string(of.row) + ": the scene has " +
                  std::to_string(s.heads) + " heads of " + std::to_string(s.queries) + " queries");
    return {(moment.results.measures.*of.measure).at(of.head, of.row, 0)};
  }
  std::vector<double> operator()(const NormOf& of) const { return {(moment.results.norms.*of.norm).all}; }
  std::vector<double> operator()(const CountOf& of) const {
    OperationCount total;
    bool found = false;
    for (const StageCost& stage : forwardCost(moment.scene))
      if (of.stage.empty() || stage.stage == of.stage) total += stage.count, found = true;
    if (!found) throw Error("the scene has no stage " + of.stage + " to count");
    return {static_cast<double>(total.*of.operation)};
  }
  std::vector<double> operator()(const LengthOf& of) const {
    return {static_cast<double>(moment.results.shapes.*of.length)};
  }
  std::vector<double> operator()(Divisor) const {
    return {divisorOf(moment.scene.scale, moment.results.shapes.keyWidth)};
  }
};

}  // namespace

Moment::Moment(PreciseScene from)
    : scene(std::move(from)), results(evaluateReference(scene, Wanted::everything())) {}

std::vector<double> numbersOf(const Quantity& quantity) {
  const Moment moment(*quantity.scene);
  return std::visit(Reader{moment}, quantity.what);
}

}  // namespace attn
