// Each function quotes the forward line that it differentiates.
#include "core/explain/builder.h"

namespace attn {
namespace {

using Op = Operation;

template <class T>
void explainUpstream(ExplanationBuilder<T>& b) {
  using Kind = typename UpstreamOf<T>::Kind;
  const UpstreamOf<T>& upstream = b.scene.upstream;
  const Index i = b.cell.row, c = b.cell.col;
  if (upstream.kind == Kind::target) {
    const Operand target = b.named("target", static_cast<double>(upstream.matrix(i, c)), {}, i, c);
    return b.conclude(Op::difference, {b.of(Stage::out, i, c), target});
  }
  double value = 1;
  if (upstream.kind == Kind::cell) value = upstream.row == i && upstream.col == c ? 1 : 0;
  if (upstream.kind == Kind::given) value = static_cast<double>(upstream.matrix(i, c));
  b.conclude(Op::given, {b.named("upstream", value, {}, i, c)});
}

/// Back from out_ic = Σ_t o_it·w_tc: do_it = Σ_c dout_ic·w_tc
template <class T>
void explainDHeadOut(ExplanationBuilder<T>& b) {
  const Index i = b.cell.row, at = b.cell.head * b.shapes.valueWidth + b.cell.col;
  if (!b.scene.source.wo) return b.conclude(Op::copied, {b.of(Stage::dOut, i, at)});
  b.conclude(Op::sumOfProducts, pairsOver(upTo(b.shapes.outWidth), [&](Index c) {
               return std::pair(b.of(Stage::dOut, i, c), b.input("w_o", *b.scene.source.wo, at, c));
             }));
}

/// u_j of the Jacobian diag(u) − κuuᵀ, see core/attention/normalise.h.
template <class T>
Operand jacobianWeightOf(ExplanationBuilder<T>& b, Index j) {
  const Operand p = b.of(Stage::probs, b.cell.row, j);
  const Operand u = b.named("u", 0, j);
  switch (b.scene.normaliser.kind) {
    case Normaliser::Kind::sparsemax:
      return b.derive(Op::isPositive, {p}, u);
    case Normaliser::Kind::entmax15:
      return b.derive(Op::squareRoot, {p}, u);
    case Normaliser::Kind::sigmoid:
      return b.derive(Op::product,
                      {p, b.derive(Op::difference, {b.named("1", 1), p}, "(1 − " + p.name + ")")}, u);
    default:
      return p;
  }
}

/// Back from p = normalise(s): ds_j = u_j·(dp_j − κ Σ_l u_l·dp_l)
template <class T>
void explainDScores(ExplanationBuilder<T>& b) {
  const Normaliser::Kind kind = b.scene.normaliser.kind;
  const Index i = b.cell.row, j = b.cell.col;
  const Operand dp = b.of(Stage::dProbs, i, j);
  if (kind == Normaliser::Kind::sigmoid) return b.conclude(Op::product, {jacobianWeightOf(b, j), dp});
  std::vector<Operand> weights, pairs;
  Operand own;
  for (Index l : b.visibleKeys(i)) {
    weights.push_back(jacobianWeightOf(b, l));
    pairs.insert(pairs.end(), {weights.back(), b.of(Stage::dProbs, i, l)});
    if (l == j) own = weights.back();
  }
  const bool softmax = kind == Normaliser::Kind::softmax || kind == Normaliser::Kind::sink;
  Operand shared = b.derive(Op::sumOfProducts, std::move(pairs), softmax ? "Σp·dp" : "Σu·dp");
  if (!softmax) {
    const Operand sum = b.derive(Op::sum, std::move(weights), "Σu");
    const Operand coupling = b.derive(Op::quotient, {b.named("1", 1), sum}, "κ");
    shared = b.derive(Op::product, {coupling, shared}, "κ·Σu·dp");
  }
  b.conclude(Op::product,
             {own, b.derive(Op::difference, {dp, shared}, "(" + dp.name + " − " + shared.name + ")")});
}

/// J_jl of the row of the cell, for every key l that the query sees: u_j·(1 − κu_j) on the diagonal, else
/// −κ·u_j·u_l. Takes the steps that lead there.
template <class T>
std::vector<Operand> jacobianRow(ExplanationBuilder<T>& b, const std::vector<Index>& keys) {
  const Normaliser::Kind kind = b.scene.normaliser.kind;
  std::vector<Operand> weights;
  for (Index l : keys) weights.push_back(jacobianWeightOf(b, l));
  std::vector<Operand> coupling;  // none where κ = 1
  if (kind != Normaliser::Kind::softmax && kind != Normaliser::Kind::sink)
    coupling = {b.derive(Op::quotient, {b.named("1", 1), b.derive(Op::sum, weights, "Σu")}, "κ")};
  const auto own = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), b.cell.col) - keys.begin());
  std::vector<Operand> row;
  for (std::size_t n = 0; n < keys.size(); ++n) {
    std::vector<Operand> factors = {weights[own]};
    const auto couple = [&](std::vector<Operand> other) {
      other.insert(other.end(), coupling.begin(), coupling.end());
      return other;
    };
    if (n == own) {
      const std::vector<Operand> lost = couple({weights[own]});
      const Operand share = lost.size() > 1 ? b.derive(Op::product, lost, "κ·" + weights[own].name) : lost[0];
      factors.push_back(b.derive(Op::difference, {b.named("1", 1), share}, "(1 − " + share.name + ")"));
    } else {
      factors = couple({b.named("−1", -1), weights[own], weights[n]});
    }
    row.push_back(b.derive(Op::product, std::move(factors), b.named("J", 0, keys[n])));
  }
  return row;
}

