#pragma once
#include "core/scene.h"

namespace attn {

struct ViewContext;
struct ViewState;

/// Why scores are divided by √d_k: q·k against theory, and what each scale makes of softmax as d_k grows.
void drawScalingLab(ViewContext& context);
/// Begins the sweep, whose first trials are there at once.
void followScalingLab(ViewState& state, const Scene& scene);

}  // namespace attn
