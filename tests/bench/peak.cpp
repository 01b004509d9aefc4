// How many multiply-adds a core can do at all: registers only. Built with -march=native.
#include <algorithm>
#include <ctime>

#include "tests/bench/peers.h"

namespace attn::bench {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif
using Lanes __attribute__((vector_size(kLanes * sizeof(float)))) = float;

constexpr int kChains = 12;  // enough to hide the latency of a multiply-add, few enough for 16 registers

double secondsOf(long steps) {
  Lanes sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = Lanes{} + static_cast<float>(c);  // equal ones would be merged
  Lanes factor = Lanes{} + 0.999f, term = Lanes{} + 1e-3f;
  const std::clock_t start = std::clock();
  for (long step = 0; step < steps; ++step) {
    asm volatile("" : "+x"(factor));  // or the compiler would compute several steps at once
#pragma GCC unroll 12
    for (int c = 0; c < kChains; ++c) sums[c] = sums[c] * factor + term;
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  volatile float keep = 0;
  for (const Lanes& sum : sums) keep = keep + sum[0];
  return seconds;
}

}  // namespace

double multiplyAddPeak() {
  constexpr long kSteps = 1000000;
  double best = secondsOf(kSteps);
  for (int run = 0; run < 20; ++run) best = std::min(best, secondsOf(kSteps));
  return 2.0 * kChains * kLanes * kSteps / best;
}

}  // namespace attn::bench
