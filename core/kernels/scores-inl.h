// scale → cap → bias → mask for one row of raw scores while it is in cache. Rows are padded to pairs of
// vectors: `begin` and `end` are multiples of two vector lengths of floats. The same code computes in float
// and, for small heads, in double.
// Included once for each SIMD target.
#if defined(ATTN_KERNELS_SCORES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_SCORES_INL_H_
#undef ATTN_KERNELS_SCORES_INL_H_
#else
#define ATTN_KERNELS_SCORES_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/head.h"
#include "core/kernels/vectors-inl.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What the scan of a row's scores found.
template <class T>
struct RowScan {
  T largest;
  bool sound;  // no NaN, no +∞, and at least one score above −∞
};

/// s/divisor through 1/divisor in two floats: as exact as a division, at the price of two multiplications, or
/// of one where the first float is all of it, as with powers of two.
template <class T>
class Divider {
 public:
  HWY_INLINE explicit Divider(double divisor)
      : high_(towardsZero(1 / divisor)), low_(static_cast<T>(1 / divisor - static_cast<double>(high_))) {}
  HWY_INLINE bool isExact() const { return low_ == 0; }
  template <bool kIsExact = false, class V>
  HWY_INLINE V operator()(V s) const {
    const hn::DFromV<V> d;
    const V high = hn::Set(d, high_);
    if (kIsExact || isExact()) return hn::Mul(s, high);
    return hn::MulAdd(s, high, hn::Mul(s, hn::Set(d, low_)));
  }

 private:
  /// Both parts have the same sign, and none is multiplied that is 0: an infinite score stays infinite.
  static HWY_INLINE T towardsZero(double x) {
    const T nearest = static_cast<T>(x);
    return std::abs(static_cast<double>(nearest)) > std::abs(x) ? std::nextafter(nearest, T(0)) : nearest;
  }
  T high_, low_;
};

/// to = from/divisor, for a padded row of a tile.
HWY_INLINE void divideRow(const float* from, const Divider<float>& divide, MapRow to) {
  for (Index t = 0; t < to.keys; t += lanes()) to.store(divide(hn::Load(F32(), from + t)), t);
}

/// Which lanes from j on lie in the range.
template <class D>
HWY_INLINE hn::Mask<D> lanesInside(D d, KeyRange range, Index j) {
  using T = hn::TFromD<D>;
  const auto at = hn::Iota(d, T(0));
  const auto begin = hn::Set(d, static_cast<T>(std::clamp<Index>(range.begin - j, 0, lanes(d))));
  const auto end = hn::Set(d, static_cast<T>(std::clamp<Index>(range.end - j, 0, lanes(d))));
  return hn::And(hn::Ge(at, begin), hn::Lt(at, end));
}

