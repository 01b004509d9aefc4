#include "app/session/autosave.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <utility>

#include "app/session/folders.h"
#include "core/error.h"

namespace attn {
namespace fs = std::filesystem;

namespace {

/// Of this process and of no other that uses the folder, also from another machine.
std::string uniqueName() {
  std::random_device random;
  char text[64];
  std::snprintf(text, sizeof text, "%ld-%08x", static_cast<long>(::getpid()), random());
  return text;
}

fs::path lockOf(fs::path sceneFile) {
  return sceneFile.replace_extension(".lock");
}

}  // namespace

Autosave::Autosave(fs::path folder, Clock::duration delay) : folder_(std::move(folder)), delay_(delay) {}

Autosave::~Autosave() {
  {
    const std::lock_guard guard(mutex_);
    ends_ = hurries_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Autosave::watch(const ScenePointer& scene, bool isModified, const fs::path& document) {
  if (folder_.empty()) return;
  const std::lock_guard guard(mutex_);
  if (!isModified) {
    if (!seen_) return;
    seen_.reset();
    wanted_.reset();
    removes_ = true;
    changed_.notify_all();
    return;
  }
  if (scene == seen_) return;
  // Not before there is something to keep: the C library locks more once there is a second thread, which the
  // first frame would wait for.
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  // The first change that is not on the disk sets the time: later ones must not put it off.
  if (!wanted_) due_ = Clock::now() + delay_;
  seen_ = scene;
  removes_ = false;
  wanted_ = Wanted{scene, document};
  changed_.notify_all();
}

void Autosave::finish() {
  watch(nullptr, false, {});
  settle();
}

void Autosave::settle() {
  if (folder_.empty()) return;
  std::unique_lock guard(mutex_);
  hurries_ = true;
  changed_.notify_all();
  changed_.wait(guard, [this] { return !busy_ && !wanted_ && !removes_; });
  hurries_ = false;
}

std::string Autosave::takeWarning() {
  const std::lock_guard guard(mutex_);
  return std::exchange(warning_, {});
}

bool Autosave::expectsWarning() const {
  const std::lock_guard guard(mutex_);
  return !warning_.empty() || ((wanted_ || busy_) && lastFailure_.empty());
}

void Autosave::run() {
  std::unique_lock guard(mutex_);
  while (true) {
    const auto isDue = [this] { return wanted_ && (hurries_ || Clock::now() >= due_); };
    if (!isDue() && !removes_) {
      if (ends_) return;
      if (wanted_)
        changed_.wait_until(guard, due_);
      else
        changed_.wait(guard);
      continue;
    }
    busy_ = true;
    const bool removes = std::exchange(removes_, false);
    const Wanted wanted = wanted_ && !removes ? *std::exchange(wanted_, std::nullopt) : Wanted{};
    guard.unlock();
    std::string failure;
    try {
      removes ? removeFiles() : write(wanted);
    } catch (const Error& error) {
      failure = std::string("unsaved changes are not kept safe: ") + error.what();
    }
    guard.lock();
    // Tried again later: a full disk may get room.
    if (!failure.empty() && !removes && !wanted_ && !removes_ && !hurries_) {
      wanted_ = wanted;
      due_ = Clock::now() + delay_;
    }
    if (failure != lastFailure_) warning_ = lastFailure_ = failure;
    busy_ = false;
    changed_.notify_all();
  }
}

void Autosave::write(const Wanted& wanted) {
  if (!lock_) {
    makeFolder(folder_);
    file_ = folder_ / (uniqueName() + ".json");
    lock_ = FileLock::tryTake(lockOf(file_));
    if (!lock_)
      throw Error(lockOf(file_).string() + ": locked by another process, expected a name of its own");
  }
  lock_->writeNote(wanted.document.string());
  saveScene(file_, *wanted.scene);
}

void Autosave::removeFiles() {
  if (!lock_) return;
  std::error_code ignored;
  fs::remove(file_, ignored);
  lock_->removeFile();
  lock_.reset();
}

RestoreOffer::RestoreOffer(fs::path file, FileLock lock)
    : file_(std::move(file)), document_(lock.note()), lock_(std::move(lock)) {
  std::error_code error;
  time_ = fs::last_write_time(file_, error);
}

void RestoreOffer::discard() {
  std::error_code ignored;
  fs::remove(file_, ignored);
  lock_.removeFile();
}

std::vector<RestoreOffer> findRestoreOffers(const fs::path& folder) {
  std::vector<RestoreOffer> offers;
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    files.push_back(entry->path());
  for (const fs::path& file : files) try {
      const bool isScene = file.extension() == ".json" && fs::is_regular_file(file, error);
      const bool isLockAlone =
          file.extension() == ".lock" && !fs::exists(fs::path(file).replace_extension(".json"), error);
      if (!isScene && !isLockAlone) continue;
      std::optional<FileLock> lock = FileLock::tryTake(lockOf(file));
      if (!lock) continue;
      if (isScene)
        offers.emplace_back(file, std::move(*lock));
      else
        lock->removeFile();
    } catch (const Error&) {
      continue;
    }
  std::sort(offers.begin(), offers.end(),
            [](const RestoreOffer& a, const RestoreOffer& b) { return a.time() > b.time(); });
  return offers;
}

}  // namespace attn
