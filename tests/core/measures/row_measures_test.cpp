#include "core/measures/row_measures.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "core/evaluate.h"
#include "core/measures/jacobian.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

using Kind = Normaliser::Kind;
constexpr Kind kAllKinds[] = {Kind::softmax, Kind::sink, Kind::sparsemax, Kind::entmax15, Kind::sigmoid};

PreciseScene scoresOf(MatrixOf<double> keys) {
  const Index count = keys.rows();
  PreciseScene scene = givenScene(matrix({{1}}), std::move(keys), MatrixOf<double>::Ones(count, 1));
  scene.scale.rule = Scale::Rule::none;
  return scene;
}

TEST(RowMeasures, UniformRow) {
  const auto r = evaluateReference(scoresOf(MatrixOf<double>::Zero(8, 1)), Wanted::everything());
  EXPECT_NEAR(r.measures.largestWeight.at(0, 0, 0), 0.125, 1e-15);
  EXPECT_NEAR(r.measures.entropy.at(0, 0, 0), std::log(8.0), 1e-14);
  EXPECT_NEAR(r.measures.entropyShare.at(0, 0, 0), 1, 1e-14);
  EXPECT_NEAR(r.measures.effectiveKeys.at(0, 0, 0), 8, 1e-13);
  EXPECT_NEAR(r.measures.jacobianEigenvalue.at(0, 0, 0), 0.125, 1e-14);
  EXPECT_FALSE(r.saturatedRows.at(0, 0, 0));
}

TEST(RowMeasures, ShareCountsVisibleKeysOnly) {
  PreciseScene scene = scoresOf(MatrixOf<double>::Zero(8, 1));
  scene.masks = {PaddingLengthRule{3}};
  const auto r = evaluateReference(scene, Wanted::everything());
  EXPECT_NEAR(r.measures.entropyShare.at(0, 0, 0), 1, 1e-14);
  EXPECT_NEAR(r.measures.effectiveKeys.at(0, 0, 0), 3, 1e-13);
  EXPECT_EQ(r.visibleKeys.at(0, 0, 0), 3);
}

TEST(RowMeasures, SaturationFollowsTheScenesThreshold) {
  PreciseScene scene = scoresOf(matrix({{3}, {0}}));  // largest weight 0.9526
  EXPECT_FALSE(evaluateReference(scene).saturatedRows.at(0, 0, 0));
  scene.saturationThreshold = 0.95;
  EXPECT_TRUE(evaluateReference(scene).saturatedRows.at(0, 0, 0));
  scene.masks = {PaddingLengthRule{1}};  // a single key has weight 1 whatever its score
  EXPECT_FALSE(evaluateReference(scene).saturatedRows.at(0, 0, 0));
}

/// The O(n) norm and the secular root against the matrix itself.
TEST(RowMeasures, JacobianNormAndEigenvalueAreThoseOfTheWholeJacobian) {
  for (const Kind kind : kAllKinds)
    for (const double deviation : {0.3, 1.0, 4.0}) {
      PreciseScene scene = randomScene({.queries = 12, .keys = 17, .keyWidth = 3}, 3, deviation);
      scene.normaliser = {kind, 0.3};
      const auto r = evaluateReference(scene, Wanted::everything());
      for (Index i = 0; i < 12; ++i) {
        const MatrixOf<double> jacobian = jacobianOf(scene, r, 0, i);
        EXPECT_NEAR(r.measures.jacobianNorm.at(0, i, 0), jacobian.norm(), 1e-12);
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(jacobian);
        EXPECT_NEAR(r.measures.jacobianEigenvalue.at(0, i, 0), solver.eigenvalues().maxCoeff(), 1e-12);
      }
    }
}

/// ∂p/∂s by central differences, through a bias on the scores.
TEST(RowMeasures, JacobianIsTheDerivativeOfTheNormaliser) {
  for (const Kind kind : kAllKinds) {
    PreciseScene scene = randomScene({.queries = 1, .keys = 6, .keyWidth = 3}, 4);
    scene.normaliser = {kind, -0.2};
    scene.bias = {input(MatrixOf<double>::Zero(1, 6))};
    const MatrixOf<double> jacobian = jacobianOf(scene, evaluateReference(scene), 0, 0);
    for (Index j = 0; j < 6; ++j) {
      const auto probsAt = [&](double offset) {
        scene.bias[0].values(0, j) = offset;
        const MatrixOf<double> probs = evaluateReference(scene).probs[0];
        scene.bias[0].values(0, j) = 0;
        return probs;
      };
      const MatrixOf<double> slope = (probsAt(1e-5) - probsAt(-1e-5)) / 2e-5;
      for (Index l = 0; l < 6; ++l) EXPECT_NEAR(jacobian(l, j), slope(0, l), 1e-9);
    }
  }
}

/// A row in which one weight is all but 1: Σa² − 2Σa³ + (Σa²)² would be rounding noise.
TEST(RowMeasures, NormOfASaturatedRowKeepsItsDigits) {
  const PreciseScene scene = scoresOf(matrix({{40}, {0}}));
  const double small = std::exp(-40.0), exact = 2 * small * (1 - small);
  EXPECT_NEAR(evaluateReference(scene).measures.jacobianNorm.at(0, 0, 0) / exact, 1, 1e-9);
  EXPECT_NEAR(evaluate(narrow(scene)).measures.jacobianNorm.at(0, 0, 0) / exact, 1, 1e-5);
  // The other eigenvalue of a 2 × 2 Jacobian is 0, so its norm is the largest one.
  EXPECT_NEAR(evaluateReference(scene, Wanted::everything()).measures.jacobianEigenvalue.at(0, 0, 0) / exact,
              1, 1e-9);
  EXPECT_NEAR(evaluate(narrow(scene), Wanted::everything()).measures.jacobianEigenvalue.at(0, 0, 0) / exact,
              1, 1e-5);
  PreciseScene one = scoresOf(matrix({{3}}));
  EXPECT_EQ(evaluateReference(one, Wanted::everything()).measures.jacobianEigenvalue.at(0, 0, 0), 0);
}

/// Weights that do not sum to 1 still give between 1 and n effective keys.
TEST(RowMeasures, EffectiveKeysOfSigmoidAndSinkStayWithinTheKeys) {
  for (const Kind kind : {Kind::sigmoid, Kind::sink}) {
    PreciseScene scene = randomScene({.queries = 20, .keys = 10}, 5);
    scene.normaliser = {kind, 0.5};
    const auto r = evaluateReference(scene);
    for (Index i = 0; i < 20; ++i) {
      EXPECT_GE(r.measures.effectiveKeys.at(0, i, 0), 1);
      EXPECT_LE(r.measures.effectiveKeys.at(0, i, 0), 10 + 1e-9);
    }
  }
}

/// Sheet 004, 1a: the norm is below n·ε once the largest weight is above 1 − ε.
TEST(RowMeasures, VanishingJacobianOfSheet004) {
  PreciseScene scene = randomScene({.queries = 50, .keys = 12, .keyWidth = 64}, 6);
  scene.scale.rule = Scale::Rule::none;
  const auto r = evaluateReference(scene);
  for (Index i = 0; i < 50; ++i)
    EXPECT_LE(r.measures.jacobianNorm.at(0, i, 0), 12 * (1 - r.measures.largestWeight.at(0, i, 0)) + 1e-15);
}

}  // namespace
}  // namespace attn
