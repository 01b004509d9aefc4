#include "core/labs/query_design.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/evaluate.h"

namespace attn {
namespace {

QueryLab drawnLab() {
  QueryLab lab;
  lab.kind = QueryLab::Keys::drawn;
  lab.samples = 2000;
  return lab;
}

TEST(QueryDesign, OrthonormalKeysErrAsTheFormulaSays) {
  QueryLab lab;
  for (const Index keys : {3, 6, 8}) {
    lab.keys = keys, lab.second = 2;
    const KeyDraws draws = drawKeys(lab);
    EXPECT_EQ(draws.count(), 1);
    for (const ErrorAt& at : errorCurve(lab, draws, 20, 40))
      EXPECT_NEAR(at.mean, orthonormalError(lab, at.beta), 1e-12) << keys << " keys, β " << at.beta;
  }
  EXPECT_LT(orthonormalError(lab, 20), 1e-7);
}

/// The largest distance between the shares' distribution and that of theory. By Dvoretzky, Kiefer, Wolfowitz
/// and Massart it exceeds √(ln(2/α)/2N) with probability α at most: here one in ten thousand.
double largestGap(const QueryLab& lab) {
  const KeyDraws draws = drawKeys(lab);
  std::vector<double> shares;
  for (Index draw = 0; draw < draws.count(); ++draw)
    shares.push_back(shareOfFirst(lab, answerTo(lab, draws, draw)));
  std::sort(shares.begin(), shares.end());
  const LogitNormal theory = predictedShare(lab);
  double gap = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double below = theory.below(shares[i]), step = 1 / static_cast<double>(shares.size());
    gap = std::max({gap, below - static_cast<double>(i) * step, static_cast<double>(i + 1) * step - below});
  }
  return gap;
}

TEST(QueryDesign, TheShareOfOneValueIsSpreadAsTheorySays) {
  QueryLab lab = drawnLab();
  const double bound = std::sqrt(std::log(2 / 1e-4) / (2 * 2000.0));
  for (const bool isStretched : {false, true})
    for (const Index stretched : {0, 1, 3})
      for (const double variance : {0.001, 0.04}) {
        lab.isStretched = isStretched, lab.stretched = stretched, lab.variance = variance;
        lab.alongFirst = 5, lab.alongSecond = 4.5;
        EXPECT_LT(largestGap(lab), bound) << isStretched << " " << stretched << " " << variance;
      }
}

/// 1f: the output swings between v_i and v_j; two heads hold it in the middle.
TEST(QueryDesign, AStretchedKeySwingsTheOutputAndTwoHeadsHoldIt) {
  QueryLab lab = drawnLab();
  lab.isStretched = true, lab.alongFirst = lab.alongSecond = 20, lab.variance = 1e-4;
  const auto spread = [&] {
    const KeyDraws draws = drawKeys(lab);
    double sum = 0;
    for (Index draw = 0; draw < draws.count(); ++draw)
      sum += distance(answerTo(lab, draws, draw).output, wantedOutput(lab));
    return sum / static_cast<double>(draws.count());
  };
  const double half = distance(valuesOfKeys(lab.keys)[0], valuesOfKeys(lab.keys)[1]) / 2;
  EXPECT_GT(spread(), 0.8 * half);
  lab.hasTwoHeads = true;
  EXPECT_LT(spread(), 0.2 * half);
}

/// Σ = εI + s·μμᵀ, entry by entry. An entry of the measured covariance errs by at most √(2·Σaa·Σbb/N).
TEST(QueryDesign, DrawnKeysHaveTheCovarianceThatIsAskedFor) {
  QueryLab lab = drawnLab();
  lab.isStretched = true, lab.stretched = 2, lab.variance = 0.09;
  const MatrixOf<double> means = keyMeans(lab);
  for (const Index key : {0, 2}) {
    MatrixOf<double> sum = MatrixOf<double>::Zero(lab.width, lab.width);
    for (Index draw = 0; draw < lab.samples; ++draw) {
      const Eigen::RowVectorXd off = drawnKeys(lab, draw).row(key) - means.row(key);
      sum += off.transpose() * off / static_cast<double>(lab.samples);
    }
    MatrixOf<double> expected = 0.09 * MatrixOf<double>::Identity(lab.width, lab.width);
    if (key == 2) expected += 0.5 * means.row(2).transpose() * means.row(2);
    for (Index a = 0; a < lab.width; ++a)
      for (Index b = 0; b < lab.width; ++b)
        EXPECT_NEAR(sum(a, b), expected(a, b), 4 * std::sqrt(2 * expected(a, a) * expected(b, b) / 2000));
  }
}

TEST(QueryDesign, TheSceneAnswersAsTheLabDoes) {
  QueryLab lab = drawnLab();
  lab.isStretched = true;
  for (const bool hasTwoHeads : {false, true}) {
    lab.hasTwoHeads = hasTwoHeads;
    const Scene scene = sceneOf(lab, 3);
    check(scene);
    const Results results = evaluate(scene, Wanted());
    const Attended answer = answerTo(lab, drawKeys(lab), 3);
    const float* out = hasTwoHeads ? results.out.data() : results.headOut.head(0);
    EXPECT_NEAR(static_cast<double>(out[0]), answer.output.x, 1e-5);
    EXPECT_NEAR(static_cast<double>(out[1]), answer.output.y, 1e-5);
  }
}

TEST(QueryDesign, TheProjectorFindsTheFirstValue) {
  QueryLab lab;
  for (lab.firstBasis = 1; lab.firstBasis <= 4; ++lab.firstBasis)
    for (lab.secondBasis = 1; lab.secondBasis <= 4; ++lab.secondBasis) {
      const Projection p = projectionOf(lab);
      EXPECT_LT(p.error, 1e-12);
      EXPECT_GT(p.vj.norm(), 1e-3);
      EXPECT_LT((p.vj * p.projector).norm(), 1e-12);
      EXPECT_NEAR(p.projector.trace(), 2.0 * static_cast<double>(lab.firstBasis), 1e-12);
    }
}

}  // namespace
}  // namespace attn
