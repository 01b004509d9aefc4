#include "core/edits/mask_rules.h"

#include <algorithm>
#include <cmath>

#include "core/attention/visibility.h"
#include "core/edits/rearrange.h"
#include "core/edits/stories.h"
#include "core/error.h"

namespace attn {
namespace {

void expectRule(const Scene& scene, std::size_t index) {
  if (index >= scene.masks.size())
    throw Error("masks: rule " + std::to_string(index) + ", expected one of " +
                std::to_string(scene.masks.size()));
}

void expectInside(const Shapes& s, const PairArea& area) {
  const bool fits = area.firstQuery >= 0 && area.firstKey >= 0 && area.queries >= 1 && area.keys >= 1 &&
                    area.queries <= s.queries - area.firstQuery && area.keys <= s.keys - area.firstKey;
  if (!fits)
    throw Error("mask: pairs " + shapeText(area.queries, area.keys) + " at " +
                shapeText(area.firstQuery, area.firstKey) + ", expected them inside " +
                shapeText(s.queries, s.keys));
}

PaintedRule& lastPainted(Scene& scene, const Shapes& s) {
  for (auto rule = scene.masks.rbegin(); rule != scene.masks.rend(); ++rule)
    if (auto* painted = std::get_if<PaintedRule>(&*rule)) return *painted;
  scene.masks.push_back(PaintedRule{{Bytes::Ones(s.queries, s.keys)}});
  return std::get<PaintedRule>(scene.masks.back());
}

std::string counted(Index count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string alignmentText(Alignment alignment) {
  return alignment == Alignment::topLeft ? "top-left" : "bottom-right";
}

/// A rule in words, one function a kind.
struct RuleText {
  const Shapes& shapes;

  std::string operator()(const CausalRule& rule) const { return "causal, " + alignmentText(rule.alignment); }
  std::string operator()(const PaddingLengthRule& rule) const { return padding(shapes.keys - rule.length); }
  std::string operator()(const PaddingFlagsRule& rule) const {
    return padding(std::count(rule.isPadding.begin(), rule.isPadding.end(), true));
  }
  std::string operator()(const WindowRule& rule) const { return "window " + std::to_string(rule.width); }
  std::string operator()(const PrefixRule& rule) const {
    return "prefix " + std::to_string(rule.length) + ", " + alignmentText(rule.alignment);
  }
  std::string operator()(const DocumentsRule& rule) const {
    std::vector<int> ids = rule.ofQuery;
    ids.insert(ids.end(), rule.ofKey.begin(), rule.ofKey.end());
    std::sort(ids.begin(), ids.end());
    return "documents: " + std::to_string(std::unique(ids.begin(), ids.end()) - ids.begin());
  }
  std::string operator()(const PaintedRule& rule) const {
    Index blocked = 0;
    for (const Bytes& cells : rule.mayAttend) blocked += (cells.array() == 0).count();
    const std::string start = rule.mayAttend.size() > 1 ? "painted per head: " : "painted: ";
    return start + (blocked == 0 ? "nothing" : counted(blocked, "pair")) + " blocked";
  }

  static std::string padding(Index count) {
    return count == 0 ? "padding: none" : "padding: " + counted(count, "key");
  }
};

}  // namespace

void addRule(Scene& scene, MaskRule rule) {
  changeChecked(scene, [&](Scene& changed) { changed.masks.push_back(std::move(rule)); });
}

void removeRule(Scene& scene, std::size_t index) {
  expectRule(scene, index);
  scene.masks.erase(scene.masks.begin() + static_cast<std::ptrdiff_t>(index));
  for (std::size_t i = scene.stories.size(); i-- > 0;) {
    StoryTarget& target = scene.stories[i].target;
    if (target.kind != StoryTarget::Kind::ruleLength || target.rule < index) continue;
    if (target.rule == index)
      removeStory(scene, i);
    else
      --target.rule;
  }
}

void replaceRule(Scene& scene, std::size_t index, MaskRule rule) {
  expectRule(scene, index);
  changeChecked(scene, [&](Scene& changed) { changed.masks[index] = std::move(rule); });
}

PairArea onePair(Index query, Index key) {
  return {query, key, 1, 1};
}

PairArea rectangle(Index query, Index key, Index otherQuery, Index otherKey) {
  return {std::min(query, otherQuery), std::min(key, otherKey), std::abs(query - otherQuery) + 1,
          std::abs(key - otherKey) + 1};
}

PairArea wholeRow(const Scene& scene, Index query) {
  return {query, 0, 1, shapesOf(scene).keys};
}

PairArea wholeColumn(const Scene& scene, Index key) {
  return {0, key, shapesOf(scene).queries, 1};
}

void paint(Scene& scene, const PairArea& area, bool mayAttend, std::optional<Index> head) {
  const Shapes s = shapesOf(scene);
  expectInside(s, area);
  if (head && (*head < 0 || *head >= s.heads))
    throw Error("mask: head " + std::to_string(*head) + ", expected 0 to " + std::to_string(s.heads - 1));
  PaintedRule& rule = lastPainted(scene, s);
  if (head && rule.mayAttend.size() == 1 && s.heads > 1)
    rule.mayAttend.resize(static_cast<std::size_t>(s.heads), Bytes(rule.mayAttend.front()));
  const bool one = head && rule.mayAttend.size() > 1;
  for (std::size_t h = 0; h < rule.mayAttend.size(); ++h)
    if (!one || static_cast<Index>(h) == *head)
      rule.mayAttend[h]
          .block(area.firstQuery, area.firstKey, area.queries, area.keys)
          .setConstant(std::uint8_t{mayAttend});
}

std::string ruleText(const MaskRule& rule, const Shapes& shapes) {
  return std::visit(RuleText{shapes}, rule);
}

HiddenBy hiddenBy(const Scene& scene, Index head, Index query, Index key) {
  const Shapes s = shapesOf(scene);
  HiddenBy hidden;
  for (std::size_t i = 0; i < scene.masks.size(); ++i)
    if (!allows(scene.masks[i], s, head, query, key)) hidden.rules.push_back(i);
  const Matrix* bias = biasOf(scene, head);
  hidden.bias = bias && (*bias)(query, key) == -INFINITY;
  return hidden;
}

std::vector<Index> rowsWithoutKeys(const Scene& scene, Index head) {
  const Shapes s = shapesOf(scene);
  Visibility visibility;
  visibility.build(scene, s);
  std::vector<Index> rows;
  for (Index i = 0; i < s.queries; ++i)
    if (visibility.countOf(head, i) == 0) rows.push_back(i);
  return rows;
}

}  // namespace attn
