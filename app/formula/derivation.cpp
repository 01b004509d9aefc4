#include "app/formula/derivation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "app/formula/operand_name.h"

namespace attn {
namespace {

using Op = Operation;

constexpr std::size_t kMostTerms = 12, kFirstTerms = 7, kLastTerms = 3;
constexpr std::size_t kMostAlike = 10, kFirstAlike = 3;

bool isPairwise(const Step& step) {
  return step.operation == Op::sumOfProducts;
}

bool isList(const Step& step) {
  return isPairwise(step) || step.operation == Op::sum || step.operation == Op::maximum;
}

/// What the terms from `begin` to `end` amount to.
double amountOf(const Step& step, std::size_t begin, std::size_t end) {
  const std::size_t width = isPairwise(step) ? 2 : 1;
  Step part{step.operation, {}, {}};
  for (std::size_t n = begin * width; n < end * width; ++n) part.operands.push_back(step.operands[n]);
  return apply(part);
}

bool isPairStage(const Operand& operand) {
  if (!operand.stage) return false;
  const Stage stage = *operand.stage;
  return (stage >= Stage::rawScores && stage <= Stage::probs) ||
         (stage >= Stage::dProbs && stage <= Stage::dRawScores);
}

/// Prints the steps of one derivation.
class Printer {
 public:
  Printer(const Scene& scene, const Notation& notation, bool isComplete, PrintedDerivation& out)
      : scene_(scene), notation_(notation), isComplete_(isComplete), out_(out) {}

  PrintedSection section(const Derivation& derivation) {
    PrintedSection section{derivation.cell, {}};
    std::map<std::string, std::size_t> counts, seen;
    for (const Step& step : derivation.steps) ++counts[familyOf(step)];
    std::size_t folded = 0;
    const auto flush = [&] {
      if (folded == 0) return;
      section.lines.emplace_back().folded = folded;
      out_.hasLeftOut = true;
      folded = 0;
    };
    for (const Step& step : derivation.steps) {
      const std::string family = familyOf(step);
      const std::size_t place = seen[family]++;
      const bool isOwn = step.result.col == derivation.cell.col;
      const bool isKept = isComplete_ || family.empty() || counts[family] <= kMostAlike ||
                          place < kFirstAlike || place + 1 == counts[family] || isOwn;
      if (!isKept) {
        ++folded;
        continue;
      }
      flush();
      section.lines.push_back(line(step));
    }
    flush();
    return section;
  }

 private:
  /// Steps that only differ in their place; empty for one of its own.
  static std::string familyOf(const Step& step) {
    const bool isOfMany = step.result.col && !step.result.stage;
    return isOfMany ? std::to_string(static_cast<int>(step.operation)) + step.result.symbol : "";
  }

  PrintedLine line(const Step& step) {
    PrintedLine line;
    line.name = name(step.result);
    line.result = number(step.result.value);
    line.isAlarm = std::isnan(step.result.value);
    switch (step.operation) {
      case Op::given:
        line.note = "given";
        break;
      case Op::copied:
        line.symbols = {linked(step.operands[0], name(step.operands[0]))};
        break;
      case Op::masked:
        line.note = "hidden by " + reasonOf(step.operands[0]);
        break;
      case Op::zero:
        line.note = zeroNote(step);
        break;
      default:
        if (isList(step)) {
          if (step.operands.empty()) {
            line.note = "nothing to add: the mask leaves no pair";
            break;
          }
          line.symbols = listInNames(step);
          line.numbers = listInNumbers(step);
        } else {
          const auto names = [&](std::size_t n) { return linked(step.operands[n], name(step.operands[n])); };
          line.symbols = {arranged(step, names)};
          if (line.symbols[0].latex == line.name.latex) line.symbols.clear();  // √d_k = √d_k
          line.numbers = {
              arranged(step, [&](std::size_t n) { return value(step.operands[n], isTight(step, n)); })};
        }
    }
    if (line.isAlarm) line.note = nanNote(step);
    const bool isSubtracted = step.operation == Op::maximum && !line.isAlarm;
    if (isSubtracted) line.note = "subtracted from every score, so that nothing overflows";
    return line;
  }

