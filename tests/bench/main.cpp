#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <thread>

#include "core/kernels/kernels.h"
#include "tests/bench/reports.h"

namespace attn::bench {
namespace {

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  return "unknown processor";
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::localtime(&now));
  return text;
}

struct Options {
  std::vector<std::string> shapes;
  std::string commit = "unknown";
  bool quick = false, cliffs = false, memory = false, normals = false, scaling = false;
};

void print(const Options& options) {
  const Effort effort = options.quick ? Effort::quick() : Effort();
  const bool parts = options.cliffs || options.memory || options.normals || options.scaling;
  const std::vector<Shape> shapes = shapesNamed(options.shapes);
  printHeading(options.commit);
  if (options.memory) printMemory();  // first, while the process itself is small
  if (!parts || !options.shapes.empty()) printAttention(shapes, effort);
  if (options.cliffs) printCliffs(effort), printRules(effort);
  if (options.scaling) printScaling(effort);
  if (options.normals || !parts) printNormals(effort);
}

}  // namespace

void printHeading(const std::string& commit) {
  std::printf("%s, %s, %u processors, %s kernels, commit %s\n\n", today().c_str(), processorName().c_str(),
              std::thread::hardware_concurrency(), bestKernels().name, commit.c_str());
}

}  // namespace attn::bench

int main(int count, char** words) {
  attn::bench::Options options;
  CLI::App program("Measures attnscope against its peers and prints the result as Markdown.");
  program.add_option("--shapes", options.shapes, "only these, e.g. C,D,'E causal'")->delimiter(',');
  program.add_flag("--quick", options.quick, "fewer and shorter runs");
  program.add_flag("--cliffs", options.cliffs, "times over n, over d and of every rule");
  program.add_flag("--memory", options.memory, "the most memory that shape F takes");
  program.add_flag("--normals", options.normals, "normals a second");
  program.add_flag("--scaling", options.scaling, "the sweep of the scaling lab");
  program.add_option("--commit", options.commit, "what the heading says was measured");
  CLI11_PARSE(program, count, words);
  try {
    print(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "attnscope: %s\n", error.what());
    return 1;
  }
}
