#include "app/background.h"

#include <exception>
#include <utility>

namespace attn {

void Background::start(Task task) {
  abandon();
  isBusy_ = isRunning_ = true;
  thread_ = std::jthread([this, work = std::move(task)](std::stop_token isAbandoned) {
    try {
      work(isAbandoned);
    } catch (const std::exception& error) {  // too little memory, for instance: the window goes on
      trouble_ = error.what();
    }
    isRunning_ = false;
  });
}

void Background::abandon() {
  thread_ = std::jthread();
  isBusy_ = isRunning_ = false;
  failure_.clear();
  trouble_.clear();
}

bool Background::poll() {
  isBusy_ = isRunning_.load();
  if (!isBusy_) failure_ = trouble_;
  return isBusy_;
}

void Background::settle() {
  if (thread_.joinable()) thread_.join();
  poll();
}

}  // namespace attn
