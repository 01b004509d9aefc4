#include "app/formula/operand_name.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace attn {
namespace {

struct Letter {
  std::string_view symbol, latex;
  std::string_view above = {};  // its superscript
};

constexpr Letter kLetters[] = {
    {"q̂", "\\hat{q}"}, {"k̂", "\\hat{k}"}, {"û", "\\hat{u}"},        {"τ", "\\tau"},
    {"κ", "\\kappa"},  {"w_q", "W", "Q"}, {"w_k", "W", "K"},        {"w_v", "W", "V"},
    {"w_o", "W", "O"}, {"x_kv", "y"},     {"d_k", "d_k"},           {"∞", "\\infty"},
    {"max", "\\max"},  {"cos", "\\cos"},  {"raw", "\\mathrm{raw}"}, {"out", "\\mathrm{out}"}};
/// What can follow the d of a gradient.
constexpr std::string_view kDifferentiated[] = {"q", "k", "v",   "p",   "s",   "o",   "x",    "out",   "raw",
                                                "q̂", "k̂", "w_q", "w_k", "w_v", "w_o", "x_kv", "scaled"};

struct Written {
  std::string latex, above;
};

Written lettersOf(std::string_view symbol) {
  const auto isIt = [&](const Letter& letter) { return letter.symbol == symbol; };
  if (const auto found = std::find_if(std::begin(kLetters), std::end(kLetters), isIt);
      found != std::end(kLetters))
    return {std::string(found->latex), std::string(found->above)};
  const bool isGradient = symbol.size() > 1 && symbol[0] == 'd' &&
                          std::find(std::begin(kDifferentiated), std::end(kDifferentiated),
                                    symbol.substr(1)) != std::end(kDifferentiated);
  if (isGradient) {
    Written rest = lettersOf(symbol.substr(1));
    return {"\\mathrm{d}" + rest.latex, rest.above};
  }
  if (symbol.size() == 1) return {std::string(symbol), ""};
  return {"\\mathrm{" + std::string(symbol) + "}", ""};
}

/// Walks over a name of explain() and writes it in the one way or the other.
class NameWriter {
 public:
  NameWriter(std::string_view name, const Notation& notation, const IndexLetters& letters, bool isLatex)
      : rest_(name), notation_(notation), letters_(letters), isLatex_(isLatex) {}

  std::string whole() {
    std::string text;
    while (!rest_.empty()) text += next();
    return text;
  }

 private:
  struct Sign {
    std::string_view sign, latex;
  };

  std::string next() {
    constexpr Sign kSigns[] = {{"−", "-"},        {"·", "\\cdot "}, {"²", "^{2}"},    {"ᵀ", "^{\\top}"},
                               {"Σ", "\\Sigma "}, {" / ", " / "},   {"(", "\\left("}, {")", "\\right)"}};
    if (take(" of head ")) return ofHead();
    if (take("√")) return isLatex_ ? "\\sqrt{" + next() + "}" : "√" + next();
    if (take("‖")) return fence("‖", "\\|");
    if (take("|")) return fence("|", "|");
    for (const Sign& sign : kSigns)
      if (take(sign.sign)) return std::string(isLatex_ ? sign.latex : sign.sign);
    const std::size_t length = wordLength();
    if (length == 0) return plain();
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return indexed(word);
  }

  bool take(std::string_view prefix) {
    if (!rest_.starts_with(prefix)) return false;
    rest_.remove_prefix(prefix.size());
    return true;
  }

  /// Letters, and what belongs to them: "w_q", "q̂".
  std::size_t wordLength() const {
    constexpr std::string_view kOthers[] = {"−", "·", "²", "ᵀ", "Σ", "√", "‖"};
    std::size_t at = 0;
    while (at < rest_.size()) {
      const auto c = static_cast<unsigned char>(rest_[at]);
      const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c == '_' && at > 0);
      const bool isOther = std::any_of(std::begin(kOthers), std::end(kOthers), [&](std::string_view other) {
        return rest_.substr(at).starts_with(other);
      });
      if (!isLetter && (c < 0x80 || isOther)) break;
      ++at;
    }
    return at;
  }

