#include "app/formula/derivation.h"
#include "app/formula/latex.h"

namespace attn {
namespace {

std::string foldedText(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " more step like this" : " more steps like these");
}

/// Terms of a long sum begin a new line after so many.
constexpr std::size_t kTermsInLine = 6;

std::string rightSides(const PrintedLine& line) {
  std::string text;
  const auto add = [&](const std::vector<PrintedPiece>& pieces) {
    for (std::size_t n = 0; n < pieces.size(); ++n) {
      if (n == 0)
        text += text.empty() ? " &= " : " \\\\\n &= ";
      else if (n % kTermsInLine == 0)
        text += " \\\\\n &\\quad";
      text += pieces[n].latex;
    }
  };
  add(line.symbols);
  add(line.numbers);
  add({line.result});
  return line.note.empty() ? text : text + " \\quad \\text{" + line.note + "}";
}

std::string joined(const std::vector<PrintedPiece>& pieces) {
  std::string text;
  for (const PrintedPiece& piece : pieces) text += (text.empty() ? " = " : "") + piece.text;
  return text;
}

}  // namespace

std::string textOf(const PrintedLine& line) {
  if (line.folded > 0) return "⋮ " + foldedText(line.folded);
  const std::string text =
      line.name.text + joined(line.symbols) + joined(line.numbers) + " = " + line.result.text;
  return line.note.empty() ? text : text + ", " + line.note;
}

std::string textOf(const PrintedDerivation& derivation) {
  std::string text;
  for (const PrintedSection& section : derivation.sections)
    for (const PrintedLine& line : section.lines) text += textOf(line) + "\n";
  return text;
}

std::string latexOf(const PrintedDerivation& derivation) {
  std::string text;
  for (const PrintedSection& section : derivation.sections)
    for (const PrintedLine& line : section.lines) {
      text += text.empty() ? "" : " \\\\\n";
      text += line.folded > 0 ? "&\\;\\;\\vdots \\quad \\text{" + foldedText(line.folded) + "}"
                              : line.name.latex + rightSides(line);
    }
  return withoutParts("\\begin{align*}\n" + text + "\n\\end{align*}\n");
}

}  // namespace attn
