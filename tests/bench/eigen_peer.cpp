// The plain Eigen formulation, built with -march=native.
#include <chrono>
#include <cmath>
#include <limits>

#include "tests/bench/problem.h"

namespace attn::bench {
namespace {

using View = Eigen::Map<Matrix>;

View view(StackOf<float>& stack, Index h) {
  return {stack.head(h), stack.rows(), stack.cols()};
}

void forward(Problem& p) {
  const float scale = 1 / std::sqrt(static_cast<float>(p.d));
  for (Index h = 0; h < p.heads; ++h) {
    View probs = view(p.probs, h);
    probs.noalias() = scale * view(p.q, h) * view(p.k, h).transpose();
    for (Index i = 0; i < p.n; ++i) {
      auto row = probs.row(i);
      if (p.causal) row.tail(p.n - i - 1).setConstant(-std::numeric_limits<float>::infinity());
      row = (row.array() - row.maxCoeff()).exp();
      row /= row.sum();
    }
    view(p.out, h).noalias() = probs * view(p.v, h);
  }
}

void backward(Problem& p) {
  const float scale = 1 / std::sqrt(static_cast<float>(p.d));
  for (Index h = 0; h < p.heads; ++h) {
    View probs = view(p.probs, h), ds = view(p.dScores, h);
    ds.noalias() = view(p.dOut, h) * view(p.v, h).transpose();
    for (Index i = 0; i < p.n; ++i) {
      const float shared = probs.row(i).dot(ds.row(i));
      ds.row(i).array() = probs.row(i).array() * (ds.row(i).array() - shared);
    }
    view(p.dQ, h).noalias() = scale * ds * view(p.k, h);
    view(p.dK, h).noalias() = scale * ds.transpose() * view(p.q, h);
    view(p.dV, h).noalias() = probs.transpose() * view(p.dOut, h);
  }
}

}  // namespace

const Peer kEigen = {"Eigen native", forward, backward};

double measuredPeak() {
  // Twelve chains hide the latency of a multiply-add; the best of some runs is the machine undisturbed.
  constexpr int kChains = 12, kLanes = 16;
  using Lanes __attribute__((vector_size(kLanes * sizeof(float)))) = float;
  double best = 0;
  for (int run = 0; run < 20; ++run) {
    Lanes sums[kChains];
    for (int c = 0; c < kChains; ++c) sums[c] = Lanes{} + static_cast<float>(c);  // equal ones would be merged
    Lanes factor = Lanes{} + 0.999f, term = Lanes{} + 1e-3f;
    constexpr long kSteps = 1000000;
    const auto start = std::chrono::steady_clock::now();
    for (long step = 0; step < kSteps; ++step) {
      asm volatile("" : "+m"(factor));
      const Lanes f = factor;
#pragma GCC unroll 12
      for (int c = 0; c < kChains; ++c) sums[c] = sums[c] * f + term;
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    volatile float keep = 0;
    for (const Lanes& sum : sums) keep = keep + sum[0];
    best = std::max(best, 2.0 * kChains * kLanes * kSteps / time.count());
  }
  return best;
}

}  // namespace attn::bench
