#include "core/measures/difference.h"

#include <functional>

namespace attn {
namespace {

using Stack = StackOf<float>;

/// Every block of numbers of some Results, always in the same order. `visit` gets (data, heads, rows, cols).
template <class AnyResults, class VisitStack, class VisitMatrix>
void visitAll(AnyResults& results, VisitStack&& stack, VisitMatrix&& matrix) {
  for (auto* one : {&results.q, &results.k, &results.v, &results.rawScores, &results.scaledScores,
                    &results.cappedScores, &results.scores, &results.probs, &results.headOut})
    stack(*one);
  auto& m = results.measures;
  for (auto* one : {&m.largestWeight, &m.entropy, &m.entropyShare, &m.effectiveKeys, &m.jacobianNorm,
                    &m.jacobianEigenvalue})
    stack(*one);
  auto& d = results.d;
  for (auto* one : {&d.headOut, &d.probs, &d.scores, &d.scaledScores, &d.rawScores, &d.q, &d.k, &d.v, &d.wq,
                    &d.wk, &d.wv})
    stack(*one);
  for (auto* one : {&results.out, &d.out, &d.x, &d.other, &d.wo}) matrix(*one);
}

struct Block {
  const float* data = nullptr;
  Index heads = 0, rows = 0, cols = 0;
  Index size() const { return heads * rows * cols; }
  bool hasShapeOf(const Block& other) const {
    return heads == other.heads && rows == other.rows && cols == other.cols;
  }
};

std::vector<Block> blocksOf(const Results& results) {
  std::vector<Block> blocks;
  visitAll(
      results,
      [&](const Stack& s) {
        blocks.push_back({s.data(), s.heads(), s.rows(), s.cols()});
      },
      [&](const Matrix& m) {
        blocks.push_back({m.data(), 1, m.rows(), m.cols()});
      });
  return blocks;
}

void subtract(const Block& a, const Block& b, float* result) {
  for (Index i = 0; i < b.size(); ++i) result[i] = b.data[i] - a.data[i];
}

}  // namespace

void takeDifference(const Results& a, const Results& b, Results& difference) {
  const std::vector<Block> ofA = blocksOf(a), ofB = blocksOf(b);
  difference.shapes = b.shapes;
  difference.made = b.made;
  difference.maskedRows = b.maskedRows;
  difference.nonFiniteRows = b.nonFiniteRows;
  difference.saturatedRows = b.saturatedRows;
  difference.visibleKeys = b.visibleKeys;
  difference.norms = b.norms;
  difference.loss = b.loss - a.loss;
  std::size_t next = 0;
  visitAll(
      difference,
      [&](Stack& to) {
        const Block &x = ofA[next], &y = ofB[next++];
        if (!x.hasShapeOf(y)) return to.clear();
        to.resize(y.heads, y.rows, y.cols);
        subtract(x, y, to.data());
      },
      [&](Matrix& to) {
        const Block &x = ofA[next], &y = ofB[next++];
        if (!x.hasShapeOf(y)) return to.resize(0, 0);
        to.resize(y.rows, y.cols);
        subtract(x, y, to.data());
      });
}

const float* sameNumber(const Results& from, const float* number, const Results& to) {
  const std::vector<Block> there = blocksOf(from), here = blocksOf(to);
  const std::less<> before;
  for (std::size_t i = 0; i < there.size(); ++i) {
    const Block& block = there[i];
    if (before(number, block.data) || !before(number, block.data + block.size())) continue;
    return block.hasShapeOf(here[i]) ? here[i].data + (number - block.data) : nullptr;
  }
  return nullptr;
}

}  // namespace attn
