// Every number that the five exercise sheets print, to the digits printed.
#include <gtest/gtest.h>

#include <cmath>

#include "core/evaluate.h"
#include "core/random.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

/// Half a unit of the last printed digit; one of the digits before the exponent for e-notation.
void expectPrinted(const MatrixOf<double>& found, const MatrixOf<double>& printed, int digits,
                   bool significant = false) {
  ASSERT_EQ(found.rows(), printed.rows());
  ASSERT_EQ(found.cols(), printed.cols());
  for (Index i = 0; i < found.rows(); ++i)
    for (Index j = 0; j < found.cols(); ++j) {
      const double unit = significant ? std::pow(10, std::floor(std::log10(std::abs(printed(i, j)))) - digits)
                                      : std::pow(10, -digits);
      EXPECT_NEAR(found(i, j), printed(i, j), 0.5001 * unit) << "cell " << i << ", " << j;
    }
}

/// The float path reaches the printed numbers within float32 error: relative for weights, of the largest
/// number for outputs, whose terms cancel.
void expectCloseWeights(const Matrix& found, const MatrixOf<double>& printed) {
  for (Index i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found.data()[i], printed.data()[i], 3e-6 * printed.data()[i]) << i;
}
void expectCloseOutput(const Matrix& found, const MatrixOf<double>& printed) {
  EXPECT_LE((found.cast<double>() - printed).cwiseAbs().maxCoeff(), 3e-7 * printed.cwiseAbs().maxCoeff());
}

TEST(Sheet000, Exercise1DotProductAttention) {
  const auto h = matrix({{1, 2, 3}, {1, 2, 1}, {0, 1, -1}});
  PreciseScene scene = givenScene(matrix({{1, 2, 1}}), h, h);
  scene.scale.rule = Scale::Rule::none;
  const auto results = evaluateReference(scene, Wanted::everything());
  expectPrinted(results.rawScores[0], matrix({{8, 6, 1}}), 9);
  expectPrinted(results.probs[0], matrix({{0.88, 0.12, 0.00}}), 2);
  expectPrinted(results.out, matrix({{1.00, 2.00, 2.76}}), 2);
}

TEST(Sheet000, Exercise3ScaledByHand) {
  const PreciseScene scene = givenScene(matrix({{1, 2}, {3, 1}}), matrix({{2, 1}, {1, 1}, {0, 1}}),
                                        matrix({{1, 2, -2}, {1, 1, 2}, {0, 1, -1}}));
  const auto printed = matrix({{0.86, 1.58, -0.72}, {0.99, 1.88, -1.56}});
  expectPrinted(evaluateReference(scene).out, printed, 2);
  expectPrinted(evaluate(narrow(scene)).out.cast<double>(), printed, 2);
}

MatrixOf<double> sheet001X() {
  return matrix({{-2.0, 1.0, 0.5}, {1.0, 1.5, -0.5}, {-1.5, 1.0, -0.5}, {-2.0, -2.5, 1.5}});
}

TEST(Sheet001, Question1_1OneQuery) {
  const PreciseScene scene = givenScene(matrix({{-2.0, 1.0, -1.0}}), sheet001X(), sheet001X());
  const auto results = evaluateReference(scene, Wanted::everything());
  expectPrinted(results.scores[0], matrix({{2.59807621, 0, 2.59807621, 0}}), 8);
  const auto printed = matrix({{0.46536883, 0.03463117, 0.46536883, 0.03463117}});
  expectPrinted(results.probs[0], printed, 8);
  expectPrinted(results.out, matrix({{-1.66342208, 0.8961065, 0.03463117}}), 8);
  expectCloseWeights(evaluate(narrow(scene)).probs[0], printed);
}

PreciseScene sheet001SelfAttention(bool secondHead) {
  PreciseScene scene;
  SourceOf<double>& source = scene.source;
  source.kind = SourceOf<double>::Kind::projected;
  source.x = input(sheet001X());
  source.projected.push_back({input(matrix({{1, -1.5}, {0, 2}, {-0.5, -1}})),
                              input(matrix({{-1.5, -1}, {2.5, 0}, {0.5, -1}})),
                              input(matrix({{1, 2.5}, {-0.5, -2}, {0, -1}}))});
  if (secondHead) {
    const MatrixOf<double> ones = MatrixOf<double>::Ones(3, 2);
    source.projected.push_back({input(ones), input(ones), input(ones)});
    source.wo = input(matrix({{-1, 1.5, 2}, {0, -1, -2}, {1, -1.5, 0}, {2, 0, 1}}));
  }
  return scene;
}

MatrixOf<double> sheet001P1() {
  return matrix({{4.79433566e-5, 3.22098620e-5, 1.71943035e-3, 9.98200416e-1},
                 {5.97319598e-1, 1.28333499e-3, 4.01298182e-1, 9.88847812e-5},
                 {1.46423661e-2, 4.87223528e-4, 2.37021787e-1, 7.47848624e-1},
                 {9.06143069e-9, 1.87817885e-3, 2.98824011e-8, 9.98121782e-1}});
}

