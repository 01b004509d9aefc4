#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

enum class ElementType { float32, float64, boolean };

std::size_t itemSize(ElementType type);

/// An array as NumPy keeps it: C order, native byte order, booleans are bytes 0 or 1.
struct NpyArray {
  std::vector<std::size_t> shape;  // empty: a single number
  ElementType type = ElementType::float32;
  std::vector<std::byte> bytes;  // count() * itemSize(type)

  std::size_t count() const;
  double at(std::size_t flat) const;  // flat < count()
};

/// Reads the bytes of an .npy file: format 1.0 to 3.0, float32, float64 or bool of either byte order and
/// either memory order, at most 8 dimensions. Throws Error; its line starts with where, e.g.
/// "in.npz: array 'q'". Allocates no more than the bytes given.
NpyArray parseNpy(std::span<const std::byte> file, const std::string& where);

/// The same, reusing the storage of the file for the array.
NpyArray parseNpy(std::vector<std::byte>&& file, const std::string& where);

/// What stands before the data in an .npy file of C order and native byte order; a multiple of 64 bytes.
std::string npyHeader(ElementType type, const std::vector<std::size_t>& shape);

/// Text found in a file, made fit for an error line: no control characters, not too long.
std::string printable(std::string_view text, std::size_t most = 60);

}  // namespace attn
