#pragma once

namespace attn {

/// While one lives, Ctrl-C and its kin (SIGINT, SIGTERM, SIGHUP) do not end the process on the spot: a writer
/// can stop and take its unfinished file away. The last thing its end does is to pass the signal on.
class InterruptionGuard {
 public:
  InterruptionGuard();
  ~InterruptionGuard();
  InterruptionGuard(const InterruptionGuard&) = delete;
  InterruptionGuard& operator=(const InterruptionGuard&) = delete;
};

/// Whether such a signal has come while a guard lived.
bool isInterrupted();

}  // namespace attn
