#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace attn {

/// A lock on a small file, held until this object or the process ends: a crash lets go of it too.
class FileLock {
 public:
  /// Nothing where somebody else (or another lock of this process) holds it. Makes the file if need be.
  /// Throws Error where the file cannot be made.
  static std::optional<FileLock> tryTake(const std::filesystem::path& file);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  /// A note in the file, for whoever takes the lock next.
  void writeNote(const std::string& note) const;
  std::string note() const;
  /// Removes the file while it is still locked.
  void removeFile();

 private:
  FileLock(std::filesystem::path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}

  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace attn
