#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/io/block_readers.h"
#include "core/io/json_parse.h"
#include "core/io/number_text.h"

namespace attn {
namespace {

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// "\frac" or "\\" or "\,": the backslash and a run of letters, or one other character.
std::string_view takeCommand(std::string_view& text) {
  std::size_t length = 1;
  while (length < text.size() && isLetter(text[length])) ++length;
  if (length == 1 && text.size() > 1) length = 2;
  const std::string_view command = text.substr(0, length);
  text.remove_prefix(length);
  return command;
}

/// What stands in the braces that follow, or the one character that does; empty where they do not close.
std::string_view takeArgument(std::string_view& text) {
  text = trimmed(text);
  if (text.empty()) return {};
  if (text[0] != '{') {
    const std::string_view one = text.substr(0, 1);
    text.remove_prefix(1);
    return one;
  }
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) {
      const std::string_view inside = text.substr(1, i - 1);
      text.remove_prefix(i + 1);
      return inside;
    }
  }
  text = {};
  return {};
}

/// "[2pt]", if it is there. Looked for nearby only: the text may be long and hold no "]".
void takeOption(std::string_view& text) {
  const std::size_t end = text.substr(0, 32).find(']');
  if (text.starts_with('[') && end != std::string_view::npos) text.remove_prefix(end + 1);
}

template <class List>
bool isOneOf(std::string_view word, const List& list) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

constexpr std::string_view kSpaces[] = {"\\,", "\\;", "\\:", "\\!", "\\ ", "\\quad", "\\qquad"};
constexpr std::string_view kLooks[] = {"\\displaystyle", "\\textstyle", "\\hline"};
constexpr std::string_view kFonts[] = {"\\text",   "\\mathrm", "\\mathbf",
                                       "\\mathit", "\\textrm", "\\operatorname"};
constexpr std::string_view kFractions[] = {"\\frac", "\\dfrac", "\\tfrac"};

/// Turns a cell into the text of a plain number: \frac{1}{2} into 1/2, 3 \cdot 10^{-5} into 3e-5.
class LatexCell {
 public:
  explicit LatexCell(std::string_view cell) : cell_(cell), rest_(cell) {}

  std::string plain() {
    while (!rest_.empty()) step();
    return std::move(plain_);
  }

 private:
  [[noreturn]] void refuse() const {
    throw Error("found " + inQuotes(trimmed(cell_)) + ", expected a number");
  }

  void step() {
    if (take(rest_, "{,}")) {
      plain_ += '.';
    } else if (rest_[0] == '\\') {
      command(takeCommand(rest_));
    } else if (rest_[0] == '^') {
      refuse();
    } else if (rest_.starts_with("10^")) {
      powerOfTen();
    } else {
      constexpr std::string_view kDropped = "{}$~ \t\r\n";
      if (kDropped.find(rest_[0]) == std::string_view::npos) plain_ += rest_[0];
      rest_.remove_prefix(1);
    }
  }

  void command(std::string_view name) {
    if (isOneOf(name, kSpaces) || isOneOf(name, kLooks)) return;
    if (isOneOf(name, kFractions)) return fraction();
    if (isOneOf(name, kFonts)) {
      plain_ += takeArgument(rest_);
    } else if (name == "\\phantom" || name == "\\hphantom") {
      takeArgument(rest_);
    } else if (name == "\\infty") {
      plain_ += "inf";
    } else if (name == "\\cdot" || name == "\\times") {
      rest_ = trimmed(rest_);
      if (plain_.empty() || !rest_.starts_with("10^")) refuse();
      afterProduct_ = true;
    } else {
      refuse();
    }
  }

  /// Only as the whole number, behind a sign at most: 2\frac{1}{2} could mean a product.
  void fraction() {
    if (plain_.find_first_not_of("+-") != std::string::npos && plain_ != "\u2212") refuse();
    const std::string above(takeArgument(rest_)), below(takeArgument(rest_));
    constexpr std::string_view kNested = "\\/";
    if (above.empty() || below.empty() || above.find_first_of(kNested) != std::string::npos ||
        below.find_first_of(kNested) != std::string::npos || !trimmed(rest_).empty())
      refuse();
    plain_ += above + "/" + below;
  }

  void powerOfTen() {
    take(rest_, "10^");
    if (!afterProduct_ && plain_.find_first_not_of("+-") != std::string::npos) refuse();
    plain_ += (afterProduct_ ? "e" : "1e") + std::string(trimmed(takeArgument(rest_)));
  }

  std::string_view cell_, rest_;
  std::string plain_;
  bool afterProduct_ = false;
};

/// The rows between \begin{...} and \end{...}, or all of the text where there is no \begin.
std::string_view bodyOf(std::string_view text) {
  const std::size_t begin = text.find("\\begin");
  if (begin == std::string_view::npos) return text;
  text.remove_prefix(begin + 6);
  const std::string name(takeArgument(text));
  const std::size_t end = text.find("\\end{" + name + "}");
  if (name.empty() || end == std::string_view::npos)
    throw Error("found \\begin{" + inQuotes(name).substr(1, inQuotes(name).size() - 2) +
                "} without its \\end, expected a whole matrix");
  if (text.find("\\begin", end) != std::string_view::npos)
    throw Error("found more than one \\begin, expected one matrix");
  text = trimmed(text.substr(0, end));
  if (name.starts_with("array")) takeArgument(text);  // {ccc}
  takeOption(text);                                   // \begin{bmatrix*}[r]
  return text;
}

class LatexReader {
 public:
  explicit LatexReader(std::string_view text) : rest_(bodyOf(text)) {}

  Matrix read() {
    while (true) {
      const std::size_t length = cellLength();
      cell_ = rest_.substr(0, length);
      rest_.remove_prefix(length);
      const bool last = rest_.empty();
      // A last row that holds nothing follows a \\ at the end.
      if (last && block_.rowIsEmpty() && isBlank(cell_)) break;
      addCell();
      if (last) {
        block_.endRow();
        break;
      }
      takeMark();
    }
    return block_.finished();
  }

 private:
  /// Up to the next & or end of row that is not inside braces.
  std::size_t cellLength() const {
    int depth = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if (rest_[i] == '{') ++depth;
      if (rest_[i] == '}') --depth;
      if (depth > 0) continue;
      if (rest_[i] == '&') return i;
      if (rest_[i] != '\\') continue;
      if (rest_.substr(i, 2) == "\\\\" || isEndOfRowWord(i)) return i;
      ++i;  // the character after a backslash is part of the command
    }
    return rest_.size();
  }

  bool isEndOfRowWord(std::size_t at) const {
    return rest_.substr(at, 3) == "\\cr" && (at + 3 >= rest_.size() || !isLetter(rest_[at + 3]));
  }

  static bool isBlank(std::string_view cell) {
    for (cell = trimmed(cell); take(cell, "\\hline"); cell = trimmed(cell)) {
    }
    return cell.empty();
  }

  void addCell() {
    std::string plain;
    try {
      plain = LatexCell(cell_).plain();
    } catch (const Error& error) {
      block_.refuse(error.what());
    }
    block_.add(plain);
  }

  void takeMark() {
    if (take(rest_, "&")) return;
    block_.endRow();
    if (!take(rest_, "\\\\")) take(rest_, "\\cr");
    takeOption(rest_);  // \\[2pt]
  }

  std::string_view rest_, cell_;
  BlockBuilder block_;
};

}  // namespace

Matrix readLatexBlock(std::string_view text) {
  return LatexReader(text).read();
}

}  // namespace attn
