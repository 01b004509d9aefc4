#include "app/formula/latex.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/io/json_parse.h"

namespace attn {
namespace {

struct Symbol {
  std::string_view command, text;
};

constexpr Symbol kVariables[] = {
    {"alpha", "α"}, {"beta", "β"},    {"gamma", "γ"},  {"delta", "δ"}, {"epsilon", "ε"}, {"eta", "η"},
    {"theta", "θ"}, {"kappa", "κ"},   {"lambda", "λ"}, {"mu", "μ"},    {"nu", "ν"},      {"pi", "π"},
    {"rho", "ρ"},   {"sigma", "σ"},   {"tau", "τ"},    {"phi", "φ"},   {"chi", "χ"},     {"psi", "ψ"},
    {"omega", "ω"}, {"partial", "∂"}, {"ell", "ℓ"}};
constexpr Symbol kUpright[] = {{"infty", "∞"}, {"top", "⊤"},   {"ldots", "…"}, {"cdots", "⋯"}, {"vdots", "⋮"},
                               {"ddots", "⋱"}, {"nabla", "∇"}, {"Delta", "Δ"}, {"Sigma", "Σ"}, {"Theta", "Θ"},
                               {"prime", "′"}, {"lVert", "‖"}, {"rVert", "‖"}, {"|", "‖"},     {"{", "{"},
                               {"}", "}"},     {"%", "%"},     {"_", "_"},     {"&", "&"},     {"$", "$"},
                               {"#", "#"}};
constexpr Symbol kSigns[] = {{"cdot", "·"},   {"times", "×"}, {"le", "≤"},    {"leq", "≤"},
                             {"ge", "≥"},     {"geq", "≥"},   {"ne", "≠"},    {"neq", "≠"},
                             {"approx", "≈"}, {"pm", "±"},    {"to", "→"},    {"rightarrow", "→"},
                             {"in", "∈"},     {"odot", "⊙"},  {"propto", "∝"}};
constexpr Symbol kLarge[] = {{"sum", "∑"}, {"prod", "∏"}};
constexpr Symbol kSpaces[] = {{",", "0.17"}, {":", "0.22"},  {";", "0.28"}, {" ", "0.3"},
                              {"quad", "1"}, {"qquad", "2"}, {"!", "0"}};
constexpr std::string_view kFunctions[] = {"exp", "log", "ln",  "max", "min", "tanh",
                                           "sin", "cos", "arg", "det", "diag"};

template <class List>
const Symbol* find(const List& list, std::string_view command) {
  const auto found = std::find_if(std::begin(list), std::end(list),
                                  [&](const Symbol& symbol) { return symbol.command == command; });
  return found == std::end(list) ? nullptr : &*found;
}

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// How many bytes the UTF-8 character takes; 0 where it is broken.
std::size_t characterLength(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xf0 && first < 0xf8 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first >= 0xf8 || (first >= 0x80 && first < 0xc2) || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  return length;
}

class LatexParser {
 public:
  explicit LatexParser(std::string_view text) : text_(text) {}

  Formula whole() {
    Formula formula = row();
    if (at_ < text_.size()) refuse("the end of the formula");
    return formula;
  }

 private:
  [[noreturn]] void refuse(const std::string& expected) const { refuseAt(at_, expected); }
  [[noreturn]] void refuseAt(std::size_t at, const std::string& expected) const {
    const std::string found = at < text_.size() ? inQuotes(text_.substr(at, 12)) : "the end of the text";
    throw Error("formula, position " + std::to_string(at + 1) + ": found " + found + ", expected " +
                expected);
  }

  void skipBlanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool startsWith(std::string_view prefix) const { return text_.substr(at_).starts_with(prefix); }
  bool take(std::string_view prefix) {
    if (!startsWith(prefix)) return false;
    at_ += prefix.size();
    return true;
  }
  /// A command word: "\right" is not the start of "\rightarrow".
  bool isAtCommand(std::string_view name) const {
    if (!startsWith(name)) return false;
    const std::size_t end = at_ + name.size();
    return end >= text_.size() || !isLetter(text_[end]);
  }
  bool isAtEndOfRow() const {
    return at_ >= text_.size() || text_[at_] == '}' || text_[at_] == '&' || startsWith("\\\\") ||
           isAtCommand("\\right") || isAtCommand("\\end");
  }

