#include "core/explain/builder.h"

#include "core/attention/scale.h"

namespace attn {
namespace {

template <class A, class B>
double dot(const A& a, Index i, const B& b, Index j) {
  double sum = 0;
  for (Index t = 0; t < a.cols(); ++t) sum += static_cast<double>(a(i, t)) * static_cast<double>(b(j, t));
  return sum;
}

}  // namespace

template <class T>
std::optional<Operand> ExplanationBuilder<T>::divisor() {
  const Scale& scale = scene.scale;
  const Operand width = named("d_k", static_cast<double>(shapes.keyWidth));
  std::optional<Operand> rule;
  if (scale.rule == Scale::Rule::sqrtKeyWidth) rule = derive(Operation::squareRoot, {width}, "√d_k");
  if (scale.rule == Scale::Rule::keyWidth) rule = width;
  if (scale.rule == Scale::Rule::number) rule = named("scale", scale.number);
  if (scale.temperature == 1) return rule;
  const Operand temperature = named("T", scale.temperature);
  return rule ? derive(Operation::product, {*rule, temperature}, "divisor") : temperature;
}

template <class T>
Operand ExplanationBuilder<T>::length(Stage stage, Index row) {
  const std::string symbol = std::string("‖") + stageSymbol(stage) + "[" + std::to_string(row) + "]‖";
  const auto twice = [&](Index t) { return std::pair(of(stage, row, t), of(stage, row, t)); };
  const Operand squared =
      derive(Operation::sumOfProducts, pairsOver(upTo(shapes.keyWidth), twice), symbol + "²");
  return derive(Operation::squareRoot, {squared}, symbol);
}

template <class T>
double ExplanationBuilder<T>::scaledScore(Index head, Index query, Index key) const {
  const double divisor = plainDivisor(scene.scale, shapes.keyWidth);
  if (!scene.scale.qkNormGain)
    return dot(queriesOf(scene, results, head), query, keysOf(scene, results, head), key) / divisor;
  return *scene.scale.qkNormGain * dot(results.unitQ[head], query, results.unitK[head], key) / divisor;
}

template <class T>
double ExplanationBuilder<T>::score(Index head, Index query, Index key) const {
  if (!sees(head, query, key)) return -std::numeric_limits<double>::infinity();
  double score = capped(scaledScore(head, query, key), scene.cap.value_or(0));
  if (scene.alibi) score -= slopeOf(head) * static_cast<double>(std::abs(query - key));
  return scene.bias.empty() ? score : score + bias(head, query, key).value;
}

template <class T>
double ExplanationBuilder<T>::dProb(Index head, Index query, Index key) const {
  if (!sees(head, query, key)) return 0;
  return dot(results.d.headOut[head], query, valuesOf(scene, results, head), key);
}

template <class T>
double ExplanationBuilder<T>::dScore(Index head, Index query, Index key) {
  const auto at = static_cast<std::size_t>(key);
  if (dScoresHead_ == head && dScoresRow_ == query) return dScores_[at];
  const std::vector<Index> keys = seen(shapes.keys, [&](Index j) { return sees(head, query, j); });
  std::vector<double> p, d;
  for (Index j : keys) {
    p.push_back(wide(results.probs.at(head, query, j)));
    d.push_back(dProb(head, query, j));
  }
  normaliseBackward(scene.normaliser.kind, p.data(), d.data(), static_cast<Index>(p.size()));
  dScores_.assign(static_cast<std::size_t>(shapes.keys), 0);
  for (std::size_t n = 0; n < keys.size(); ++n) dScores_[static_cast<std::size_t>(keys[n])] = d[n];
  dScoresHead_ = head, dScoresRow_ = query;
  return dScores_[at];
}

template <class T>
double ExplanationBuilder<T>::dScaledScore(Index head, Index query, Index key) {
  if (!results.d.scaledScores.empty()) return wide(results.d.scaledScores.at(head, query, key));
  const double d = dScore(head, query, key);
  if (!scene.cap || d == 0) return d;
  return d * capSlope(valueOf(Stage::cappedScores, head, query, key), *scene.cap);
}

template <class T>
double ExplanationBuilder<T>::valueOf(Stage stage, Index head, Index row, Index col) {
  switch (stage) {
    case Stage::q:
      return wide(queriesOf(scene, results, head)(row, col));
    case Stage::k:
      return wide(keysOf(scene, results, head)(row, col));
    case Stage::v:
      return wide(valuesOf(scene, results, head)(row, col));
    case Stage::unitQ:
      return wide(results.unitQ.at(head, row, col));
    case Stage::unitK:
      return wide(results.unitK.at(head, row, col));
    case Stage::rawScores:
      return dot(queriesOf(scene, results, head), row, keysOf(scene, results, head), col);
    case Stage::scaledScores:
      return scaledScore(head, row, col);
    case Stage::cappedScores:
      return capped(scaledScore(head, row, col), scene.cap.value_or(0));
    case Stage::scores:
      return score(head, row, col);
    case Stage::probs:
      return wide(results.probs.at(head, row, col));
    case Stage::headOut:
      return wide(results.headOut.at(head, row, col));
    case Stage::out:
      return wide(results.out(row, col));
    case Stage::dOut:
      return wide(results.d.out(row, col));
    case Stage::dHeadOut:
      return wide(results.d.headOut.at(head, row, col));
    case Stage::dProbs:
      return dProb(head, row, col);
    case Stage::dScores:
      return dScore(head, row, col);
    case Stage::dScaledScores:
      return dScaledScore(head, row, col);
    case Stage::dQ:
      return wide(results.d.q.at(head, row, col));
    case Stage::dK:
      return wide(results.d.k.at(head, row, col));
    case Stage::dV:
      return wide(results.d.v.at(head, row, col));
    default:
      return std::nan("");  // nothing is made from the other gradients
  }
}

template class ExplanationBuilder<float>;
template class ExplanationBuilder<double>;

}  // namespace attn
