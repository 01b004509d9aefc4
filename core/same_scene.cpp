#include "core/same_scene.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace attn {
namespace {

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool same(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

bool same(const Bytes& a, const Bytes& b) {
  const auto flag = [](std::uint8_t x, std::uint8_t y) { return (x != 0) == (y != 0); };
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::equal(a.data(), a.data() + a.size(), b.data(), flag);
}

bool same(const InputOf<float>& a, const InputOf<float>& b) {
  return a.fill == b.fill && sameBits(a.values, b.values);
}

bool same(const GivenHeadOf<float>& a, const GivenHeadOf<float>& b) {
  return same(a.q, b.q) && same(a.k, b.k) && same(a.v, b.v);
}

bool same(const ProjectedHeadOf<float>& a, const ProjectedHeadOf<float>& b) {
  return same(a.wq, b.wq) && same(a.wk, b.wk) && same(a.wv, b.wv);
}

bool same(const KeyProjectionsOf<float>& a, const KeyProjectionsOf<float>& b) {
  return same(a.wk, b.wk) && same(a.wv, b.wv);
}

bool same(const ParkedKeysOf<float>& a, const ParkedKeysOf<float>& b);
bool same(const Alibi& a, const Alibi& b);
bool same(const MaskRule& a, const MaskRule& b);

template <class T>
bool sameLists(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T& x, const T& y) { return same(x, y); });
}

template <class T>
bool sameOptionals(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

bool same(const ParkedKeysOf<float>& a, const ParkedKeysOf<float>& b) {
  return sameOptionals(a.other, b.other) && a.labels == b.labels && sameLists(a.heads, b.heads);
}

bool same(const SourceOf<float>& a, const SourceOf<float>& b) {
  return a.kind == b.kind && sameLists(a.given, b.given) && same(a.x, b.x) &&
         sameOptionals(a.other, b.other) && sameLists(a.projected, b.projected) &&
         sameOptionals(a.wo, b.wo) && sameOptionals(a.parked, b.parked);
}

bool same(const Scale& a, const Scale& b) {
  return a.rule == b.rule && same(a.number, b.number) && same(a.temperature, b.temperature) &&
         same(a.qkNormGain, b.qkNormGain);
}

bool same(const Alibi& a, const Alibi& b) {
  return sameLists(a.slopes, b.slopes);
}

/// Against a rule that is known to be of the same kind.
struct SameRule {
  const MaskRule& other;

  bool operator()(const CausalRule& a) const { return a.alignment == std::get<CausalRule>(other).alignment; }
  bool operator()(const PaddingLengthRule& a) const {
    return a.length == std::get<PaddingLengthRule>(other).length;
  }
  bool operator()(const PaddingFlagsRule& a) const {
    return a.isPadding == std::get<PaddingFlagsRule>(other).isPadding;
  }
  bool operator()(const WindowRule& a) const { return a.width == std::get<WindowRule>(other).width; }
  bool operator()(const PrefixRule& a) const {
    const auto& b = std::get<PrefixRule>(other);
    return a.length == b.length && a.alignment == b.alignment;
  }
  bool operator()(const DocumentsRule& a) const {
    const auto& b = std::get<DocumentsRule>(other);
    return a.ofQuery == b.ofQuery && a.ofKey == b.ofKey;
  }
  bool operator()(const PaintedRule& a) const {
    return sameLists(a.mayAttend, std::get<PaintedRule>(other).mayAttend);
  }
};

bool same(const MaskRule& a, const MaskRule& b) {
  return a.index() == b.index() && std::visit(SameRule{b}, a);
}

bool same(const UpstreamOf<float>& a, const UpstreamOf<float>& b) {
  return a.kind == b.kind && a.row == b.row && a.col == b.col && sameBits(a.matrix, b.matrix);
}

}  // namespace

bool sameBits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 ||
          std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0);
}

bool sameResults(const Scene& a, const Scene& b) {
  return a.queryLabels == b.queryLabels && a.keyLabels == b.keyLabels && same(a.scale, b.scale) &&
         same(a.cap, b.cap) && a.normaliser.kind == b.normaliser.kind &&
         same(a.normaliser.logit, b.normaliser.logit) && same(a.saturationThreshold, b.saturationThreshold) &&
         sameOptionals(a.alibi, b.alibi) && sameLists(a.masks, b.masks) && same(a.upstream, b.upstream) &&
         sameLists(a.bias, b.bias) && same(a.source, b.source);
}

bool sameScene(const Scene& a, const Scene& b) {
  return a.title == b.title && a.slides == b.slides && a.stories == b.stories && a.labs == b.labs &&
         sameResults(a, b);
}

}  // namespace attn
