#include "core/edits/new_rule.h"

#include <algorithm>

namespace attn {
namespace {

std::vector<int> twoHalves(Index count) {
  std::vector<int> documents(static_cast<std::size_t>(count), 1);
  std::fill_n(documents.begin(), (count + 1) / 2, 0);
  return documents;
}

PaddingFlagsRule lastIsPadding(Index keys) {
  PaddingFlagsRule rule{std::vector<bool>(static_cast<std::size_t>(keys), false)};
  if (keys > 1) rule.isPadding.back() = true;  // a single key stays: a row should see something
  return rule;
}

}  // namespace

RuleKind kindOf(const MaskRule& rule) {
  return static_cast<RuleKind>(rule.index());
}

const char* kindText(RuleKind kind) {
  switch (kind) {
    case RuleKind::causal:
      return "causal: keys up to the query";
    case RuleKind::paddingLength:
      return "padding: keys up to a length";
    case RuleKind::paddingFlags:
      return "padding: keys that are ticked";
    case RuleKind::window:
      return "window: keys near the query";
    case RuleKind::prefix:
      return "prefix: the first keys, then causal";
    case RuleKind::documents:
      return "documents: keys of the same one";
    case RuleKind::painted:
      break;
  }
  return "painted: pair by pair";
}

MaskRule newRule(RuleKind kind, const Scene& scene) {
  const Shapes s = shapesOf(scene);
  switch (kind) {
    case RuleKind::causal:
      return CausalRule{};
    case RuleKind::paddingLength:
      return PaddingLengthRule{std::max<Index>(1, s.keys - 1)};
    case RuleKind::paddingFlags:
      return lastIsPadding(s.keys);
    case RuleKind::window:
      return WindowRule{2};
    case RuleKind::prefix:
      return PrefixRule{std::max<Index>(1, s.keys / 3)};
    case RuleKind::documents:
      return DocumentsRule{twoHalves(s.queries), twoHalves(s.keys)};
    case RuleKind::painted:
      break;
  }
  return PaintedRule{{Bytes::Ones(s.queries, s.keys)}};
}

}  // namespace attn
