#pragma once
#include <string>
#include <vector>

#include "tests/bench/problem.h"
#include "tests/bench/runs.h"

/// What tests/bench/run can print, all of it Markdown on stdout.
namespace attn::bench {

/// "2026-11-18, AMD EPYC, 2 processors, AVX3 kernels, commit 1234567"
void printHeading(const std::string& commit);

/// Ours against every peer at each shape.
void printAttention(const std::vector<Shape>& shapes, Effort effort);
/// From here on a size or a rule is called out: it costs so many times what it should.
constexpr double kCliff = 1.5;
/// How times grow with n and d, and where they grow by leaps.
void printCliffs(Effort effort);
/// What every normaliser, mask rule and stage costs beside plain softmax.
void printRules(Effort effort);
/// The most memory that shape F takes, forward and backward.
void printMemory();
/// The scaling lab's sweep against PyTorch and NumPy.
void printScaling(Effort effort);
/// Normals a second, of each target.
void printNormals(Effort effort);

}  // namespace attn::bench
