#pragma once
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/session/document.h"
#include "app/session/file_lock.h"

namespace attn {

/// Writes unsaved changes to a file of this process, in the background, so that a crash loses only the last
/// seconds. The file is a scene file; a lock beside it tells other windows that its owner is alive.
class Autosave {
 public:
  using Clock = std::chrono::steady_clock;

  /// A change is on the disk `delay` after it was made, and the time to write it. An empty folder: never.
  explicit Autosave(std::filesystem::path folder, Clock::duration delay = std::chrono::seconds(5));
  /// Writes what is still to be written and leaves the file, unless finish() was called.
  ~Autosave();
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;

  /// Call as often as you like, e.g. in every frame. A scene without unsaved changes removes the file.
  void watch(const ScenePointer& scene, bool isModified, const std::filesystem::path& document);
  /// A clean exit: there is nothing to restore.
  void finish();
  /// Returns when nothing is waiting to be written: what is, is written now.
  void settle();

  /// One line where writing failed, once; else empty.
  std::string takeWarning();
  /// Whether there is, or may soon be, a line that nobody has taken: a failure is told once.
  bool expectsWarning() const;

 private:
  struct Wanted {
    ScenePointer scene;
    std::filesystem::path document;
  };

  void run();
  void write(const Wanted& wanted);
  void removeFiles();

  const std::filesystem::path folder_;
  const Clock::duration delay_;

  mutable std::mutex mutex_;  // guards what follows, up to the thread's own
  std::condition_variable changed_;
  std::optional<Wanted> wanted_;
  Clock::time_point due_;
  ScenePointer seen_;  // the last scene that was wanted; keeps its address taken
  bool removes_ = false, hurries_ = false, ends_ = false, busy_ = false;
  std::string warning_, lastFailure_;

  std::filesystem::path file_;  // the thread's own
  std::optional<FileLock> lock_;
  std::thread thread_;
};

/// A scene that a process left behind without a clean exit. While it lives no other window gets the same
/// offer; when it goes without discard(), it is offered again at the next start.
class RestoreOffer {
 public:
  RestoreOffer(std::filesystem::path file, FileLock lock);

  /// The file that the person was working on; empty for a scene that was never saved.
  const std::filesystem::path& document() const { return document_; }
  std::filesystem::file_time_type time() const { return time_; }
  /// Throws Error with one line. Let the scene be autosaved before the offer is discarded.
  ScenePointer scene() const { return openScene(file_); }
  void discard();

 private:
  std::filesystem::path file_, document_;
  std::filesystem::file_time_type time_;
  FileLock lock_;
};

/// Newest first. What cannot be read is left alone.
std::vector<RestoreOffer> findRestoreOffers(const std::filesystem::path& folder);

}  // namespace attn
