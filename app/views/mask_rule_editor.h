#pragma once
#include <cstddef>

namespace attn {

struct ViewContext;

/// What can be changed of one mask rule of the scene, in the popup that is open.
void drawRuleEditor(ViewContext& context, std::size_t index);

}  // namespace attn
