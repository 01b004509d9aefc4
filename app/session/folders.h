#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace attn {

/// Where the program keeps its own files, as the XDG Base Directory Specification says. A folder is empty
/// where there is no place for it; none of them need exist.
struct Folders {
  std::filesystem::path config;  // settings
  std::filesystem::path state;   // autosaved scenes
  std::filesystem::path data;    // what a person adds to the program
};

/// The value of an environment variable, if it is set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
Environment processEnvironment();

/// $XDG_CONFIG_HOME and its kin, where they are absolute paths, else the usual folders in $HOME.
Folders foldersOf(const Environment& environment);

/// Makes a folder that only its owner may enter. Throws Error with one line.
void makeFolder(const std::filesystem::path& folder);

}  // namespace attn
