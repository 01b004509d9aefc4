#include "app/session/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace attn {
namespace {

/// Whether the path still leads to the open file: its last owner may have removed it meanwhile.
bool isStillThere(const std::filesystem::path& file, int descriptor) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(file.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

std::optional<FileLock> FileLock::tryTake(const std::filesystem::path& file) {
  constexpr int kMostTries = 10;
  for (int tries = 0; tries < kMostTries; ++tries) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0)
      throw Error(file.string() + ": cannot write: " + std::generic_category().message(errno));
    FileLock lock(file, descriptor);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return std::nullopt;
    if (isStillThere(file, descriptor)) return lock;
  }
  return std::nullopt;
}

FileLock::FileLock(FileLock&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileLock::writeNote(const std::string& note) const {
  if (::ftruncate(descriptor_, 0) != 0 ||
      ::pwrite(descriptor_, note.data(), note.size(), 0) != static_cast<ssize_t>(note.size()))
    throw Error(file_.string() + ": cannot write: " + std::generic_category().message(errno));
}

std::string FileLock::note() const {
  constexpr std::size_t kLongest = 4096;
  std::string text(kLongest, '\0');
  const ssize_t count = ::pread(descriptor_, text.data(), text.size(), 0);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

void FileLock::removeFile() {
  ::unlink(file_.c_str());
}

}  // namespace attn
