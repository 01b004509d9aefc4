// Built with -ffp-contract=off: a fused multiply-add would round differently from one machine to another.
#include "core/random.h"

#include <bit>
#include <cmath>

namespace attn {
namespace {

/// ln u for u in (0, 1]: the exponent times ln 2 plus a series in (m−1)/(m+1) for the mantissa m.
float logarithm(float u) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(u);
  // Mantissas above √2 count as half of the next power of two, which keeps |m−1| small.
  const std::uint32_t shifted = bits - 0x3f3504f3u;
  const int exponent = static_cast<int>(shifted) >> 23;
  const float m = std::bit_cast<float>((shifted & 0x007fffffu) + 0x3f3504f3u);
  const float t = (m - 1.0f) / (m + 1.0f);
  const float t2 = t * t;
  // ln m = 2·(t + t³/3 + t⁵/5 + t⁷/7 + t⁹/9)
  const float series = t2 * (0.33333333f + t2 * (0.2f + t2 * (0.14285715f + t2 * 0.11111111f)));
  return static_cast<float>(exponent) * 0.69314718f + 2.0f * (t + t * series);
}

/// sin and cos of π·x for |x| ≤ ¼, by their series.
float sinPi(float x) {
  const float a = 3.1415927f * x, a2 = a * a;
  return a + a * (a2 * (-0.16666667f + a2 * (8.3333333e-3f + a2 * (-1.9841270e-4f + a2 * 2.7557319e-6f))));
}
float cosPi(float x) {
  const float a = 3.1415927f * x, a2 = a * a;
  return 1.0f + a2 * (-0.5f + a2 * (4.1666668e-2f + a2 * (-1.3888889e-3f + a2 * 2.4801587e-5f)));
}

/// The cosine (or the sine) of a full turn times word/2³²: the top three bits choose the octant.
float turn(std::uint32_t word, bool sine) {
  const std::uint32_t rounded = word + 0x20000000u;  // quadrants centred on the axes
  const std::uint32_t quadrant = ((rounded >> 30) + (sine ? 3u : 0u)) & 3u;
  const std::int32_t offset = static_cast<std::int32_t>(rounded & 0x3fffffffu) - 0x20000000;
  const float x = static_cast<float>(offset) * 4.6566129e-10f;  // half turns: offset · 2⁻³¹
  const float value = (quadrant & 1u) ? sinPi(x) : cosPi(x);
  return (quadrant == 1u || quadrant == 2u) ? -value : value;
}

/// A word as a number of (0, 1].
float unit(std::uint32_t word) {
  return (static_cast<float>(word >> 8) + 1.0f) * 5.9604645e-8f;
}

}  // namespace

std::array<std::uint32_t, 4> Random::block(std::uint64_t position) const {
  std::array<std::uint32_t, 4> c = {static_cast<std::uint32_t>(position),
                                    static_cast<std::uint32_t>(position >> 32), 0, 0};
  std::uint32_t key0 = static_cast<std::uint32_t>(seed_), key1 = static_cast<std::uint32_t>(seed_ >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * c[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57u} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ key0, static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ key1, static_cast<std::uint32_t>(a)};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return c;
}

float Random::uniform(std::uint64_t i) const {
  return unit(block(i / 4)[i % 4]);
}

float Random::normal(std::uint64_t i) const {
  const std::array<std::uint32_t, 4> words = block(i / 4);
  const std::size_t pair = (i % 4) / 2 * 2;
  const float radius = std::sqrt(-2.0f * logarithm(unit(words[pair])));
  return radius * turn(words[pair + 1], i % 2 == 1);
}

}  // namespace attn
