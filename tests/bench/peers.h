#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tests/bench/problem.h"

// A peer is a shared library that shows nothing but its function: the same Eigen templates, built for other
// instructions, would otherwise be taken for one another by the linker.
#define ATTN_BENCH_EXPORT __attribute__((visibility("default")))

namespace attn::bench {

/// A peer made ready for one problem, with all the memory it needs.
struct Ready {
  std::function<void()> forward;   // keeps the weights
  std::function<void()> backward;  // starts from them
};

struct Peer {
  std::string name;
  std::function<Ready(Problem&)> prepare;
};

/// The formula as one writes it with Eigen: built for this very machine, and for any x86-64.
ATTN_BENCH_EXPORT Peer eigenNative();
ATTN_BENCH_EXPORT Peer eigenBaseline();
/// OpenBLAS products on blocks of rows that stay in cache.
ATTN_BENCH_EXPORT Peer openBlas();
/// oneDNN's matmul and softmax primitives, made once.
ATTN_BENCH_EXPORT Peer oneDnn();

/// Operations a second of one core that does nothing but multiply-adds in registers (each counts twice).
ATTN_BENCH_EXPORT double multiplyAddPeak();

/// All that were built.
std::vector<Peer> builtPeers();

}  // namespace attn::bench