TEST(Sheet001, Question1_2SelfAttention) {
  const PreciseScene scene = sheet001SelfAttention(false);
  const auto results = evaluateReference(scene);
  expectPrinted(results.q[0], matrix({{-2.25, 4.5}, {1.25, 2}, {-1.25, 4.75}, {-2.75, -3.5}}), 9);
  expectPrinted(results.k[0], matrix({{5.75, 1.5}, {2, -0.5}, {4.5, 2}, {-2.5, 0.5}}), 9);
  expectPrinted(results.v[0], matrix({{-2.5, -7.5}, {0.25, 0}, {-2, -5.25}, {-0.75, -1.5}}), 9);
  expectPrinted(results.probs[0], sheet001P1(), 8, true);
  expectPrinted(results.out,
                matrix({{-0.75220098, -1.50668721},
                        {-2.29564869, -6.58686077},
                        {-1.07141415, -2.47595506},
                        {-0.74812187, -1.4971829}}),
                8);
  expectCloseWeights(evaluate(narrow(scene)).probs[0], sheet001P1());
}

TEST(Sheet001, Question1_3SecondHeadAndOutputProjection) {
  const PreciseScene scene = sheet001SelfAttention(true);
  const auto results = evaluateReference(scene);
  expectPrinted(results.probs[0], sheet001P1(), 8, true);
  expectPrinted(results.probs[1],
                matrix({{1.18306921e-1, 2.01966211e-2, 1.68483136e-1, 6.93013322e-1},
                        {8.48429312e-4, 9.98944583e-1, 2.06267364e-4, 7.20592823e-7},
                        {2.67590116e-2, 7.79843042e-4, 5.42703523e-2, 9.18190793e-1},
                        {2.47463407e-5, 6.12522986e-10, 2.06437556e-4, 9.99768815e-1}}),
                8, true);
  expectPrinted(results.headOut[1],
                matrix({{-2.26628332, -2.26628332},
                        {1.99725652, 1.99725652},
                        {-2.82066255, -2.82066255},
                        {-2.99952526, -2.99952526}}),
                8);
  const auto printed = matrix({{-6.04664898, 3.77781072, -0.75731086},
                               {8.28741825, 0.14750295, 10.57968068},
                               {-7.3905735, 5.09982766, -0.01158073},
                               {-8.25045389, 4.87428797, -1.50140321}});
  expectPrinted(results.out, printed, 8);
  expectCloseOutput(evaluate(narrow(scene)).out, printed);
}

PreciseScene sheet002() {
  PreciseScene scene;
  scene.source.kind = SourceOf<double>::Kind::projected;
  scene.source.x = input(matrix({{2, 3}, {-1, 0}, {1, -2}}));
  scene.source.projected.push_back({input(matrix({{1, 0, 2}, {0, 1, -3}})),
                                    input(matrix({{0, 0, -1}, {-2, 0, 1}})),
                                    input(matrix({{8, 0}, {0, 9}}))});
  scene.scale.rule = Scale::Rule::none;
  return scene;
}

TEST(Sheet002, Problem1QueriesKeysValues) {
  const auto results = evaluateReference(sheet002(), Wanted::everything());
  // The sheet prints q₂ = (−1, 0, 2); 2·(−1) − 3·0 is −2.
  expectPrinted(results.q[0], matrix({{2, 3, -5}, {-1, 0, -2}, {1, -2, 8}}), 9);
  expectPrinted(results.k[0], matrix({{-6, 0, 1}, {0, 0, 1}, {4, 0, -3}}), 9);
  expectPrinted(results.v[0], matrix({{16, 27}, {-8, 0}, {8, -18}}), 9);
  expectPrinted(results.rawScores[0].row(2), matrix({{2, 8, -20}}), 9);
  expectPrinted(results.probs[0].row(2).leftCols(2), matrix({{0.00247, 0.99753}}), 5);
  EXPECT_NEAR(results.probs.at(0, 2, 2), 6.90e-13, 0.005e-13);
  EXPECT_NEAR(results.out(2, 0), -7.94, 0.005);
  EXPECT_NEAR(results.out(2, 1), 0.067, 0.0005);
}

TEST(Sheet002, Problem2MeanAndVarianceOfDotProducts) {
  const double mu = 0.5, sigma = 1.25;
  const Random random(7);
  for (const int width : {1, 4, 64}) {
    const int trials = 40000;
    double sum = 0, squares = 0;
    for (int n = 0; n < trials; ++n) {
      double dot = 0;
      for (int t = 0; t < width; ++t) {
        const auto at = static_cast<std::uint64_t>(2 * (n * width + t));
        dot += (mu + sigma * random.normal(at)) * (mu + sigma * random.normal(at + 1));
      }
      sum += dot, squares += dot * dot;
    }
    const double mean = sum / trials, variance = squares / trials - mean * mean;
    const double s2 = sigma * sigma, theory = width * (s2 * s2 + 2 * s2 * mu * mu);
    EXPECT_NEAR(mean, width * mu * mu, 4 * std::sqrt(theory / trials));  // 4 standard errors
    EXPECT_NEAR(variance / theory, 1, 6 * std::sqrt(8.0 / trials));  // the products' kurtosis is at most 9
  }
}

}  // namespace
}  // namespace attn