/// Back from c·tanh(s/c), whose slope is 1 − tanh²(s/c).
template <class T>
void explainDScaled(ExplanationBuilder<T>& b) {
  const Index i = b.cell.row, j = b.cell.col;
  const Operand d = b.of(Stage::dScores, i, j);
  if (!b.scene.cap) return b.conclude(Op::copied, {d});
  const Operand cap = b.named("c", *b.scene.cap);
  b.conclude(Op::product, {d, b.derive(Op::capSlope, {b.of(Stage::cappedScores, i, j), cap}, "slope")});
}

/// Back from scaled = raw / divisor and, under QK-norm, from gain·raw / (‖q‖·‖k‖·divisor).
template <class T>
void explainDRaw(ExplanationBuilder<T>& b) {
  const Index i = b.cell.row, j = b.cell.col;
  Operand d = b.of(Stage::dScaledScores, i, j);
  if (b.scene.scale.qkNormGain) {
    const Operand lengthQ = b.length(Stage::q, i), lengthK = b.length(Stage::k, j);
    const Operand lengths =
        b.derive(Op::product, {lengthQ, lengthK}, "(" + lengthQ.name + "·" + lengthK.name + ")");
    if (lengths.value == 0) return b.conclude(Op::zero, {lengths});
    d = b.derive(Op::product, {b.named("g", *b.scene.scale.qkNormGain), d}, "g·" + d.name);
    d = b.derive(Op::quotient, {d, lengths}, "(" + d.name + " / lengths)");
  }
  const auto divisor = b.divisor();
  divisor ? b.conclude(Op::quotient, {d, *divisor}) : b.conclude(Op::copied, {d});
}

/// A gradient with respect to a pair of tokens: hidden pairs have none.
template <class T, class Visible>
void explainPair(ExplanationBuilder<T>& b, const Visible& visible) {
  const auto reason = b.hiddenBy(b.cell.head, b.cell.row, b.cell.col);
  if (!reason) return visible(b);
  b.conclude(Op::zero, {b.derive(Op::masked, {*reason}, b.of(Stage::scores, b.cell.row, b.cell.col))});
}

/// The gradients of all the scores that a query or a key has a part in.
template <class T>
std::vector<Operand> scoreGradients(ExplanationBuilder<T>& b) {
  const Index row = b.cell.row;
  std::vector<Operand> gradients;
  if (b.cell.stage == Stage::dQ)
    for (Index j : b.visibleKeys(row)) gradients.push_back(b.of(Stage::dScaledScores, row, j));
  else
    for (Index i : b.seeingQueries(row)) gradients.push_back(b.of(Stage::dScaledScores, i, row));
  return gradients;
}

/// Back from s_ij = Σ_t q_it·k_jt: Σ_j ds_ij·k_jt for a query, Σ_i ds_ij·q_it for a key.
template <class T>
std::vector<Operand> timesPartners(ExplanationBuilder<T>& b, const std::vector<Operand>& gradients,
                                   Stage partner, Index t) {
  std::vector<Operand> pairs;
  for (const Operand& d : gradients) {
    const Index token = b.cell.stage == Stage::dQ ? *d.col : *d.row;
    pairs.insert(pairs.end(), {d, b.of(partner, token, t)});
  }
  return pairs;
}