  Formula row() {
    std::vector<Formula> children;
    for (skipBlanks(); !isAtEndOfRow(); skipBlanks()) children.push_back(scripted());
    return rowOf(std::move(children));
  }

  /// An atom with its scripts; those of a large sign go below and above it.
  Formula scripted() {
    const bool large = isAtCommand("\\sum") || isAtCommand("\\prod");
    Formula base = atom();
    Formula below, above;
    for (skipBlanks(); at_ < text_.size() && (text_[at_] == '_' || text_[at_] == '^'); skipBlanks()) {
      Formula& script = text_[at_] == '_' ? below : above;
      if (!script.isNothing()) refuse(text_[at_] == '_' ? "one subscript" : "one superscript");
      ++at_;
      script = argument();
    }
    if (large) return withLimits(std::move(base), std::move(below), std::move(above));
    if (below.isNothing() && above.isNothing()) return base;
    return withScripts(std::move(base), std::move(below), std::move(above));
  }

  /// {…} or one atom.
  Formula argument() {
    skipBlanks();
    if (isAtEndOfRow()) refuse("an argument");
    return atom();
  }

  Formula atom() {
    // Bounded: a formula of ten thousand brackets must not use up the stack.
    constexpr int kDeepest = 64;
    if (++depth_ > kDeepest) refuse("at most 64 levels");
    Formula result = plainAtom();
    --depth_;
    return result;
  }

  Formula plainAtom() {
    const char c = text_[at_];
    if (c == '{') return group();
    if (c == '\\') return command();
    if (c == '_' || c == '^') refuse("something before it");
    if (isLetter(c)) return ++at_, variable(std::string(1, c));
    if ((c >= '0' && c <= '9') || c == '.') return number();
    if (c == '-') return ++at_, sign("−");
    if (c == '\'') return ++at_, textRun("′");
    constexpr std::string_view kPlainSigns = "+=<>";
    if (kPlainSigns.find(c) != std::string_view::npos) return ++at_, sign(std::string(1, c));
    if (c == ',' || c == ';') return ++at_, rowOf({textRun(std::string(1, c)), spaceOf(0.25)});
    return character();
  }

  Formula character() {
    const std::size_t length = characterLength(text_.substr(at_));
    if (length == 0 || static_cast<unsigned char>(text_[at_]) < 0x20) refuse("a character of a formula");
    at_ += length;
    return textRun(std::string(text_.substr(at_ - length, length)));
  }

  bool isAtDigit(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() && text_[at_ + ahead] >= '0' && text_[at_ + ahead] <= '9';
  }

  /// 0.5, or 0{,}5 with a comma that is no end of anything.
  Formula number() {
    constexpr std::string_view kComma = "{,}";
    std::string digits;
    while (isAtDigit() || startsWith(".") || (startsWith(kComma) && isAtDigit(kComma.size()))) {
      const bool isComma = take(kComma);
      digits += isComma ? ',' : text_[at_++];
    }
    return textRun(digits);
  }

  Formula group() {
    take("{");
    Formula inside = row();
    if (!take("}")) refuse("\"}\"");
    return inside;
  }

  std::string_view commandName() {
    const std::size_t start = ++at_;
    while (at_ < text_.size() && isLetter(text_[at_])) ++at_;
    if (at_ == start && at_ < text_.size()) ++at_;
    return text_.substr(start, at_ - start);
  }

  Formula command() {
    const std::size_t start = at_;
    const std::string_view name = commandName();
    if (name == "frac" || name == "dfrac" || name == "tfrac") {
      Formula above = argument();
      return fraction(std::move(above), argument());
    }
    if (name == "sqrt") return root(argument());
    if (name == "hat") return withHat(argument());
    if (name == "mathrm" || name == "text" || name == "operatorname") return textRun(rawArgument());
    if (name == "part") return part();
    if (name == "left") return fence();
    if (name == "begin") return matrix();
    if (std::optional<Formula> symbol = symbolNamed(name)) return *symbol;
    refuseAt(start, "a command that is known");
  }

