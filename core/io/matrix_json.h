#pragma once
#include <cstdint>
#include <vector>

#include "core/io/json_reader.h"
#include "core/scene.h"

namespace attn {

/// Reads matrices: a list of rows of numbers, or a fill. All fills that one reader reads have to fit into
/// the memory limit together.
class MatrixReader {
 public:
  explicit MatrixReader(std::uint64_t memoryLimit) : memoryLeft_(memoryLimit) {}

  InputOf<double> input(const JsonReader& place);
  /// One matrix for all heads, or {"heads": [one, ...]}.
  std::vector<InputOf<double>> inputs(const JsonReader& place);
  /// The same for matrices of flags.
  std::vector<Bytes> flags(const JsonReader& place);

 private:
  InputOf<double> fill(const JsonReader& place);

  std::uint64_t memoryLeft_;
};

}  // namespace attn
