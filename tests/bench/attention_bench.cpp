// attnscope against its peers, in one run: a table of milliseconds and ratios.
#include <benchmark/benchmark.h>
#include <cblas.h>

#include <cstdio>
#include <map>
#include <memory>

#include "core/evaluate.h"
#include "core/random.h"
#include "tests/bench/problem.h"

namespace attn::bench {

Problem::Problem(Index heads_, Index n_, Index d_, bool causal_)
    : heads(heads_), n(n_), d(d_), causal(causal_) {
  std::uint64_t seed = 1;
  for (StackOf<float>* input : {&q, &k, &v, &dOut}) {
    input->resize(heads, n, d);
    const Random random(seed++);
    for (Index i = 0; i < input->size(); ++i) input->data()[i] = random.normal(static_cast<std::uint64_t>(i));
  }
  for (StackOf<float>* map : {&probs, &dScores}) map->resize(heads, n, n);
  for (StackOf<float>* output : {&out, &dQ, &dK, &dV}) output->resize(heads, n, d);
}

namespace {

struct Shape {
  const char* name;
  Index heads, n, d;
  bool causal;
};
constexpr Shape kShapes[] = {{"A", 2, 4, 2, false},           {"B", 8, 32, 64, false},
                             {"C", 8, 128, 64, false},        {"D", 8, 512, 64, false},
                             {"D causal", 8, 512, 64, true},  {"E", 8, 2048, 64, false},
                             {"E causal", 8, 2048, 64, true}, {"F", 1, 8192, 64, false}};

Scene sceneOf(const Problem& p) {
  Scene scene;
  const auto input = [&](const StackOf<float>& stack, Index h) { return InputOf<float>{stack[h], {}}; };
  for (Index h = 0; h < p.heads; ++h)
    scene.source.given.push_back({input(p.q, h), input(p.k, h), input(p.v, h)});
  if (p.causal) scene.masks = {CausalRule{}};
  scene.upstream.kind = UpstreamOf<float>::Kind::given;
  scene.upstream.matrix.resize(p.n, p.heads * p.d);
  for (Index h = 0; h < p.heads; ++h) scene.upstream.matrix.middleCols(h * p.d, p.d) = p.dOut[h];
  return scene;
}

/// Whole evaluations, as a frame of the window does them.
void runOurs(benchmark::State& state, const Shape& shape, bool backward, bool measures, int threads) {
  const Scene scene = sceneOf(Problem(shape.heads, shape.n, shape.d, shape.causal));
  Evaluator evaluator(bestKernels(), threads);
  Wanted wanted;
  wanted.backward = backward;
  wanted.measures = measures;
  Results results;
  evaluator.evaluate(scene, wanted, results);  // memory that the system has not given yet is not the kernels' time
  for (auto _ : state) evaluator.evaluate(scene, wanted, results);
}

void runPeer(benchmark::State& state, const Shape& shape, bool backward, const Peer& peer) {
  Problem problem(shape.heads, shape.n, shape.d, shape.causal);
  for (auto _ : state) {
    peer.forward(problem);
    if (backward) peer.backward(problem);
  }
}

/// Keeps the best time of every benchmark and prints them as one table.
class Table : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const double time = 1e3 * run.real_accumulated_time / static_cast<double>(run.iterations);
      double& best = best_.emplace(run.run_name.function_name, time).first->second;
      best = std::min(best, time);
    }
  }
  void Finalize() override {
    const double peak = measuredPeak();
    std::printf("kernels %s, multiply-add peak of a core %.1f GFLOP/s; best times in ms\n\n",
                bestKernels().name, peak / 1e9);
    std::printf("%-9s %-9s %9s %7s %9s %8s %9s  %s\n", "shape", "pass", "ours", "bound", "2 threads",
                "measures", "best peer", "ours is faster than");
    for (const Shape& shape : kShapes)
      for (const bool backward : {false, true}) printLine(shape, backward, peak);
  }

 private:
  double time(const Shape& shape, bool backward, const std::string& who) const {
    const auto found = best_.find(std::string(shape.name) + (backward ? "/both/" : "/forward/") + who);
    return found == best_.end() ? 0 : found->second;
  }
  void printLine(const Shape& shape, bool backward, double peak) const {
    const double ours = time(shape, backward, "attnscope");
    if (ours == 0) return;
    const double square = static_cast<double>(shape.heads * shape.n * shape.n) * static_cast<double>(shape.d);
    const double bound = (backward ? 12 : 4) * square / peak * 1e3;
    const double eigen = time(shape, backward, kEigen.name), blas = time(shape, backward, kOpenBlas.name);
    std::printf("%-9s %-9s %9.4f %6.0f%% %8.2fx %+7.0f%% %9.4f  %.2f× %s, %.2f× %s\n", shape.name,
                backward ? "both" : "forward", ours, 100 * bound / ours,
                ours / time(shape, backward, "2 threads"),
                100 * (time(shape, backward, "measures") / ours - 1), std::min(eigen, blas), eigen / ours,
                kEigen.name.c_str(), blas / ours, kOpenBlas.name.c_str());
  }

  std::map<std::string, double> best_;
};

void registerAll() {
  for (const Shape& shape : kShapes)
    for (const bool backward : {false, true}) {
      const std::string prefix = std::string(shape.name) + (backward ? "/both/" : "/forward/");
      const auto add = [&](const std::string& who, auto run) {
        benchmark::RegisterBenchmark((prefix + who).c_str(), run)
            ->UseRealTime()
            ->MinTime(0.05)
            ->Repetitions(7);
      };
      add("attnscope", [=](benchmark::State& s) { runOurs(s, shape, backward, false, 1); });
      add("measures", [=](benchmark::State& s) { runOurs(s, shape, backward, true, 1); });
      add("2 threads", [=](benchmark::State& s) { runOurs(s, shape, backward, false, 2); });
      for (const Peer* peer : {&kEigen, &kOpenBlas})
        add(peer->name, [=](benchmark::State& s) { runPeer(s, shape, backward, *peer); });
    }
}

}  // namespace
}  // namespace attn::bench

int main(int count, char** words) {
  openblas_set_num_threads(1);
  benchmark::Initialize(&count, words);
  if (benchmark::ReportUnrecognizedArguments(count, words)) return 2;
  attn::bench::registerAll();
  attn::bench::Table table;
  benchmark::RunSpecifiedBenchmarks(&table);
}
