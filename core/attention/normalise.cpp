#include "core/attention/normalise.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace attn {
namespace {

using Kind = Normaliser::Kind;

template <class T>
T softmax(T* s, Index count, bool sink, T logit) {
  T largest = *std::max_element(s, s + count);
  if (sink) largest = std::max(largest, logit);
  T sum = 0;
  for (Index j = 0; j < count; ++j) sum += s[j] = std::exp(s[j] - largest);
  const T sinkPart = sink ? std::exp(logit - largest) : T(0);
  sum += sinkPart;
  for (Index j = 0; j < count; ++j) s[j] /= sum;
  return sinkPart / sum;
}

/// τ of sparsemax: with scores in falling order, k is the longest run that stays above its own threshold.
template <class T>
T sparsemaxThreshold(const std::vector<T>& falling) {
  T sum = 0, threshold = 0;
  for (std::size_t k = 1; k <= falling.size(); ++k) {
    sum += falling[k - 1];
    const T candidate = (sum - 1) / static_cast<T>(k);
    if (falling[k - 1] <= candidate) break;
    threshold = candidate;
  }
  return threshold;
}

/// τ of 1.5-entmax on halved scores: Σ (s_j − τ)² = 1 over the k largest is a quadratic in τ.
template <class T>
T entmax15Threshold(const std::vector<T>& falling) {
  T mean = 0, squares = 0, threshold = 0;  // running mean and Σ (s − mean)²
  for (std::size_t k = 1; k <= falling.size(); ++k) {
    const T step = falling[k - 1] - mean;
    mean += step / static_cast<T>(k);
    squares += step * (falling[k - 1] - mean);
    const T room = (1 - squares) / static_cast<T>(k);
    if (!(room >= 0)) break;  // also where a score of −∞ made it a NaN
    const T candidate = mean - std::sqrt(room);
    if (falling[k - 1] <= candidate) break;
    threshold = candidate;
  }
  return threshold;
}

/// Scores relative to their maximum: keeps large scores from losing their differences.
template <class T>
std::vector<T> fallingOrder(T* s, Index count, T factor) {
  const T largest = *std::max_element(s, s + count);
  for (Index j = 0; j < count; ++j) s[j] = (s[j] - largest) * factor;
  std::vector<T> falling(s, s + count);
  std::sort(falling.begin(), falling.end(), std::greater<T>());
  return falling;
}

template <class T>
void sparsemax(T* s, Index count) {
  const T threshold = sparsemaxThreshold(fallingOrder(s, count, T(1)));
  for (Index j = 0; j < count; ++j) s[j] = std::max(s[j] - threshold, T(0));
}

template <class T>
void entmax15(T* s, Index count) {
  const T threshold = entmax15Threshold(fallingOrder(s, count, T(0.5)));
  for (Index j = 0; j < count; ++j) {
    const T root = std::max(s[j] - threshold, T(0));
    s[j] = root * root;
  }
}

/// exp of a non-positive number on both sides, so that nothing overflows.
template <class T>
T sigmoid(T x) {
  const T e = std::exp(-std::abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

/// Whether the row has a largest score to measure the others by.
template <class T>
bool isSound(const T* s, Index count) {
  const bool bad =
      std::any_of(s, s + count, [](T x) { return std::isnan(x) || x == std::numeric_limits<T>::infinity(); });
  return !bad && std::any_of(s, s + count, [](T x) { return std::isfinite(x); });
}

}  // namespace

template <class T>
T normalise(Kind kind, T logit, T* scores, Index count) {
  if (kind == Kind::sigmoid) {
    std::transform(scores, scores + count, scores, [=](T s) { return sigmoid(s + logit); });
    return 0;
  }
  if (count == 0) return kind == Kind::sink ? T(1) : T(0);
  if (!isSound(scores, count)) {
    std::fill_n(scores, count, std::numeric_limits<T>::quiet_NaN());
    return 0;
  }
  if (kind == Kind::sparsemax) return sparsemax(scores, count), T(0);
  if (kind == Kind::entmax15) return entmax15(scores, count), T(0);
  return softmax(scores, count, kind == Kind::sink, logit);
}

template <class T>
T jacobianWeight(Kind kind, T p) {
  switch (kind) {
    case Kind::sparsemax:
      return std::isnan(p) ? p : T(p > 0);
    case Kind::entmax15:
      return std::sqrt(p);
    case Kind::sigmoid:
      return p * (1 - p);
    default:
      return p;
  }
}

template <class T>
T jacobianCoupling(Kind kind, const T* u, Index count) {
  if (kind == Kind::softmax || kind == Kind::sink) return 1;
  if (kind == Kind::sigmoid) return 0;
  T sum = 0;
  for (Index j = 0; j < count; ++j) sum += u[j];
  return sum > 0 ? 1 / sum : T(0);
}

template <class T>
void normaliseBackward(Kind kind, const T* p, T* dp, Index count) {
  std::vector<T> u(p, p + count);
  for (T& x : u) x = jacobianWeight(kind, x);
  const T coupling = jacobianCoupling(kind, u.data(), count);
  // A weight that does not move passes nothing on: 0·∞ is 0 here.
  const auto times = [](T weight, T x) { return weight == 0 ? T(0) : weight * x; };
  T sum = 0;
  for (Index j = 0; j < count; ++j) sum += times(u[static_cast<std::size_t>(j)], dp[j]);
  const T shared = times(coupling, sum);
  for (Index j = 0; j < count; ++j) dp[j] = times(u[static_cast<std::size_t>(j)], dp[j] - shared);
}

double jacobianNorm(double coupling, double largest, double restSum, double restSquares, double restCubes) {
  const double left = coupling > 0 ? coupling * restSum : 1.0;
  const double own = largest * left;
  const double cross = coupling * restSquares;
  const double square = own * own + restSquares - 2 * coupling * restCubes + cross * cross +
                        2 * coupling * largest * largest * cross;
  return std::sqrt(square < 0 ? 0.0 : square);
}

void completeEntropy(RowSums& sums) {
  sums.entropy = std::isnan(sums.entropy) ? sums.entropy : std::max(0.0, sums.entropy);
  sums.shareEntropy = sums.entropy;
  if (sums.total == 0) sums.shareEntropy = 0;
  // Weights of softmax sum to 1; those of a sink and of the sigmoid do not.
  else if (sums.total != 1)
    sums.shareEntropy = std::max(0.0, sums.entropy / sums.total + std::log(sums.total));
  if (std::isnan(sums.total)) sums.shareEntropy = sums.total;
  sums.effectiveKeys = std::exp(sums.shareEntropy);
}

template <class T>
RowSums sumsOf(Kind kind, const T* p, Index count, T sinkWeight) {
  RowSums sums;
  if (count == 0) return sums;
  std::vector<T> u(p, p + count);
  for (T& x : u) x = jacobianWeight(kind, x);
  const auto top = static_cast<std::size_t>(std::max_element(u.begin(), u.end()) - u.begin());
  double restSum = static_cast<double>(sinkWeight), restSquares = 0, restCubes = 0;
  for (std::size_t j = 0; j < u.size(); ++j) {
    const double weight = static_cast<double>(p[j]), x = static_cast<double>(u[j]);
    sums.largest = weight > sums.largest || std::isnan(weight) ? weight : sums.largest;
    sums.total += weight;
    if (!(weight <= 0)) sums.entropy -= weight * std::log(weight);
    if (j == top) continue;
    restSum += x;
    restSquares += x * x;
    restCubes += x * x * x;
  }
  completeEntropy(sums);
  const double coupling = static_cast<double>(jacobianCoupling(kind, u.data(), count));
  sums.jacobianNorm = jacobianNorm(coupling, static_cast<double>(u[top]), restSum, restSquares, restCubes);
  return sums;
}

template float normalise(Kind, float, float*, Index);
template double normalise(Kind, double, double*, Index);
template float jacobianWeight(Kind, float);
template double jacobianWeight(Kind, double);
template float jacobianCoupling(Kind, const float*, Index);
template double jacobianCoupling(Kind, const double*, Index);
template void normaliseBackward(Kind, const float*, float*, Index);
template void normaliseBackward(Kind, const double*, double*, Index);
template RowSums sumsOf(Kind, const float*, Index, float);
template RowSums sumsOf(Kind, const double*, Index, double);

}  // namespace attn
