// normalise for one row of scores while it is in cache, its measures, and its way back. Rows are padded to
// pairs of vectors: `begin` and `end` are multiples of two vector lengths.
// Included once for each SIMD target.
#if defined(ATTN_KERNELS_NORMALISE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_NORMALISE_INL_H_
#undef ATTN_KERNELS_NORMALISE_INL_H_
#else
#define ATTN_KERNELS_NORMALISE_INL_H_
#endif

#include <cmath>
#include <type_traits>

#include "core/attention/head.h"
#include "core/attention/normalise.h"
#include "core/kernels/scores-inl.h"
#include "core/kernels/vectors-inl.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Kind = Normaliser::Kind;

/// The sums of a row of softmax, from e = exp(s − max) while it is at hand. The largest e is left out of
/// the sums and put back, all but one, at the end. Since p = e/Σ, ln p is (s − max) − ln Σ.
class SoftmaxSums {
 public:
  HWY_INLINE explicit SoftmaxSums(float top) : top_(top) {
    mean_ = rest_ = squares_ = cubes_ = ties_ = hn::Zero(F32());
  }
  HWY_INLINE void add(Vec e, Vec z) {
    const F32 d;
    const auto isTop = hn::Eq(e, hn::Set(d, top_));
    const Vec other = hn::IfThenZeroElse(isTop, e);
    const Vec square = hn::Mul(other, other);
    mean_ = hn::MulAdd(e, hn::Max(z, hn::Set(d, -104.0f)), mean_);
    ties_ = hn::Add(ties_, hn::IfThenElseZero(isTop, hn::Set(d, 1.0f)));
    rest_ = hn::Add(rest_, other);
    squares_ = hn::Add(squares_, square);
    cubes_ = hn::MulAdd(square, other, cubes_);
  }
  HWY_INLINE RowSums finish(double inverse, double sinkWeight) const {
    const auto sum = [](Vec v) {
      WideSum wide;
      wide.add(v);
      return wide.total();
    };
    const double top = top_ * inverse, again = sum(ties_) - 1;
    RowSums sums;
    sums.largest = top;
    sums.total = 1 - sinkWeight;
    sums.entropy = -sums.total * std::log(inverse) - sum(mean_) * inverse;
    sums.jacobianNorm = jacobianNorm(1, top, sum(rest_) * inverse + again * top + sinkWeight,
                                     sum(squares_) * inverse * inverse + again * top * top,
                                     sum(cubes_) * inverse * inverse * inverse + again * top * top * top);
    return sums;
  }

 private:
  float top_;
  Vec mean_, rest_, squares_, cubes_, ties_;
};

/// Writes the weights to the tile and, while they are at hand, to the map.
template <bool kMeasure>
HWY_INLINE void softmaxRow(const HeadTask<float>& task, float* row, MapRow map, Index begin, Index end,
                           float largest, RowSums* sums) {
  const F32 d;
  const bool sink = task.normaliser == Kind::sink;
  const Vec most = hn::Set(d, sink ? std::max(largest, task.logit) : largest);
  SoftmaxSums measures(kMeasure ? hn::GetLane(expBelow(hn::Set(d, largest), most)) : 1.0f);
  WideSum sum;
  for (Index j = begin; j < end; j += 2 * lanes()) {  // rows are padded to pairs of vectors
    const Vec s0 = hn::Load(d, row + j), s1 = hn::Load(d, row + j + lanes());
    const Vec e0 = expBelow(s0, most), e1 = expBelow(s1, most);
    sum.add(hn::Add(e0, e1));
    if (kMeasure) measures.add(e0, hn::Sub(s0, most)), measures.add(e1, hn::Sub(s1, most));
    hn::Store(e0, d, row + j);
    hn::Store(e1, d, row + j + lanes());
  }
  const double sinkPart = sink ? std::exp(double{task.logit} - double{hn::GetLane(most)}) : 0;
  // e/Σ through 1/Σ in two floats: as exact as a division, at the price of two multiplications.
  const double inverse = 1 / (sum.total() + sinkPart);
  const float high = static_cast<float>(inverse);
  const float low = static_cast<float>(inverse - high);
  for (Index j = begin; j < end; j += lanes()) {
    const Vec e = hn::Load(d, row + j);
    const Vec p = hn::MulAdd(e, hn::Set(d, high), hn::Mul(e, hn::Set(d, low)));
    hn::Store(p, d, row + j);
    map.store(p, j);
  }
  if (kMeasure) *sums = measures.finish(inverse, sinkPart * inverse);
}