  PrintedPiece name(const Operand& operand, const IndexLetters& letters = {}) const {
    return {nameText(operand, notation_, letters), nameLatex(operand, notation_, letters)};
  }
  PrintedPiece number(double value) const {
    return {writeNumber(value, notation_), writeLatexNumber(value, notation_)};
  }

  /// The piece leads to the operand's own cell, where it has one.
  PrintedPiece linked(const Operand& operand, PrintedPiece piece) {
    if (!operand.stage) return piece;
    out_.targets.push_back({*operand.stage, operand.head.value_or(0), *operand.row, *operand.col});
    piece.latex = "\\part{" + std::to_string(out_.targets.size()) + "}{" + piece.latex + "}";
    return piece;
  }

  /// In brackets where a minus sign or a power would be read wrongly.
  PrintedPiece value(const Operand& operand, bool isTight) {
    PrintedPiece piece = number(operand.value);
    const bool isPower = piece.latex.find("\\cdot") != std::string::npos || piece.latex.starts_with("10^");
    if (isTight && (operand.value < 0 || isPower))
      piece = {"(" + piece.text + ")", "\\left(" + piece.latex + "\\right)"};
    return linked(operand, std::move(piece));
  }

  /// Whether something binds the n-th operand more closely than a sum does.
  static bool isTight(const Step& step, std::size_t n) {
    switch (step.operation) {
      case Op::quotient:
      case Op::squareRoot:
      case Op::sigmoid:
      case Op::isPositive:
        return false;
      case Op::cappedTanh:
        return n == 1;
      case Op::difference:
      case Op::exponentialOfDifference:
      case Op::positivePart:
        return n == 1;
      default:
        return true;
    }
  }

  template <class Write>
  PrintedPiece arranged(const Step& step, const Write& write) {
    const auto a = [&] { return write(0); };
    const auto b = [&] { return write(1); };
    switch (step.operation) {
      case Op::difference: {
        const PrintedPiece x = a(), y = b();
        return {x.text + " − " + y.text, x.latex + " - " + y.latex};
      }
      case Op::product: {
        PrintedPiece all;
        for (std::size_t n = 0; n < step.operands.size(); ++n) {
          const PrintedPiece x = write(n);
          all.text += (n ? "·" : "") + x.text;
          all.latex += (n ? " \\cdot " : "") + x.latex;
        }
        return all;
      }
      case Op::quotient: {
        const PrintedPiece x = a(), y = b();
        const auto divided = [&](std::size_t n, const PrintedPiece& piece) {
          const bool isPlain = !step.operands[n].stage && piece.text.find(' ') != std::string::npos;
          return isPlain && !piece.text.starts_with("(") ? "(" + piece.text + ")" : piece.text;
        };
        return {divided(0, x) + " / " + divisorText(divided(1, y)),
                "\\frac{" + x.latex + "}{" + y.latex + "}"};
      }
      case Op::square: {
        const PrintedPiece x = a();
        const bool isBare = x.text.find_first_of("( ") == std::string::npos;
        return {isBare ? x.text + "²" : (x.text.starts_with("(") ? x.text : "(" + x.text + ")") + "²",
                "{" + x.latex + "}^{2}"};
      }
      case Op::squareRoot: {
        const PrintedPiece x = a();
        return {"√(" + x.text + ")", "\\sqrt{" + x.latex + "}"};
      }
      case Op::exponentialOfDifference: {
        const PrintedPiece x = a(), y = b();
        return {"exp(" + x.text + " − " + y.text + ")",
                "\\exp\\left(" + x.latex + " - " + y.latex + "\\right)"};
      }
      case Op::positivePart: {
        const PrintedPiece x = a(), y = b();
        return {"max(" + x.text + " − " + y.text + notation_.separator() + "0)",
                "\\max\\left(" + x.latex + " - " + y.latex + ", 0\\right)"};
      }
      case Op::isPositive: {
        const PrintedPiece x = a();
        return {"[" + x.text + " > 0]", "\\left[" + x.latex + " > 0\\right]"};
      }
      case Op::sigmoid: {
        const PrintedPiece x = a();
        return {"σ(" + x.text + ")", "\\sigma\\left(" + x.latex + "\\right)"};
      }
      case Op::cappedTanh: {
        const PrintedPiece c = b(), x = a(), again = b();
        return {c.text + "·tanh(" + x.text + " / " + again.text + ")",
                c.latex + "\\,\\tanh\\left(\\frac{" + x.latex + "}{" + again.latex + "}\\right)"};
      }
      case Op::capSlope: {
        const PrintedPiece x = a(), c = b();
        return {"1 − (" + x.text + " / " + c.text + ")²",
                "1 - \\left(\\frac{" + x.latex + "}{" + c.latex + "}\\right)^{2}"};
      }
      default:
        return a();
    }
  }

