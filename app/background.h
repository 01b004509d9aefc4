#pragma once
#include <atomic>
#include <functional>
#include <stop_token>
#include <thread>

namespace attn {

/// One task at a time beside the window. All but the task itself happens on the caller's thread.
class Background {
 public:
  using Task = std::function<void(std::stop_token isAbandoned)>;

  /// Abandons the task before and waits for its end: a task looks at its token every few milliseconds.
  void start(Task task);
  /// Once a frame: whether there is still something to come. What the task did is complete when not.
  bool poll() { return isBusy_ = isRunning_.load(); }
  bool isBusy() const { return isBusy_; }
  /// Waits for the end.
  void settle();

 private:
  bool isBusy_ = false;
  std::atomic<bool> isRunning_ = false;
  std::jthread thread_;  // the last one: it ends before what it uses
};

}  // namespace attn
