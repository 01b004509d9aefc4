// Built with -ffp-contract=off: a fused multiply-add would round differently from one machine to another.
#include "core/random.h"

#include <bit>
#include <cmath>

#include "core/random_constants.h"

namespace attn {
namespace {

/// √(−2 ln u) of the number u in (0, 1] that a word stands for: (⌊word/2⌋ + ½)/2³¹, rounded to float. Small
/// u keep all their digits, so the tail is as fine as 32 bits can make it.
float radius(std::uint32_t word) {
  const float u = static_cast<float>(static_cast<std::int32_t>(word >> 1)) + 0.5f;
  const std::int32_t shifted = std::bit_cast<std::int32_t>(u) - kSqrtHalfBits;
  const auto exponent = static_cast<float>((shifted >> 23) - 31);
  const auto m = std::bit_cast<float>((shifted & 0x007fffff) + kSqrtHalfBits);
  const float t = (m - 1.0f) / (m + 1.0f), t2 = t * t;
  const float ofMantissa = t * (kLog[0] + t2 * (kLog[1] + t2 * kLog[2]));
  return std::sqrt(ofMantissa + exponent * kMinusTwoLogTwo);
}

/// A point of the unit circle, every direction alike: the lower 30 bits choose an angle within ±⅛ turn of
/// the first axis, the highest bit its side and the next one the axis.
struct Direction {
  float first, second;
};
Direction direction(std::uint32_t word) {
  const float x = static_cast<float>(static_cast<std::int32_t>(word << 2)) * kTwoToMinus31;
  const float x2 = x * x;
  const float sine = x * (kSin[0] + x2 * (kSin[1] + x2 * (kSin[2] + x2 * kSin[3])));
  const float cosine = kCos[0] + x2 * (kCos[1] + x2 * (kCos[2] + x2 * kCos[3]));
  const float sided = word >> 31 ? -cosine : cosine;
  return (word << 1) >> 31 ? Direction{sine, sided} : Direction{sided, sine};
}

}  // namespace

std::array<std::uint32_t, 4> Random::block(std::uint64_t position) const {
  std::array<std::uint32_t, 4> c = {static_cast<std::uint32_t>(position),
                                    static_cast<std::uint32_t>(position >> 32), 0, 0};
  std::uint32_t key0 = static_cast<std::uint32_t>(seed_), key1 = static_cast<std::uint32_t>(seed_ >> 32);
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t a = std::uint64_t{kFactor0} * c[0];
    const std::uint64_t b = std::uint64_t{kFactor1} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ key0, static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ key1, static_cast<std::uint32_t>(a)};
    key0 += kKeyStep0;
    key1 += kKeyStep1;
  }
  return c;
}

float Random::uniform(std::uint64_t i) const {
  return (static_cast<float>(block(i / 4)[i % 4] >> 8) + 1.0f) * 5.9604645e-8f;
}

float Random::normal(std::uint64_t i) const {
  const std::uint64_t place = i % kGroup, coordinate = place / kGroupBlocks;
  const std::array<std::uint32_t, 4> words = block(i / kGroup * kGroupBlocks + place % kGroupBlocks);
  const std::size_t pair = coordinate < 2 ? 0 : 2;
  const Direction d = direction(words[pair + 1]);
  return radius(words[pair]) * (coordinate % 2 == 0 ? d.first : d.second);
}

}  // namespace attn
