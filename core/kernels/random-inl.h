// The normals of core/random.h many at a time: the same operations in the same order, so the same bits on
// every target. No fused multiply-add (and simd.cpp is built with -ffp-contract=off): not every machine has
// one. Included once for each SIMD target.
#if defined(ATTN_KERNELS_RANDOM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_RANDOM_INL_H_
#undef ATTN_KERNELS_RANDOM_INL_H_
#else
#define ATTN_KERNELS_RANDOM_INL_H_
#endif

#include <algorithm>

#include "core/matrix.h"
#include "core/random.h"
#include "core/random_constants.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
using Floats = hn::CappedTag<float, 16>;  // no more than a group has blocks
using Ints = hn::RebindToSigned<Floats>;
using Words = hn::RebindToUnsigned<Floats>;
using WideWords = hn::RepartitionToWide<Words>;
using FloatVec = hn::Vec<Floats>;
using WordVec = hn::Vec<Words>;

/// The keys of the rounds: in memory, from where an instruction spreads one over all lanes as it reads.
struct RoundKeys {
  std::uint32_t even[Random::kRounds], odd[Random::kRounds];
  explicit RoundKeys(std::uint64_t seed) {
    even[0] = static_cast<std::uint32_t>(seed), odd[0] = static_cast<std::uint32_t>(seed >> 32);
    for (int r = 1; r < Random::kRounds; ++r)
      even[r] = even[r - 1] + kKeyStep0, odd[r] = odd[r - 1] + kKeyStep1;
  }
};

/// Random::block of every second position: each word is the lower half of a 64-bit lane, where a product
/// of two words has room; upper halves hold whatever was left there.
struct Blocks {
  WordVec c0, c1, c2, c3;
};
HWY_INLINE Blocks blocksOf(const RoundKeys& keys, WordVec positionLow, WordVec positionHigh) {
  const Words d;
  const WideWords wide;
  const WordVec factor0 = hn::Set(d, kFactor0), factor1 = hn::Set(d, kFactor1);
  Blocks c = {positionLow, positionHigh, hn::Zero(d), hn::Zero(d)};
  const auto high = [&](WordVec product) {
    return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, product)));
  };
  for (int r = 0; r < Random::kRounds; ++r) {
    const WordVec a = hn::BitCast(d, hn::MulEven(c.c0, factor0));
    const WordVec b = hn::BitCast(d, hn::MulEven(c.c2, factor1));
    c = {hn::Xor3(high(b), c.c1, hn::Set(d, keys.even[r])), b,
         hn::Xor3(high(a), c.c3, hn::Set(d, keys.odd[r])), a};
  }
  return c;
}

/// The lower halves of `even` and of `odd` in turn.
HWY_INLINE WordVec zipped(WordVec even, WordVec odd) {
  const Words d;
  return hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(hn::BitCast(WideWords(), odd))), even);
}

/// term + x·factor, rounded twice.
HWY_INLINE FloatVec plusTimes(float term, FloatVec x, FloatVec factor) {
  return hn::Add(hn::Set(Floats(), term), hn::Mul(x, factor));
}

/// √(−2 ln u) of the uniform number that a word stands for.
HWY_INLINE FloatVec radiusOf(WordVec word) {
  const Floats d;
  const Ints di;
  const FloatVec half = hn::ConvertTo(d, hn::BitCast(di, hn::ShiftRight<1>(word)));
  const FloatVec u = hn::Add(half, hn::Set(d, 0.5f));
  const auto shifted = hn::Sub(hn::BitCast(di, u), hn::Set(di, kSqrtHalfBits));
  const FloatVec exponent = hn::ConvertTo(d, hn::Sub(hn::ShiftRight<23>(shifted), hn::Set(di, 31)));
  const auto mantissa = hn::Add(hn::And(shifted, hn::Set(di, 0x007fffff)), hn::Set(di, kSqrtHalfBits));
  const FloatVec m = hn::BitCast(d, mantissa);
  const FloatVec t = hn::Div(hn::Sub(m, hn::Set(d, 1.0f)), hn::Add(m, hn::Set(d, 1.0f)));
  const FloatVec t2 = hn::Mul(t, t);
  FloatVec ofMantissa = plusTimes(kLog[1], t2, hn::Set(d, kLog[2]));
  ofMantissa = hn::Mul(t, plusTimes(kLog[0], t2, ofMantissa));
  return hn::Sqrt(hn::Add(ofMantissa, hn::Mul(exponent, hn::Set(d, kMinusTwoLogTwo))));
}

