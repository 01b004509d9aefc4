#pragma once
#include "core/scene.h"

namespace attn {

/// The kinds of mask rules, in the order of the variant MaskRule.
enum class RuleKind { causal, paddingLength, paddingFlags, window, prefix, documents, painted };
constexpr RuleKind kRuleKinds[] = {RuleKind::causal, RuleKind::paddingLength, RuleKind::paddingFlags,
                                   RuleKind::window, RuleKind::prefix,        RuleKind::documents,
                                   RuleKind::painted};

RuleKind kindOf(const MaskRule& rule);

/// "window: keys near the query"
const char* kindText(RuleKind kind);

/// A rule to start from, which fits the scene and (except for painting) already hides something where the
/// scene has pairs enough: the last key is padding, a window of 2, two documents of half the tokens each.
MaskRule newRule(RuleKind kind, const Scene& scene);

}  // namespace attn