  static std::optional<Formula> symbolNamed(std::string_view name) {
    if (const Symbol* s = find(kVariables, name)) return variable(std::string(s->text));
    if (const Symbol* s = find(kUpright, name)) return textRun(std::string(s->text));
    if (const Symbol* s = find(kSigns, name)) return sign(std::string(s->text));
    if (const Symbol* s = find(kLarge, name)) return textRun(std::string(s->text));
    if (const Symbol* s = find(kSpaces, name)) {
      double width = 0;
      std::from_chars(s->text.data(), s->text.data() + s->text.size(), width);
      return spaceOf(width);
    }
    if (std::find(std::begin(kFunctions), std::end(kFunctions), name) != std::end(kFunctions))
      return textRun(std::string(name));
    return std::nullopt;
  }

  /// Text as it stands between the braces.
  std::string rawArgument() {
    skipBlanks();
    const std::size_t start = at_;
    const std::size_t end = take("{") ? text_.find_first_of("{}\\", at_) : std::string_view::npos;
    if (end == std::string_view::npos || text_[end] != '}') refuseAt(start, "text in braces");
    const std::string inside(text_.substr(at_, end - at_));
    for (std::string_view rest = inside; !rest.empty(); rest.remove_prefix(characterLength(rest)))
      if (characterLength(rest) == 0) refuseAt(start, "text in UTF-8");
    at_ = end + 1;
    return inside;
  }

  Formula part() {
    const std::size_t start = at_;
    const std::string digits = rawArgument();
    int number = -1;
    const auto [stop, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (fault != std::errc{} || stop != digits.data() + digits.size() || number < 0)
      refuseAt(start, "the number of a part");
    return asPart(number, argument());
  }

  std::string fenceSign() {
    skipBlanks();
    for (const auto& [written, drawn] : {std::pair{"(", "("},
                                         {")", ")"},
                                         {"[", "["},
                                         {"]", "]"},
                                         {"|", "|"},
                                         {"\\{", "{"},
                                         {"\\}", "}"},
                                         {"\\|", "‖"},
                                         {"\\lVert", "‖"},
                                         {"\\rVert", "‖"},
                                         {".", ""}})
      if (take(written)) return drawn;
    refuse("one of ( ) [ ] | \\{ \\} \\| .");
  }

  Formula fence() {
    std::string open = fenceSign();
    Formula inside = row();
    if (!isAtCommand("\\right")) refuse("\"\\right\"");
    take("\\right");
    return fenced(std::move(open), std::move(inside), fenceSign());
  }

  Formula matrix() {
    const std::size_t start = at_;
    const std::string name = rawArgument();
    const std::size_t kind = std::string_view("matrix pmatrix bmatrix vmatrix").find(name);
    if (!name.ends_with("matrix") || kind == std::string_view::npos)
      refuseAt(start, "matrix, pmatrix, bmatrix or vmatrix");
    std::vector<std::vector<Formula>> rows(1);
    while (true) {
      rows.back().push_back(row());
      if (take("&")) continue;
      if (!take("\\\\")) break;
      skipBlanks();
      if (isAtCommand("\\end")) break;
      rows.emplace_back();
    }
    if (!take("\\end{" + name + "}")) refuse("\"\\end{" + name + "}\"");
    return assembled(name, rows);
  }

  /// Rows that are too short get empty cells at their end.
  static Formula assembled(const std::string& name, std::vector<std::vector<Formula>>& rows) {
    std::size_t columns = 0;
    for (const auto& each : rows) columns = std::max(columns, each.size());
    std::vector<Formula> cells;
    for (auto& each : rows) {
      each.resize(columns);
      std::move(each.begin(), each.end(), std::back_inserter(cells));
    }
    Formula inside = matrixOf(static_cast<int>(columns), std::move(cells));
    if (name == "matrix") return inside;
    if (name == "pmatrix") return fenced("(", std::move(inside), ")");
    if (name == "vmatrix") return fenced("|", std::move(inside), "|");
    return fenced("[", std::move(inside), "]");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Formula parseLatex(std::string_view text) {
  return LatexParser(text).whole();
}

std::string withoutParts(std::string_view text) {
  constexpr std::string_view kPart = "\\part{";
  std::string result;
  while (true) {
    const std::size_t at = text.find(kPart);
    result += text.substr(0, at);
    if (at == std::string_view::npos) return result;
    const std::size_t end = text.find('}', at);
    if (end == std::string_view::npos) return result;
    text.remove_prefix(end + 1);
  }
}

}  // namespace attn
