#pragma once
#include <cstdint>
#include <filesystem>

namespace attn {

/// Bytes that this process can still take without swapping: what the kernel calls available, or what a
/// cgroup v2 limit leaves if that is less. The root is "/" outside tests.
std::uint64_t availableMemory(const std::filesystem::path& root = "/");

}  // namespace attn