/// max(z − τ, 0) with τ in two floats.
HWY_INLINE Vec above(Vec z, double threshold) {
  const F32 d;
  const float high = static_cast<float>(threshold);
  const float low = static_cast<float>(threshold - high);
  return hn::Max(hn::Sub(hn::Sub(z, hn::Set(d, high)), hn::Set(d, low)), hn::Zero(d));
}

/// sparsemax and 1.5-entmax: Newton's iteration for the τ at which Σ max(z−τ,0)^power = 1, on
/// z = (s − max)/power. It starts left of τ on a convex falling function, so it never steps over it.
template <int kPower>
HWY_INLINE void thresholdRow(float* row, Index begin, Index end, float largest) {
  const F32 d;
  for (Index j = begin; j < end; j += lanes())
    hn::Store(hn::Mul(hn::Sub(hn::Load(d, row + j), hn::Set(d, largest)), hn::Set(d, 1.0f / kPower)), d,
              row + j);
  double threshold = -1;
  for (int step = 0; step < 100; ++step) {
    WideSum sum, slope;
    for (Index j = begin; j < end; j += lanes()) {
      const Vec x = above(hn::Load(d, row + j), threshold);
      const Vec one = hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), hn::Set(d, 1.0f));
      sum.add(kPower == 1 ? x : hn::Mul(x, x));
      slope.add(kPower == 1 ? one : x);
    }
    const double move = (sum.total() - 1) / (kPower * slope.total());
    threshold += move;
    if (!(move > 1e-9)) break;
  }
  for (Index j = begin; j < end; j += lanes()) {
    const Vec x = above(hn::Load(d, row + j), threshold);
    hn::Store(kPower == 1 ? x : hn::Mul(x, x), d, row + j);
  }
}

HWY_INLINE void sigmoidRow(float* row, Index begin, Index end, float logit) {
  const F32 d;
  const Vec one = hn::Set(d, 1.0f);
  for (Index j = begin; j < end; j += lanes()) {
    const Vec x = hn::Add(hn::Load(d, row + j), hn::Set(d, logit));
    const Vec e = expNonPositive(hn::Neg(hn::Abs(x)), hn::Zero(d));
    const Vec p = hn::Div(hn::IfThenElse(hn::Ge(x, hn::Zero(d)), one, e), hn::Add(one, e));
    hn::Store(hn::IfThenElse(hn::IsNaN(x), x, p), d, row + j);
  }
}

/// u of the Jacobian diag(u) − κuuᵀ.
template <Kind kKind>
HWY_INLINE Vec jacobianWeightOf(Vec p) {
  const F32 d;
  if constexpr (kKind == Kind::sparsemax)
    return hn::IfThenElse(hn::IsNaN(p), p, hn::IfThenElseZero(hn::Gt(p, hn::Zero(d)), hn::Set(d, 1.0f)));
  if constexpr (kKind == Kind::entmax15) return hn::Sqrt(p);
  if constexpr (kKind == Kind::sigmoid) return hn::Mul(p, hn::Sub(hn::Set(d, 1.0f), p));
  return p;
}

/// κ from Σu.
HWY_INLINE double couplingOf(Kind kind, double sum) {
  if (kind == Kind::softmax || kind == Kind::sink) return 1;
  return kind == Kind::sigmoid || !(sum > 0) ? 0 : 1 / sum;
}

/// The same sums for a row of any other normaliser, from its weights: one pass for the largest, one more.
template <Kind kKind>
HWY_INLINE RowSums rowSums(const float* row, Index begin, Index end) {
  const F32 d;
  Vec largestP = hn::Zero(d), largestU = hn::Zero(d);
  for (Index j = begin; j < end; j += lanes()) {
    const Vec p = hn::Load(d, row + j);
    largestP = hn::Max(largestP, p);
    largestU = hn::Max(largestU, jacobianWeightOf<kKind>(p));
  }
  const float topU = largestLane(largestU, 0);
  Vec total = hn::Zero(d), entropy = total, top = total, rest = total, squares = total, cubes = total;
  for (Index j = begin; j < end; j += lanes()) {
    const Vec p = hn::Load(d, row + j);
    const Vec u = jacobianWeightOf<kKind>(p);
    const auto isTop = hn::Eq(u, hn::Set(d, topU));
    const Vec other = hn::IfThenZeroElse(isTop, u);
    const Vec square = hn::Mul(other, other);
    total = hn::Add(total, p);
    entropy = hn::NegMulAdd(p, hn::Log(d, hn::Max(p, hn::Set(d, 1e-37f))), entropy);
    top = hn::Add(top, hn::IfThenElseZero(isTop, hn::Set(d, 1.0f)));
    rest = hn::Add(rest, other);
    squares = hn::Add(squares, square);
    cubes = hn::MulAdd(square, other, cubes);
  }
  const auto sum = [&](Vec v) {
    WideSum wide;
    wide.add(v);
    return wide.total();
  };
  const double again = (topU > 0 ? sum(top) - 1 : 0.0) * topU;
  const double restSum = sum(rest) + again;
  const double coupling = couplingOf(kKind, restSum + topU);
  RowSums sums;
  sums.largest = largestLane(largestP, 0);
  sums.total = sum(total);
  sums.entropy = sum(entropy);
  sums.jacobianNorm =
      jacobianNorm(coupling, topU, restSum, sum(squares) + again * topU, sum(cubes) + again * topU * topU);
  if (std::isnan(sums.total)) sums.largest = sums.entropy = sums.jacobianNorm = sums.total;
  return sums;
}

