// The plain Eigen formulation. Built twice, for this machine and for any: ATTN_BENCH_PEER is its name then.
#include <cmath>

#include "tests/bench/peers.h"

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
      const Index hidden = p.causal ? p.n - i - 1 : 0;
      auto row = probs.row(i).head(p.n - hidden);
      row = (row.array() - row.maxCoeff()).exp();
      row /= row.sum();
      probs.row(i).tail(hidden).setZero();
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

Peer ATTN_BENCH_PEER() {
  return {ATTN_BENCH_NAME, [](Problem& p) { return Ready{[&p] { forward(p); }, [&p] { backward(p); }}; }};
}

}  // namespace attn::bench
