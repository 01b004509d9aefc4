#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

namespace attn {

/// Pixels from the top left, four bytes each: red, green, blue, alpha.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;

  const std::uint8_t* at(int x, int y) const {
    return rgba.data() +
           4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
  }
};

/// Writes a PNG, whole or not at all. Throws Error with one line that names the file.
void writePng(const Image& image, const std::filesystem::path& file);

}  // namespace attn
