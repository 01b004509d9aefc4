#pragma once
#include <chrono>
#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "app/session/document.h"

namespace attn {

/// Reads scene files beside the window, which goes on drawing. One file at a time: the newest wins.
class SceneLoader {
 public:
  struct Loaded {
    std::filesystem::path file;
    ScenePointer scene;  // null where it could not be read
    std::string error;   // one line that says why
  };

  void start(const std::filesystem::path& file);
  void cancel();
  /// Waits at most so long for the file: most are there at once.
  void waitFor(std::chrono::milliseconds time);
  bool isBusy() const { return result_.valid(); }
  const std::filesystem::path& file() const { return file_; }
  /// What has been read, once.
  std::optional<Loaded> take();

 private:
  std::filesystem::path file_;
  std::future<Loaded> result_;
  std::vector<std::future<Loaded>> abandoned_;  // still being read, but nobody waits for them
};

}  // namespace attn
