#include "app/cli/eval.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/cli/eval_options.h"
#include "app/cli/tables.h"
#include "core/error.h"
#include "core/evaluate.h"
#include "core/io/result_arrays.h"
#include "core/io/scene_npz.h"

namespace attn {
namespace {

/// What was wanted, for people or for machines.
template <class T>
void report(const EvalOptions& options, const SceneOf<T>& scene, const ResultsOf<T>& results,
            const std::string& kernels) {
  const std::vector<ResultArray> arrays = arraysOf(results);
  if (!options.output.empty()) writeNpz(arrays, options.output);
  if (options.json)
    std::cout << toJson(arrays, kernels);
  else if (options.output.empty())
    printTables(std::cout, scene, results, kernels);
  else
    std::cout << options.output << ": " << arrays.size() << " arrays\n";
  std::cout.flush();
  if (!std::cout) throw Error("standard output: cannot write");
}

template <class T>
void evaluateAndReport(const EvalOptions& options, const SceneOf<T>& scene, const KernelsOf<T>& kernels) {
  ResultsOf<T> results;
  Wanted wanted = Wanted::everything();
  wanted.scaledScores = wanted.cappedScores = wanted.dScaledScores = wanted.dRawScores = false;
  EvaluatorOf<T>(kernels, options.threads).evaluate(scene, wanted, results);
  report(options, scene, results, kernels.name);
}

void run(const EvalOptions& options) {
  PreciseScene scene = readScene(options.input);
  apply(options, scene);
  // A rule hides what another opens: all must allow a pair.
  if (options.causal && options.prefix)
    std::cerr
        << "attnscope: note: --causal hides what --prefix would open; a prefix alone is causal behind it\n";
  try {
    if (options.target == "reference")
      evaluateAndReport(options, scene, referenceKernels<double>());
    else
      evaluateAndReport(options, narrow(scene),
                        options.target.empty() ? bestKernels() : kernelsNamed(options.target));
  } catch (const Error& error) {
    // Lines about a file that is written name it already; all others are about the input.
    const std::string line = error.what();
    const bool named = !options.output.empty() && line.rfind(options.output, 0) == 0;
    throw named || line.rfind("standard output", 0) == 0 ? error : Error(options.input + ": " + line);
  }
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
