#pragma once
#include <string>
#include <string_view>

#include "core/matrix.h"

namespace attn {

/// A rectangular block of numbers as text: what a copy puts on the clipboard and a paste finds there.
///   spreadsheet: cells between tabs, semicolons, commas or blanks, a line a row
///   numpy:       array([[1., 2.], [3., 4.]]), nested lists, and arrays as NumPy prints them
///   latex:       bmatrix, pmatrix, array and their kin, cells between &, rows between \\ (backslashes)
enum class BlockFormat { spreadsheet, numpy, latex };

/// More numbers than this are refused: no one types or pastes them on purpose.
constexpr Index kMostBlockNumbers = Index{1} << 24;

/// The format that the text looks like.
BlockFormat formatOf(std::string_view text);

/// The block in the text, in whatever format it is. At least one row and one column.
/// Throws Error with one line that names the row and column (counted from 1), what was found and what was
/// expected. A decimal comma is taken where the text leaves no doubt: "0,5<tab>1,25", but not "1,234<tab>2",
/// unless `writesComma` says that whoever pastes writes numbers so.
Matrix readBlock(std::string_view text, bool writesComma = false);

/// The text of a block. Reading it gives the same floats again.
std::string writeBlock(const Matrix& block, BlockFormat format);

}  // namespace attn
