#pragma once
#include <string>

#include "core/matrix.h"

namespace attn {

/// How numbers and places are written for people. Files do not know of it.
struct Notation {
  static constexpr int kAutomatic = -1;
  int digits = kAutomatic;    // behind the point; automatic: as many as suit the numbers
  bool decimalComma = false;  // 0,5
  int first = 0;              // 0 or 1: what the first token and the first dimension are counted as

  bool queriesAreColumns = false;  // and all tokens with them: rows and columns of every matrix trade places

  bool operator==(const Notation&) const = default;

  Index counted(Index i) const { return i + first; }
  /// Between the numbers of a list.
  const char* separator() const { return decimalComma ? "; " : ", "; }
};

/// The text of a number with a comma for its point, where that is wanted.
std::string withMark(std::string number, const Notation& notation);

/// A number of a derivation: so many digits behind the point, and where it is below 1 so many that count,
/// that others can be computed from it. "2.828", "0.0127", "1.23·10⁻⁵", "−∞", "NaN". Zeros at the end are
/// left out where the number is no longer than that.
std::string writeNumber(double value, const Notation& notation);
/// The same as LaTeX: "1.23 \cdot 10^{-5}", "-\infty".
std::string writeLatexNumber(double value, const Notation& notation);

}  // namespace attn
