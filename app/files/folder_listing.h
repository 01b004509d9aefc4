#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace attn {

struct FolderEntry {
  std::string name;
  bool isFolder = false;
  std::uintmax_t bytes = 0;  // of a file
  std::filesystem::file_time_type time;
};

/// What a file dialog shows of a folder.
struct ListingRules {
  bool showsAllFiles = false;  // else only scenes: .json and .npz
  bool showsHidden = false;    // names that begin with a dot
};

/// Folders first, each kind in the order of its names. Throws Error with one line where the folder cannot be
/// read; entries that cannot be looked at are left out.
std::vector<FolderEntry> listFolder(const std::filesystem::path& folder, const ListingRules& rules);

/// A typed path as an absolute one: "~" is the home, what is relative starts at the folder.
std::filesystem::path resolvePath(const std::string& typed, const std::filesystem::path& folder,
                                  const std::filesystem::path& home);

/// What Tab makes of a typed path: as much as all entries that begin like it agree on; a folder that is alone
/// gets its slash. Case matters only where it has to.
std::string completePath(const std::string& typed, const std::filesystem::path& folder,
                         const std::filesystem::path& home, const ListingRules& rules);

/// "812 B", "3.4 kB", "12 MB".
std::string bytesText(std::uintmax_t bytes);
/// "2026-11-18 06:12", in local time.
std::string timeText(std::filesystem::file_time_type time);

}  // namespace attn
