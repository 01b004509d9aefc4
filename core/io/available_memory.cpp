#include "core/io/available_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// The number after a word that starts a line: "MemAvailable: 123 kB", "inactive_file 123".
std::optional<std::uint64_t> numberAfter(const fs::path& file, std::string_view word) {
  std::ifstream in(file);
  std::string first;
  std::string rest;
  while (in >> first && std::getline(in, rest)) {
    if (first != word) continue;
    const std::size_t digit = rest.find_first_of("0123456789");
    if (digit == std::string::npos) return std::nullopt;
    return std::strtoull(rest.c_str() + digit, nullptr, 10);
  }
  return std::nullopt;
}

/// A file that holds one number; none when it is missing or says "max".
std::optional<std::uint64_t> onlyNumber(const fs::path& file) {
  std::ifstream in(file);
  std::uint64_t value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

std::uint64_t leftInGroup(const fs::path& group) {
  const auto most = onlyNumber(group / "memory.max");
  const auto current = onlyNumber(group / "memory.current");
  if (!most || !current) return kNoLimit;
  // Cache of files counts as used but is dropped on demand, so it must not make a limit look reached.
  const std::uint64_t cache = numberAfter(group / "memory.stat", "inactive_file").value_or(0);
  const std::uint64_t used = *current - std::min(*current, cache);
  return *most - std::min(*most, used);
}

/// The tightest limit of the process's own group and of all the groups around it.
std::uint64_t leftInGroups(const fs::path& root) {
  const fs::path mount = root / "sys/fs/cgroup";
  std::uint64_t left = leftInGroup(mount);
  std::ifstream groups(root / "proc/self/cgroup");
  std::string line;
  while (std::getline(groups, line)) {
    constexpr std::string_view kVersion2 = "0::/";
    if (!line.starts_with(kVersion2)) continue;
    fs::path group = mount;
    for (const fs::path& part : fs::path(line.substr(kVersion2.size()))) {
      group /= part;
      left = std::min(left, leftInGroup(group));
    }
  }
  return left;
}

std::uint64_t leftInMachine(const fs::path& root) {
  if (const auto kibibytes = numberAfter(root / "proc/meminfo", "MemAvailable:")) return *kibibytes * 1024;
  const long pages = ::sysconf(_SC_AVPHYS_PAGES);
  const long pageSize = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || pageSize <= 0) return kNoLimit;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageSize);
}

}  // namespace

std::uint64_t availableMemory(const fs::path& root) {
  return std::min(leftInMachine(root), leftInGroups(root));
}

}  // namespace attn
