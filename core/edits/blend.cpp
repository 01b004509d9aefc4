#include "core/edits/blend.h"

#include <algorithm>
#include <cmath>

#include "core/attention/scale.h"
#include "core/same_scene.h"

namespace attn {
namespace {

using Kind = SourceOf<float>::Kind;

/// Goes over where both are finite; else it switches in the middle.
template <class T>
T between(T a, T b, double share) {
  if (a == b || share <= 0) return a;
  if (share >= 1) return b;
  if (!std::isfinite(a) || !std::isfinite(b)) return share < 0.5 ? a : b;
  return static_cast<T>(static_cast<double>(a) * (1 - share) + static_cast<double>(b) * share);
}

Matrix between(const Matrix& a, const Matrix& b, double share) {
  Matrix result(a.rows(), a.cols());
  for (Index i = 0; i < a.size(); ++i) result.data()[i] = between(a.data()[i], b.data()[i], share);
  return result;
}

/// Numbers that lie between two fills are no fill.
InputOf<float> between(const InputOf<float>& a, const InputOf<float>& b, double share) {
  if (sameBits(a.values, b.values)) return share < 0.5 ? a : b;
  return {between(a.values, b.values, share), {}};
}

std::optional<double> between(const std::optional<double>& a, const std::optional<double>& b, double share) {
  if (a && b) return between(*a, *b, share);
  return share < 0.5 ? a : b;
}

void blendSource(SourceOf<float>& to, const SourceOf<float>& a, const SourceOf<float>& b, double share) {
  if (to.kind == Kind::given) {
    for (std::size_t h = 0; h < to.given.size(); ++h)
      to.given[h] = {between(a.given[h].q, b.given[h].q, share), between(a.given[h].k, b.given[h].k, share),
                     between(a.given[h].v, b.given[h].v, share)};
    return;
  }
  to.x = between(a.x, b.x, share);
  if (to.other) to.other = between(*a.other, *b.other, share);
  for (std::size_t h = 0; h < to.projected.size(); ++h)
    to.projected[h] = {between(a.projected[h].wq, b.projected[h].wq, share),
                       between(a.projected[h].wk, b.projected[h].wk, share),
                       between(a.projected[h].wv, b.projected[h].wv, share)};
  if (to.wo) to.wo = between(*a.wo, *b.wo, share);
}

/// Another rule for the divisor is another number: what lies between is divided by a number between.
void blendScale(Scale& to, const Scale& a, const Scale& b, Index keyWidth, double share) {
  const auto ruleOf = [&](Scale scale) {
    scale.temperature = 1;
    return plainDivisor(scale, keyWidth);
  };
  if (a.rule != b.rule)
    to.rule = Scale::Rule::number, to.number = between(ruleOf(a), ruleOf(b), share);
  else
    to.number = between(a.number, b.number, share);
  to.temperature = between(a.temperature, b.temperature, share);
  to.qkNormGain = between(a.qkNormGain, b.qkNormGain, share);
}

/// No ALiBi is one with slopes of 0.
void blendAlibi(Scene& to, const Scene& a, const Scene& b, Index heads, double share) {
  if (!a.alibi && !b.alibi) return;
  if (a.alibi && b.alibi && a.alibi->slopes == b.alibi->slopes) return;
  to.alibi = Alibi{};
  for (Index h = 0; h < heads; ++h)
    to.alibi->slopes.push_back(between(alibiSlope(a.alibi, h, heads), alibiSlope(b.alibi, h, heads), share));
}

/// No bias is one of 0.
void blendBias(Scene& to, const Scene& a, const Scene& b, const Shapes& shapes, double share) {
  const std::size_t count = std::max(a.bias.size(), b.bias.size());
  if (count == 0) return;
  const Matrix none = Matrix::Zero(shapes.queries, shapes.keys);
  const auto of = [&](const Scene& scene, std::size_t h) -> const Matrix& {
    const Matrix* bias = biasOf(scene, static_cast<Index>(h));
    return bias ? *bias : none;
  };
  const bool isSame = a.bias.size() == b.bias.size() &&
                      std::equal(a.bias.begin(), a.bias.end(), b.bias.begin(),
                                 [](const auto& x, const auto& y) { return sameBits(x.values, y.values); });
  if (isSame) return;
  to.bias.clear();
  for (std::size_t h = 0; h < count; ++h) to.bias.push_back({between(of(a, h), of(b, h), share), {}});
}

bool sameKeptParts(const Scene& a, const Scene& b, void (*take)(Scene& to, const Scene& from)) {
  Scene changed = a;
  take(changed, b);
  return sameScene(changed, a);
}

std::string countText(Index count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

std::string shapeDifference(const Shapes& a, const Shapes& b) {
  struct Count {
    Index a, b;
    const char *one, *many;
  };
  const Count counts[] = {{a.heads, b.heads, "head", "heads"},
                          {a.queries, b.queries, "query", "queries"},
                          {a.keys, b.keys, "key", "keys"},
                          {a.keyWidth, b.keyWidth, "dimension in Q and K", "dimensions in Q and K"},
                          {a.valueWidth, b.valueWidth, "dimension in V", "dimensions in V"},
                          {a.modelWidth, b.modelWidth, "dimension in X", "dimensions in X"},
                          {a.otherWidth, b.otherWidth, "dimension in Y", "dimensions in Y"},
                          {a.outWidth, b.outWidth, "column in the output", "columns in the output"}};
  for (const Count& count : counts)
    if (count.a != count.b)
      return "A has " + countText(count.a, count.one, count.many) + ", B has " + std::to_string(count.b);
  return "";
}

std::string whyNotBlendable(const Scene& a, const Scene& b) {
  const auto given = [](const Scene& scene) { return scene.source.kind == Kind::given; };
  if (given(a) != given(b))
    return std::string(given(a) ? "A" : "B") + " gives Q, K and V themselves, " + (given(a) ? "B" : "A") +
           " projects them from X";
  const std::string counts = shapeDifference(shapesOf(a), shapesOf(b));
  if (!counts.empty() || given(a)) return counts;
  if (a.source.other.has_value() != b.source.other.has_value())
    return std::string("only ") + (a.source.other ? "A" : "B") + " has a second sequence";
  if (a.source.wo.has_value() != b.source.wo.has_value())
    return std::string("only ") + (a.source.wo ? "A" : "B") + " has a W_O";
  return "";
}

Scene blend(const Scene& a, const Scene& b, double share) {
  if (!(share > 0)) return a;
  if (share >= 1) return b;
  const Shapes shapes = shapesOf(a);
  Scene scene = share < 0.5 ? a : b;
  blendSource(scene.source, a.source, b.source, share);
  blendScale(scene.scale, a.scale, b.scale, shapes.keyWidth, share);
  scene.cap = between(a.cap, b.cap, share);
  blendAlibi(scene, a, b, shapes.heads, share);
  blendBias(scene, a, b, shapes, share);
  if (a.normaliser.kind == b.normaliser.kind)
    scene.normaliser.logit = between(a.normaliser.logit, b.normaliser.logit, share);
  const bool hasMatrices = a.upstream.kind == b.upstream.kind &&
                           a.upstream.matrix.rows() == b.upstream.matrix.rows() &&
                           a.upstream.matrix.cols() == b.upstream.matrix.cols();
  if (hasMatrices) scene.upstream.matrix = between(a.upstream.matrix, b.upstream.matrix, share);
  scene.saturationThreshold = between(a.saturationThreshold, b.saturationThreshold, share);
  return scene;
}

std::string whatSwitches(const Scene& a, const Scene& b) {
  std::string names;
  const auto add = [&](bool isSwitching, const char* name) {
    if (isSwitching) names += (names.empty() ? "" : ", ") + std::string(name);
  };
  add(!sameKeptParts(a, b, [](Scene& to, const Scene& from) { to.masks = from.masks; }), "masks");
  add(a.normaliser.kind != b.normaliser.kind, "normaliser");
  add(a.cap.has_value() != b.cap.has_value(), "cap");
  add(a.scale.qkNormGain.has_value() != b.scale.qkNormGain.has_value(), "QK-norm");
  add(a.upstream.kind != b.upstream.kind || a.upstream.row != b.upstream.row ||
          a.upstream.col != b.upstream.col,
      "upstream gradient");
  add(a.queryLabels != b.queryLabels || a.keyLabels != b.keyLabels, "tokens");
  return names;
}

}  // namespace attn
