// scale → cap → bias → mask for one row of raw scores while it is in cache. Rows are padded to pairs of
// vectors: `begin` and `end` are multiples of two vector lengths.
// Included once for each SIMD target.
#if defined(ATTN_KERNELS_SCORES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_SCORES_INL_H_
#undef ATTN_KERNELS_SCORES_INL_H_
#else
#define ATTN_KERNELS_SCORES_INL_H_
#endif

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
struct RowScan {
  float largest;
  bool sound;  // no NaN, no +∞, and at least one score above −∞
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
  HWY_INLINE void keep(float* map, Vec s, Index j) const { MapRow(map, i, task.keys).store(s, j); }
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

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
