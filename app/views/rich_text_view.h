#pragma once
#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/formula/layout.h"

namespace attn {

struct Theme;

/// A paragraph of words and formulas, broken into lines.
struct RichTextLayout {
  struct Piece {
    ImVec2 at;          // words: their upper left corner; a formula: its own
    std::string words;  // empty: a formula
    FormulaLayout formula = {};
  };
  std::vector<Piece> pieces;
  ImVec2 size;
};

/// Lays out a text whose formulas stand between dollar signs. A formula that cannot be read is shown as it is
/// written.
RichTextLayout layOutRichText(const Theme& theme, std::string_view text, float width);

void paintRichText(const Theme& theme, const RichTextLayout& layout, ImVec2 at, ImU32 ink);

/// A paragraph over the width that there is, as an item of the current window.
void richText(const Theme& theme, std::string_view text, const ImVec4& colour);

}  // namespace attn