/// The points of the unit circle that words stand for.
struct Directions {
  FloatVec first, second;
};
HWY_INLINE Directions directionsOf(WordVec word) {
  const Floats d;
  const Ints di;
  const Words du;
  const FloatVec x =
      hn::Mul(hn::ConvertTo(d, hn::BitCast(di, hn::ShiftLeft<2>(word))), hn::Set(d, kTwoToMinus31));
  const FloatVec x2 = hn::Mul(x, x);
  FloatVec sine = plusTimes(kSin[2], x2, hn::Set(d, kSin[3]));
  sine = hn::Mul(x, plusTimes(kSin[0], x2, plusTimes(kSin[1], x2, sine)));
  FloatVec cosine = plusTimes(kCos[2], x2, hn::Set(d, kCos[3]));
  cosine = plusTimes(kCos[0], x2, plusTimes(kCos[1], x2, cosine));
  const FloatVec sided = hn::Xor(cosine, hn::BitCast(d, hn::And(word, hn::Set(du, 0x80000000u))));
  // Not IfNegativeThenElse: in Highway 1.0.3 it looks at more than the sign where there is no SSE4.
  const auto exchange = hn::BroadcastSignBit(hn::BitCast(di, hn::ShiftLeft<1>(word)));
  const auto exchanged = hn::MaskFromVec(hn::BitCast(d, exchange));
  return {hn::IfThenElse(exchanged, sine, sided), hn::IfThenElse(exchanged, sided, sine)};
}

/// Read, since hn::Iota writes its lanes one by one and then waits for them.
HWY_ALIGN constexpr std::uint32_t kLaneNumbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/// The words of a group: word w of block b at w·16 + b.
HWY_INLINE void wordsOfGroup(const RoundKeys& keys, std::uint64_t group, std::uint32_t* HWY_RESTRICT to) {
  const Words d;
  const WideWords wide;
  constexpr std::size_t kBlocks = Random::kGroupBlocks;
  const std::uint64_t position = group * kBlocks;
  const WordVec high =
      hn::Set(d, static_cast<std::uint32_t>(position >> 32));  // the same for the whole group
  for (std::size_t i = 0; i < kBlocks; i += hn::Lanes(d)) {
    const auto first = static_cast<std::uint32_t>(position + i);
    const WordVec low = hn::Add(hn::Set(d, first), hn::Load(d, kLaneNumbers));
    const WordVec next = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, low)));
    const Blocks even = blocksOf(keys, low, high), odd = blocksOf(keys, next, high);
    hn::Store(zipped(even.c0, odd.c0), d, to + i);
    hn::Store(zipped(even.c1, odd.c1), d, to + i + kBlocks);
    hn::Store(zipped(even.c2, odd.c2), d, to + i + 2 * kBlocks);
    hn::Store(zipped(even.c3, odd.c3), d, to + i + 3 * kBlocks);
  }
}

/// 16 pairs of words, radii and directions, to 16 pairs of normals.
HWY_INLINE void normalsOfWords(const std::uint32_t* HWY_RESTRICT words, float* HWY_RESTRICT to) {
  const Floats d;
  const Words du;
  constexpr std::size_t kBlocks = Random::kGroupBlocks;
  for (std::size_t i = 0; i < kBlocks; i += hn::Lanes(d)) {
    const FloatVec radius = radiusOf(hn::Load(du, words + i));
    const Directions at = directionsOf(hn::Load(du, words + i + kBlocks));
    hn::StoreU(hn::Mul(radius, at.first), d, to + i);
    hn::StoreU(hn::Mul(radius, at.second), d, to + i + kBlocks);
  }
}

/// `count` groups of normals, kMostGroups at most. First all words, then all normals: two short loops
/// whose turns do not wait for each other, where one long loop would wait for its own chain of operations.
constexpr Index kMostGroups = 16;
HWY_INLINE void groupsOfNormals(const RoundKeys& keys, std::uint64_t group, Index count,
                                float* HWY_RESTRICT to) {
  constexpr auto kGroup = static_cast<Index>(Random::kGroup);
  HWY_ALIGN std::uint32_t words[kMostGroups * kGroup];
  for (Index g = 0; g < count; ++g)
    wordsOfGroup(keys, group + static_cast<std::uint64_t>(g), words + g * kGroup);
  for (Index i = 0; i < count * kGroup; i += kGroup / 2) normalsOfWords(words + i, to + i);
}

/// Random::normal(first), Random::normal(first + 1), … of a seed.
HWY_INLINE void normals(std::uint64_t seed, std::uint64_t first, float* to, Index count) {
  constexpr auto kGroup = static_cast<Index>(Random::kGroup);
  const RoundKeys keys(seed);
  for (Index done = 0; done < count;) {
    const std::uint64_t i = first + static_cast<std::uint64_t>(done), group = i / Random::kGroup;
    const auto skipped = static_cast<Index>(i % Random::kGroup);
    Index taken = std::min(kGroup - skipped, count - done);
    if (taken == kGroup) {
      const Index groups = std::min(kMostGroups, (count - done) / kGroup);
      groupsOfNormals(keys, group, groups, to + done);
      taken = groups * kGroup;
    } else {  // the first and the last group may be wanted in part
      float whole[kGroup];
      groupsOfNormals(keys, group, 1, whole);
      std::copy_n(whole + skipped, taken, to + done);
    }
    done += taken;
  }
}
#else
HWY_INLINE void normals(std::uint64_t seed, std::uint64_t first, float* to, Index count) {
  const Random random(seed);
  for (Index i = 0; i < count; ++i) to[i] = random.normal(first + static_cast<std::uint64_t>(i));
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
