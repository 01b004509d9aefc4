#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// A stretch of words, or the LaTeX of a formula.
struct TextPiece {
  std::string text;
  bool isFormula = false;

  bool operator==(const TextPiece&) const = default;
};

/// The pieces of a paragraph, whose formulas stand between dollar signs: "Divide by $\sqrt{d_k}$." A dollar
/// that is one is written \$. Throws Error where a formula has no end or cannot be read.
std::vector<TextPiece> piecesOf(std::string_view paragraph);

}  // namespace attn
