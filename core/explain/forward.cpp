#include "core/explain/builder.h"

namespace attn {
namespace {

using Op = Operation;

/// y = x·w, or a number of the scene where Q, K and V are given.
template <class T>
void explainProjection(ExplanationBuilder<T>& b) {
  const SourceOf<T>& source = b.scene.source;
  const auto [stage, head, row, col] = b.cell;
  if (source.kind == SourceOf<T>::Kind::given) return b.conclude(Op::given, {b.of(stage, row, col)});
  const ProjectedHeadOf<T>& weights = source.projected[static_cast<std::size_t>(head)];
  const InputOf<T>& w = stage == Stage::q ? weights.wq : stage == Stage::k ? weights.wk : weights.wv;
  const std::string symbol = std::string("w_") + stageSymbol(stage);
  const bool fromOther = stage != Stage::q && source.other;
  const InputOf<T>& x = fromOther ? *source.other : source.x;
  const auto factors = [&, h = head, i = row, c = col](Index t) {
    return std::pair(b.input(fromOther ? "x_kv" : "x", x, i, t), b.input(symbol, w, t, c, h));
  };
  b.conclude(Op::sumOfProducts, pairsOver(upTo(x.values.cols()), factors));
}

template <class T>
void explainUnit(ExplanationBuilder<T>& b) {
  const Stage stage = b.cell.stage == Stage::unitQ ? Stage::q : Stage::k;
  const Operand length = b.length(stage, b.cell.row);
  if (length.value == 0) return b.conclude(Op::zero, {length});
  b.conclude(Op::quotient, {b.of(stage, b.cell.row, b.cell.col), length});
}

template <class T>
std::vector<Operand> queryTimesKey(ExplanationBuilder<T>& b) {
  return pairsOver(upTo(b.shapes.keyWidth), [&](Index t) {
    return std::pair(b.of(Stage::q, b.cell.row, t), b.of(Stage::k, b.cell.col, t));
  });
}

/// raw / divisor or, under QK-norm, gain·(raw / (‖q‖·‖k‖)) / divisor.
template <class T>
void explainScaled(ExplanationBuilder<T>& b) {
  const Index i = b.cell.row, j = b.cell.col;
  Operand rawName = b.of(Stage::rawScores, i, j);
  Operand score = b.derive(Op::sumOfProducts, queryTimesKey(b), std::move(rawName));
  if (b.scene.scale.qkNormGain) {
    const Operand lengthQ = b.length(Stage::q, i), lengthK = b.length(Stage::k, j);
    const Operand lengths =
        b.derive(Op::product, {lengthQ, lengthK}, "(" + lengthQ.name + "·" + lengthK.name + ")");
    const Operand cosine = lengths.value == 0 ? b.derive(Op::zero, {lengths}, "cos(q, k)")
                                              : b.derive(Op::quotient, {score, lengths}, "cos(q, k)");
    score = b.derive(Op::product, {b.named("g", *b.scene.scale.qkNormGain), cosine}, "g·cos(q, k)");
  }
  const auto divisor = b.divisor();
  divisor ? b.conclude(Op::quotient, {score, *divisor}) : b.conclude(Op::copied, {score});
}

template <class T>
void explainCapped(ExplanationBuilder<T>& b) {
  const Operand scaled = b.of(Stage::scaledScores, b.cell.row, b.cell.col);
  if (!b.scene.cap) return b.conclude(Op::copied, {scaled});
  b.conclude(Op::cappedTanh, {scaled, b.named("c", *b.scene.cap)});
}

/// capped − m·|i−j| + bias, or −∞ where the pair is hidden. Without a cap, the scaled score takes its place.
template <class T>
void explainScore(ExplanationBuilder<T>& b) {
  const auto [stage, head, i, j] = b.cell;
  if (const auto reason = b.hiddenBy(head, i, j)) return b.conclude(Op::masked, {*reason});
  std::vector<Operand> parts = {b.of(b.scene.cap ? Stage::cappedScores : Stage::scaledScores, i, j)};
  if (b.scene.alibi) {
    const Operand slope = b.named("−m", -b.slopeOf(head));
    const Operand distance = b.named("|i−j|", static_cast<double>(std::abs(i - j)));
    parts.push_back(b.derive(Op::product, {slope, distance}, "alibi"));
  }
  if (!b.scene.bias.empty()) parts.push_back(b.bias(head, i, j));
  const Op operation = parts.size() == 1 ? Op::copied : Op::sum;
  b.conclude(operation, std::move(parts));
}

template <class T>
Operand largestScore(ExplanationBuilder<T>& b, const std::vector<Index>& keys) {
  std::vector<Operand> scores;
  for (Index j : keys) scores.push_back(b.of(Stage::scores, b.cell.row, j));
  if (b.scene.normaliser.kind == Normaliser::Kind::sink)
    scores.push_back(b.named("sink", b.scene.normaliser.logit));
  return b.derive(Op::maximum, std::move(scores), "max");
}

/// exp(s_j − max) / Σ exp(s_l − max), with the sink in the sum where there is one.
template <class T>
void explainSoftmax(ExplanationBuilder<T>& b, const std::vector<Index>& keys) {
  const Operand largest = largestScore(b, keys);
  std::vector<Operand> exponentials;
  Operand own;
  for (Index j : keys) {
    const Operand score = b.of(Stage::scores, b.cell.row, j);
    exponentials.push_back(b.derive(Op::exponentialOfDifference, {score, largest}, b.named("e", 0, j)));
    if (j == b.cell.col) own = exponentials.back();
  }
  if (b.scene.normaliser.kind == Normaliser::Kind::sink)
    exponentials.push_back(b.derive(Op::exponentialOfDifference,
                                    {b.named("sink", b.scene.normaliser.logit), largest}, "e[sink]"));
  b.conclude(Op::quotient, {own, b.derive(Op::sum, std::move(exponentials), "Σe")});
}

/// τ of sparsemax, with k keys above it: Σ (z_j − τ) = 1, so τ = (Σ z_j − 1) / k.
template <class T>
Operand sparsemaxThreshold(ExplanationBuilder<T>& b, const std::vector<Operand>& above) {
  const Operand count = b.named("k", static_cast<double>(above.size()));
  const Operand sum = b.derive(Op::sum, above, "Σz");
  return b.derive(Op::quotient, {b.derive(Op::difference, {sum, b.named("1", 1)}, "(Σz − 1)"), count}, "τ");
}

/// τ of 1.5-entmax, with k keys above it: Σ (z_j − τ)² = 1, so τ = mean − √((1 − Σ (z_j − mean)²) / k).
template <class T>
Operand entmaxThreshold(ExplanationBuilder<T>& b, const std::vector<Operand>& above) {
  const Operand count = b.named("k", static_cast<double>(above.size()));
  const Operand mean = b.derive(Op::quotient, {b.derive(Op::sum, above, "Σz"), count}, "mean");
  std::vector<Operand> squares;
  for (const Operand& z : above) {
    squares.push_back(b.derive(Op::difference, {z, mean}, "(" + z.name + " − mean)"));
    squares.push_back(squares.back());
  }
  const Operand spread = b.derive(Op::sumOfProducts, std::move(squares), "Σ(z − mean)²");
  const Operand left = b.derive(Op::difference, {b.named("1", 1), spread}, "(1 − Σ(z − mean)²)");
  const Operand share = b.derive(Op::quotient, {left, count}, "share");
  return b.derive(Op::difference, {mean, b.derive(Op::squareRoot, {share}, "√share")}, "τ");
}

/// max(z_j − τ, 0), squared for 1.5-entmax, where z_j = s_j − max, halved for 1.5-entmax.
template <class T>
void explainThreshold(ExplanationBuilder<T>& b, const std::vector<Index>& keys) {
  const bool entmax = b.scene.normaliser.kind == Normaliser::Kind::entmax15;
  const Operand largest = largestScore(b, keys);
  std::vector<double> weights;
  for (Index j : keys) weights.push_back(b.of(Stage::scores, b.cell.row, j).value);
  normalise(b.scene.normaliser.kind, 0.0, weights.data(), static_cast<Index>(weights.size()));
  std::vector<Operand> above;
  Operand own;
  for (std::size_t n = 0; n < keys.size(); ++n) {
    const bool isAbove = !(weights[n] <= 0);  // also where the row has become NaN
    if (!isAbove && keys[n] != b.cell.col) continue;
    const Operand score = b.of(Stage::scores, b.cell.row, keys[n]);
    Operand z = b.derive(Op::difference, {score, largest}, b.named(entmax ? "2z" : "z", 0, keys[n]));
    if (entmax) z = b.derive(Op::quotient, {z, b.named("2", 2)}, b.named("z", 0, keys[n]));
    if (isAbove) above.push_back(z);
    if (keys[n] == b.cell.col) own = z;
  }
  const Operand threshold = entmax ? entmaxThreshold(b, above) : sparsemaxThreshold(b, above);
  if (!entmax) return b.conclude(Op::positivePart, {own, threshold});
  b.conclude(Op::square, {b.derive(Op::positivePart, {own, threshold}, "(√p)")});
}

template <class T>
void explainProb(ExplanationBuilder<T>& b) {
  const auto [stage, head, i, j] = b.cell;
  if (const auto reason = b.hiddenBy(head, i, j))
    return b.conclude(Op::zero, {b.derive(Op::masked, {*reason}, b.of(Stage::scores, i, j))});
  switch (b.scene.normaliser.kind) {
    case Normaliser::Kind::sigmoid: {
      const Operand logit = b.named("b", b.scene.normaliser.logit);
      return b.conclude(Op::sigmoid, {b.derive(Op::sum, {b.of(Stage::scores, i, j), logit}, "(s + b)")});
    }
    case Normaliser::Kind::sparsemax:
    case Normaliser::Kind::entmax15:
      return explainThreshold(b, b.visibleKeys(i));
    default:
      return explainSoftmax(b, b.visibleKeys(i));
  }
}

/// concat(heads)·W_O, or the head's own number where there is no W_O.
template <class T>
void explainOut(ExplanationBuilder<T>& b) {
  const Index width = b.shapes.valueWidth, i = b.cell.row, col = b.cell.col;
  if (!b.scene.source.wo) return b.conclude(Op::copied, {b.of(Stage::headOut, col / width, i, col % width)});
  b.conclude(Op::sumOfProducts, pairsOver(upTo(b.shapes.heads * width), [&](Index t) {
               return std::pair(b.of(Stage::headOut, t / width, i, t % width),
                                b.input("w_o", *b.scene.source.wo, t, col));
             }));
}

}  // namespace

template <class T>
void explainForward(ExplanationBuilder<T>& b) {
  const Index i = b.cell.row, col = b.cell.col;
  switch (b.cell.stage) {
    case Stage::q:
    case Stage::k:
    case Stage::v:
      return explainProjection(b);
    case Stage::unitQ:
    case Stage::unitK:
      return explainUnit(b);
    case Stage::rawScores:
      return b.conclude(Op::sumOfProducts, queryTimesKey(b));
    case Stage::scaledScores:
      return explainScaled(b);
    case Stage::cappedScores:
      return explainCapped(b);
    case Stage::scores:
      return explainScore(b);
    case Stage::probs:
      return explainProb(b);
    case Stage::headOut:
      return b.conclude(Op::sumOfProducts, pairsOver(b.visibleKeys(i), [&](Index j) {
                          return std::pair(b.of(Stage::probs, i, j), b.of(Stage::v, j, col));
                        }));
    default:
      return explainOut(b);
  }
}

template void explainForward(ExplanationBuilder<float>&);
template void explainForward(ExplanationBuilder<double>&);

}  // namespace attn