  /// A power of ten under a line of text would be divided piece by piece.
  static std::string divisorText(const std::string& text) {
    return text.find("·10") != std::string::npos && !text.starts_with("(") ? "(" + text + ")" : text;
  }

  // Sums and maxima.

  /// The terms that are printed: those before `first` and from `last` on.
  struct Shown {
    std::size_t count, first, last;
    bool hidesSome() const { return first < last; }
  };
  Shown shownOf(const Step& step) {
    const std::size_t count = step.operands.size() / (isPairwise(step) ? 2 : 1);
    if (isComplete_ || count <= kMostTerms) return {count, count, count};
    out_.hasLeftOut = true;
    return {count, kFirstTerms, count - kLastTerms};
  }

  /// The one index that differs from term to term; nothing where no or another one does.
  struct Running {
    bool isRow = false, isCol = false;
  };
  static std::optional<Running> runningIndex(const Step& step, std::size_t offset, std::size_t width) {
    const Operand& first = step.operands[offset];
    Running running;
    for (std::size_t n = offset; n < step.operands.size(); n += width) {
      const Operand& other = step.operands[n];
      const bool isPlain = !other.stage && !other.row && !other.col;
      if (other.symbol != first.symbol || other.head != first.head || isPlain) return {};
      running.isRow |= other.row != first.row;
      running.isCol |= other.col != first.col;
    }
    if (running.isRow && running.isCol) return {};
    return running;
  }

  /// Σ_t q[0,t]·k[1,t], or the terms one by one where they have no common form.
  std::vector<PrintedPiece> listInNames(const Step& step) {
    const std::size_t width = isPairwise(step) ? 2 : 1, count = step.operands.size() / width;
    const auto running = runningIndex(step, 0, width);
    const auto other = width == 2 ? runningIndex(step, 1, width) : running;
    if (count <= 2 || !running || !other)
      return listed(
          step, [&](std::size_t n) { return linked(step.operands[n], name(step.operands[n])); },
          PrintedPiece{"…", "\\cdots"});
    const bool isOfPairs = isPairStage(step.operands[0]) || width == 1;
    const char* letter = running->isRow ? "i" : isOfPairs ? "j" : "t";
    const auto generic = [&](const Operand& operand, const Running& index) {
      return name(operand, {index.isRow ? letter : nullptr, index.isCol ? letter : nullptr});
    };
    PrintedPiece term = generic(step.operands[0], *running);
    if (width == 2) {
      const PrintedPiece factor = generic(step.operands[1], *other);
      term = {term.text + "·" + factor.text, term.latex + "\\," + factor.latex};
    }
    const bool isMaximum = step.operation == Op::maximum;
    const std::string under = std::string("_") + letter;
    return {{(isMaximum ? "max" : "Σ") + under + " " + term.text,
             (isMaximum ? "\\max" : "\\sum") + under + " " + term.latex}};
  }

