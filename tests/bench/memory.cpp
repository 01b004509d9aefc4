// The most memory that a large evaluation takes, measured by the system in a process of its own.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "core/error.h"
#include "tests/bench/reports.h"

namespace attn::bench {
namespace {

/// The most memory, in bytes, that a child which does `work` ever had.
template <class Work>
double peakOfChild(Work work) {
  const pid_t child = fork();
  if (child < 0) throw Error("no process to measure memory in");
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  rusage usage = {};
  wait4(child, &status, 0, &usage);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw Error("the process to measure memory in failed");
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace

void printMemory() {
  const Shape shape = allShapes().back();
  const double idle = peakOfChild([] {});
  const double peak = peakOfChild([&] {
    const Scene scene = sceneOf(shape);
    evaluate(scene, {.measures = true, .backward = true});
  });
  const double map = 4.0 * static_cast<double>(shape.heads * shape.n * shape.n);
  const double inputs = 4.0 * 4.0 * static_cast<double>(shape.heads * shape.n * shape.d);
  constexpr double kMega = 1 << 20;
  std::printf(
      "Shape %s, forward and backward with measures: at its peak %.0f MiB, of which the program alone %.0f.\n"
      "Inputs and three n² matrices are %.0f MiB: it takes the inputs and %.2f matrices.\n",
      shape.name.c_str(), peak / kMega, idle / kMega, (inputs + 3 * map) / kMega,
      (peak - idle - inputs) / map);
}

}  // namespace attn::bench
