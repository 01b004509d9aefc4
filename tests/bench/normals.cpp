#include <cstdio>
#include <vector>

#include "core/kernels/kernels.h"
#include "tests/bench/reports.h"

namespace attn::bench {

void printNormals(Effort effort) {
  effort.rounds *= 3;                 // they are short
  std::vector<float> drawn(1 << 14);  // stays in cache: the generator is measured, not the memory
  Runs runs(effort);
  std::uint64_t next = 0;
  for (const std::string& name : simdTargets())
    runs.add(name, [&drawn, &next, &kernels = kernelsNamed(name)] {
      kernels.normals(1, next, drawn.data(), static_cast<Index>(drawn.size()));
      next += drawn.size();
    });
  say("normals");
  runs.run();
  std::printf("\n| target | million normals a second |\n|---|---|\n");
  for (const std::string& name : simdTargets())
    std::printf("| %s | %.0f |\n", name.c_str(), static_cast<double>(drawn.size()) / runs.best(name) / 1e6);
}

}  // namespace attn::bench
