#pragma once
#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <string>

#include "core/evaluate.h"

namespace attn::bench {

/// How long and how often everything is measured.
struct Effort {
  int rounds = 9;
  double seconds = 0.01;  // of one measurement, at least: short, so that many of them go undisturbed

  static Effort quick() { return {3, 0.005}; }
};

/// Time of the process on a processor leaves out what other programs took in between; two threads are only
/// seen to be faster by the clock on the wall. On a quiet machine both are the same for one thread.
enum class Clock { processor, wall };

/// Benchmarks that are run in turn, round after round, so that whatever else the machine does hits all of
/// them alike. Kept is the best time of each.
class Runs {
 public:
  explicit Runs(Effort effort) : effort_(effort) {}

  /// What `call` does is measured.
  void add(const std::string& name, std::function<void()> call, Clock clock = Clock::processor);
  /// `seconds` measures by itself and says how long one call took.
  void addTimed(const std::string& name, std::function<double()> seconds);
  /// Runs all that was added, and forgets it.
  void run();

  /// The best seconds a call; of one name or of several benchmarks that share it.
  double best(const std::string& name) const { return best_.at(name); }

 private:
  class Reporter;
  Effort effort_;
  std::map<std::string, double> best_;
};

/// Evaluates one scene again and again, as a frame of the window does.
class Repeated {
 public:
  Repeated(Scene scene, Wanted wanted, int threads);
  void operator()() { evaluator_.evaluate(scene_, wanted_, results_); }
  const Results& results() const { return results_; }
  void want(const Wanted& wanted) { wanted_ = wanted; }

 private:
  Scene scene_;
  Wanted wanted_;
  Evaluator evaluator_;
  Results results_;
};

/// Says to stderr what is being measured.
void say(const std::string& what);

}  // namespace attn::bench
