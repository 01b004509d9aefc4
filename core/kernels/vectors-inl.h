// What the row functions are made of: sums in double, the exponential, rows of maps that have no padding.
// Included once for each SIMD target.
#if defined(ATTN_KERNELS_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_VECTORS_INL_H_
#undef ATTN_KERNELS_VECTORS_INL_H_
#else
#define ATTN_KERNELS_VECTORS_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/kernels/tile-inl.h"
#include "hwy/cache_control.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Asks for `count` numbers that will be needed soon.
HWY_INLINE void prefetch(const float* from, Index count) {
  constexpr Index kLine = 16;
  for (Index t = 0; t < count; t += kLine) hwy::Prefetch(from + t);
}

/// Σ in double: with it the weights of a row sum to 1 within 2·2⁻²⁴ at any length.
struct WideSum {
  hn::Vec<F64> low, high;

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
  HWY_INLINE void add(hn::Vec<F64> v) {
    low = hn::Add(low, v);
  }
  /// What remains to be summed over lanes.
  HWY_INLINE hn::Vec<F64> both() const {
    return hn::Add(low, high);
  }
  HWY_INLINE double total() const {
    return hn::GetLane(hn::SumOfLanes(F64(), both()));
  }
};

/// Σ of the lanes.
template <class V>
HWY_INLINE double sumOfLanes(V v) {
  WideSum sum;
  sum.add(v);
  return sum.total();
}

/// The sum of a power of two of vectors, pair by pair.
template <class V, int kCount>
HWY_INLINE V sumOf(V (&v)[kCount]) {
  for (int step = kCount / 2; step > 0; step /= 2)
    for (int i = 0; i < step; ++i) v[i] = hn::Add(v[i], v[i + step]);
  return v[0];
}

/// The largest lane, and never less than `lowest`: MaxOfLanes does not return −∞ on every target.
template <class V, class D = hn::DFromV<V>>
HWY_INLINE hn::TFromD<D> largestLane(V v, hn::TFromD<D> lowest) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  HWY_ALIGN hn::TFromD<D> lane[hn::MaxLanes(D())];
  hn::Store(v, D(), lane);
  for (Index l = 0; l < lanes(D()); ++l) lowest = std::max(lowest, lane[l]);
  return lowest;
#else
  return std::max(lowest, hn::GetLane(hn::MaxOfLanes(D(), v)));
#endif
}