/// dQ and dK: the sum over the pairs, divided as the scores were.
template <class T>
void explainDToken(ExplanationBuilder<T>& b) {
  const Stage partner = b.cell.stage == Stage::dQ ? Stage::k : Stage::q;
  std::vector<Operand> pairs = timesPartners(b, scoreGradients(b), partner, b.cell.col);
  const auto divisor = b.divisor();
  if (!divisor) return b.conclude(Op::sumOfProducts, std::move(pairs));
  b.conclude(Op::quotient, {b.derive(Op::sumOfProducts, std::move(pairs), "Σ"), *divisor});
}

/// The same under QK-norm. Back from û = x/‖x‖: dx = (dû − û(û·dû)) / ‖x‖
template <class T>
void explainDUnitToken(ExplanationBuilder<T>& b) {
  const bool query = b.cell.stage == Stage::dQ;
  const Stage self = query ? Stage::unitQ : Stage::unitK, partner = query ? Stage::unitK : Stage::unitQ;
  const Index row = b.cell.row, col = b.cell.col;
  const Operand length = b.length(query ? Stage::q : Stage::k, row);
  if (length.value == 0) return b.conclude(Op::zero, {length});
  Operand factor = b.named("g", *b.scene.scale.qkNormGain);
  if (const auto divisor = b.divisor()) factor = b.derive(Op::quotient, {factor, *divisor}, "(g / divisor)");
  const std::string symbol = std::string("d") + stageSymbol(self);
  const std::vector<Operand> gradients = scoreGradients(b);
  std::vector<Operand> pairs;
  Operand own;
  for (Index t = 0; t < b.shapes.keyWidth; ++t) {
    const Operand sum =
        b.derive(Op::sumOfProducts, timesPartners(b, gradients, partner, t), b.named("Σ", 0, t));
    const Operand dUnit = b.derive(Op::product, {factor, sum}, b.named(symbol, 0, b.cell.head, row, t));
    pairs.insert(pairs.end(), {b.of(self, row, t), dUnit});
    if (t == col) own = dUnit;
  }
  const Operand along = b.derive(Op::sumOfProducts, std::move(pairs), "along");
  const Operand lost = b.derive(Op::product, {b.of(self, row, col), along}, "û·along");
  b.conclude(Op::quotient, {b.derive(Op::difference, {own, lost}, "(" + own.name + " − û·along)"), length});
}

/// One way from a projection back to the sequence: y = x·w of every head.
template <class T>
struct Way {
  Stage gradient;
  const char* symbol;
  InputOf<T> ProjectedHeadOf<T>::*weights;
};

template <class T>
Way<T> wayOf(Stage gradient) {
  if (gradient == Stage::dQ) return {gradient, "w_q", &ProjectedHeadOf<T>::wq};
  if (gradient == Stage::dK) return {gradient, "w_k", &ProjectedHeadOf<T>::wk};
  return {gradient, "w_v", &ProjectedHeadOf<T>::wv};
}

/// Back from y_ic = Σ_t x_it·w_tc, for all heads and all that the sequence feeds: dx_it = Σ Σ_c dy_ic·w_tc
template <class T>
void explainDSequence(ExplanationBuilder<T>& b) {
  const SourceOf<T>& source = b.scene.source;
  std::vector<Stage> gradients = {Stage::dQ, Stage::dK, Stage::dV};
  if (b.cell.stage == Stage::dOther) gradients = {Stage::dK, Stage::dV};
  if (b.cell.stage == Stage::dX && source.other) gradients = {Stage::dQ};
  std::vector<Operand> parts;
  for (Index h = 0; h < b.shapes.heads; ++h)
    for (Stage gradient : gradients) {
      const Way<T> way = wayOf<T>(gradient);
      const InputOf<T>& w = source.projected[static_cast<std::size_t>(h)].*way.weights;
      auto pairs = pairsOver(upTo(w.values.cols()), [&](Index c) {
        return std::pair(b.of(gradient, h, b.cell.row, c), b.input(way.symbol, w, b.cell.col, c, h));
      });
      const std::string ofHead = b.shapes.heads == 1 ? "" : " of head " + std::to_string(h);
      parts.push_back(b.derive(Op::sumOfProducts, std::move(pairs),
                               std::string(stageSymbol(gradient)) + "·" + way.symbol + "ᵀ" + ofHead));
    }
  const Op operation = parts.size() == 1 ? Op::copied : Op::sum;
  b.conclude(operation, std::move(parts));
}

