#pragma once
#include <string_view>
#include <vector>

#include "core/matrix.h"

namespace attn {

/// Collects numbers row by row and makes sure that the rows are equally long.
class BlockBuilder {
 public:
  /// Reads the next cell of the row.
  void add(std::string_view cell);
  void endRow();
  Matrix finished();

  /// Throws Error that starts with the place of the next cell.
  [[noreturn]] void refuse(const std::string& foundAndExpected) const;
  bool rowIsEmpty() const { return column_ == 0; }

 private:
  std::vector<float> values_;
  Index rows_ = 0, cols_ = 0, column_ = 0;
};

/// The three formats of block_text.h, each from text that looks like it.
Matrix readSpreadsheetBlock(std::string_view text, bool writesComma);
Matrix readNumpyBlock(std::string_view text);
Matrix readLatexBlock(std::string_view text);

}  // namespace attn
