#pragma once
#include <atomic>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>

namespace attn {

/// One task at a time beside the window. All but the task itself happens on the caller's thread.
class Background {
 public:
  using Task = std::function<void(std::stop_token isAbandoned)>;

  /// Abandons the task before and waits for its end: a task looks at its token every few milliseconds.
  void start(Task task);
  /// Ends the task: from then on nobody else touches what it worked on.
  void abandon();
  /// Once a frame: whether there is still something to come. What the task did is complete when not.
  bool poll();
  bool isBusy() const { return isBusy_; }
  /// Waits for the end.
  void settle();
  /// Why the last task ended before its time; empty where it did not.
  const std::string& failure() const { return failure_; }

 private:
  bool isBusy_ = false;
  std::string failure_;  // read once the task has ended
  std::string trouble_;  // the task's own
  std::atomic<bool> isRunning_ = false;
  std::jthread thread_;  // the last one: it ends before what it uses
};

}  // namespace attn
