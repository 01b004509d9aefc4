#pragma once
#include <string>
#include <vector>

#include "core/matrix.h"

namespace attn::bench {

/// One attention problem with its memory: what every peer is given, and where it writes.
struct Problem {
  Index heads, n, d;
  bool causal;
  StackOf<float> q, k, v, dOut;    // (heads, n, d)
  StackOf<float> probs, dScores;   // (heads, n, n)
  StackOf<float> out, dQ, dK, dV;  // (heads, n, d)

  Problem(Index heads, Index n, Index d, bool causal);
};

/// A way to compute it: forward keeps the weights, backward starts from them.
struct Peer {
  std::string name;
  void (*forward)(Problem&);
  void (*backward)(Problem&);
};

/// The formula as one writes it with Eigen, compiled for this very machine.
extern const Peer kEigen;
/// OpenBLAS products on blocks of rows that stay in cache.
extern const Peer kOpenBlas;

/// Multiply-adds of this core, counted twice: operations a second.
double measuredPeak();

}  // namespace attn::bench
