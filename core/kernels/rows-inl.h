// What happens to one row of scores while it is in cache: scale, cap, bias, mask, normalise, and the way
// back. Rows are padded to whole vectors: `begin` and `end` are multiples of the vector length.
// Included once for each SIMD target.
#if defined(ATTN_KERNELS_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_ROWS_INL_H_
#undef ATTN_KERNELS_ROWS_INL_H_
#else
#define ATTN_KERNELS_ROWS_INL_H_
#endif

#include <cmath>
#include <limits>

#include "core/attention/head.h"
#include "core/attention/normalise.h"
#include "core/kernels/tile-inl.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
using F64 = hn::Rebind<double, F32>;
#else
using F64 = hn::RepartitionToWide<F32>;
#endif
using F64Vec = hn::Vec<F64>;
using Kind = Normaliser::Kind;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Σ of floats in double: with it the weights of a row sum to 1 within 2·2⁻²⁴ at any length.
struct WideSum {
  F64Vec low, high;

  HWY_INLINE WideSum() : low(hn::Zero(F64())), high(hn::Zero(F64())) {}
  HWY_INLINE void add(Vec v) {
#if HWY_TARGET == HWY_SCALAR
    low = hn::Add(low, hn::PromoteTo(F64(), v));
#else
    const hn::Half<F32> half;
    low = hn::Add(low, hn::PromoteTo(F64(), hn::LowerHalf(half, v)));
    high = hn::Add(high, hn::PromoteTo(F64(), hn::UpperHalf(half, v)));
#endif
  }
  HWY_INLINE double total() const {
    return hn::GetLane(hn::SumOfLanes(F64(), hn::Add(low, high)));
  }
};

/// The largest lane, and never less than `lowest`: MaxOfLanes does not return −∞ on every target.
HWY_INLINE float largestLane(Vec v, float lowest) {
  HWY_ALIGN float lane[hn::MaxLanes(F32())];
  hn::Store(v, F32(), lane);
  for (Index l = 0; l < lanes(); ++l) lowest = std::max(lowest, lane[l]);
  return lowest;
}

/// exp(x + rest) for x ≤ 0 and a rest below an ulp of x, within 0.8 ulp, denormals included; below −104
/// it is 0. Not for NaN.
HWY_INLINE Vec expNonPositive(Vec x, Vec rest) {
  const F32 d;
  const hn::RebindToSigned<F32> di;
  const auto large = hn::Gt(x, hn::Set(d, -87.0f));
  const bool allLarge = hn::AllTrue(d, large);
  if (!allLarge) {  // far below, the rest may be large or, for a hidden key, a NaN: there the result is 0
                    // anyway
    rest = hn::IfThenElseZero(hn::Gt(x, hn::Set(d, -104.0f)), rest);
    x = hn::Max(x, hn::Set(d, -104.0f));
  }
  // x = n·ln 2 + r with |r| ≤ ln(2)/2; n·0.693359375 is exact.
  const Vec n = hn::Round(hn::Mul(x, hn::Set(d, 1.44269504f)));
  Vec r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x);
  r = hn::Add(hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r), rest);
  // The exponential series to r⁷/7!, whose remainder is below 5e-9.
  Vec p = hn::Set(d, 1.98412698e-4f);
  p = hn::MulAdd(p, r, hn::Set(d, 1.38888889e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 8.33333333e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 4.16666667e-2f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.66666667e-1f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.5f));
  p = hn::Add(hn::MulAdd(hn::Mul(r, r), p, r), hn::Set(d, 1.0f));
  const auto whole = hn::ConvertTo(di, n);
  if (allLarge) return hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(whole)));  // p·2ⁿ
  // 2ⁿ in two factors, since 2⁻¹⁵⁰ is not a float.
  const auto half = hn::ShiftRight<1>(whole);
  const auto powerOf = [&](auto e) {
    return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(e, hn::Set(di, 127))));
  };
  return hn::Mul(hn::Mul(p, powerOf(half)), powerOf(hn::Sub(whole, half)));
}

/// exp(s − largest) for s ≤ largest. The difference rounds by up to 4 ulp of the result, so what the
/// rounding cut off is found exactly (Knuth's two-sum) and goes into the exponential as well.
HWY_INLINE Vec expBelow(Vec s, Vec largest) {
  const Vec z = hn::Sub(s, largest);
  const Vec sPart = hn::Add(z, largest);
  const Vec rest = hn::Sub(hn::Sub(s, sPart), hn::Sub(hn::Sub(largest, sPart), hn::Neg(z)));
  return expNonPositive(z, rest);
}

/// What the scan of a row's scores found.
struct RowScan {
  float largest;
  bool sound;  // no NaN, no +∞, and at least one score above −∞
};

/// A row of a map, which has no padding: vector access that stops at its end.
struct MapRow {
  float* row;
  Index keys;

  HWY_INLINE void store(Vec v, Index j) const {
    if (HWY_LIKELY(j + lanes() <= keys)) return hn::StoreU(v, F32(), row + j);
    HWY_ALIGN float lane[hn::MaxLanes(F32())];
    hn::Store(v, F32(), lane);
    for (Index l = 0; j + l < keys; ++l) row[j + l] = lane[l];
  }
};

/// The same to read from, as if zeros stood behind the end.
struct ConstMapRow {
  const float* row;
  Index keys;

  HWY_INLINE Vec load(Index j) const {
    if (HWY_LIKELY(j + lanes() <= keys)) return hn::LoadU(F32(), row + j);
    HWY_ALIGN float lane[hn::MaxLanes(F32())] = {};
    for (Index l = 0; j + l < keys; ++l) lane[l] = row[j + l];
    return hn::Load(F32(), lane);
  }
};

