#pragma once

namespace attn {

struct ViewContext;

/// Largest weight, entropy, effective keys and Jacobian norm of every row of the chosen head, as bars.
void drawSaturationRows(ViewContext& context);

/// ∂p/∂s of the chosen row as a map.
void drawJacobian(ViewContext& context);

/// The scores of the chosen head as a histogram, with the normal curve that theory predicts.
void drawScoreHistogram(ViewContext& context);

}  // namespace attn
