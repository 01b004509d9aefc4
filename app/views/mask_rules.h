#pragma once

namespace attn {

struct ViewContext;

/// The menus that add a rule and that apply a preset; after them the rules of the scene as chips: a click
/// opens what can be edited, the cross takes the rule away.
void drawRuleChips(ViewContext& context);

}  // namespace attn
