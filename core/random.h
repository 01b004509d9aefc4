#pragma once
#include <array>
#include <cstdint>

namespace attn {

/// Random numbers by position: the i-th number of a seed is a pure function of (seed, i). Only integer
/// operations and IEEE float +, −, ×, ÷ and √ are used, in a fixed order, so every machine draws the same.
class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}

  /// 32 bits that depend on every bit of seed and position (Philox 4×32-10, one block of four words).
  std::array<std::uint32_t, 4> block(std::uint64_t position) const;
  /// The i-th number of a uniform distribution over (0, 1].
  float uniform(std::uint64_t i) const;
  /// The i-th number of the standard normal distribution (Box–Muller on pairs of words).
  float normal(std::uint64_t i) const;

 private:
  std::uint64_t seed_;
};

}  // namespace attn