/// exp(x + rest) = p·2ⁿ for −87 < x ≤ 0 and a rest below an ulp of x: p in [0.7, 1.5], and n as the low bits
/// of a float. Each line needs the one before it and takes some cycles: several vectors go through it side by
/// side, or the machine would wait for most of the time.
template <int kCount>
struct Exponentials {
  Vec p[kCount], n[kCount];
  HWY_INLINE Exponentials(const Vec (&x)[kCount], const Vec (&rest)[kCount]) {
    const F32 d;
    // x = n·ln 2 + r with |r| ≤ ln(2)/2. Added to 1.5·2²³, a number rounds to a whole one, which then stands
    // in the float's low bits. n·0.693359375 is exact.
    const Vec magic = hn::Set(d, 12582912.0f);
    Vec whole[kCount], r[kCount], q[kCount], square[kCount];
    for (int i = 0; i < kCount; ++i) n[i] = hn::MulAdd(x[i], hn::Set(d, 1.44269504f), magic);
    for (int i = 0; i < kCount; ++i) whole[i] = hn::Sub(n[i], magic);
    for (int i = 0; i < kCount; ++i) r[i] = hn::NegMulAdd(whole[i], hn::Set(d, 0.693359375f), x[i]);
    for (int i = 0; i < kCount; ++i) r[i] = hn::NegMulAdd(whole[i], hn::Set(d, -2.12194440e-4f), r[i]);
    for (int i = 0; i < kCount; ++i) r[i] = hn::Add(r[i], rest[i]);
    // exp(r) = 1 + r + r²·q(r), where q has the smallest worst error of its degree: 8e-9 of exp(r).
    constexpr float kQ[] = {1.3860707e-3f, 8.368158e-3f, 4.166772e-2f, 1.6666526e-1f, 4.9999997e-1f};
    for (int i = 0; i < kCount; ++i) q[i] = hn::MulAdd(r[i], hn::Set(d, kQ[0]), hn::Set(d, kQ[1]));
    for (int i = 0; i < kCount; ++i) square[i] = hn::Mul(r[i], r[i]);
    for (int term = 2; term < 5; ++term)
      for (int i = 0; i < kCount; ++i) q[i] = hn::MulAdd(q[i], r[i], hn::Set(d, kQ[term]));
    for (int i = 0; i < kCount; ++i) p[i] = hn::MulAdd(square[i], q[i], r[i]);
    for (int i = 0; i < kCount; ++i) p[i] = hn::Add(p[i], hn::Set(d, 1.0f));
  }
  /// Where the result is an ordinary float, n is added to the exponent of p.
  HWY_INLINE void ordinary(Vec (&to)[kCount]) const {
    const hn::RebindToSigned<F32> di;
    for (int i = 0; i < kCount; ++i)
      to[i] = hn::BitCast(F32(), hn::Add(hn::BitCast(di, p[i]), hn::ShiftLeft<23>(hn::BitCast(di, n[i]))));
  }
  /// 2ⁿ in two factors, since 2⁻¹⁵⁰ is not a float.
  HWY_INLINE void any(Vec (&to)[kCount]) const {
    const F32 d;
    const hn::RebindToSigned<F32> di;
    const auto powerOf = [&](auto e) HWY_ATTR {
      return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(e, hn::Set(di, 127))));
    };
    for (int i = 0; i < kCount; ++i) {
      const auto whole = hn::Sub(hn::BitCast(di, n[i]), hn::Set(di, 0x4B400000));
      const auto half = hn::ShiftRight<1>(whole);
      to[i] = hn::Mul(hn::Mul(p[i], powerOf(half)), powerOf(hn::Sub(whole, half)));
    }
  }
};

/// Whether exp of every lane is an ordinary float, or 0 since x lies below `least`.
template <int kCount>
HWY_INLINE bool isOrdinaryOrBelow(const Vec (&x)[kCount], Vec least) {
  const F32 d;
  auto all = hn::Eq(least, least);
  for (int i = 0; i < kCount; ++i)
    all = hn::And(all, hn::Or(hn::Gt(x[i], hn::Set(d, -87.0f)), hn::Lt(x[i], least)));
  return hn::AllTrue(d, all);
}

/// exp(x + rest) for x ≤ 0 in place, within 1.2 ulp, denormals included; below −104 it is 0. NaN stays NaN.
template <int kCount>
HWY_INLINE void expNonPositive(Vec (&x)[kCount], Vec (&rest)[kCount]) {
  const F32 d;
  auto isOrdinary = hn::Gt(x[0], hn::Set(d, -87.0f));  // and no NaN, which a smallest one would hide
  for (int i = 1; i < kCount; ++i) isOrdinary = hn::And(isOrdinary, hn::Gt(x[i], hn::Set(d, -87.0f)));
  if (HWY_LIKELY(hn::AllTrue(d, isOrdinary))) return Exponentials<kCount>(x, rest).ordinary(x);
  const Vec least = hn::Set(d, -104.0f);
  if (HWY_LIKELY(isOrdinaryOrBelow(x, least))) {  // as where a mask cuts through
    Vec e[kCount];
    Exponentials<kCount>(x, rest).ordinary(e);
    for (int i = 0; i < kCount; ++i) x[i] = hn::IfThenZeroElse(hn::Lt(x[i], least), e[i]);
    return;
  }
  // Far below, the rest may be large or, for a hidden key, a NaN: there the result is 0 anyway.
  for (int i = 0; i < kCount; ++i) {
    const auto below = hn::Lt(x[i], least);
    x[i] = hn::IfThenElse(below, least, x[i]);
    rest[i] = hn::IfThenZeroElse(below, rest[i]);
  }
  Exponentials<kCount>(x, rest).any(x);
}