  std::vector<PrintedPiece> listInNumbers(const Step& step) {
    const bool isPair = isPairwise(step), isMaximum = step.operation == Op::maximum;
    const Shown shown = shownOf(step);
    return listed(
        step, [&](std::size_t n) { return value(step.operands[n], isPair || (!isMaximum && n > 0)); },
        leftOut(step, shown));
  }

  /// A piece a term; those that are left out are one piece.
  template <class Write>
  std::vector<PrintedPiece> listed(const Step& step, const Write& write, const PrintedPiece& leftOut) {
    const bool isMaximum = step.operation == Op::maximum;
    const Shown shown = shownOf(step);
    const std::string textSign = isMaximum ? notation_.separator() : " + ";
    const std::string latexSign = !isMaximum ? " + " : notation_.decimalComma ? ";\\;" : ",\\;";
    std::vector<PrintedPiece> pieces;
    const auto add = [&](PrintedPiece piece) {
      if (!pieces.empty()) piece = {textSign + piece.text, latexSign + piece.latex};
      pieces.push_back(std::move(piece));
    };
    for (std::size_t n = 0; n < shown.count; ++n) {
      if (shown.hidesSome() && n == shown.first) add(leftOut);
      if (n < shown.first || n >= shown.last) add(termOf(step, n, write));
    }
    if (!isMaximum) return pieces;
    pieces.front() = {"max(" + pieces.front().text, "\\max\\,(" + pieces.front().latex};
    pieces.back().text += ")", pieces.back().latex += ")";
    return pieces;
  }

  template <class Write>
  PrintedPiece termOf(const Step& step, std::size_t n, const Write& write) {
    if (!isPairwise(step)) return write(n);
    const PrintedPiece a = write(2 * n), b = write(2 * n + 1);
    return {a.text + "·" + b.text, a.latex + " \\cdot " + b.latex};
  }

  /// With what they amount to.
  PrintedPiece leftOut(const Step& step, const Shown& shown) {
    const PrintedPiece amount = number(amountOf(step, shown.first, shown.last));
    const bool isMaximum = step.operation == Op::maximum;
    const std::string words =
        std::to_string(shown.last - shown.first) + (isMaximum ? " more, at most " : " terms: ");
    return {"[" + words + amount.text + "]",
            "\\part{0}{\\left[\\text{" + words + "}\\;{" + amount.latex + "}\\right]}"};
  }

  // Sentences.

  std::string reasonOf(const Operand& reason) const {
    if (reason.symbol != "mask rule")
      return nameText(reason, notation_) + " = " + writeNumber(reason.value, notation_);
    constexpr const char* kRules[] = {"causal", "padding",   "padding",      "window",
                                      "prefix", "documents", "painted cells"};
    const auto rule = static_cast<std::size_t>(reason.value);
    const std::string place = "mask rule " + std::to_string(rule + 1);
    return rule < scene_.masks.size() ? place + " (" + kRules[scene_.masks[rule].index()] + ")" : place;
  }

  std::string zeroNote(const Step& step) const {
    const bool isMasked = std::isinf(step.operands[0].value);
    if (!isMasked) return "a vector of length 0 has no direction";
    const bool isGradient = step.result.stage && *step.result.stage >= Stage::dOut;
    return isGradient ? "a hidden pair has no gradient" : "a hidden pair has no weight";
  }

  std::string nanNote(const Step& step) const {
    for (const Operand& operand : step.operands)
      if (std::isnan(operand.value))
        return "not a number, because " + nameText(operand, notation_) + " is none";
    return "not a number: ∞ − ∞, 0·∞ and 0 / 0 have no value";
  }

  const Scene& scene_;
  const Notation& notation_;
  bool isComplete_;
  PrintedDerivation& out_;
};

}  // namespace

PrintedDerivation printDerivation(const Scene& scene, const std::vector<Derivation>& chain,
                                  const Notation& notation, bool isComplete) {
  PrintedDerivation printed;
  Printer printer(scene, notation, isComplete, printed);
  for (const Derivation& derivation : chain) printed.sections.push_back(printer.section(derivation));
  return printed;
}

}  // namespace attn
