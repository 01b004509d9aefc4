#include "core/io/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "core/error.h"
#include "core/io/json_parse.h"

namespace attn {
namespace {

template <class T>
std::string shortest(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (value == 0) return std::signbit(value) ? "-0.0" : "0";  // a parser may take -0 for the integer 0
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kInfinitySign = "\u221e";

/// Takes the prefix off the text if it is there.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Whether all of the text is a number; one beyond the range of T comes out as infinite or 0.
template <class T>
std::optional<T> parsed(std::string_view digits) {
  T value{};
  const char* end = digits.data() + digits.size();
  const auto [stop, fault] = std::from_chars(digits.data(), end, value);
  if (stop != end || fault == std::errc::invalid_argument) return std::nullopt;
  if (fault == std::errc{}) return value;
  // Too large or too small: long double reaches far enough to tell which.
  long double wide = 0;
  if (std::from_chars(digits.data(), end, wide).ec != std::errc{}) return std::numeric_limits<T>::infinity();
  return std::abs(wide) > 1 ? std::numeric_limits<T>::infinity() : T{0};
}

bool isWord(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), same);
}

/// The minus sign of typography is a minus.
std::string withPlainMinus(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    if (take(text, kMinus)) {
      plain += '-';
    } else {
      plain += text[0];
      text.remove_prefix(1);
    }
  }
  return plain;
}

[[noreturn]] void refuseRange(std::string_view found) {
  throw Error("found " + inQuotes(found) + ", expected a number within ±3.4e38, the range of float32");
}

/// A number without "/": sign, then digits or a word.
template <class T>
std::optional<T> simpleNumber(std::string_view whole) {
  std::string_view text = trimmed(whole);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text = trimmed(text.substr(1));
  const T sign = negative ? T{-1} : T{1};
  if (isWord(text, "inf") || isWord(text, "infinity") || text == kInfinitySign)
    return sign * std::numeric_limits<T>::infinity();
  if (isWord(text, "nan")) return std::numeric_limits<T>::quiet_NaN();
  if (text.empty() || (text[0] != '.' && (text[0] < '0' || text[0] > '9'))) return std::nullopt;
  const std::optional<T> value = parsed<T>(text);
  if (!value) return std::nullopt;
  if (std::isinf(*value)) refuseRange(trimmed(whole));
  return sign * *value;
}

/// a/b of two finite numbers, the second not 0.
std::optional<double> fraction(std::string_view above, std::string_view below) {
  const std::optional<double> a = simpleNumber<double>(above), b = simpleNumber<double>(below);
  if (!a || !b || !std::isfinite(*a) || !std::isfinite(*b) || *b == 0) return std::nullopt;
  return *a / *b;
}

}  // namespace

std::string numberText(float value) {
  const std::string text = shortest(value);
  if (!std::isfinite(value)) return text;
  double read = 0;
  std::from_chars(text.data(), text.data() + text.size(), read);
  // Rounding to double and then to float can end one float away from rounding once, as for 7.038531e-26.
  return static_cast<float>(read) == value ? text : shortest(double{value});
}

std::string numberText(double value) {
  return shortest(value);
}

float readNumber(std::string_view text) {
  const std::string plain = withPlainMinus(trimmed(text));
  std::optional<float> value;
  if (const std::size_t slash = plain.find('/'); slash == std::string::npos) {
    value = simpleNumber<float>(plain);
  } else if (const auto ratio = fraction(std::string_view(plain).substr(0, slash),
                                         std::string_view(plain).substr(slash + 1))) {
    value = static_cast<float>(*ratio);
    if (std::isinf(*value)) refuseRange(plain);
  }
  if (!value)
    throw Error("found " + (plain.empty() ? "an empty cell" : inQuotes(trimmed(text))) +
                ", expected a number");
  return *value;
}

float readTypedNumber(std::string_view text) {
  const bool isPointed = text.find('.') != std::string_view::npos;
  if (isPointed || text.find(',') == std::string_view::npos) return readNumber(text);
  std::string pointed(text);
  std::replace(pointed.begin(), pointed.end(), ',', '.');
  try {
    return readNumber(pointed);
  } catch (const Error&) {
    return readNumber(text);  // which tells of the text as it was typed
  }
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces[] = {" ", "\t", "\r", "\n", "\u00a0", "\u202f", "\u2009"};
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view space : kSpaces) {
      if (take(text, space)) found = true;
      if (text.ends_with(space)) text.remove_suffix(space.size()), found = true;
    }
  }
  return text;
}

}  // namespace attn
