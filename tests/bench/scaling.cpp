// The sweep of the scaling lab against the same in PyTorch and NumPy.
#include "core/labs/scaling.h"

#include <cstdio>
#include <string>

#include "core/error.h"
#include "tests/bench/reports.h"

namespace attn::bench {
namespace {

constexpr const char* kOurs = "attnscope";

ScalingSetup setupOfPeers() {
  ScalingSetup setup = defaultScaling();
  setup.scales = {{.rule = Scale::Rule::none}, {.rule = Scale::Rule::sqrtKeyWidth}};
  return setup;
}

void printPeers(double ours) {
  std::FILE* peers = popen(ATTN_BENCH_PYTHON " " ATTN_BENCH_SCALING_PEERS, "r");
  if (!peers) throw Error("no process for the Python peers");
  char name[128];
  double seconds = 0;
  while (std::fscanf(peers, " %127[^\t]\t%lf", name, &seconds) == 2)
    std::printf("| %s | %.0f | %.2f |\n", name, 1e3 * seconds, seconds / ours);
  pclose(peers);
}

}  // namespace

void printScaling(Effort effort) {
  Runs runs(effort);
  const ScalingSetup all = setupOfPeers();
  runs.add(kOurs, [all] { ScalingSweep(all).advance(all.trials); });
  ScalingSetup few = all;
  few.trials = 8;
  runs.add("first", [few] { ScalingSweep(few).advance(few.trials); });
  say("the sweep of the scaling lab");
  runs.run();
  const double ours = runs.best(kOurs);
  std::printf(
      "\nOne thread; 13 widths up to 4,096, 64 keys, 256 trials, no scale and √d_k, all measures.\n\n");
  std::printf("| who | ms | as a multiple of ours |\n|---|---|---|\n| attnscope | %.1f | 1 |\n", 1e3 * ours);
  std::fflush(stdout);
  printPeers(ours);
  std::printf("\nThe first 8 trials of each width, a first picture, take %.1f ms.\n",
              1e3 * runs.best("first"));
}

}  // namespace attn::bench
