#include "app/image.h"

#include <png.h>

#include <string>

#include "core/error.h"
#include "core/io/atomic_file.h"

namespace attn {

void writePng(const Image& image, const std::filesystem::path& file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGBA;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgba.data(), 0, nullptr))
    throw Error(file.string() + ": " + png.message);
  bytes.resize(size);
  writeFileAtomically(file, bytes);
}

}  // namespace attn
