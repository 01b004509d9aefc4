// What the row functions are made of: sums in double, the exponential, rows of maps that have no padding.
// Included once for each SIMD target.
#if defined(ATTN_KERNELS_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_VECTORS_INL_H_
#undef ATTN_KERNELS_VECTORS_INL_H_
#else
#define ATTN_KERNELS_VECTORS_INL_H_
#endif

#include <algorithm>
#include <limits>

#include "core/kernels/tile-inl.h"
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

/// exp(x + rest) for x ≤ 0 and a rest below an ulp of x, within 1.1 ulp (measured), denormals included; below
/// −104 it is 0. Not for NaN.
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

/// A row of a map, which has no padding: vector access that stops at its end. A map that is not wanted takes
/// nothing.
struct MapRow {
  float* row;
  Index keys;

  HWY_INLINE MapRow(float* map, Index i, Index width) : row(map ? map + i * width : nullptr), keys(width) {}

  HWY_INLINE void store(Vec v, Index j) const {
    if (!row) return;
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

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