/// Calls run(kind as a compile-time constant).
template <class Run>
HWY_INLINE auto withKind(Kind kind, Run run) {
  switch (kind) {
    case Kind::sparsemax:
      return run(std::integral_constant<Kind, Kind::sparsemax>());
    case Kind::entmax15:
      return run(std::integral_constant<Kind, Kind::entmax15>());
    case Kind::sigmoid:
      return run(std::integral_constant<Kind, Kind::sigmoid>());
    default:
      return run(std::integral_constant<Kind, Kind::softmax>());
  }
}

/// A row without a largest score: nothing where nothing is visible, otherwise NaN for all to see.
HWY_INLINE RowSums poisonRow(const HeadTask<float>& task, Index i, float* row, MapRow map, Index begin,
                             Index end) {
  for (Index j = begin; j < end; ++j) row[j] = j < task.keys && task.sees(i, j) ? kNaN : 0.0f;
  for (Index j = begin; j < end; j += lanes()) map.store(hn::Load(F32(), row + j), j);
  if (task.visible->countOf(task.head, i) == 0) return {};
  return {.largest = kNaN, .total = kNaN, .entropy = kNaN, .jacobianNorm = kNaN};
}

/// normalise: see core/attention/normalise.h. The weights go to the tile's row and to the map, and their
/// sums to `sums`, where these are wanted.
HWY_INLINE void normaliseRow(const HeadTask<float>& task, Index i, RowScan scan, float* row, MapRow map,
                             Index begin, Index end, RowSums* sums) {
  const Kind kind = task.normaliser;
  if (!scan.sound && kind != Kind::sigmoid) {
    const RowSums none = poisonRow(task, i, row, map, begin, end);
    if (sums) *sums = none;
    return;
  }
  if (kind == Kind::softmax || kind == Kind::sink)
    return sums ? softmaxRow<true>(task, row, map, begin, end, scan.largest, sums)
                : softmaxRow<false>(task, row, map, begin, end, scan.largest, sums);
  if (kind == Kind::sparsemax) thresholdRow<1>(row, begin, end, scan.largest);
  if (kind == Kind::entmax15) thresholdRow<2>(row, begin, end, scan.largest);
  if (kind == Kind::sigmoid) sigmoidRow(row, begin, end, task.logit);
  for (Index j = begin; j < end; j += lanes()) map.store(hn::Load(F32(), row + j), j);
  if (sums) *sums = withKind(kind, [&](auto k) { return rowSums<decltype(k)::value>(row, begin, end); });
}

/// u·x, and 0 where u is 0, whatever x is: what does not move passes nothing on.
HWY_INLINE Vec timesWeight(Vec u, Vec x) {
  return hn::IfThenZeroElse(hn::Eq(u, hn::Zero(F32())), hn::Mul(u, x));
}

/// Back through the normaliser: ds_j = u_j·(dp_j − κ Σ_l u_l dp_l), over dp in place and to the map. A
/// hidden pair has u = 0 and so ds = 0.
template <Kind kKind>
HWY_INLINE void normaliseBackwardRow(ConstMapRow p, float* dp, MapRow map, Index begin, Index end) {
  const F32 d;
  WideSum weights, products;
  if (kKind != Kind::sigmoid)
    for (Index j = begin; j < end; j += lanes()) {
      const Vec u = jacobianWeightOf<kKind>(p.load(j));
      products.add(timesWeight(u, hn::Load(d, dp + j)));
      if (kKind == Kind::sparsemax || kKind == Kind::entmax15) weights.add(u);
    }
  const double coupling = couplingOf(kKind, weights.total());
  const Vec shared = hn::Set(d, coupling == 0 ? 0.0f : static_cast<float>(coupling * products.total()));
  for (Index j = begin; j < end; j += lanes()) {
    const Vec u = jacobianWeightOf<kKind>(p.load(j));
    const Vec ds = timesWeight(u, hn::Sub(hn::Load(d, dp + j), shared));
    hn::Store(ds, d, dp + j);
    map.store(ds, j);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
