#include "core/io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <random>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void failToWrite(const fs::path& target, int code) {
  throw Error(target.string() + ": cannot write: " + std::generic_category().message(code));
}

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor(const fs::path& file, int flags, mode_t mode = 0)
      : value_(::open(file.c_str(), flags | O_CLOEXEC, mode)) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }
  bool isOpen() const { return value_ >= 0; }
  bool close() { return ::close(std::exchange(value_, -1)) == 0; }

 private:
  int value_;
};

/// Where a write to the path ends up. Unlike fs::canonical the last link may dangle: what it points to is
/// then a new file.
fs::path followLinks(const fs::path& target) {
  constexpr int kMostLinks = 40;
  fs::path result = target;
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code ignored;
    if (!fs::is_symlink(fs::symlink_status(result, ignored))) return result;
    std::error_code error;
    const fs::path next = fs::read_symlink(result, error);
    if (error) failToWrite(target, error.value());
    result = next.is_absolute() ? next : result.parent_path() / next;
  }
  failToWrite(target, ELOOP);
}

/// The mode of an existing target; throws when a rename must not replace it.
std::optional<mode_t> modeOfReplaceable(const fs::path& target) {
  struct stat status {};
  if (::stat(target.c_str(), &status) != 0) {
    if (errno == ENOENT) return std::nullopt;
    failToWrite(target, errno);
  }
  if (S_ISDIR(status.st_mode)) failToWrite(target, EISDIR);
  if (!S_ISREG(status.st_mode)) throw Error(target.string() + ": cannot write: not a regular file");
  // A rename asks only the directory; a file that was made read-only is meant to stay.
  if (::access(target.c_str(), W_OK) != 0) failToWrite(target, errno);
  return status.st_mode & 07777;
}

std::string randomName() {
  std::random_device random;
  char text[32];
  std::snprintf(text, sizeof text, ".attnscope-%08x%08x", random(), random());
  return text;
}

/// Makes a new empty file beside the sibling and returns its path.
fs::path createBeside(const fs::path& sibling, mode_t mode, const fs::path& target) {
  constexpr int kMostTries = 100;
  for (int tries = 0; tries < kMostTries; ++tries) {
    const fs::path candidate = sibling.parent_path() / randomName();
    const Descriptor file(candidate, O_WRONLY | O_CREAT | O_EXCL, mode);
    if (file.isOpen()) return candidate;
    if (errno != EEXIST) failToWrite(target, errno);
  }
  failToWrite(target, EEXIST);
}

/// Makes the rename itself last. Best effort: some file systems cannot sync a directory.
void syncDirectoryOf(const fs::path& file) {
  const fs::path directory = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const Descriptor descriptor(directory, O_RDONLY | O_DIRECTORY);
  if (descriptor.isOpen()) ::fsync(descriptor.get());
}

void writeAll(int descriptor, std::string_view bytes, const fs::path& target) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) failToWrite(target, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  mode_ = modeOfReplaceable(target_);
  resolved_ = followLinks(target_);
  if (!resolved_.has_filename()) failToWrite(target_, target_.empty() ? ENOENT : EISDIR);
  // What replaces a private file must not be readable by others meanwhile; commit() sets the final mode.
  temporary_ = createBeside(resolved_, mode_ ? 0600 : 0666, target_);
}

AtomicFile::~AtomicFile() {
  if (!committed_) ::unlink(temporary_.c_str());
}

void AtomicFile::commit() {
  // Opened anew because a writer may have replaced the file by name (libzip does).
  Descriptor file(temporary_, O_RDONLY | O_NOFOLLOW);
  if (!file.isOpen()) failToWrite(target_, errno);
  if (mode_ && ::fchmod(file.get(), *mode_) != 0) failToWrite(target_, errno);
  if (::fsync(file.get()) != 0) failToWrite(target_, errno);
  if (!file.close()) failToWrite(target_, errno);
  if (::rename(temporary_.c_str(), resolved_.c_str()) != 0) failToWrite(target_, errno);
  committed_ = true;
  syncDirectoryOf(resolved_);
}

void writeFileAtomically(const fs::path& target, std::string_view bytes) {
  AtomicFile file(target);
  Descriptor descriptor(file.temporary(), O_WRONLY | O_TRUNC);
  if (!descriptor.isOpen()) failToWrite(target, errno);
  writeAll(descriptor.get(), bytes, target);
  if (!descriptor.close()) failToWrite(target, errno);
  file.commit();
}

}  // namespace attn
