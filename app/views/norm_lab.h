#pragma once

namespace attn {

struct ViewContext;

/// Layer norm and batch norm of the same batch, side by side: which y move with one x, and what stays.
void drawNormLab(ViewContext& context);

}  // namespace attn
