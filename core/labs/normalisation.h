#pragma once
#include "core/scene.h"

namespace attn {

/// Layer norm brings each row to mean 0 and variance 1 and then to γ·z + β; batch norm does that with each
/// column. `epsilon` is added to the variance. Rows are the vectors of a batch.
using Batch = MatrixOf<double>;

/// Drawn by the seed, with the lab's change to one number.
Batch batchOf(const NormLab& lab);
Batch layerNorm(const Batch& x, double gain, double shift, double epsilon);
Batch batchNorm(const Batch& x, double gain, double shift, double epsilon);

/// ∂y/∂x_ij for every y: 0 outside of row i, or of column j.
Batch layerNormJacobian(const Batch& x, Index i, Index j, double gain, double epsilon);
Batch batchNormJacobian(const Batch& x, Index i, Index j, double gain, double epsilon);

/// ‖y_i − β1‖ as it is, and as the law has it: |γ|·√d·σ/√(σ² + ε), which is |γ|·√d for ε = 0.
double lengthAround(const Batch& y, Index row, double shift);
double predictedLength(const Batch& x, Index row, double gain, double epsilon);

/// Self-attention of the vectors after layer norm.
Scene sceneOf(const NormLab& lab);

}  // namespace attn