/// s/divisor, exactly rounded. A power of two divides exactly by its reciprocal.
class Divider {
 public:
  HWY_INLINE explicit Divider(float divisor) : divisor_(divisor), factor_(1 / divisor) {
    int exponent;
    exact_ = std::abs(std::frexp(divisor, &exponent)) == 0.5f && std::abs(exponent) < 100;
  }
  HWY_INLINE Vec operator()(Vec s) const {
    return exact_ ? hn::Mul(s, hn::Set(F32(), factor_)) : hn::Div(s, hn::Set(F32(), divisor_));
  }

 private:
  float divisor_, factor_;
  bool exact_;
};

/// Which lanes from j on lie in the range.
HWY_INLINE hn::Mask<F32> lanesInside(KeyRange range, Index j) {
  const hn::RebindToSigned<F32> di;
  const auto at = hn::Iota(di, static_cast<std::int32_t>(j));
  const auto before = hn::Lt(at, hn::Set(di, static_cast<std::int32_t>(range.begin)));
  const auto inside = hn::AndNot(before, hn::Lt(at, hn::Set(di, static_cast<std::int32_t>(range.end))));
  return hn::RebindMask(F32(), inside);
}

/// Which lanes from j on have a flag in a row of `keys` bytes.
HWY_INLINE hn::Mask<F32> lanesFlagged(const std::uint8_t* flags, Index keys, Index j) {
  const hn::Rebind<std::uint8_t, F32> bytes;
  const hn::RebindToSigned<F32> di;
  HWY_ALIGN std::uint8_t copy[hn::MaxLanes(F32())] = {};
  const std::uint8_t* from = flags + j;
  if (j + lanes() > keys) {
    std::copy_n(from, std::max(keys - j, Index{0}), copy);
    from = copy;
  }
  return hn::RebindMask(F32(), hn::Gt(hn::PromoteTo(di, hn::LoadU(bytes, from)), hn::Zero(di)));
}

/// Finds the largest score of a row and whether it is one to measure the others by.
class Scanner {
 public:
  HWY_INLINE Scanner() : largest_(hn::Set(F32(), kMinusInfinity)), fine_(hn::Eq(largest_, largest_)) {}
  HWY_INLINE void see(Vec s) {
    fine_ = hn::And(fine_, hn::Le(s, hn::Set(F32(), std::numeric_limits<float>::max())));  // no NaN, no +∞
    largest_ = hn::Max(largest_, s);
  }
  HWY_INLINE RowScan result() const {
    const float largest = largestLane(largest_, kMinusInfinity);
    return {largest, hn::AllTrue(F32(), fine_) && largest != kMinusInfinity};
  }

 private:
  Vec largest_;
  hn::Mask<F32> fine_;
};

/// What happens to a row of raw scores besides the scale and the row's range.
struct ScoreStages {
  const HeadTask<float>& task;
  const HeadForward<float>& to;
  Index i;
  const std::uint8_t* cells;

  HWY_INLINE ScoreStages(const HeadTask<float>& t, const HeadForward<float>& f, Index row)
      : task(t), to(f), i(row), cells(t.visible->cellsOf(t.head)) {}
  HWY_INLINE bool any() const {
    return to.rawScores || to.scaledScores || to.cappedScores || to.scores || task.cap != 0 ||
           task.slope != 0 || task.bias || cells;
  }
  HWY_INLINE void keep(float* map, Vec s, Index j) const {
    if (map) MapRow{map + i * task.keys, task.keys}.store(s, j);
  }
  /// cap → bias → cells
  HWY_INLINE Vec bend(Vec s, Index j) const {
    const F32 d;
    if (task.cap != 0) {
      const Vec c = hn::Set(d, task.cap);
      s = hn::Mul(c, hn::Tanh(d, hn::Div(s, c)));
    }
    keep(to.cappedScores, s, j);
    const Vec distance = hn::Abs(hn::Iota(d, static_cast<float>(j - i)));
    if (task.slope != 0) s = hn::NegMulAdd(hn::Set(d, task.slope), distance, s);
    if (task.bias) s = hn::Add(s, ConstMapRow{task.bias + i * task.keys, task.keys}.load(j));
    if (!cells) return s;
    return hn::IfThenElse(lanesFlagged(cells + i * task.keys, task.keys, j), s, hn::Set(d, kMinusInfinity));
  }
};

/// scale → cap → bias → mask over one row of raw scores, in one pass, with the maps that are wanted.
template <bool kPlain>
HWY_INLINE RowScan scoreRow(const ScoreStages& stages, const Divider& divide, KeyRange range, float* row,
                            Index begin, Index end) {
  const F32 d;
  Scanner scanner;
  for (Index j = begin; j < end; j += lanes()) {
    Vec s = hn::Load(d, row + j);
    if (!kPlain) stages.keep(stages.to.rawScores, s, j);
    s = divide(s);
    if (!kPlain) {
      stages.keep(stages.to.scaledScores, s, j);
      s = stages.bend(s, j);
    }
    if (HWY_UNLIKELY(j < range.begin || j + lanes() > range.end))
      s = hn::IfThenElse(lanesInside(range, j), s, hn::Set(d, kMinusInfinity));
    if (!kPlain) stages.keep(stages.to.scores, s, j);
    hn::Store(s, d, row + j);
    scanner.see(s);
  }
  return scanner.result();
}

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
