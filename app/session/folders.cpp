#include "app/session/folders.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "core/error.h"

namespace attn {
namespace fs = std::filesystem;

namespace {

/// Relative paths are to be ignored: they would mean another folder in every directory.
fs::path absoluteOr(const std::optional<std::string>& value, const fs::path& fallback) {
  if (value && fs::path(*value).is_absolute()) return *value;
  return fallback;
}

fs::path inside(const fs::path& base) {
  return base.empty() ? base : base / "attnscope";
}

}  // namespace

Environment processEnvironment() {
  return [](const std::string& name) -> std::optional<std::string> {
    if (const char* value = std::getenv(name.c_str())) return value;
    if (name != "HOME") return std::nullopt;
    const passwd* user = ::getpwuid(::getuid());
    return user && user->pw_dir ? std::optional<std::string>(user->pw_dir) : std::nullopt;
  };
}

Folders foldersOf(const Environment& environment) {
  const fs::path home = absoluteOr(environment("HOME"), {});
  const auto folder = [&](const char* name, const char* usual) {
    return inside(absoluteOr(environment(name), home.empty() ? home : home / usual));
  };
  return {folder("XDG_CONFIG_HOME", ".config"), folder("XDG_STATE_HOME", ".local/state"),
          folder("XDG_DATA_HOME", ".local/share")};
}

void makeFolder(const fs::path& folder) {
  if (folder.empty()) throw Error("no home folder: found neither HOME nor the XDG folders, expected one");
  std::error_code error;
  const bool isNew = fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder, error) && !error)
    error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw Error(folder.string() + ": cannot make this folder: " + error.message());
  if (isNew) fs::permissions(folder, fs::perms::owner_all, error);
}

}  // namespace attn
