#include "tests/bench/runs.h"

#include <algorithm>
#include <cstdio>

namespace attn::bench {

class Runs::Reporter : public benchmark::BenchmarkReporter {
 public:
  explicit Reporter(std::map<std::string, double>& best) : best_(best) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const bool byWall = run.run_name.time_type.find("real_time") != std::string::npos ||
                          run.run_name.time_type.find("manual_time") != std::string::npos;
      const double total = byWall ? run.real_accumulated_time : run.cpu_accumulated_time;
      const double time = total / static_cast<double>(run.iterations);
      double& best = best_.emplace(run.run_name.function_name, time).first->second;
      best = std::min(best, time);
    }
  }

 private:
  std::map<std::string, double>& best_;
};

void Runs::add(const std::string& name, std::function<void()> call, Clock clock) {
  auto* added = benchmark::RegisterBenchmark(name.c_str(), [call = std::move(call)](benchmark::State& state) {
    for (auto _ : state) call();
  });
  added->MeasureProcessCPUTime()->MinTime(effort_.seconds);
  if (clock == Clock::wall) added->UseRealTime();
}

void Runs::addTimed(const std::string& name, std::function<double()> seconds) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [seconds = std::move(seconds)](benchmark::State& state) {
                                 for (auto _ : state) state.SetIterationTime(seconds());
                               })
      ->UseManualTime()
      ->Iterations(1);
}

void Runs::run() {
  Reporter reporter(best_);
  for (int round = 0; round < effort_.rounds; ++round) benchmark::RunSpecifiedBenchmarks(&reporter, "all");
  benchmark::ClearRegisteredBenchmarks();
}

Repeated::Repeated(Scene scene, Wanted wanted, int threads)
    : scene_(std::move(scene)), wanted_(wanted), evaluator_(bestKernels(), threads) {
  (*this)();  // memory that the system has not given yet is not the kernels' time
}

void say(const std::string& what) {
  std::fprintf(stderr, "attnscope: %s\n", what.c_str());
}

}  // namespace attn::bench
