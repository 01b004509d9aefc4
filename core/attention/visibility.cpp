#include "core/attention/visibility.h"

#include <algorithm>
#include <limits>

namespace attn {
namespace {

/// The last key that query i sees causally is i + offset.
Index causalOffset(Alignment alignment, const Shapes& s) {
  return alignment == Alignment::bottomRight ? s.keys - s.queries : 0;
}

/// The run of keys that a rule allows to a query; the whole row where the rule has no such form.
KeyRange rangeOf(const MaskRule& rule, const Shapes& s, Index query) {
  if (const auto* causal = std::get_if<CausalRule>(&rule))
    return {0, query + causalOffset(causal->alignment, s) + 1};
  if (const auto* padding = std::get_if<PaddingLengthRule>(&rule)) return {0, padding->length};
  if (const auto* window = std::get_if<WindowRule>(&rule)) {
    const Index reach =
        std::min(window->width, s.queries + s.keys);  // a width near the type's limit must not wrap
    return {query - reach + 1, query + reach};
  }
  if (const auto* prefix = std::get_if<PrefixRule>(&rule))
    return {0, std::max(prefix->length, query + causalOffset(prefix->alignment, s) + 1)};
  return {0, s.keys};
}

bool isCellRule(const MaskRule& rule) {
  return std::holds_alternative<PaddingFlagsRule>(rule) || std::holds_alternative<DocumentsRule>(rule) ||
         std::holds_alternative<PaintedRule>(rule);
}

bool allowsCell(const MaskRule& rule, Index head, Index query, Index key) {
  const auto at = [](const auto& list, Index i) { return list[static_cast<std::size_t>(i)]; };
  if (const auto* flags = std::get_if<PaddingFlagsRule>(&rule)) return !at(flags->isPadding, key);
  if (const auto* documents = std::get_if<DocumentsRule>(&rule))
    return at(documents->ofQuery, query) == at(documents->ofKey, key);
  if (const auto* painted = std::get_if<PaintedRule>(&rule)) {
    const auto& matrices = painted->mayAttend;
    return matrices[matrices.size() == 1 ? 0 : static_cast<std::size_t>(head)](query, key) != 0;
  }
  return true;
}

bool differsByHead(const MaskRule& rule) {
  const auto* painted = std::get_if<PaintedRule>(&rule);
  return painted && painted->mayAttend.size() > 1;
}

template <class T>
bool hidesKeys(const InputOf<T>& bias) {
  return (bias.values.array() == -std::numeric_limits<T>::infinity()).any();
}

}  // namespace

bool allows(const MaskRule& rule, const Shapes& shapes, Index head, Index query, Index key) {
  const KeyRange range = rangeOf(rule, shapes, query);
  return key >= range.begin && key < range.end && allowsCell(rule, head, query, key);
}

template <class T>
void Visibility::build(const SceneOf<T>& scene, const Shapes& shapes) {
  keys_ = shapes.keys;
  ranges_.assign(static_cast<std::size_t>(shapes.queries), {0, shapes.keys});
  for (const MaskRule& rule : scene.masks) narrowRange(rule, shapes);

  const bool biasHides = std::any_of(scene.bias.begin(), scene.bias.end(), hidesKeys<T>);
  hidesNothing_ = scene.masks.empty() && !biasHides;
  const bool needsCells = biasHides || std::any_of(scene.masks.begin(), scene.masks.end(), isCellRule);
  if (!needsCells) return cells_.clear();
  const bool perHead = (biasHides && scene.bias.size() > 1) ||
                       std::any_of(scene.masks.begin(), scene.masks.end(), differsByHead);
  cells_.resize(perHead ? shapes.heads : 1, shapes.queries, shapes.keys);
  std::fill_n(cells_.data(), cells_.size(), std::uint8_t{1});
  for (const MaskRule& rule : scene.masks)
    if (isCellRule(rule)) hideCells(rule, shapes);
  if (!biasHides) return;
  for (Index h = 0; h < cells_.heads(); ++h) {
    const MatrixOf<T>& bias = *biasOf(scene, h);
    for (Index i = 0; i < bias.size(); ++i)
      if (bias.data()[i] == -std::numeric_limits<T>::infinity()) cells_.head(h)[i] = 0;
  }
}

void Visibility::unite(const Visibility& a, const Visibility& b, const Shapes& shapes) {
  keys_ = shapes.keys;
  hidesNothing_ = false;
  ranges_.assign(static_cast<std::size_t>(shapes.queries), {0, shapes.keys});
  const bool perHead = std::max(a.cells_.heads(), b.cells_.heads()) > 1;
  cells_.resize(perHead ? shapes.heads : 1, shapes.queries, shapes.keys);
  for (Index h = 0; h < cells_.heads(); ++h)
    for (Index i = 0; i < shapes.queries; ++i)
      for (Index j = 0; j < shapes.keys; ++j) cells_.at(h, i, j) = a.sees(h, i, j) || b.sees(h, i, j);
}

void Visibility::narrowRange(const MaskRule& rule, const Shapes& shapes) {
  for (Index i = 0; i < shapes.queries; ++i) {
    KeyRange& range = ranges_[static_cast<std::size_t>(i)];
    const KeyRange allowed = rangeOf(rule, shapes, i);
    range.begin = std::max(range.begin, allowed.begin);
    range.end = std::max(std::min(range.end, allowed.end), range.begin);
  }
}

void Visibility::hideCells(const MaskRule& rule, const Shapes& shapes) {
  for (Index h = 0; h < cells_.heads(); ++h)
    for (Index i = 0; i < shapes.queries; ++i)
      for (Index j = 0; j < shapes.keys; ++j)
        if (!allowsCell(rule, h, i, j)) cells_.at(h, i, j) = 0;
}

Index Visibility::countOf(Index head, Index query) const {
  const KeyRange range = ranges_[static_cast<std::size_t>(query)];
  const std::uint8_t* cells = cellsOf(head);
  if (!cells) return range.end - range.begin;
  const std::uint8_t* row = cells + query * keys_;
  return std::count(row + range.begin, row + range.end, std::uint8_t{1});
}

template void Visibility::build(const Scene&, const Shapes&);
template void Visibility::build(const PreciseScene&, const Shapes&);

}  // namespace attn
