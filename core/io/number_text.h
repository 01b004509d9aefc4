#pragma once
#include <string>
#include <string_view>

namespace attn {

/// The shortest text that reads back to the same number: "0.1", "1e-05", "0", "-0.0", "nan", "inf", "-inf".
/// That of a float also does so for a reader that goes through double.
std::string numberText(float value);
std::string numberText(double value);

/// The number that a person typed: "1.5", "-2e3", ".5", "1/3", "nan", "inf", also with U+2212 for minus and
/// U+221E for infinity. Throws Error "found ..., expected ..." for anything else, and for a number that
/// float32 cannot hold.
float readNumber(std::string_view text);

/// The same for a number that stands alone, as in a cell that is typed into: a comma can then only be the
/// decimal one. "1,5" is 1.5.
float readTypedNumber(std::string_view text);

/// The text without white space at its ends: blanks, tabs, ends of line, no-break spaces.
std::string_view trimmed(std::string_view text);

}  // namespace attn
