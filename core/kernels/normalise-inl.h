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
#include <cstdint>
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

// A loop's body by name: worthless unless it becomes a part of the loop.
#undef HWY_LAMBDA_INLINE
#define HWY_LAMBDA_INLINE __attribute__((always_inline))

/// The sums of some rows of softmax, one row a lane, for what needs a logarithm or a root of them.
struct SoftmaxMoments {
  static constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(F64()));
  static constexpr Index kRows = (2 * kTileRows + kLanes - 1) / kLanes * kLanes;
  struct Row {
    double inverse;      // 1/(Σe + the sink's)
    double share, sink;  // of Σe and of the sink in their sum; taken apart, since either may be tiny
    double top, ties;    // the largest e, and how often it is there
    double mean;         // Σ e·(s − max)
    double rest, squares, cubes;  // Σ e, Σ e² and Σ e³ without the largest
  };
  HWY_ALIGN double inverse[kRows], share[kRows], sink[kRows], top[kRows], ties[kRows];
  HWY_ALIGN double mean[kRows], rest[kRows], squares[kRows], cubes[kRows];
  bool isMeasured[kRows];

  HWY_INLINE void set(Index r, const Row& row) {
    inverse[r] = row.inverse, share[r] = row.share, sink[r] = row.sink, top[r] = row.top, ties[r] = row.ties;
    mean[r] = row.mean, rest[r] = row.rest, squares[r] = row.squares, cubes[r] = row.cubes;
    isMeasured[r] = true;
  }
  HWY_INLINE void clear(Index rows) { std::fill_n(isMeasured, rows, false); }
  /// Something to compute with, where there is nothing.
  HWY_INLINE void fillGaps(Index rows) {
    const Index all = (rows + lanes(F64()) - 1) / lanes(F64()) * lanes(F64());
    for (Index r = 0; r < all; ++r)
      if (r >= rows || !isMeasured[r]) set(r, {1, 1, 0, 1, 1, 0, 0, 0, 0}), isMeasured[r] = false;
  }
  /// Since p = e/Σ, ln p is (s − max) − ln Σ. For the norm of the Jacobian see core/attention/normalise.h.
  HWY_INLINE void write(Index rows, RowSums* to) const {
    const F64 d;
    HWY_ALIGN double entropy[kRows], effective[kRows], norm[kRows];
    for (Index r = 0; r < rows; r += lanes(d)) {
      const auto scale = hn::Load(d, inverse + r), one = hn::Set(d, 1.0);
      const auto logs =
          hn::Add(hn::Mul(hn::Load(d, share + r), hn::Log(d, scale)), hn::Mul(hn::Load(d, mean + r), scale));
      const auto positive = hn::Max(hn::Neg(logs), hn::Zero(d));
      hn::Store(positive, d, entropy + r);
      // exp(x) = 1/exp(−x)
      hn::Store(hn::Div(one, expOfNonPositive(hn::Neg(positive))), d, effective + r);
      const auto largest = hn::Mul(hn::Load(d, top + r), scale);
      const auto again = hn::Mul(hn::Sub(hn::Load(d, ties + r), one), largest);
      const auto other = hn::Add(hn::MulAdd(hn::Load(d, rest + r), scale, again), hn::Load(d, sink + r));
      const auto scale2 = hn::Mul(scale, scale), scale3 = hn::Mul(scale2, scale);
      const auto square = hn::MulAdd(hn::Load(d, squares + r), scale2, hn::Mul(again, largest));
      const auto cube = hn::MulAdd(hn::Load(d, cubes + r), scale3, hn::Mul(hn::Mul(again, largest), largest));
      const auto own = hn::Mul(largest, other);
      const auto two = hn::Set(d, 2.0);
      auto sum = hn::MulAdd(own, own, square);
      sum = hn::NegMulAdd(two, cube, sum);
      sum = hn::MulAdd(square, square, sum);
      sum = hn::MulAdd(hn::Mul(two, hn::Mul(largest, largest)), square, sum);
      hn::Store(hn::Sqrt(hn::Max(sum, hn::Zero(d))), d, norm + r);
    }
    for (Index r = 0; r < rows; ++r)
      if (isMeasured[r]) {
        to[r] = {.largest = top[r] * inverse[r],
                 .total = share[r],
                 .entropy = entropy[r],
                 .shareEntropy = entropy[r],
                 .effectiveKeys = effective[r],
                 .jacobianNorm = norm[r]};
        if (share[r] != 1) completeEntropy(to[r]);  // a sink took some
      }
  }
};

