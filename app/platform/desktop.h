#pragma once
#include <filesystem>
#include <string>

namespace attn {

/// Shows a file or folder with the program that the desktop has for it, and does not wait for that. One line
/// where there is none; else empty.
std::string openWithDesktop(const std::filesystem::path& path);

}  // namespace attn