/// Which lanes from j on have a flag in a row of `keys` bytes.
HWY_INLINE hn::Mask<F32> lanesFlagged(F32, const std::uint8_t* flags, Index keys, Index j) {
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
HWY_INLINE hn::Mask<F64> lanesFlagged(F64 d, const std::uint8_t* flags, Index keys, Index j) {
  HWY_ALIGN double copy[hn::MaxLanes(F64())] = {};
  for (Index l = 0; l < std::min(lanes(d), keys - j); ++l) copy[l] = flags[j + l];
  return hn::Gt(hn::Load(d, copy), hn::Zero(d));
}

/// Finds the largest score of a row and whether it is one to measure the others by.
template <class D>
class Scanner {
 public:
  HWY_INLINE Scanner() : largest_(hn::Set(D(), T(kMinusInfinity))), fine_(hn::Eq(largest_, largest_)) {}
  HWY_INLINE void see(hn::Vec<D> s) {
    fine_ = hn::And(fine_, hn::Le(s, hn::Set(D(), std::numeric_limits<T>::max())));  // no NaN, no +∞
    largest_ = hn::Max(largest_, s);
  }
  HWY_INLINE RowScan<hn::TFromD<D>> result() const {
    const T largest = largestLane(largest_, T(kMinusInfinity));
    return {largest, hn::AllTrue(D(), fine_) && largest != T(kMinusInfinity)};
  }

 private:
  using T = hn::TFromD<D>;
  hn::Vec<D> largest_;
  hn::Mask<D> fine_;
};

/// What happens to a row of raw scores besides the scale and the row's range.
struct ScoreStages {
  const HeadTask<float>& task;
  const HeadForward<float>& to;
  Index i;
  const std::uint8_t* cells;

  HWY_INLINE ScoreStages(const HeadTask<float>& t, const HeadForward<float>& f, Index row)
      : task(t), to(f), i(row), cells(t.visible->cellsOf(t.head)) {}
  /// Whether there is anything but the scale and the range.
  static HWY_INLINE bool any(const HeadTask<float>& task, const HeadForward<float>& to) {
    return to.rawScores || to.scaledScores || to.cappedScores || to.scores || task.cap != 0 ||
           task.slope != 0 || task.bias || task.visible->cellsOf(task.head);
  }
  template <class V>
  HWY_INLINE void keep(float* map, V s, Index j) const {
    MapRow(map, i, task.keys).store(s, j);
  }
  /// cap → bias → cells
  template <class D>
  HWY_INLINE hn::Vec<D> bend(D d, hn::Vec<D> s, Index j) const {
    using T = hn::TFromD<D>;
    if (task.cap != 0) {
      const auto c = hn::Set(d, static_cast<T>(task.cap));
      s = hn::Mul(c, hn::Tanh(d, hn::Div(s, c)));
    }
    keep(to.cappedScores, s, j);
    const auto distance = hn::Abs(hn::Iota(d, static_cast<T>(j - i)));
    if (task.slope != 0) s = hn::NegMulAdd(hn::Set(d, static_cast<T>(task.slope)), distance, s);
    if (task.bias) s = hn::Add(s, ConstMapRow{task.bias + i * task.keys, task.keys}.load(j, d));
    if (!cells) return s;
    return hn::IfThenElse(lanesFlagged(d, cells + i * task.keys, task.keys, j), s,
                          hn::Set(d, T(kMinusInfinity)));
  }
};

/// scale → cap → bias → mask over one row of raw scores, in one pass, with the maps that are wanted.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE RowScan<T> scoreRow(D d, const ScoreStages& stages, const Divider<T>& divide, KeyRange range,
                               T* row, Index begin, Index end) {
  Scanner<D> scanner;
  for (Index j = begin; j < end; j += lanes(d)) {
    auto s = hn::Load(d, row + j);
    stages.keep(stages.to.rawScores, s, j);
    s = divide(s);
    stages.keep(stages.to.scaledScores, s, j);
    s = stages.bend(d, s, j);
    if (HWY_UNLIKELY(j < range.begin || j + lanes(d) > range.end))
      s = hn::IfThenElse(lanesInside(d, range, j), s, hn::Set(d, T(kMinusInfinity)));
    stages.keep(stages.to.scores, s, j);
    hn::Store(s, d, row + j);
    scanner.see(s);
  }
  return scanner.result();
}

/// The scan of a row whose scores are final.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE RowScan<T> scanRow(D d, const T* row, Index begin, Index end) {
  Scanner<D> scanner;
  for (Index j = begin; j < end; j += lanes(d)) scanner.see(hn::Load(d, row + j));
  return scanner.result();
}

/// Finishes the scores of a tile that need nothing but their scale, while they are in registers: writes them
/// and keeps the largest of each row. A NaN may get lost on the way to `largest`: softmax finds it in its
/// sum.
template <class D, bool kExact>
struct PlainScores {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;

  const Divider<T>& divide;
  V* largest;  // of each row of the tile
  T* tile;
  Index stride;
  const float* map;  // where the weights will go: memory gets ready for them while products are computed
  Index mapStride;

  HWY_INLINE void operator()(Index r, V left, V right) const {
    const D d;
    left = divide.template operator()<kExact>(left);
    right = divide.template operator()<kExact>(right);
    hn::Store(left, d, tile + r * stride);
    hn::Store(right, d, tile + r * stride + lanes(d));
    largest[r] = hn::Max(largest[r], hn::Max(left, right));
    prefetch(map + r * mapStride, 2 * lanes(d));
  }
};

/// The same for a row of raw scores in memory, of which only those in the range are seen.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void finishEdge(D d, const Divider<T>& divide, KeyRange range, Index j, T* row,
                           hn::Vec<D>& largest) {
  for (int half = 0; half < 2; ++half, j += lanes(d), row += lanes(d)) {
    const auto s =
        hn::IfThenElse(lanesInside(d, range, j), divide(hn::Load(d, row)), hn::Set(d, T(kMinusInfinity)));
    hn::Store(s, d, row);
    largest = hn::Max(largest, s);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
