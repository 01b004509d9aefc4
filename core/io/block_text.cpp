#include "core/io/block_text.h"

#include <cmath>
#include <string>

#include "core/error.h"
#include "core/io/block_readers.h"
#include "core/io/number_text.h"

namespace attn {
namespace {

std::string latexNumber(float value) {
  if (std::isnan(value)) return "\\mathrm{nan}";
  if (std::isinf(value)) return value > 0 ? "\\infty" : "-\\infty";
  const std::string text = numberText(value);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  return text.substr(0, e) + " \\cdot 10^{" + std::to_string(std::stoi(text.substr(e + 1))) + "}";
}

/// What stands around and between the cells of a format.
struct Punctuation {
  std::string begin, beginRow, betweenCells, endRow, betweenRows, end;
};

Punctuation punctuationOf(BlockFormat format) {
  switch (format) {
    case BlockFormat::numpy:
      return {"array([", "[", ", ", "]", ",\n       ", "])"};
    case BlockFormat::latex:
      return {"\\begin{bmatrix}\n", "  ", " & ", "", " \\\\\n", "\n\\end{bmatrix}"};
    case BlockFormat::spreadsheet:
      break;
  }
  return {"", "", "\t", "", "\n", "\n"};
}

}  // namespace

void BlockBuilder::add(std::string_view cell) {
  if (static_cast<Index>(values_.size()) == kMostBlockNumbers)
    throw Error("found more than " + std::to_string(kMostBlockNumbers) + " numbers, expected at most that");
  try {
    values_.push_back(readNumber(cell));
  } catch (const Error& error) {
    refuse(error.what());
  }
  ++column_;
}

void BlockBuilder::endRow() {
  if (rows_ == 0) cols_ = column_;
  if (column_ != cols_)
    throw Error("row " + std::to_string(rows_ + 1) + ": found " + std::to_string(column_) +
                (column_ == 1 ? " number" : " numbers") + ", expected " + std::to_string(cols_) +
                " as in the first row");
  ++rows_;
  column_ = 0;
}

Matrix BlockBuilder::finished() {
  if (values_.empty()) throw Error("found no numbers, expected a block of numbers");
  return ConstMatrixView<float>(values_.data(), rows_, cols_);
}

void BlockBuilder::refuse(const std::string& foundAndExpected) const {
  throw Error("row " + std::to_string(rows_ + 1) + ", column " + std::to_string(column_ + 1) + ": " +
              foundAndExpected);
}

BlockFormat formatOf(std::string_view text) {
  const std::string_view start = trimmed(text);
  if (start.find("\\begin") != std::string_view::npos || start.find('&') != std::string_view::npos)
    return BlockFormat::latex;
  // A list, or a call around one: array([...]), np.array([...]), torch.tensor([...]).
  const std::size_t bracket = start.find('[');
  if (bracket == 0 || (bracket != std::string_view::npos && trimmed(start.substr(0, bracket)).ends_with('(')))
    return BlockFormat::numpy;
  return BlockFormat::spreadsheet;
}

Matrix readBlock(std::string_view text, bool writesComma) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  switch (formatOf(text)) {
    case BlockFormat::numpy:
      return readNumpyBlock(text);
    case BlockFormat::latex:
      return readLatexBlock(text);
    case BlockFormat::spreadsheet:
      break;
  }
  return readSpreadsheetBlock(text, writesComma);
}

std::string writeBlock(const Matrix& block, BlockFormat format) {
  const Punctuation marks = punctuationOf(format);
  std::string text = marks.begin;
  for (Index i = 0; i < block.rows(); ++i) {
    text += (i > 0 ? marks.betweenRows : "") + marks.beginRow;
    for (Index j = 0; j < block.cols(); ++j) {
      if (j > 0) text += marks.betweenCells;
      text += format == BlockFormat::latex ? latexNumber(block(i, j)) : numberText(block(i, j));
    }
    text += marks.endRow;
  }
  return text + marks.end;
}

}  // namespace attn
