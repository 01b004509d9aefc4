#include "core/labs/query_design.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/fill.h"
#include "core/random.h"

namespace attn {
namespace {

constexpr Index kMostForCurve = 200;

/// Where the numbers of a draw begin: one a key for the stretch, then those of the keys.
std::uint64_t placeOf(const QueryLab& lab, Index draw) {
  return static_cast<std::uint64_t>(draw * (lab.width + 1) * lab.keys);
}

std::vector<double> softmaxOf(const KeyDraws& draws, Index draw, double a, double b) {
  std::vector<double> weights(static_cast<std::size_t>(draws.keys));
  const Point* along = draws.along.data() + draw * draws.keys;
  double largest = -INFINITY, sum = 0;
  for (std::size_t k = 0; k < weights.size(); ++k)
    largest = std::max(largest, weights[k] = a * along[k].x + b * along[k].y);
  for (double& weight : weights) sum += weight = std::exp(weight - largest);
  for (double& weight : weights) weight /= sum;
  return weights;
}

Matrix asColumns(const std::vector<Point>& points) {
  Matrix values(static_cast<Index>(points.size()), 2);
  for (Index k = 0; k < values.rows(); ++k) {
    values(k, 0) = static_cast<float>(points[static_cast<std::size_t>(k)].x);
    values(k, 1) = static_cast<float>(points[static_cast<std::size_t>(k)].y);
  }
  return values;
}

}  // namespace

double distance(const Point& a, const Point& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

bool needsSameKeys(const QueryLab& a, const QueryLab& b) {
  const bool isAlike = a.kind == b.kind && a.keys == b.keys && a.width == b.width && a.first == b.first &&
                       a.second == b.second && a.seed == b.seed;
  if (!isAlike || a.kind == QueryLab::Keys::orthonormal) return isAlike;
  const bool sameStretch = a.isStretched == b.isStretched &&
                           (!a.isStretched || (a.stretched == b.stretched && a.stretch == b.stretch));
  return a.variance == b.variance && a.samples == b.samples && sameStretch;
}

MatrixOf<double> keyMeans(const QueryLab& lab) {
  return filled({.kind = Fill::Kind::orthonormal, .seed = lab.seed}, lab.keys, lab.width);
}

MatrixOf<double> drawnKeys(const QueryLab& lab, Index draw) {
  MatrixOf<double> keys = keyMeans(lab);
  if (lab.kind == QueryLab::Keys::orthonormal) return keys;
  const Random random(lab.seed);
  std::uint64_t at = placeOf(lab, draw);
  const auto normal = [&] { return static_cast<double>(random.normal(at++)); };
  for (Index k = 0; k < lab.keys; ++k) {
    const double along = normal();
    if (lab.isStretched && k == lab.stretched) keys.row(k) *= 1 + std::sqrt(lab.stretch) * along;
    for (Index i = 0; i < lab.width; ++i) keys(k, i) += std::sqrt(lab.variance) * normal();
  }
  return keys;
}

KeyDraws drawKeys(const QueryLab& lab) {
  const MatrixOf<double> means = keyMeans(lab);
  KeyDraws draws;
  draws.keys = lab.keys;
  const Index count = lab.kind == QueryLab::Keys::orthonormal ? 1 : lab.samples;
  for (Index draw = 0; draw < count; ++draw) {
    const MatrixOf<double> keys = drawnKeys(lab, draw);
    for (Index k = 0; k < lab.keys; ++k)
      draws.along.push_back({keys.row(k).dot(means.row(lab.first)), keys.row(k).dot(means.row(lab.second))});
  }
  return draws;
}

std::vector<Point> valuesOfKeys(Index keys) {
  std::vector<Point> values;
  for (Index k = 0; k < keys; ++k) {
    const double angle = std::numbers::pi * (0.5 - 2 * static_cast<double>(k) / static_cast<double>(keys));
    values.push_back({std::cos(angle), std::sin(angle)});
  }
  return values;
}

Point wantedOutput(const QueryLab& lab) {
  const std::vector<Point> values = valuesOfKeys(lab.keys);
  const Point vi = values[static_cast<std::size_t>(lab.first)],
              vj = values[static_cast<std::size_t>(lab.second)];
  return {(vi.x + vj.x) / 2, (vi.y + vj.y) / 2};
}

Attended answerTo(const QueryLab& lab, const KeyDraws& draws, Index draw) {
  Attended answer;
  if (lab.hasTwoHeads) {
    answer.weights = softmaxOf(draws, draw, lab.alongFirst, 0);
    const std::vector<double> other = softmaxOf(draws, draw, 0, lab.alongSecond);
    for (std::size_t k = 0; k < other.size(); ++k) answer.weights[k] = (answer.weights[k] + other[k]) / 2;
  } else {
    answer.weights = softmaxOf(draws, draw, lab.alongFirst, lab.alongSecond);
  }
  const std::vector<Point> values = valuesOfKeys(draws.keys);
  for (std::size_t k = 0; k < values.size(); ++k) {
    answer.output.x += answer.weights[k] * values[k].x;
    answer.output.y += answer.weights[k] * values[k].y;
  }
  return answer;
}

std::vector<ErrorAt> errorCurve(const QueryLab& lab, const KeyDraws& draws, double most, int steps) {
  const Index count = std::min(draws.count(), kMostForCurve);
  const Point wanted = wantedOutput(lab);
  std::vector<ErrorAt> curve;
  for (int step = 0; step <= steps; ++step) {
    QueryLab at = lab;
    at.alongFirst = at.alongSecond = most * step / steps;
    std::vector<double> errors;
    for (Index draw = 0; draw < count; ++draw)
      errors.push_back(distance(answerTo(at, draws, draw).output, wanted));
    ErrorAt error{at.alongFirst, 0, 0, 0};
    for (const double e : errors) error.mean += e / static_cast<double>(count);
    std::sort(errors.begin(), errors.end());
    const std::size_t cut = errors.size() / 10;
    error.low = errors[cut], error.high = errors[errors.size() - 1 - cut];
    curve.push_back(error);
  }
  return curve;
}

double orthonormalError(const QueryLab& lab, double beta) {
  const std::vector<Point> values = valuesOfKeys(lab.keys);
  const Point wanted = wantedOutput(lab);
  const auto others = static_cast<double>(lab.keys - 2);
  Point mean;
  for (Index k = 0; k < lab.keys; ++k) {
    if (k == lab.first || k == lab.second) continue;
    mean.x += values[static_cast<std::size_t>(k)].x / others;
    mean.y += values[static_cast<std::size_t>(k)].y / others;
  }
  return others / (2 * std::exp(beta) + others) * distance(mean, wanted);
}

double shareOfFirst(const QueryLab& lab, const Attended& answer) {
  const double first = answer.weights[static_cast<std::size_t>(lab.first)];
  return first / (first + answer.weights[static_cast<std::size_t>(lab.second)]);
}

LogitNormal predictedShare(const QueryLab& lab) {
  const double a = lab.alongFirst, b = lab.alongSecond;
  if (lab.kind == QueryLab::Keys::orthonormal) return {a - b, 0};
  double variance = 2 * lab.variance * (a * a + b * b);
  if (lab.isStretched && lab.stretched == lab.first) variance += a * a * lab.stretch;
  if (lab.isStretched && lab.stretched == lab.second) variance += b * b * lab.stretch;
  return {a - b, std::sqrt(variance)};
}

double LogitNormal::below(double share) const {
  if (!(share > 0)) return 0;
  if (share >= 1) return 1;
  const double logit = std::log(share / (1 - share));
  if (!(deviation > 0)) return logit >= mean ? 1 : 0;
  return std::erfc((mean - logit) / (deviation * std::numbers::sqrt2)) / 2;
}

Scene sceneOf(const QueryLab& lab, Index draw) {
  const MatrixOf<double> means = keyMeans(lab), keys = drawnKeys(lab, draw);
  const auto head = [&](double a, double b) {
    GivenHeadOf<float> made;
    made.q.values = (a * means.row(lab.first) + b * means.row(lab.second)).cast<float>();
    made.k.values = keys.cast<float>();
    made.v.values = asColumns(valuesOfKeys(lab.keys));
    return made;
  };
  Scene scene;
  scene.scale.rule = Scale::Rule::none;
  if (!lab.hasTwoHeads) {
    scene.source.given = {head(lab.alongFirst, lab.alongSecond)};
    scene.title = "A query for two keys";
    return scene;
  }
  scene.title = "A head for each of two keys";
  scene.source.given = {head(lab.alongFirst, 0), head(0, lab.alongSecond)};
  scene.source.wo = InputOf<float>{};
  scene.source.wo->values.resize(4, 2);
  scene.source.wo->values << 0.5f, 0, 0, 0.5f, 0.5f, 0, 0, 0.5f;
  return scene;
}

Projection projectionOf(const QueryLab& lab) {
  const MatrixOf<double> basis =
      filled({.kind = Fill::Kind::orthonormal, .seed = lab.seed + 1}, Projection::kWidth, Projection::kWidth);
  const MatrixOf<double> shares =
      filled({.kind = Fill::Kind::normal, .seed = lab.seed + 2}, 1, lab.firstBasis + lab.secondBasis);
  Projection p;
  p.first = basis.topRows(lab.firstBasis);
  p.second = basis.middleRows(lab.firstBasis, lab.secondBasis);
  p.vi = shares.leftCols(lab.firstBasis) * p.first;
  p.vj = shares.rightCols(lab.secondBasis) * p.second;
  p.c = (p.vi + p.vj) / 2;
  p.projector = 2 * p.first.transpose() * p.first;
  p.found = p.c * p.projector;
  p.error = (p.found - p.vi).norm();
  return p;
}

}  // namespace attn