  std::string plain() {
    std::string text(rest_.substr(0, 1));
    rest_.remove_prefix(1);
    return text;
  }

  std::string fence(std::string_view sign, const char* latex) {
    bool& isOpen = sign == "|" ? isBarOpen_ : isNormOpen_;
    isOpen = !isOpen;
    if (!isLatex_) return std::string(sign);
    return (isOpen ? "\\left" : "\\right") + std::string(latex);
  }

  std::string ofHead() {
    const int head = std::atoi(std::string(rest_).c_str()) + 1;
    rest_ = {};
    const std::string text = "of head " + std::to_string(head);
    return isLatex_ ? "\\;\\text{" + text + "}" : " " + text;
  }

  /// A word with what is in the brackets after it: head, row and column, as many as there are.
  std::string indexed(std::string_view word) {
    std::vector<std::string> places;
    if (take("[")) {
      const std::string_view inside = rest_.substr(0, rest_.find(']'));
      rest_.remove_prefix(std::min(rest_.size(), inside.size() + 1));
      places = split(inside);
    }
    std::string head;
    if (places.size() == 3) {
      head = std::to_string(std::atoi(places[0].c_str()) + 1);
      places.erase(places.begin());
    }
    for (std::size_t n = 0; n < places.size(); ++n)
      places[n] = counted(places[n], n + 1 == places.size() ? letters_.col : letters_.row);
    if (notation_.queriesAreColumns) std::reverse(places.begin(), places.end());
    std::string place;
    for (const std::string& each : places) place += (place.empty() ? "" : ",") + each;
    if (!isLatex_) return textOf(word, head, place);
    return latexOf(word, head, place, take("ᵀ"));  // one superscript for both
  }

  static std::vector<std::string> split(std::string_view inside) {
    std::vector<std::string> parts;
    while (true) {
      const std::size_t comma = inside.find(',');
      parts.emplace_back(inside.substr(0, comma));
      if (comma == std::string_view::npos) return parts;
      inside.remove_prefix(comma + 1);
    }
  }

  std::string counted(const std::string& place, const char* letter) const {
    if (letter) return letter;
    const bool isNumber = !place.empty() && place.find_first_not_of("0123456789") == std::string::npos;
    if (isNumber) return std::to_string(notation_.counted(std::stol(place)));
    return isLatex_ ? "\\mathrm{" + place + "}" : place;
  }

  static std::string latexOf(std::string_view word, const std::string& head, const std::string& place,
                             bool isTransposed) {
    const Written written = lettersOf(word);
    std::string text = written.latex;
    std::string above = written.above;
    if (!head.empty()) above += above.empty() ? "(" + head + ")" : "," + head;
    if (isTransposed) above += "\\top";
    if (!place.empty()) text += "_{" + place + "}";
    return above.empty() ? text : text + "^{" + above + "}";
  }

  static std::string textOf(std::string_view word, const std::string& head, const std::string& place) {
    const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text(word);
    if (const std::size_t at = text.find("x_kv"); at != std::string::npos) text.replace(at, 4, "y");
    if (!head.empty()) {
      text += "⁽";
      for (const char digit : head) text += digits[digit - '0'];
      text += "⁾";
    }
    return place.empty() ? text : text + "[" + place + "]";
  }

  std::string_view rest_;
  const Notation& notation_;
  const IndexLetters& letters_;
  bool isLatex_;
  bool isBarOpen_ = false, isNormOpen_ = false;
};

std::string written(const Operand& operand, const Notation& notation, const IndexLetters& letters,
                    bool isLatex) {
  return NameWriter(operand.name, notation, letters, isLatex).whole();
}

}  // namespace

std::string nameText(const Operand& operand, const Notation& notation, const IndexLetters& letters) {
  return written(operand, notation, letters, false);
}

std::string nameLatex(const Operand& operand, const Notation& notation, const IndexLetters& letters) {
  return written(operand, notation, letters, true);
}

}  // namespace attn
