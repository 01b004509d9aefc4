#pragma once
#include <imgui.h>

#include <vector>

#include "app/norm_history.h"

namespace attn {

struct Theme;
struct ViewContext;

/// The gradients that the scene shown has, in the order of the way back.
std::vector<GradientName> gradientsOf(const ViewContext& context);
ImVec4 colourOf(const Theme& theme, GradientName name);

/// The norm of every gradient of the chosen head, as bars on a logarithmic scale; a click chooses one.
void drawAllNorms(ViewContext& context);
/// The norm of the chosen gradient for every head.
void drawHeadNorms(ViewContext& context);
/// The norm of every row of the chosen gradient of the chosen head.
void drawRowNorms(ViewContext& context);

/// The norms after each of the last edits, in what is left of the window.
void drawNormStrip(ViewContext& context);

/// What flows into the output: ones, one cell, a matrix, or the difference from a target.
void drawUpstream(ViewContext& context);

}  // namespace attn
