#pragma once

namespace attn {

struct ViewContext;

/// All pairs of the chosen head as cells that can be painted, in what is left of the window, with a line
/// beneath that says why a pair is hidden.
void drawMaskPainter(ViewContext& context);

}  // namespace attn
