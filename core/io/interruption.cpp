#include "core/io/interruption.h"

#include <csignal>
#include <iterator>

namespace attn {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
// A signal handler may touch nothing else.
volatile std::sig_atomic_t received = 0;
struct sigaction before[std::size(kSignals)];

void remember(int signal) {
  received = signal;
}

}  // namespace

InterruptionGuard::InterruptionGuard() {
  struct sigaction action = {};
  action.sa_handler = remember;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    // nohup and background jobs ignore some on purpose: leave those.
    if (before[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptionGuard::~InterruptionGuard() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before[i], nullptr);
  const int signal = received;
  received = 0;
  if (signal) raise(signal);
}

bool isInterrupted() {
  return received != 0;
}

}  // namespace attn
