#include "app/files/file_dialog.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace attn {
namespace fs = std::filesystem;

namespace {

bool isFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// The nearest folder that exists: what a recent file lay in may be gone.
fs::path existing(fs::path folder) {
  while (!isFolder(folder) && folder.has_relative_path()) folder = folder.parent_path();
  return isFolder(folder) ? folder : fs::path("/");
}

}  // namespace

void FileDialog::show(Purpose purpose, const fs::path& start, Done done) {
  std::error_code ignored;
  const fs::path absolute = fs::absolute(start.empty() ? home_ : start, ignored);
  purpose_ = purpose;
  done_ = std::move(done);
  isOpen_ = isNew_ = true;
  enter(existing(isFolder(absolute) ? absolute : absolute.parent_path()));
  setTyped(!isFolder(absolute) && purpose == Purpose::save ? absolute.filename().string() : "");
}

void FileDialog::cancel() {
  isOpen_ = false;
  done_ = nullptr;
}

void FileDialog::refresh() {
  chosen_ = -1;
  try {
    entries_ = listFolder(folder_, rules_);
    error_.clear();
  } catch (const Error& error) {
    entries_.clear();
    error_ = error.what();
  }
}

void FileDialog::enter(const fs::path& folder) {
  folder_ = folder.lexically_normal();
  if (!folder_.has_filename() && folder_.has_relative_path()) folder_ = folder_.parent_path();
  toReplace_.clear();
  wantsFocus_ = true;
  refresh();
}

void FileDialog::setTyped(std::string typed) {
  typed_ = std::move(typed);
  toReplace_.clear();
  error_.clear();
  chosen_ = -1;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].name == typed_) chosen_ = static_cast<int>(i);
}

void FileDialog::choose(std::size_t index) {
  setTyped(entries_[index].name);
  wantsFocus_ = true;
}

void FileDialog::moveChoice(int by) {
  if (entries_.empty()) return;
  const int last = static_cast<int>(entries_.size()) - 1;
  const int next = chosen_ < 0 ? (by > 0 ? 0 : last) : std::clamp(chosen_ + by, 0, last);
  setTyped(entries_[static_cast<std::size_t>(next)].name);
  scrollsToChoice_ = true;
}

void FileDialog::accept() {
  if (typed_.empty()) {
    error_ = "Type a name, or choose one above.";
    return;
  }
  const fs::path path = resolvePath(typed_, folder_, home_);
  if (isFolder(path)) {
    enter(path);
    setTyped("");
  } else if (purpose_ == Purpose::open) {
    acceptOpen(path);
  } else {
    acceptSave(path);
  }
}

void FileDialog::acceptOpen(const fs::path& path) {
  std::error_code problem;
  if (fs::is_regular_file(path, problem)) return finish(path);
  error_ = path.string() + (problem || !fs::exists(path, problem) ? ": there is no such file."
                                                                  : ": not a file, expected a scene.");
}

void FileDialog::acceptSave(fs::path path) {
  if (path.extension().empty()) path += ".json";
  if (path.extension() != ".json") {
    error_ = "Scenes are saved as .json; found " + path.extension().string() + ".";
  } else if (!isFolder(path.parent_path())) {
    error_ = path.parent_path().string() + ": there is no such folder.";
  } else {
    std::error_code ignored;
    if (fs::exists(path, ignored) && toReplace_ != path)
      toReplace_ = path;
    else
      finish(path);
  }
}

void FileDialog::finish(const fs::path& file) {
  const Done done = std::exchange(done_, nullptr);
  isOpen_ = false;
  if (done) done(file);
}

}  // namespace attn
