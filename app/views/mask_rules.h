#pragma once

namespace attn {

struct Theme;
struct ViewContext;

/// The menus that add a rule and that apply a preset, and whom painting is for.
void drawRuleMenus(ViewContext& context);

/// The rules of the scene as chips: a click opens what can be edited, the cross takes the rule away.
void drawRuleChips(ViewContext& context);

/// The height of as many whole rows of chips as fit, one at least.
float chipRowsHeight(const Theme& theme, float most);

}  // namespace attn
