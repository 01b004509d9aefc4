#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace attn {

/// The whole of a regular file of at most so many bytes. Throws Error with one line that names the file.
std::string readTextFile(const std::filesystem::path& file, std::uint64_t mostBytes);

}  // namespace attn
