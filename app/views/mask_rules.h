#pragma once

namespace attn {

struct ViewContext;

/// The rules of the scene as chips: a click opens what can be edited, the cross takes the rule away. After
/// them the menus that add a rule and that apply a preset.
void drawRuleChips(ViewContext& context);

}  // namespace attn