/// Back from y_ic = Σ_t x_it·w_tc: dw_tc = Σ_i x_it·dy_ic. A token without gradient adds nothing, even
/// where it is a NaN.
template <class T, class X>
void explainDWeights(ExplanationBuilder<T>& b, Stage gradient, Index tokens, const X& x) {
  const Index width = stageShape(b.scene, gradient).cols;
  std::vector<Operand> pairs;
  for (Index i = 0; i < tokens; ++i) {
    Operand factor = x(i);
    bool used = std::isfinite(factor.value);
    for (Index c = 0; c < width && !used; ++c) used = b.of(gradient, i, c).value != 0;
    if (used) pairs.insert(pairs.end(), {std::move(factor), b.of(gradient, i, b.cell.col)});
  }
  b.conclude(Op::sumOfProducts, std::move(pairs));
}

template <class T>
void explainDProjection(ExplanationBuilder<T>& b, Stage gradient) {
  const SourceOf<T>& source = b.scene.source;
  const bool fromOther = gradient != Stage::dQ && source.other;
  const InputOf<T>& x = fromOther ? *source.other : source.x;
  explainDWeights(b, gradient, x.values.rows(),
                  [&](Index i) { return b.input(fromOther ? "x_kv" : "x", x, i, b.cell.row); });
}

}  // namespace

template <class T>
void explainBackward(ExplanationBuilder<T>& b) {
  const Index row = b.cell.row, col = b.cell.col, width = b.shapes.valueWidth;
  const bool unit = b.scene.scale.qkNormGain.has_value();
  switch (b.cell.stage) {
    case Stage::dOut:
      return explainUpstream(b);
    case Stage::dHeadOut:
      return explainDHeadOut(b);
    case Stage::dProbs:
      return explainPair(b, [=](ExplanationBuilder<T>& pair) {
        pair.conclude(Op::sumOfProducts, pairsOver(upTo(width), [&](Index t) {
                        return std::pair(pair.of(Stage::dHeadOut, row, t), pair.of(Stage::v, col, t));
                      }));
      });
    case Stage::dScores:
      return explainPair(b, explainDScores<T>);
    case Stage::dScaledScores:
      return explainPair(b, explainDScaled<T>);
    case Stage::dRawScores:
      return explainPair(b, explainDRaw<T>);
    case Stage::dQ:
    case Stage::dK:
      return unit ? explainDUnitToken(b) : explainDToken(b);
    case Stage::dV:
      return b.conclude(Op::sumOfProducts, pairsOver(b.seeingQueries(row), [&](Index i) {
                          return std::pair(b.of(Stage::probs, i, row), b.of(Stage::dHeadOut, i, col));
                        }));
    case Stage::dX:
    case Stage::dOther:
      return explainDSequence(b);
    case Stage::dWq:
      return explainDProjection(b, Stage::dQ);
    case Stage::dWk:
      return explainDProjection(b, Stage::dK);
    case Stage::dWv:
      return explainDProjection(b, Stage::dV);
    default:
      return explainDWeights(b, Stage::dOut, b.shapes.queries,
                             [&](Index i) { return b.of(Stage::headOut, row / width, i, row % width); });
  }
}

template <class T>
bool explainByJacobian(ExplanationBuilder<T>& b) {
  if (b.cell.stage != Stage::dScores || b.scene.normaliser.kind == Normaliser::Kind::sigmoid) return false;
  if (!b.sees(b.cell.head, b.cell.row, b.cell.col)) return false;
  const std::vector<Index> keys = b.visibleKeys(b.cell.row);
  const std::vector<Operand> row = jacobianRow(b, keys);
  std::vector<Operand> pairs;
  for (std::size_t n = 0; n < keys.size(); ++n)
    pairs.insert(pairs.end(), {row[n], b.of(Stage::dProbs, b.cell.row, keys[n])});
  b.conclude(Op::sumOfProducts, std::move(pairs));
  return true;
}

template bool explainByJacobian(ExplanationBuilder<float>&);
template bool explainByJacobian(ExplanationBuilder<double>&);
template void explainBackward(ExplanationBuilder<float>&);
template void explainBackward(ExplanationBuilder<double>&);

}  // namespace attn
