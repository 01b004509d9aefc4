#include "app/views/writing.h"

#include <imgui_internal.h>

#include <algorithm>
#include <string_view>

namespace attn {
namespace {

using Text = std::u32string;

/// The forms of an Arabic letter, in the order of Unicode: alone, after another, before another, between two.
/// Some letters do not join with what follows: they have the first two only.
struct Forms {
  char32_t first = 0;
  int count = 0;  // 0: no Arabic letter
};

Forms formsOf(char32_t letter) {
  // From U+0621 on, and from U+FE80 on: how many forms each letter has.
  constexpr std::string_view kCounts =
      "12222424244444222244444444"
      "000000"
      "4444444224";
  constexpr struct {
    char32_t letter;
    Forms forms;
  } kPersian[] = {{0x67e, {0xfb56, 4}}, {0x686, {0xfb7a, 4}}, {0x698, {0xfb8a, 2}},
                  {0x6a9, {0xfb8e, 4}}, {0x6af, {0xfb92, 4}}, {0x6cc, {0xfbfc, 4}}};
  for (const auto& persian : kPersian)
    if (persian.letter == letter) return persian.forms;
  if (letter < 0x621 || letter > 0x64a) return {};
  Forms forms{0xfe80, 0};
  const std::size_t place = letter - 0x621;
  for (std::size_t i = 0; i < place; ++i) forms.first += static_cast<char32_t>(kCounts[i] - '0');
  forms.count = kCounts[place] - '0';
  return forms;
}

bool isMark(char32_t c) {
  return (c >= 0x300 && c < 0x370) || (c >= 0x591 && c <= 0x5c7 && c != 0x5be && c != 0x5c0 && c != 0x5c3) ||
         (c >= 0x64b && c <= 0x65f) || c == 0x670;
}

constexpr char32_t kTatweel = 0x640;  // a stroke that joins on both sides

bool joinsNext(char32_t c) {
  return c == kTatweel || formsOf(c).count == 4;
}
bool joinsBefore(char32_t c) {
  return c == kTatweel || formsOf(c).count >= 2;
}

/// Lam and alef in one, as they must be written: the form that stands alone; 0 for other letters.
char32_t ligature(char32_t lam, char32_t alef) {
  constexpr std::u32string_view kAlefs = U"\u0622\u0623\u0625\u0627";
  const std::size_t place = lam == 0x644 ? kAlefs.find(alef) : kAlefs.npos;
  return place == kAlefs.npos ? 0 : 0xfef5 + 2 * static_cast<char32_t>(place);
}

/// Each Arabic letter in the form that its neighbours ask for.
Text joined(const Text& text) {
  const auto neighbour = [&](std::size_t i, std::size_t by) {
    do i += by;
    while (i < text.size() && isMark(text[i]));
    return i < text.size() ? text[i] : U' ';
  };
  Text forms;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t letter = text[i];
    const Forms own = formsOf(letter);
    const bool isAfter = own.count >= 2 && joinsNext(neighbour(i, ~std::size_t{0}));
    const char32_t both = i + 1 < text.size() ? ligature(letter, text[i + 1]) : 0;
    if (both) {
      forms += both + isAfter;
      ++i;
    } else if (own.count == 0) {
      forms += letter;
    } else {
      const bool isBefore = own.count == 4 && joinsBefore(neighbour(i, 1));
      forms += own.first + isAfter + 2 * isBefore;
    }
  }
  return forms;
}

enum class Direction { neither, right, left };

Direction directionOf(char32_t c) {
  if ((c >= 0x590 && c < 0x660) || (c >= 0x66a && c < 0x6f0) || (c >= 0x6fa && c < 0x900))
    return Direction::left;
  if ((c >= 0xfb1d && c < 0xfe00) || (c >= 0xfe70 && c < 0xfeff)) return Direction::left;
  const bool isLetter =
      (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c >= 0xc0;
  return isLetter ? Direction::right : Direction::neither;
}

/// Turned, with each mark still behind its letter.
void turn(Text& text, std::size_t begin, std::size_t end) {
  Text turned;
  for (std::size_t last = end; last > begin;) {
    std::size_t first = last - 1;
    while (first > begin && isMark(text[first])) --first;
    turned += text.substr(first, last - first);
    last = first;
  }
  text.replace(begin, end - begin, turned);
}

/// Turns every part of a direction; what has none belongs to the parts around it where these agree.
void turnParts(Text& text, Direction direction) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (directionOf(text[i]) != direction) continue;
    std::size_t end = i + 1;
    for (std::size_t j = end; j < text.size(); ++j) {
      const Direction d = isMark(text[j]) ? Direction::neither : directionOf(text[j]);
      if (d == direction || isMark(text[j])) end = j + 1;
      if (d != direction && d != Direction::neither) break;
    }
    turn(text, i, end);
    i = end - 1;
  }
}

Text fromUtf8(const std::string& text) {
  Text letters;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    unsigned letter = 0;
    at += std::max(1, ImTextCharFromUtf8(&letter, at, end));
    letters += letter;
  }
  return letters;
}

std::string toUtf8(const Text& letters) {
  std::string text;
  for (const char32_t letter : letters) {
    char bytes[5] = "";
    text += ImTextCharToUtf8(bytes, letter);
  }
  return text;
}

}  // namespace

std::string asWritten(const std::string& text) {
  constexpr unsigned char kFirst = 0xd6;  // no letter that is turned begins with less
  if (std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= kFirst; }))
    return text;
  Text letters = fromUtf8(text);
  const auto isTurned = [](char32_t c) { return directionOf(c) == Direction::left; };
  if (std::none_of(letters.begin(), letters.end(), isTurned)) return text;
  letters = joined(letters);
  const auto first = std::find_if(letters.begin(), letters.end(),
                                  [](char32_t c) { return directionOf(c) != Direction::neither; });
  if (directionOf(*first) == Direction::left) {
    turn(letters, 0, letters.size());  // all of it, and what is read from left to right back again
    turnParts(letters, Direction::right);
  } else {
    turnParts(letters, Direction::left);
  }
  return toUtf8(letters);
}

}  // namespace attn
