#include "core/labs/normalisation.h"

#include <cmath>

#include "core/fill.h"

namespace attn {
namespace {

double varianceOf(const Eigen::RowVectorXd& x) {
  return (x.array() - x.mean()).square().mean();
}

}  // namespace

Batch batchOf(const NormLab& lab) {
  Batch x = filled({.kind = Fill::Kind::normal, .mean = 0.5, .deviation = 1.5, .seed = lab.seed}, lab.batch,
                   lab.width);
  x(lab.row, lab.col) += lab.change;
  return x;
}

Batch layerNorm(const Batch& x, double gain, double shift, double epsilon) {
  Batch y = x;
  for (Index i = 0; i < x.rows(); ++i) {
    const double scale = gain / std::sqrt(varianceOf(x.row(i)) + epsilon);
    y.row(i) = ((x.row(i).array() - x.row(i).mean()) * scale + shift).matrix();
  }
  return y;
}

Batch batchNorm(const Batch& x, double gain, double shift, double epsilon) {
  return layerNorm(x.transpose(), gain, shift, epsilon).transpose();
}

/// With z = (x − mean)/s, s = √(variance + ε): ∂y_k/∂x_j = γ/s · (δ_kj − 1/d − z_k z_j/d).
Batch layerNormJacobian(const Batch& x, Index i, Index j, double gain, double epsilon) {
  Batch slopes = Batch::Zero(x.rows(), x.cols());
  const auto d = static_cast<double>(x.cols());
  const double s = std::sqrt(varianceOf(x.row(i)) + epsilon);
  const Eigen::RowVectorXd z = ((x.row(i).array() - x.row(i).mean()) / s).matrix();
  for (Index k = 0; k < x.cols(); ++k)
    slopes(i, k) = gain / s * ((k == j ? 1.0 : 0.0) - 1 / d - z(k) * z(j) / d);
  return slopes;
}

Batch batchNormJacobian(const Batch& x, Index i, Index j, double gain, double epsilon) {
  return layerNormJacobian(x.transpose(), j, i, gain, epsilon).transpose();
}

double lengthAround(const Batch& y, Index row, double shift) {
  return std::sqrt((y.row(row).array() - shift).square().sum());
}

double predictedLength(const Batch& x, Index row, double gain, double epsilon) {
  const double variance = varianceOf(x.row(row));
  return std::abs(gain) * std::sqrt(static_cast<double>(x.cols()) * variance / (variance + epsilon));
}

Scene sceneOf(const NormLab& lab) {
  const Matrix y = layerNorm(batchOf(lab), lab.gain, lab.shift, lab.epsilon).cast<float>();
  Scene scene;
  scene.title = "Self-attention after layer norm";
  auto& head = scene.source.given.emplace_back();
  head.q.values = head.k.values = head.v.values = y;
  return scene;
}

}  // namespace attn
