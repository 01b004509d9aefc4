#pragma once
#include <array>
#include <cstdint>

namespace attn {

/// Random numbers by position: the i-th number of a seed is a pure function of (seed, i). Only integer
/// operations and IEEE float +, −, ×, ÷ and √ are used, in a fixed order, so every machine draws the same.
class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}

  /// Four words that depend on every bit of seed and position: Philox 4×32-7, which is the fewest rounds
  /// that its authors found to pass every test of BigCrush.
  std::array<std::uint32_t, 4> block(std::uint64_t position) const;
  /// The i-th number of a uniform distribution over (0, 1].
  float uniform(std::uint64_t i) const;
  /// The i-th number of the standard normal distribution, at most 6.67 (Box–Muller on pairs of words).
  /// Normals come in groups of 64, from 16 blocks in a row: numbers 0…15 and 16…31 of a group are the two
  /// coordinates of the first pair of each block, the others those of the second. So a vector of up to 16
  /// numbers is computed, and stored, without a shuffle.
  float normal(std::uint64_t i) const;

  static constexpr int kRounds = 7;
  static constexpr std::uint64_t kGroup = 64, kGroupBlocks = 16;

 private:
  std::uint64_t seed_;
};

}  // namespace attn
