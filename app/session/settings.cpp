#include "app/session/settings.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "app/session/folders.h"
#include "core/error.h"
#include "core/io/atomic_file.h"

namespace attn {
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestFile = 4 << 20;

std::string textOf(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(file.string() + ": cannot read: " + std::strerror(errno));
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The text of a small regular file. Nothing where there is no file; throws Error where it cannot be read.
std::optional<std::string> smallFile(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) return std::nullopt;
  if (error) throw Error(file.string() + ": cannot read: " + error.message());
  if (!fs::is_regular_file(status)) throw Error(file.string() + ": not a regular file, expected settings");
  if (fs::file_size(file, error) > kLargestFile)
    throw Error(file.string() + ": more than 4 MiB, expected settings");
  return textOf(file);
}

/// A name for the copy: "settings.json.bad", or the first of "settings.json.bad-2", … that is free. One that
/// holds the same text already will do.
std::optional<fs::path> nameAside(const fs::path& file, const std::string& text) {
  constexpr int kMostCopies = 20;
  for (int i = 1; i <= kMostCopies; ++i) {
    fs::path name = file;
    name += i == 1 ? ".bad" : ".bad-" + std::to_string(i);
    std::error_code error;
    if (!fs::exists(fs::symlink_status(name, error)) || textOf(name) == text) return name;
  }
  return std::nullopt;
}

std::string normal(const fs::path& file) {
  std::error_code error;
  const fs::path absolute = fs::absolute(file, error);
  return (error ? file : absolute).lexically_normal().string();
}

}  // namespace

SettingsFile::SettingsFile(fs::path file) : file_(std::move(file)) {
  if (file_.empty()) return;
  try {
    load();
  } catch (const Error& error) {
    // What cannot be read must not be written over.
    mayOverwrite_ = false;
    warning_ = error.what();
  }
}

void SettingsFile::load() {
  const std::optional<std::string> text = smallFile(file_);
  if (!text) return;
  std::vector<std::string> faults;
  saved_ = readSettings(*text, file_.string(), faults);
  if (faults.empty()) return;
  warning_ = faults.front();
  if (faults.size() > 1) warning_ += " (and " + std::to_string(faults.size() - 1) + " more)";
  keepAside(*text);
}

void SettingsFile::keepAside(const std::string& text) {
  try {
    const std::optional<fs::path> copy = nameAside(file_, text);
    if (!copy) throw Error("too many copies");
    writeFileAtomically(*copy, text);
    warning_ += "; kept as " + copy->filename().string() + ", the default is used";
  } catch (const Error&) {
    mayOverwrite_ = false;
    warning_ += "; the default is used, and the file is left alone";
  }
}

std::string SettingsFile::save(const Settings& settings) {
  if (settings == saved_) return {};
  if (file_.empty()) return tellOnce("settings are not kept: no home folder");
  if (!mayOverwrite_)
    return tellOnce(file_.string() + ": settings are not kept: the file there was not understood");
  try {
    makeFolder(file_.parent_path());
    writeFileAtomically(file_, writeSettings(settings));
  } catch (const Error& error) {
    return tellOnce(std::string("settings are not kept: ") + error.what());
  }
  saved_ = settings;
  lastFailure_.clear();
  return {};
}

std::string SettingsFile::tellOnce(const std::string& line) {
  if (line == lastFailure_) return {};
  lastFailure_ = line;
  return line;
}

void rememberRecent(std::vector<std::string>& list, const fs::path& file, std::size_t most) {
  forgetRecent(list, file);
  list.insert(list.begin(), normal(file));
  if (list.size() > most) list.resize(most);
}

void forgetRecent(std::vector<std::string>& list, const fs::path& file) {
  std::erase(list, normal(file));
}

}  // namespace attn