/// The sums of a row of softmax, from e = exp(s − max) while it is at hand. The largest e is left out of all
/// but the mean, and put back, all but one, at the end.
template <class D>
class SoftmaxSums {
 public:
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  SoftmaxSums() = default;  // of a row that nobody measures
  HWY_INLINE explicit SoftmaxSums(T top) : top_(top), ties_(0) {
    mean_ = rest_ = squares_ = cubes_ = hn::Zero(D());
  }
  HWY_INLINE void add(V e, V z) {
    const D d;
    const auto isTop = hn::Eq(e, hn::Set(d, top_));
    const V other = hn::IfThenZeroElse(isTop, e);
    const V square = hn::Mul(other, other);
    mean_ = hn::MulAdd(e, hn::Max(z, hn::Set(d, T(-104))), mean_);
    ties_ += hn::CountTrue(d, isTop);
    rest_ = hn::Add(rest_, other);
    squares_ = hn::Add(squares_, square);
    cubes_ = hn::MulAdd(square, other, cubes_);
  }
  HWY_INLINE SoftmaxMoments::Row moments(double inverse, double share, double sink) const {
    return {inverse,
            share,
            sink,
            static_cast<double>(top_),
            static_cast<double>(ties_),
            sumOfLanes(mean_),
            sumOfLanes(rest_),
            sumOfLanes(squares_),
            sumOfLanes(cubes_)};
  }

 private:
  T top_;
  std::size_t ties_;
  V mean_, rest_, squares_, cubes_;
};

/// Softmax of a row in two steps: what the first one sums up waits in vectors, so that the first steps of
/// several rows can follow each other without waiting for a sum.
template <class D>
class SoftmaxRow {
 public:
  using T = hn::TFromD<D>;

  /// Turns scores into e = exp(s − max) in place.
  template <bool kMeasure>
  HWY_INLINE void exponentiate(D d, const HeadTask<float>& task, T* row, Index begin, Index end, T largest) {
    most_ = task.normaliser == Kind::sink ? std::max(largest, static_cast<T>(task.logit)) : largest;
    const auto most = hn::Set(d, most_);
    hn::Vec<D> top[1] = {hn::Set(d, T(1))};
    if (kMeasure && most_ != largest) top[0] = hn::Set(d, largest), expBelow(top, most);
    SoftmaxSums<D> measures(hn::GetLane(top[0]));
    WideSum sum;
    const auto vectors = [&](auto count, Index j) HWY_ATTR HWY_LAMBDA_INLINE {
      constexpr int kCount = decltype(count)::value;
      hn::Vec<D> e[kCount];
      for (int i = 0; i < kCount; ++i) e[i] = hn::Load(d, row + j + i * lanes(d));
      expBelow(e, most);
      for (int i = 0; i < kCount; ++i) {
        T* at = row + j + i * lanes(d);
        if (kMeasure) measures.add(e[i], hn::Sub(hn::Load(d, at), most));
        hn::Store(e[i], d, at);
      }
      sum.add(sumOf(e));
    };
    Index j = begin;
    for (; j + 4 * lanes(d) <= end; j += 4 * lanes(d)) vectors(std::integral_constant<int, 4>(), j);
    if (j < end) vectors(std::integral_constant<int, 2>(), j);  // rows are padded to pairs of vectors
    sum_ = sum.both();
    if (kMeasure) measures_ = measures;
  }

  /// 1/(Σe + sink), and the row's moments where they were measured; 0 where Σ is a NaN.
  HWY_INLINE double finish(const HeadTask<float>& task, SoftmaxMoments* moments, Index r) const {
    const double sinkPart =
        task.normaliser == Kind::sink ? std::exp(task.logit - static_cast<double>(most_)) : 0;
    const double sum = hn::GetLane(hn::SumOfLanes(F64(), sum_)), total = sum + sinkPart;
    if (!(total > 0)) return 0;
    const double inverse = 1 / total, share = sinkPart == 0 ? 1 : sum * inverse;
    if (moments) moments->set(r, measures_.moments(inverse, share, sinkPart * inverse));
    return inverse;
  }

