#include "app/cli/eval.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/cli/eval_options.h"
#include "app/cli/tables.h"
#include "core/error.h"
#include "core/evaluate.h"
#include "core/io/interruption.h"
#include "core/io/result_arrays.h"
#include "core/io/scene_npz.h"

namespace attn {
namespace {

/// The forward stages one by one, then both passes as wholes.
template <class T>
std::vector<StageCost> operationsOf(const SceneOf<T>& scene) {
  std::vector<StageCost> stages = forwardCost(scene);
  stages.push_back({"forward", totalOf(stages), {}});
  stages.push_back({"backward", totalOf(backwardCost(scene)), {}});
  return stages;
}

/// What was wanted, for people or for machines.
template <class T>
void report(const EvalOptions& options, const SceneOf<T>& scene, const ResultsOf<T>& results,
            const std::string& kernels) {
  const std::vector<ResultArray> arrays = arraysOf(results);
  if (!options.output.empty()) {
    const InterruptionGuard guard;
    writeNpz(arrays, options.output);
  }
  if (options.json)
    writeJson(std::cout, arrays, kernels, normsOf(results.norms), operationsOf(scene));
  else if (options.output.empty())
    printTables(std::cout, scene, results, operationsOf(scene), kernels);
  else
    std::cout << options.output << ": " << arrays.size() << " arrays\n";
  std::cout.flush();
  if (!std::cout) throw Error("standard output: cannot write");
}

/// Runs what only the input can be blamed for, and names the input where it goes wrong.
template <class Run>
auto blaming(const std::string& input, const Run& run) {
  try {
    return run();
  } catch (const Error& error) {
    throw Error(input + ": " + error.what());
  }
}

template <class T>
void evaluateAndReport(const EvalOptions& options, const SceneOf<T>& scene, const KernelsOf<T>& kernels) {
  ResultsOf<T> results;
  Wanted wanted = Wanted::everything();
  wanted.scaledScores = wanted.cappedScores = wanted.dScaledScores = wanted.dRawScores = false;
  blaming(options.input, [&] { EvaluatorOf<T>(kernels, options.threads).evaluate(scene, wanted, results); });
  report(options, scene, results, kernels.name);
}

void run(const EvalOptions& options) {
  PreciseScene scene = readScene(options.input);
  apply(options, scene);
  // A rule hides what another opens: all must allow a pair.
  if (options.causal && options.prefix)
    std::cerr
        << "attnscope: note: --causal hides what --prefix would open; a prefix alone is causal behind it\n";
  if (options.target == "reference") return evaluateAndReport(options, scene, referenceKernels<double>());
  const Scene narrowed = blaming(options.input, [&] { return narrow(scene); });
  scene = {};
  evaluateAndReport(options, narrowed, options.target.empty() ? bestKernels() : kernelsNamed(options.target));
}

}  // namespace

void addEval(CLI::App& program) {
  CLI::App* verb =
      program.add_subcommand("eval", "Evaluate attention, forward and back, of a scene or of arrays");
  auto options = std::make_shared<EvalOptions>();
  declare(*options, *verb);
  verb->callback([options] { run(*options); });
}

}  // namespace attn
