#pragma once
#include <vector>

#include "core/scene.h"

namespace attn {

/// Which query averages two values: keys of length 1 at right angles, or drawn around such means, and a query
/// a·μ_i + b·μ_j. Scores are not divided. Each key has a value in the plane: the corners of a regular
/// polygon.
struct Point {
  double x = 0, y = 0;
};
double distance(const Point& a, const Point& b);

/// What a query makes of one draw of the keys.
struct Attended {
  std::vector<double> weights;  // one a key; of two heads their average
  Point output;
};

/// The experiment's draws, kept as far as any query of the plane can tell them apart: what each key has along
/// μ_i and along μ_j.
struct KeyDraws {
  std::vector<Point> along;  // draws × keys
  Index keys = 0;
  Index count() const { return static_cast<Index>(along.size()) / keys; }
};

/// Whether both have the same keys, however the query looks.
bool needsSameKeys(const QueryLab& a, const QueryLab& b);

/// The means of the keys: keys × width, orthonormal rows.
MatrixOf<double> keyMeans(const QueryLab& lab);
/// One draw: keys × width. Orthonormal keys are the means themselves.
MatrixOf<double> drawnKeys(const QueryLab& lab, Index draw);
/// All draws: one of orthonormal keys, else as many as the lab asks for.
KeyDraws drawKeys(const QueryLab& lab);

std::vector<Point> valuesOfKeys(Index keys);
/// (v_i + v_j)/2
Point wantedOutput(const QueryLab& lab);

Attended answerTo(const QueryLab& lab, const KeyDraws& draws, Index draw);

/// How far outputs lie from (v_i + v_j)/2.
struct ErrorAt {
  double beta = 0, mean = 0, low = 0, high = 0;  // of the draws; four of five lie between low and high
};
/// For q = β(μ_i + μ_j), β from 0 to `most`. Of many draws the first 200 count.
std::vector<ErrorAt> errorCurve(const QueryLab& lab, const KeyDraws& draws, double most, int steps);
/// The same for orthonormal keys, by the formula (n−2)/(2e^β + n−2) · |mean of the others − (v_i + v_j)/2|.
double orthonormalError(const QueryLab& lab, double beta);

/// Of the weights on i and j, the share on i. For one head its logit is normal, as the scores are.
double shareOfFirst(const QueryLab& lab, const Attended& answer);
struct LogitNormal {
  double mean = 0, deviation = 0;
  /// How often the share is at most this.
  double below(double share) const;
};
LogitNormal predictedShare(const QueryLab& lab);

/// The query, one draw of the keys and their values as a scene; of two heads, both.
Scene sceneOf(const QueryLab& lab, Index draw);

/// What of c = (v_i + v_j)/2 is v_i, where v_i and v_j lie in subspaces at right angles: c·M with M = 2SᵀS,
/// the rows of S being the orthonormal basis of the first subspace.
struct Projection {
  MatrixOf<double> first, second;  // bases: so many rows of kWidth
  MatrixOf<double> projector;      // kWidth × kWidth
  Eigen::RowVectorXd vi, vj, c, found;
  double error = 0;  // |found − v_i|

  static constexpr Index kWidth = 8;
};
Projection projectionOf(const QueryLab& lab);

}  // namespace attn