 private:
  T most_;
  hn::Vec<F64> sum_;
  SoftmaxSums<D> measures_;
};

/// max(z − τ, 0), in float with τ as two floats.
HWY_INLINE Vec above(Vec z, double threshold) {
  const F32 d;
  const float high = static_cast<float>(threshold);
  const float low = static_cast<float>(threshold - high);
  return hn::Max(hn::Sub(hn::Sub(z, hn::Set(d, high)), hn::Set(d, low)), hn::Zero(d));
}
HWY_INLINE hn::Vec<F64> above(hn::Vec<F64> z, double threshold) {
  return hn::Max(hn::Sub(z, hn::Set(F64(), threshold)), hn::Zero(F64()));
}

/// sparsemax and 1.5-entmax: Newton's iteration for the τ at which Σ max(z−τ,0)^power = 1, on
/// z = (s − max)/power. It starts at −1, left of τ on a convex falling function, so it never steps over it.
/// Only what lies above −1 can have a weight: these few go to `candidates` (as long as the row), and the
/// steps are taken over them.
template <int kPower, class D, class T = hn::TFromD<D>>
HWY_INLINE void thresholdRow(D d, T* row, Index begin, Index end, T largest, T* candidates) {
  Index count = 0;
  for (Index j = begin; j < end; j += lanes(d)) {
    const auto z = hn::Mul(hn::Sub(hn::Load(d, row + j), hn::Set(d, largest)), hn::Set(d, T(1) / kPower));
    hn::Store(z, d, row + j);
    // A whole vector is stored, as count ≤ j: CompressStore is much slower on some processors.
    const auto isCandidate = hn::Gt(z, hn::Set(d, T(-1)));
    hn::StoreU(hn::Compress(z, isCandidate), d, candidates + count);
    count += static_cast<Index>(hn::CountTrue(d, isCandidate));
  }
  const Index last = (count + lanes(d) - 1) / lanes(d) * lanes(d);
  std::fill(candidates + count, candidates + last, T(-2));
  double threshold = -1;
  const double enough = sizeof(T) == 4 ? 1e-9 : 1e-15;
  for (int step = 0; step < 100; ++step) {
    WideSum sum, slope;
    for (Index j = 0; j < last; j += lanes(d)) {
      const auto x = above(hn::Load(d, candidates + j), threshold);
      const auto one = hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), hn::Set(d, T(1)));
      sum.add(kPower == 1 ? x : hn::Mul(x, x));
      slope.add(kPower == 1 ? one : x);
    }
    const double move = (sum.total() - 1) / (kPower * slope.total());
    threshold += move;
    if (!(move > enough)) break;
  }
  for (Index j = begin; j < end; j += lanes(d)) {
    const auto x = above(hn::Load(d, row + j), threshold);
    hn::Store(kPower == 1 ? x : hn::Mul(x, x), d, row + j);
  }
}

/// exp of a number that is not positive.
HWY_INLINE Vec expOfNonPositive(Vec x) {
  Vec result[1] = {x}, rest[1] = {hn::Zero(F32())};
  expNonPositive(result, rest);
  return result[0];
}