/// exp(s − largest) for s ≤ largest, in place. The difference is taken in two parts: as a float, and what its
/// rounding cut off. That is exact where |s| ≤ |largest|, and else off by no more than a rounding of s.
template <int kCount>
HWY_INLINE void expBelow(Vec (&s)[kCount], Vec largest) {
  Vec rest[kCount];
  for (int i = 0; i < kCount; ++i) {
    const Vec z = hn::Sub(s[i], largest);
    rest[i] = hn::Sub(s[i], hn::Add(z, largest));
    s[i] = z;
  }
  expNonPositive(s, rest);
}
/// exp(x) for x ≤ 0, within 3e-13 of it: more than any float shows. Below −700 it is 0. NaN stays NaN.
HWY_INLINE hn::Vec<F64> expOfNonPositive(hn::Vec<F64> x) {
  const F64 d;
  const auto c = [](double number) HWY_ATTR { return hn::Set(F64(), number); };
  // As for floats: x = n·ln 2 + r, with n in the low bits of a number about 1.5·2⁵².
  const auto magic = c(6755399441055744.0);
  const auto n = hn::MulAdd(x, c(1.4426950408889634), magic), whole = hn::Sub(n, magic);
  auto r = hn::NegMulAdd(whole, c(0.6931471803691238), x);
  r = hn::NegMulAdd(whole, c(1.9082149292705877e-10), r);
  // Taylor's series to r¹⁰, in pairs, so that few lines need the one before.
  const auto r2 = hn::Mul(r, r), r4 = hn::Mul(r2, r2), r8 = hn::Mul(r4, r4);
  const auto p01 = hn::Add(c(1), r), p23 = hn::MulAdd(r, c(1.0 / 6), c(1.0 / 2));
  const auto p45 = hn::MulAdd(r, c(1.0 / 120), c(1.0 / 24)), p67 = hn::MulAdd(r, c(1.0 / 5040), c(1.0 / 720));
  const auto p89 = hn::MulAdd(r, c(1.0 / 362880), c(1.0 / 40320));
  const auto low = hn::MulAdd(p23, r2, p01), middle = hn::MulAdd(p67, r2, p45);
  const auto high = hn::MulAdd(r2, c(1.0 / 3628800), p89);
  const auto p = hn::MulAdd(high, r8, hn::MulAdd(middle, r4, low));
  const hn::RebindToSigned<F64> di;
  const auto e = hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<52>(hn::BitCast(di, n))));
  return hn::IfThenZeroElse(hn::Lt(x, c(-700)), e);
}
/// In double the rounding of the difference does not show in a float.
template <int kCount>
HWY_INLINE void expBelow(hn::Vec<F64> (&s)[kCount], hn::Vec<F64> largest) {
  for (int i = 0; i < kCount; ++i) s[i] = expOfNonPositive(hn::Sub(s[i], largest));
}

/// Vectors of either type from and to floats in memory.
HWY_INLINE void storeFloats(Vec v, float* to) {
  hn::StoreU(v, F32(), to);
}
HWY_INLINE void storeFloats(hn::Vec<F64> v, float* to) {
#if HWY_TARGET == HWY_SCALAR
  *to = static_cast<float>(hn::GetLane(v));  // DemoteTo keeps infinities out there
#else
  const hn::Rebind<float, F64> narrow;
  hn::StoreU(hn::DemoteTo(narrow, v), narrow, to);
#endif
}
HWY_INLINE Vec loadFloats(F32 d, const float* from) {
  return hn::LoadU(d, from);
}
HWY_INLINE hn::Vec<F64> loadFloats(F64 d, const float* from) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, F64>(), from));
}

