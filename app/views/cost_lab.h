#pragma once

namespace attn {

struct ViewContext;

/// What attention costs: counted exactly, as shares over length and width, and timed beside the prediction.
void drawCostLab(ViewContext& context);

}  // namespace attn
