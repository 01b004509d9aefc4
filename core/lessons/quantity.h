#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/explain/explain.h"
#include "core/measures/cost.h"

namespace attn {

/// A scene with what the engine computes of it, in double.
struct Moment {
  PreciseScene scene;
  PreciseResults results;

  explicit Moment(PreciseScene from);
};

/// Cells of a stage: one, a row (no col), a column (no row), or the whole matrix of a head.
struct CellsOf {
  Stage stage = Stage::out;
  Index head = 0;
  std::optional<Index> row, col;
};
/// A measure of one row.
struct MeasureOf {
  PerRowOf<double> MeasuresOf<double>::*measure = nullptr;
  Index head = 0, row = 0;
};
/// The Frobenius norm of a gradient.
struct NormOf {
  GradientNorms AllGradientNorms::*norm = nullptr;
};
/// How often an operation is done in one stage of the forward pass; with no stage, in all of them.
struct CountOf {
  std::uint64_t OperationCount::*operation = nullptr;
  std::string stage;
};
/// A number of tokens, heads or dimensions.
struct LengthOf {
  Index Shapes::*length = nullptr;
};
/// What the scores are divided by.
struct Divisor {};
/// Several lengths multiplied: n_q·n_k·d_k.
struct ProductOf {
  std::vector<Index Shapes::*> lengths;
};
/// What the norm of a row's softmax Jacobian stays below: n·ε, where the largest weight is 1 − ε.
struct JacobianBound {
  Index head = 0, row = 0;
};

using Wish = std::variant<CellsOf, MeasureOf, NormOf, CountOf, LengthOf, Divisor, ProductOf, JacobianBound>;

/// Numbers that the engine knows of a scene.
struct Quantity {
  std::shared_ptr<const PreciseScene> scene;
  Wish what;
};

/// The numbers, in the order of their places. Throws Error where the scene has no such thing.
std::vector<double> numbersOf(const Quantity& quantity);
/// The same of whatever scene there is at the moment.
std::vector<double> numbersOf(const Wish& what, const Moment& moment);

}  // namespace attn
