#include "app/background.h"

#include <utility>

namespace attn {

void Background::start(Task task) {
  thread_ = std::jthread();
  isBusy_ = isRunning_ = true;
  thread_ = std::jthread([this, work = std::move(task)](std::stop_token isAbandoned) {
    work(isAbandoned);
    isRunning_ = false;
  });
}

void Background::settle() {
  if (thread_.joinable()) thread_.join();
  poll();
}

}  // namespace attn
