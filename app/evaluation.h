#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/attention/visibility.h"
#include "core/evaluate.h"

namespace attn {

/// A scene and what follows from it. They travel as one, so that no picture mixes two moments.
struct Evaluation {
  std::shared_ptr<const Scene> scene;
  Results results;
  Wanted wanted;
  Visibility visibility;
  bool hidesPairs = false;   // whether the visibility hides anything at all
  std::uint64_t serial = 0;  // another number for every evaluation: tells whether a picture is still right
};

/// Evaluates at once what fits into a frame. The rest goes to a worker on which the newest request wins,
/// while current() stays what it was. All but the work itself happens on the caller's thread.
class Evaluations {
 public:
  /// Serials count from the one after `firstSerial`.
  explicit Evaluations(std::uint64_t firstSerial = 0);
  ~Evaluations();

  /// Asks for this scene; nothing happens if it is current, or on its way, with all that is wanted.
  void request(const std::shared_ptr<const Scene>& scene, const Wanted& wanted);
  /// Takes over what the worker has finished. Once a frame.
  void poll();
  /// Takes over what somebody else has evaluated.
  void adopt(const std::shared_ptr<const Evaluation>& evaluation);
  /// Waits until what was asked for is current.
  void settle();

  /// Null until the first one is done.
  const std::shared_ptr<const Evaluation>& current() const { return current_; }
  bool isBusy() const { return inFlight_ || queued_; }
  /// One line on why the newest request has no results; empty if it has.
  const std::string& failure() const { return failure_; }
  /// How many evaluations have been made.
  std::uint64_t count() const { return count_; }
  /// Called from the worker's thread when it has finished.
  void setWake(std::function<void()> wake);

 private:
  struct Request {
    std::shared_ptr<const Scene> scene;
    Wanted wanted;
  };
  struct Job {
    std::shared_ptr<Evaluation> evaluation;
    std::string failure;
    bool isDone = false;
  };

  std::shared_ptr<Evaluation> freshEvaluation(const Request& request);
  void evaluateInto(Job& job);
  void start(const Request& request);
  bool serveFromCurrent(const Request& request);
  void finish();
  void work();

  Evaluator evaluator_;
  std::vector<std::shared_ptr<Evaluation>> pool_;  // their memory is used again
  std::shared_ptr<const Evaluation> current_;
  std::optional<Request> newest_, queued_;
  std::shared_ptr<Job> inFlight_;
  std::string failure_;
  std::uint64_t firstSerial_ = 0, count_ = 0;

  std::mutex mutex_;  // guards what the two threads share: the job's state and what is below
  std::condition_variable changed_;
  std::shared_ptr<Job> toDo_;
  std::function<void()> wake_;
  bool isEnding_ = false;
  std::thread worker_;
};

/// Whether evaluating this is a matter of a millisecond or two.
bool isSmall(const Scene& scene);

}  // namespace attn
