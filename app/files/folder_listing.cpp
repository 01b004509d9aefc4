#include "app/files/folder_listing.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "core/error.h"

namespace attn {
namespace fs = std::filesystem;

namespace {

char lower(char letter) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

std::string lower(std::string text) {
  for (char& letter : text) letter = lower(letter);
  return text;
}

bool isShown(const FolderEntry& entry, const ListingRules& rules) {
  if (!rules.showsHidden && entry.name.starts_with('.')) return false;
  if (entry.isFolder || rules.showsAllFiles) return true;
  const std::string extension = lower(fs::path(entry.name).extension().string());
  return extension == ".json" || extension == ".npz";
}

FolderEntry entryOf(const fs::directory_entry& found) {
  std::error_code ignored;
  FolderEntry entry;
  entry.name = found.path().filename().string();
  entry.isFolder = found.is_directory(ignored);
  if (!entry.isFolder) entry.bytes = found.file_size(ignored);
  if (ignored) entry.bytes = 0;
  entry.time = found.last_write_time(ignored);
  return entry;
}

bool comesBefore(const FolderEntry& a, const FolderEntry& b) {
  if (a.isFolder != b.isFolder) return a.isFolder;
  const std::string left = lower(a.name), right = lower(b.name);
  return left != right ? left < right : a.name < b.name;
}

bool startsAlike(const std::string& name, const std::string& start, bool caseMatters) {
  if (caseMatters) return name.starts_with(start);
  return lower(name).starts_with(lower(start));
}

/// The names that begin like `start`; case is looked at only if that leaves some.
std::vector<FolderEntry> candidates(const std::vector<FolderEntry>& entries, const std::string& start) {
  std::vector<FolderEntry> found;
  for (const bool caseMatters : {true, false}) {
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(found),
                 [&](const FolderEntry& entry) { return startsAlike(entry.name, start, caseMatters); });
    if (!found.empty()) break;
  }
  return found;
}

std::string commonStart(const std::vector<FolderEntry>& entries) {
  std::string common = entries.front().name;
  for (const FolderEntry& entry : entries) {
    const auto end = std::mismatch(common.begin(), common.end(), entry.name.begin(), entry.name.end()).first;
    common.erase(end, common.end());
  }
  // Not into the middle of a letter of several bytes.
  while (!common.empty() && common.size() < entries.front().name.size() &&
         (static_cast<unsigned char>(entries.front().name[common.size()]) & 0xc0) == 0x80)
    common.pop_back();
  return common;
}

}  // namespace

std::vector<FolderEntry> listFolder(const fs::path& folder, const ListingRules& rules) {
  std::error_code error;
  std::vector<FolderEntry> entries;
  fs::directory_iterator place(folder, error);
  for (; !error && place != fs::directory_iterator(); place.increment(error)) {
    FolderEntry entry = entryOf(*place);
    if (isShown(entry, rules)) entries.push_back(std::move(entry));
  }
  if (error) throw Error(folder.string() + ": cannot read this folder: " + error.message());
  std::sort(entries.begin(), entries.end(), comesBefore);
  return entries;
}

fs::path resolvePath(const std::string& typed, const fs::path& folder, const fs::path& home) {
  fs::path path = typed;
  if (typed == "~" || typed.starts_with("~/"))
    path = home / typed.substr(std::min<std::size_t>(2, typed.size()));
  return (path.is_absolute() ? path : folder / path).lexically_normal();
}

std::string completePath(const std::string& typed, const fs::path& folder, const fs::path& home,
                         const ListingRules& rules) {
  const std::size_t slash = typed.rfind('/');
  const std::string before = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  const std::string start = slash == std::string::npos ? typed : typed.substr(slash + 1);
  ListingRules wider = rules;
  wider.showsHidden |= start.starts_with('.');
  try {
    const auto found = candidates(listFolder(resolvePath(before, folder, home), wider), start);
    if (found.empty()) return typed;
    const bool isOneFolder = found.size() == 1 && found.front().isFolder;
    const std::string common = commonStart(found);
    return common.size() < start.size() ? typed : before + common + (isOneFolder ? "/" : "");
  } catch (const Error&) {
    return typed;  // a folder that cannot be read completes nothing
  }
}

std::string bytesText(std::uintmax_t bytes) {
  char text[32];
  const double count = static_cast<double>(bytes);
  if (bytes < 1000)
    std::snprintf(text, sizeof text, "%d B", static_cast<int>(bytes));
  else if (bytes < 1000000)
    std::snprintf(text, sizeof text, "%.1f kB", count / 1e3);
  else
    std::snprintf(text, sizeof text, "%.1f MB", count / 1e6);
  return text;
}

std::string timeText(fs::file_time_type time) {
  const auto system = std::chrono::file_clock::to_sys(time);
  const std::time_t seconds =
      std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::seconds>(system));
  std::tm parts{};
  if (!localtime_r(&seconds, &parts)) return "";
  char text[32];
  return std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts) ? text : "";
}

}  // namespace attn
