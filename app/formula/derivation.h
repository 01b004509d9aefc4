#pragma once
#include <string>
#include <vector>

#include "app/formula/notation.h"
#include "core/explain/explain.h"

namespace attn {

/// The same twice: for the eye, as LaTeX with \part{n}{…} around what can be clicked, and as plain text.
struct PrintedPiece {
  std::string text, latex;
};

/// One step of a derivation: name = symbols = numbers = result. What is empty is left out.
struct PrintedLine {
  PrintedPiece name;
  std::vector<PrintedPiece> symbols, numbers;  // term by term; each after the first begins with its sign
  PrintedPiece result;
  std::string note;        // a sentence: why it is 0, where a NaN comes from
  bool isAlarm = false;    // not a number
  std::size_t folded = 0;  // more than 0: stands for so many steps like those above, and has nothing else
};

/// The derivation of one cell of the chain.
struct PrintedSection {
  Cell cell;
  std::vector<PrintedLine> lines;
};

struct PrintedDerivation {
  /// Part 0 is whatever was left out; part n is the cell targets[n − 1].
  static constexpr int kLeftOut = 0;
  std::vector<PrintedSection> sections;
  std::vector<Cell> targets;
  bool hasLeftOut = false;
};

/// What is printed of a chain of derivations. Sums with more than a dozen terms are printed with their first
/// and last ones and what the others amount to, unless `isComplete`; steps that are alike likewise.
PrintedDerivation printDerivation(const Scene& scene, const std::vector<Derivation>& chain,
                                  const Notation& notation, bool isComplete);

/// For the clipboard.
std::string textOf(const PrintedLine& line);
std::string textOf(const PrintedDerivation& derivation);
std::string latexOf(const PrintedDerivation& derivation);

}  // namespace attn
