// The normals of core/random.h many at a time: the same operations in the same order, so the same bits on
// every target. No fused multiply-add (and simd.cpp is built with -ffp-contract=off): not every machine has
// one. Included once for each SIMD target.
#if defined(ATTN_KERNELS_RANDOM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_RANDOM_INL_H_
#undef ATTN_KERNELS_RANDOM_INL_H_
#else
#define ATTN_KERNELS_RANDOM_INL_H_
#endif

#include "core/kernels/tile-inl.h"
#include "core/random.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
using U32 = hn::RebindToUnsigned<F32>;
using U32Vec = hn::Vec<U32>;
using I32 = hn::RebindToSigned<F32>;

/// The high and the low words of a·factor, lane by lane.
struct Words {
  U32Vec high, low;
};
HWY_INLINE Words multiplyWords(U32Vec a, std::uint32_t factor) {
  const U32 d;
  const hn::RepartitionToWide<U32> wide;
  const U32Vec f = hn::Set(d, factor);
  const auto even = hn::MulEven(a, f);
  const auto odd = hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, a))), f);
  return {hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<32>(even))),
          hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd)), hn::BitCast(d, even))};
}

/// Random::block of as many positions as there are lanes.
struct Blocks {
  U32Vec c0, c1, c2, c3;
};
HWY_INLINE Blocks blocksOf(std::uint64_t seed, U32Vec positionLow, U32Vec positionHigh) {
  const U32 d;
  Blocks c = {positionLow, positionHigh, hn::Zero(d), hn::Zero(d)};
  std::uint32_t key0 = static_cast<std::uint32_t>(seed), key1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const Words a = multiplyWords(c.c0, 0xD2511F53u), b = multiplyWords(c.c2, 0xCD9E8D57u);
    c = {hn::Xor(hn::Xor(b.high, c.c1), hn::Set(d, key0)), b.low,
         hn::Xor(hn::Xor(a.high, c.c3), hn::Set(d, key1)), a.low};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return c;
}

/// factor·x + term, rounded twice.
HWY_INLINE Vec times(Vec x, Vec factor, float term) {
  return hn::Add(hn::Set(F32(), term), hn::Mul(x, factor));
}

/// √(−2 ln u) of the uniform number that a word stands for.
HWY_INLINE Vec radiusOf(U32Vec word) {
  const F32 d;
  const I32 di;
  const auto count = hn::ConvertTo(d, hn::BitCast(di, hn::ShiftRight<8>(word)));
  const Vec u = hn::Mul(hn::Add(count, hn::Set(d, 1.0f)), hn::Set(d, 5.9604645e-8f));
  const auto shifted = hn::Sub(hn::BitCast(di, u), hn::Set(di, 0x3f3504f3));
  const Vec exponent = hn::ConvertTo(d, hn::ShiftRight<23>(shifted));
  const auto mantissa = hn::Add(hn::And(shifted, hn::Set(di, 0x007fffff)), hn::Set(di, 0x3f3504f3));
  const Vec m = hn::BitCast(d, mantissa);
  const Vec t = hn::Div(hn::Sub(m, hn::Set(d, 1.0f)), hn::Add(m, hn::Set(d, 1.0f)));
  const Vec t2 = hn::Mul(t, t);
  Vec series = times(t2, hn::Set(d, 0.11111111f), 0.14285715f);
  series = times(t2, series, 0.2f);
  series = hn::Mul(t2, times(t2, series, 0.33333333f));
  const Vec twice = hn::Mul(hn::Set(d, 2.0f), hn::Add(t, hn::Mul(t, series)));
  const Vec logarithm = hn::Add(hn::Mul(exponent, hn::Set(d, 0.69314718f)), twice);
  return hn::Sqrt(hn::Mul(hn::Set(d, -2.0f), logarithm));
}

/// The cosine and the sine of the turn that a word stands for.
struct Direction {
  Vec cosine, sine;
};
HWY_INLINE Direction directionOf(U32Vec word) {
  const F32 d;
  const I32 di;
  const U32 du;
  const U32Vec rounded = hn::Add(word, hn::Set(du, 0x20000000u));
  const U32Vec quadrant = hn::ShiftRight<30>(rounded);
  const auto offset =
      hn::Sub(hn::BitCast(di, hn::And(rounded, hn::Set(du, 0x3fffffffu))), hn::Set(di, 0x20000000));
  const Vec x = hn::Mul(hn::ConvertTo(d, offset), hn::Set(d, 4.6566129e-10f));
  const Vec a = hn::Mul(hn::Set(d, 3.1415927f), x), a2 = hn::Mul(a, a);
  Vec s = times(a2, hn::Set(d, 2.7557319e-6f), -1.9841270e-4f);
  s = times(a2, times(a2, s, 8.3333333e-3f), -0.16666667f);
  s = hn::Add(a, hn::Mul(a, hn::Mul(a2, s)));
  Vec c = times(a2, hn::Set(d, 2.4801587e-5f), -1.3888889e-3f);
  c = times(a2, times(a2, c, 4.1666668e-2f), -0.5f);
  c = hn::Add(hn::Set(d, 1.0f), hn::Mul(a2, c));
  // A quarter turn exchanges the two; signs follow the quadrant: cos is −, sin −, … where its bits say so.
  const auto odd = hn::RebindMask(d, hn::Eq(hn::And(quadrant, hn::Set(du, 1u)), hn::Set(du, 1u)));
  const auto signOf = [&](U32Vec q) {  // − in quadrants 1 and 2
    return hn::BitCast(d, hn::ShiftLeft<30>(hn::And(hn::Add(q, hn::Set(du, 1u)), hn::Set(du, 2u))));
  };
  const U32Vec before = hn::And(hn::Add(quadrant, hn::Set(du, 3u)), hn::Set(du, 3u));
  return {hn::Xor(hn::IfThenElse(odd, s, c), signOf(quadrant)),
          hn::Xor(hn::IfThenElse(odd, c, s), signOf(before))};
}
#endif

/// Random::normal(first), Random::normal(first + 1), … of a seed.
HWY_INLINE void normals(std::uint64_t seed, std::uint64_t first, float* to, Index count) {
  const Random random(seed);
  Index i = 0;
  const auto single = [&] {
    to[i] = random.normal(first + static_cast<std::uint64_t>(i));
    ++i;
  };
#if HWY_TARGET != HWY_SCALAR
  const F32 d;
  const U32 du;
  while (i < count && (first + static_cast<std::uint64_t>(i)) % 4 != 0) single();
  for (; i + 4 * lanes() <= count; i += 4 * lanes()) {
    const std::uint64_t position = (first + static_cast<std::uint64_t>(i)) / 4;
    const auto low = static_cast<std::uint32_t>(position);
    if (low + static_cast<std::uint32_t>(lanes()) < low)
      break;  // the next lanes would carry into the high word
    const Blocks words =
        blocksOf(seed, hn::Iota(du, low), hn::Set(du, static_cast<std::uint32_t>(position >> 32)));
    const Vec r0 = radiusOf(words.c0), r1 = radiusOf(words.c2);
    const Direction a0 = directionOf(words.c1), a1 = directionOf(words.c3);
    hn::StoreInterleaved4(hn::Mul(r0, a0.cosine), hn::Mul(r0, a0.sine), hn::Mul(r1, a1.cosine),
                          hn::Mul(r1, a1.sine), d, to + i);
  }
#endif
  while (i < count) single();
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
