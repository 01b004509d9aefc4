#pragma once
#include <cstdint>

/// The numbers that core/random.cpp and its vector twin (core/kernels/random-inl.h) share.
namespace attn {

// Philox 4×32 (Salmon and others, "Parallel random numbers: as easy as 1, 2, 3").
constexpr std::uint32_t kFactor0 = 0xD2511F53u, kFactor1 = 0xCD9E8D57u;
constexpr std::uint32_t kKeyStep0 = 0x9E3779B9u, kKeyStep1 = 0xBB67AE85u;

constexpr float kTwoToMinus31 = 4.6566129e-10f;
constexpr float kMinusTwoLogTwo = -1.3862944f;
// The bits of √½: mantissas above √2 count as half of the next power of two, so that ln m is small.
constexpr std::int32_t kSqrtHalfBits = 0x3f3504f3;

// Polynomials with the least largest relative error, in powers of the square of the argument:
constexpr float kLog[] = {-4.0000005f, -1.3330445f, -0.82592744f};  // −2 ln m = t·…, t = (m−1)/(m+1): 1.2e-7
constexpr float kSin[] = {0.7853982f, -0.080745436f, 0.002490001f, -3.5950452e-05f};  // sin ¼πx = x·…: 3e-9
constexpr float kCos[] = {0.99999994f, -0.30842417f, 0.015849683f, -3.1872783e-4f};  // cos ¼πx: 3e-8

}  // namespace attn
