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
  void expectRow(Index head, Index row) const {
    const Shapes& s = moment.results.shapes;
    if (head >= s.heads || row >= s.queries)
      throw Error("head " + std::to_string(head) + ", row " + std::to_string(row) + ": the scene has " +
                  std::to_string(s.heads) + " heads of " + std::to_string(s.queries) + " queries");
  }
  std::vector<double> operator()(const MeasureOf& of) const {
    expectRow(of.head, of.row);
    return {(moment.results.measures.*of.measure).at(of.head, of.row, 0)};
  }
  std::vector<double> operator()(const JacobianBound& of) const {
    expectRow(of.head, of.row);
    const double largest = moment.results.measures.largestWeight.at(of.head, of.row, 0);
    return {static_cast<double>(moment.results.shapes.keys) * (1 - largest)};
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
  std::vector<double> operator()(const ProductOf& of) const {
    double product = 1;
    for (const auto length : of.lengths) product *= static_cast<double>(moment.results.shapes.*length);
    return {product};
  }
  std::vector<double> operator()(Divisor) const {
    return {divisorOf(moment.scene.scale, moment.results.shapes.keyWidth)};
  }
};

}  // namespace

Moment::Moment(PreciseScene from)
    : scene(std::move(from)), results(evaluateReference(scene, Wanted::everything())) {}

std::vector<double> numbersOf(const Quantity& quantity) {
  return numbersOf(quantity.what, Moment(*quantity.scene));
}

std::vector<double> numbersOf(const Wish& what, const Moment& moment) {
  return std::visit(Reader{moment}, what);
}

}  // namespace attn
