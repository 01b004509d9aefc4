#pragma once
#include <random>

#include "core/fill.h"
#include "core/scene.h"

namespace attn {

/// Small whole numbers from a generator whose output is the same everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  /// 0 to bound − 1.
  Index below(Index bound) { return static_cast<Index>(random_() % static_cast<std::uint64_t>(bound)); }
  bool oneIn(Index n) { return below(n) == 0; }

 private:
  std::mt19937_64 random_;
};

inline InputOf<float> anyInput(Dice& dice, Index rows, Index cols) {
  Fill fill = {.kind = Fill::Kind::normal, .seed = static_cast<std::uint64_t>(1 + dice.below(1000))};
  if (dice.oneIn(4)) fill.kind = Fill::Kind::uniform;
  if (dice.oneIn(8)) fill.kind = Fill::Kind::orthonormal;
  if (dice.oneIn(8)) fill = {.kind = Fill::Kind::identity};
  InputOf<float> input = {filled(fill, rows, cols).cast<float>(), fill};
  if (dice.oneIn(2)) input.fill = {};
  return input;
}

inline MaskRule anyRule(Dice& dice, const Shapes& s) {
  const Alignment alignment = dice.oneIn(2) ? Alignment::topLeft : Alignment::bottomRight;
  switch (dice.below(7)) {
    case 0:
      return CausalRule{alignment};
    case 1:
      return PaddingLengthRule{dice.below(s.keys + 1)};
    case 2: {
      PaddingFlagsRule rule;
      for (Index j = 0; j < s.keys; ++j) rule.isPadding.push_back(dice.oneIn(3));
      return rule;
    }
    case 3:
      return WindowRule{1 + dice.below(s.keys + 2)};
    case 4:
      return PrefixRule{dice.below(s.keys + 3), alignment};
    case 5: {
      DocumentsRule rule;
      for (Index i = 0; i < s.queries; ++i) rule.ofQuery.push_back(static_cast<int>(dice.below(3)));
      for (Index j = 0; j < s.keys; ++j) rule.ofKey.push_back(static_cast<int>(dice.below(3)));
      return rule;
    }
    default: {
      PaintedRule rule;
      const Index count = dice.oneIn(2) ? 1 : s.heads;
      for (Index h = 0; h < count; ++h) {
        Bytes& cells = rule.mayAttend.emplace_back(s.queries, s.keys);
        for (Index i = 0; i < cells.size(); ++i) cells.data()[i] = !dice.oneIn(4);
      }
      return rule;
    }
  }
}

enum class AnySource { given, self, cross };

inline void addSource(Dice& dice, AnySource kind, Index heads, Index queries, Index keys, Scene& scene) {
  SourceOf<float>& source = scene.source;
  const Index keyWidth = 1 + dice.below(4), valueWidth = 1 + dice.below(4), modelWidth = 1 + dice.below(5);
  if (kind == AnySource::given) {
    for (Index h = 0; h < heads; ++h)
      source.given.push_back({anyInput(dice, queries, keyWidth), anyInput(dice, keys, keyWidth),
                              anyInput(dice, keys, valueWidth)});
    return;
  }
  source.kind = SourceOf<float>::Kind::projected;
  source.x = anyInput(dice, queries, modelWidth);
  const Index otherWidth = kind == AnySource::cross ? 1 + dice.below(5) : modelWidth;
  if (kind == AnySource::cross) source.other = anyInput(dice, keys, otherWidth);
  for (Index h = 0; h < heads; ++h)
    source.projected.push_back({anyInput(dice, modelWidth, keyWidth), anyInput(dice, otherWidth, keyWidth),
                                anyInput(dice, otherWidth, valueWidth)});
}

/// Any scene that passes `check`, with everything that can follow a token or a head.
inline Scene anyScene(Dice& dice, AnySource kind) {
  Scene scene;
  const Index heads = 1 + dice.below(3), queries = 1 + dice.below(5);
  const Index keys = kind == AnySource::self ? queries : 1 + dice.below(5);
  addSource(dice, kind, heads, queries, keys, scene);
  Shapes s = shapesOf(scene);
  if (dice.oneIn(2)) scene.source.wo = anyInput(dice, s.heads * s.valueWidth, 1 + dice.below(4));
  s = shapesOf(scene);
  for (Index i = 0; i < s.queries; ++i) scene.queryLabels.push_back("q" + std::to_string(i));
  if (kind == AnySource::self)
    scene.keyLabels = scene.queryLabels;
  else
    for (Index j = 0; j < s.keys; ++j) scene.keyLabels.push_back("k" + std::to_string(j));
  if (dice.oneIn(3)) scene.queryLabels.clear(), scene.keyLabels.clear();
  for (Index n = dice.below(4); n > 0; --n) scene.masks.push_back(anyRule(dice, s));
  const Index biases = dice.below(3) == 0 ? s.heads : dice.below(2);
  for (Index h = 0; h < biases; ++h) scene.bias.push_back(anyInput(dice, s.queries, s.keys));
  if (dice.oneIn(2)) scene.alibi.emplace();
  if (scene.alibi && dice.oneIn(2))
    for (Index h = 0; h < s.heads; ++h) scene.alibi->slopes.push_back(0.1 * static_cast<double>(h + 1));
  using Kind = UpstreamOf<float>::Kind;
  constexpr Kind kKinds[] = {Kind::ones, Kind::cell, Kind::given, Kind::target};
  scene.upstream.kind = kKinds[dice.below(4)];
  scene.upstream.row = dice.below(s.queries), scene.upstream.col = dice.below(s.outWidth);
  if (dice.oneIn(2) || scene.upstream.kind >= Kind::given)
    scene.upstream.matrix = anyInput(dice, s.queries, s.outWidth).values;
  check(scene);
  return scene;
}

/// The same scene with every fill forgotten: an edit in the middle of a matrix turns a fill into numbers.
inline Scene withoutFills(Scene scene) {
  SourceOf<float>& source = scene.source;
  for (auto& head : source.given) head.q.fill = head.k.fill = head.v.fill = {};
  for (auto& head : source.projected) head.wq.fill = head.wk.fill = head.wv.fill = {};
  source.x.fill = {};
  if (source.other) source.other->fill = {};
  if (source.wo) source.wo->fill = {};
  for (auto& bias : scene.bias) bias.fill = {};
  if (!source.parked) return scene;
  if (source.parked->other) source.parked->other->fill = {};
  for (auto& head : source.parked->heads) head.wk.fill = head.wv.fill = {};
  return scene;
}

}  // namespace attn
