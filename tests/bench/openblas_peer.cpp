// OpenBLAS products on blocks of 64 rows: the scores of a block are normalised while they are in cache.
#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "tests/bench/peers.h"

namespace attn::bench {
namespace {

constexpr Index kBlock = 64;

/// C (m × n, stride ldc) = alpha·op(A)·op(B) + beta·C
void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, Index m, Index n, Index k, float alpha, const float* a,
          Index lda, const float* b, Index ldb, float beta, float* c, Index ldc) {
  const auto narrow = [](Index x) { return static_cast<int>(x); };
  cblas_sgemm(CblasRowMajor, ta, tb, narrow(m), narrow(n), narrow(k), alpha, a, narrow(lda), b, narrow(ldb),
              beta, c, narrow(ldc));
}

using Row = Eigen::Map<Eigen::Array<float, 1, Eigen::Dynamic>>;

void forward(Problem& p) {
  const float scale = 1 / std::sqrt(static_cast<float>(p.d));
  for (Index h = 0; h < p.heads; ++h)
    for (Index first = 0; first < p.n; first += kBlock) {
      const Index rows = std::min(kBlock, p.n - first), keys = p.causal ? first + rows : p.n;
      float* block = p.probs.row(h, first);
      gemm(CblasNoTrans, CblasTrans, rows, keys, p.d, scale, p.q.row(h, first), p.d, p.k.head(h), p.d, 0,
           block, p.n);
      for (Index r = 0; r < rows; ++r) {
        const Index seen = p.causal ? first + r + 1 : p.n;
        Row row(block + r * p.n, seen);
        row = (row - row.maxCoeff()).exp();
        row /= row.sum();
        std::fill(block + r * p.n + seen, block + (r + 1) * p.n, 0.0f);
      }
      gemm(CblasNoTrans, CblasNoTrans, rows, p.d, keys, 1, block, p.n, p.v.head(h), p.d, 0,
           p.out.row(h, first), p.d);
    }
}

void backward(Problem& p) {
  const float scale = 1 / std::sqrt(static_cast<float>(p.d));
  for (Index h = 0; h < p.heads; ++h)
    for (Index first = 0; first < p.n; first += kBlock) {
      const Index rows = std::min(kBlock, p.n - first), keys = p.causal ? first + rows : p.n;
      const float beta = first > 0 ? 1.0f : 0.0f;
      float* ds = p.dScores.row(h, first);
      const float* probs = p.probs.row(h, first);
      gemm(CblasNoTrans, CblasTrans, rows, keys, p.d, 1, p.dOut.row(h, first), p.d, p.v.head(h), p.d, 0, ds,
           p.n);
      for (Index r = 0; r < rows; ++r) {
        Row row(ds + r * p.n, keys);
        const Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>> weights(probs + r * p.n, keys);
        row = weights * (row - (weights * row).sum());
      }
      gemm(CblasNoTrans, CblasNoTrans, rows, p.d, keys, scale, ds, p.n, p.k.head(h), p.d, 0,
           p.dQ.row(h, first), p.d);
      gemm(CblasTrans, CblasNoTrans, keys, p.d, rows, scale, ds, p.n, p.q.row(h, first), p.d, beta,
           p.dK.head(h), p.d);
      gemm(CblasTrans, CblasNoTrans, keys, p.d, rows, 1, probs, p.n, p.dOut.row(h, first), p.d, beta,
           p.dV.head(h), p.d);
      if (p.causal && first > 0) continue;
      if (p.causal) {  // rows that the first block did not reach start at 0
        std::fill(p.dK.row(h, keys), p.dK.row(h, p.n), 0.0f);
        std::fill(p.dV.row(h, keys), p.dV.row(h, p.n), 0.0f);
      }
    }
}

}  // namespace

Peer openBlas() {
  return {"OpenBLAS", [](Problem& p) {
            openblas_set_num_threads(1);
            return Ready{[&p] { forward(p); }, [&p] { backward(p); }};
          }};
}

}  // namespace attn::bench