template <class D, class T = hn::TFromD<D>>
HWY_INLINE void sigmoidRow(D d, T* row, Index begin, Index end, double logit) {
  const auto one = hn::Set(d, T(1));
  for (Index j = begin; j < end; j += lanes(d)) {
    const auto x = hn::Add(hn::Load(d, row + j), hn::Set(d, static_cast<T>(logit)));
    const auto e = expOfNonPositive(hn::Neg(hn::Abs(x)));
    const auto p = hn::Div(hn::IfThenElse(hn::Ge(x, hn::Zero(d)), one, e), hn::Add(one, e));
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
  const double again = (topU > 0 ? sumOfLanes(top) - 1 : 0.0) * topU;
  const double restSum = sumOfLanes(rest) + again;
  const double coupling = couplingOf(kKind, restSum + topU);
  RowSums sums;
  sums.largest = largestLane(largestP, 0);
  sums.total = sumOfLanes(total);
  sums.entropy = sumOfLanes(entropy);
  sums.jacobianNorm = jacobianNorm(coupling, topU, restSum, sumOfLanes(squares) + again * topU,
                                   sumOfLanes(cubes) + again * topU * topU);
  if (std::isnan(sums.total)) sums.largest = sums.entropy = sums.jacobianNorm = sums.total;
  completeEntropy(sums);
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
HWY_INLINE RowSums poisonRow(const HeadTask<float>& task, Index i, float* row, Index begin, Index end) {
  for (Index j = begin; j < end; ++j) row[j] = j < task.keys && task.sees(i, j) ? kNaN : 0.0f;
  if (task.visible->countOf(task.head, i) == 0) return {};
  return {.largest = kNaN,
          .total = kNaN,
          .entropy = kNaN,
          .shareEntropy = kNaN,
          .effectiveKeys = kNaN,
          .jacobianNorm = kNaN};
}

/// What every normaliser but softmax does with a row of scores, in place.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void otherRow(D d, const HeadTask<float>& task, T* row, Index begin, Index end, T largest,
                         T* spare) {
  if (task.normaliser == Kind::sparsemax) thresholdRow<1>(d, row, begin, end, largest, spare);
  if (task.normaliser == Kind::entmax15) thresholdRow<2>(d, row, begin, end, largest, spare);
  if (task.normaliser == Kind::sigmoid) sigmoidRow(d, row, begin, end, task.logit);
}

/// Whether a head's map of weights is so large that nobody finds it in a cache later: it is then written past
/// the caches, which spares the memory from reading what is overwritten. Only whole lines can go that way.
HWY_INLINE bool passesCache(const HeadTask<float>& task, const float* map) {
  constexpr Index kLine = 16, kCells = 4 << 20;
  return map && task.queries * task.keys >= kCells && task.keys % kLine == 0 &&
         reinterpret_cast<std::uintptr_t>(map) % (kLine * sizeof(float)) == 0;
}

/// The tile's weights to the map: p = w·factor, with the factor as two floats, as exact as a division.
HWY_INLINE void writeWeights(const float* row, double factor, MapRow map, bool passesCache, Index begin,
                             Index end) {
  if (!map.row) return;
  const F32 d;
  const float highPart = static_cast<float>(factor);
  const Vec high = hn::Set(d, highPart), low = hn::Set(d, static_cast<float>(factor - highPart));
  const auto weight = [&](Index j) HWY_ATTR HWY_LAMBDA_INLINE {
    const Vec e = hn::Load(d, row + j);
    return hn::MulAdd(e, high, hn::Mul(e, low));
  };
  Index j = begin;
  if (passesCache)
    for (; j + lanes() <= std::min(end, map.keys); j += lanes()) hn::Stream(weight(j), d, map.row + j);
  for (; j + lanes() <= std::min(end, map.keys); j += lanes()) hn::StoreU(weight(j), d, map.row + j);
  for (; j < end; j += lanes()) map.store(weight(j), j);
}

/// The weights of a row that was computed in double, as floats of the tile.
HWY_INLINE void narrowRow(const double* from, double factor, float* to, Index begin, Index end) {
  const F64 d;
  for (Index j = begin; j < end; j += lanes(d))
    storeFloats(hn::Mul(hn::Load(d, from + j), hn::Set(d, factor)), to + j);
}

HWY_INLINE bool isSoftmax(const HeadTask<float>& task) {
  return task.normaliser == Kind::softmax || task.normaliser == Kind::sink;
}

/// normalise: see core/attention/normalise.h. The first step: softmax's exponentials, in place.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void beginRow(D d, const HeadTask<float>& task, RowScan<T> scan, T* scores, Index begin, Index end,
                         bool measured, SoftmaxRow<D>& softmax) {
  if (!scan.sound || !isSoftmax(task)) return;
  if (measured)
    softmax.template exponentiate<true>(d, task, scores, begin, end, scan.largest);
  else
    softmax.template exponentiate<false>(d, task, scores, begin, end, scan.largest);
}