/// Numbers that lie `stride` apart, one a lane; the last of `count` stands in for those that are not there.
HWY_INLINE hn::Vec<F64> columnOf(const float* from, Index stride, Index count) {
  const hn::Rebind<float, F64> narrow;
  const hn::RebindToSigned<decltype(narrow)> whole;
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  if (count <= 4) {  // a gather takes as long as it has lanes
    const hn::Half<decltype(narrow)> four;
    const hn::RebindToSigned<decltype(four)> at;
    const auto row = hn::Min(hn::Iota(at, 0), hn::Set(at, static_cast<std::int32_t>(count - 1)));
    const auto index = hn::Mul(row, hn::Set(at, static_cast<std::int32_t>(stride)));
    return hn::PromoteTo(F64(), hn::ZeroExtendVector(narrow, hn::GatherIndex(four, from, index)));
  }
#endif
  const auto row = hn::Min(hn::Iota(whole, 0), hn::Set(whole, static_cast<std::int32_t>(count - 1)));
  const auto at = hn::Mul(row, hn::Set(whole, static_cast<std::int32_t>(stride)));
  return hn::PromoteTo(F64(), hn::GatherIndex(narrow, from, at));
}

/// Whether lanes that are masked out never touch memory, and masks cost nothing.
constexpr bool kMasksMemory = HWY_TARGET != HWY_SCALAR && !HWY_MEM_OPS_MIGHT_FAULT;

/// The first `count` lanes; none where it is negative.
template <class D>
HWY_INLINE hn::Mask<D> firstLanes(D d, Index count) {
  return hn::FirstN(d, static_cast<std::size_t>(std::max(count, Index{0})));
}
/// The first `count` lanes alone, where masks reach memory.
HWY_INLINE void storeFirst(Vec v, Index count, float* to) {
  hn::BlendedStore(v, firstLanes(F32(), count), F32(), to);
}
HWY_INLINE Vec loadFirst(F32 d, Index count, const float* from) {
  return hn::MaskedLoad(firstLanes(d, count), d, from);
}
#if HWY_TARGET != HWY_SCALAR
HWY_INLINE void storeFirst(hn::Vec<F64> v, Index count, float* to) {
  const hn::Rebind<float, F64> narrow;
  hn::BlendedStore(hn::DemoteTo(narrow, v), firstLanes(narrow, count), narrow, to);
}
HWY_INLINE hn::Vec<F64> loadFirst(F64 d, Index count, const float* from) {
  const hn::Rebind<float, F64> narrow;
  return hn::PromoteTo(d, hn::MaskedLoad(firstLanes(narrow, count), narrow, from));
}
#endif

/// A row of a map, which has no padding: vector access that stops at its end. A map that is not wanted takes
/// nothing.
struct MapRow {
  float* row;
  Index keys;

  HWY_INLINE MapRow(float* start, Index width) : row(start), keys(width) {}
  HWY_INLINE MapRow(float* map, Index i, Index width) : row(map ? map + i * width : nullptr), keys(width) {}

  template <class V>
  HWY_INLINE void store(V v, Index j) const {
    using D = hn::DFromV<V>;
    if (!row) return;
    if (HWY_LIKELY(j + lanes(D()) <= keys)) return storeFloats(v, row + j);
    if constexpr (kMasksMemory) return storeFirst(v, keys - j, row + j);
    HWY_ALIGN float lane[hn::MaxLanes(F32())];
    storeFloats(v, lane);
    for (Index l = 0; j + l < keys; ++l) row[j + l] = lane[l];
  }
};

/// The same to read from, as if zeros stood behind the end.
struct ConstMapRow {
  const float* row;
  Index keys;

  template <class D = F32>
  HWY_INLINE hn::Vec<D> load(Index j, D d = D()) const {
    if (HWY_LIKELY(j + lanes(d) <= keys)) return loadFloats(d, row + j);
    if constexpr (kMasksMemory) return loadFirst(d, keys - j, row + j);
    HWY_ALIGN float lane[hn::MaxLanes(F32())] = {};
    for (Index l = 0; j + l < keys; ++l) lane[l] = row[j + l];
    return loadFloats(d, lane);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
