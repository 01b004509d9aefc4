#include "app/formula/notation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace attn {
namespace {

struct Decimal {
  std::string digits;  // without sign: "2.828"
  int power = 0;       // of ten
};

/// As far as the scene's own numbers, which are floats, go.
bool isWhole(const std::string& text, double size) {
  return std::abs(std::strtod(text.c_str(), nullptr) - size) <= 5e-7 * size;
}

/// Without the zeros at its end where nothing but zeros would follow: as a person typed it.
std::string trimmed(std::string text, double size) {
  if (text.find('.') == std::string::npos || !isWhole(text, size)) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string fixed(double size, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, size);
  return text;
}

Decimal decimalOf(double size, int digits) {
  constexpr double kLargest = 1e6, kSmallest = 1e-4;
  const int count = std::max(1, digits);
  if (size == 0) return {"0"};
  if (size >= kLargest || size < kSmallest) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*e", size < 1 ? count - 1 : count, size);
    const std::string whole = text;
    const std::size_t mark = whole.find('e');
    const int power = std::atoi(whole.c_str() + mark + 1);
    return {trimmed(whole.substr(0, mark), size / std::pow(10.0, power)), power};
  }
  const int below = size < 1 ? count - 1 - static_cast<int>(std::floor(std::log10(size))) : digits;
  return {trimmed(fixed(size, below), size)};
}

int digitsOf(const Notation& notation) {
  constexpr int kUsual = 3;
  return notation.digits < 0 ? kUsual : notation.digits;
}

std::string superscript(int number) {
  const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(number))) text += digits[digit - '0'];
  return text;
}

}  // namespace

std::string withMark(std::string number, const Notation& notation) {
  if (notation.decimalComma) std::replace(number.begin(), number.end(), '.', ',');
  return number;
}

std::string writeNumber(double value, const Notation& notation) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  const Decimal decimal = decimalOf(std::abs(value), digitsOf(notation));
  const std::string sign = value < 0 ? "−" : "", power = "10" + superscript(decimal.power);
  if (decimal.power == 0) return sign + withMark(decimal.digits, notation);
  return sign + (decimal.digits == "1" ? power : withMark(decimal.digits, notation) + "·" + power);
}

std::string writeLatexNumber(double value, const Notation& notation) {
  if (std::isnan(value)) return "\\mathrm{NaN}";
  if (std::isinf(value)) return value < 0 ? "-\\infty" : "\\infty";
  Decimal decimal = decimalOf(std::abs(value), digitsOf(notation));
  const std::size_t point = decimal.digits.find('.');
  if (notation.decimalComma && point != std::string::npos) decimal.digits.replace(point, 1, "{,}");
  const std::string sign = value < 0 ? "-" : "", power = "10^{" + std::to_string(decimal.power) + "}";
  if (decimal.power == 0) return sign + decimal.digits;
  return sign + (decimal.digits == "1" ? power : decimal.digits + " \\cdot " + power);
}

}  // namespace attn
