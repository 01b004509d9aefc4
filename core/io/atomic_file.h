#pragma once
#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string_view>

namespace attn {

/// A file that appears whole or not at all. Write to temporary(), then commit(); without a commit the
/// target stays as it was and the temporary goes away. A symlink keeps pointing where it points: what it
/// points to is replaced. An existing target keeps its mode; one that is not a regular file, or that the
/// person may not write, is refused. Failures throw Error with a line that names the target.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// An empty file in the directory of the target; it may be overwritten or replaced by name.
  const std::filesystem::path& temporary() const { return temporary_; }

  /// Puts the temporary in the place of the target, on the disk before it returns. Call once.
  void commit();

 private:
  std::filesystem::path target_;    // as given, for error lines
  std::filesystem::path resolved_;  // symlinks followed
  std::filesystem::path temporary_;
  std::optional<mode_t> mode_;  // of the target, if it existed
  bool committed_ = false;
};

void writeFileAtomically(const std::filesystem::path& target, std::string_view bytes);

}  // namespace attn