/// The second step: `scores` becomes weights in the tile's `row` and in the map, and their sums go to `sums`,
/// where these are wanted. In float, scores and row are the same memory, and the row of softmax stays
/// undivided: the factor that is returned is for what is made of it. `spare` is as long as a row. What
/// softmax measured goes to row r of `moments`.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE float finishRow(D d, const HeadTask<float>& task, Index i, RowScan<T> scan,
                           const SoftmaxRow<D>& softmax, T* scores, T* spare, float* row, MapRow map,
                           Index begin, Index end, RowSums* sums, SoftmaxMoments* moments, Index r) {
  constexpr bool kPrecise = sizeof(T) == 8;
  const Kind kind = task.normaliser;
  double factor = scan.sound || kind == Kind::sigmoid ? 1 : 0;
  if (scan.sound && isSoftmax(task)) factor = softmax.finish(task, moments, r);
  if (factor == 0) {
    const RowSums none = poisonRow(task, i, row, begin, end);
    if (sums) *sums = none;
    writeWeights(row, 1, map, false, begin, end);
    return 1;
  }
  if (!isSoftmax(task)) otherRow(d, task, scores, begin, end, scan.largest, spare);
  if constexpr (kPrecise) narrowRow(scores, factor, row, begin, end), factor = 1;
  writeWeights(row, factor, map, passesCache(task, map.row), begin, end);
  if (sums && !isSoftmax(task))
    *sums = withKind(kind, [&](auto k) { return rowSums<decltype(k)::value>(row, begin, end); });
  return static_cast<float>(factor);
}

/// u·x, and 0 where u is 0, whatever x is: what does not move passes nothing on.
HWY_INLINE Vec timesWeight(Vec u, Vec x) {
  return hn::IfThenZeroElse(hn::Eq(u, hn::Zero(F32())), hn::Mul(u, x));
}

/// Σ u·dp and, where κ is made of it, Σ u, over a row.
template <Kind kKind>
class BackwardSums {
 public:
  HWY_INLINE BackwardSums() {}
  /// `kCount` vectors from j on are added up as floats and then in double: that costs more than the rest.
  template <int kCount>
  HWY_INLINE void add(ConstMapRow p, const float* dp, Index j) {
    Vec u[kCount], product[kCount];
    for (int i = 0; i < kCount; ++i) {
      u[i] = jacobianWeightOf<kKind>(p.load(j + i * lanes()));
      product[i] = timesWeight(u[i], hn::Load(F32(), dp + j + i * lanes()));
    }
    products_.add(sumOf(product));
    if (kKind == Kind::sparsemax || kKind == Kind::entmax15) weights_.add(sumOf(u));
  }
  /// κ Σ u·dp
  HWY_INLINE float shared() const {
    const double coupling = couplingOf(kKind, weights_.total());
    return coupling == 0 ? 0.0f : static_cast<float>(coupling * products_.total());
  }

 private:
  WideSum weights_, products_;
};

/// κ Σ_l u_l dp_l over a row.
template <Kind kKind>
HWY_INLINE float sharedOfRow(ConstMapRow p, const float* dp, Index begin, Index end) {
  BackwardSums<kKind> sums;
  if (kKind != Kind::sigmoid) {
    Index j = begin;
    for (; j + 4 * lanes() <= end; j += 4 * lanes()) sums.template add<4>(p, dp, j);
    if (j < end) sums.template add<2>(p, dp, j);  // rows are padded to pairs of vectors
  }
  return sums.shared();
}

/// Back through the normaliser: ds_j = u_j·(dp_j − κ Σ_l u_l dp_l), over dp in place. A hidden pair has u = 0
/// and so ds = 0.
template <Kind kKind>
HWY_INLINE void normaliseBackwardRow(ConstMapRow p, float shared, float* dp, Index begin, Index end) {
  const F32 d;
  for (Index j = begin; j < end; j += lanes()) {
    const Vec u = jacobianWeightOf<kKind>(p.load(j));
    hn::Store(timesWeight(u, hn::Sub(hn::Load(d, dp + j), hn::Set(d, shared))), d, dp + j);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
