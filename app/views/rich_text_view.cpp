#include "app/views/rich_text_view.h"

#include <algorithm>
#include <cmath>

#include "app/formula/latex.h"
#include "app/formula/rich_text.h"
#include "app/theme.h"
#include "app/views/formula_view.h"
#include "core/error.h"

namespace attn {
namespace {

/// What must not be torn apart: a word, or a formula with the comma behind it.
struct Atom {
  struct Part {
    std::string words;
    FormulaLayout formula;
    float width = 0;
  };
  std::vector<Part> parts;
  float width = 0, ascent = 0, descent = 0;
  bool hasSpace = false;  // before it
};

class Builder {
 public:
  Builder(const Theme& theme, float width) : theme_(theme), width_(width) {
    const ImFont& font = *ImGui::GetFont();
    ascent_ = font.Ascent * ImGui::GetFontSize() / font.FontSize;
    descent_ = ImGui::GetFontSize() - ascent_;
  }

  void words(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      if (end > at) add({std::string(text.substr(at, end - at)), {}, 0});
      if (end < text.size()) isApart_ = true;
      at = end + 1;
    }
  }

  /// Letters of the size of the words; a formula that is too wide for a line becomes smaller.
  void formula(const std::string& latex) {
    const float size = ImGui::GetFontSize() / theme_.unit;
    const Formula formula = parseLatex(latex);
    FormulaLayout layout = formulaLayout(theme_, formula, size);
    if (layout.width > width_)
      layout = formulaLayout(theme_, formula, size * std::max(0.6f, 0.98f * width_ / layout.width));
    add({"", std::move(layout), 0});
  }

  RichTextLayout finish() {
    const float space = ImGui::CalcTextSize(" ").x;
    for (std::size_t begin = 0; begin < atoms_.size();) {
      std::size_t end = begin;
      float used = 0;
      while (end < atoms_.size()) {
        const float gap = end > begin && atoms_[end].hasSpace ? space : 0;
        if (end > begin && used + gap + atoms_[end].width > width_) break;
        used += gap + atoms_[end++].width;
      }
      placeLine(begin, end, space);
      result_.size.x = std::max(result_.size.x, used);
      begin = end;
    }
    return std::move(result_);
  }

 private:
  void add(Atom::Part part) {
    const bool isFormula = part.words.empty();
    part.width = isFormula ? part.formula.width : ImGui::CalcTextSize(part.words.c_str()).x;
    if (atoms_.empty() || isApart_) atoms_.push_back({{}, 0, ascent_, descent_, isApart_});
    isApart_ = false;
    Atom& atom = atoms_.back();
    atom.width += part.width;
    atom.ascent = std::max(atom.ascent, part.formula.ascent);
    atom.descent = std::max(atom.descent, part.formula.descent);
    atom.parts.push_back(std::move(part));
  }

  void placeLine(std::size_t begin, std::size_t end, float space) {
    float ascent = 0, descent = 0, x = 0;
    for (std::size_t i = begin; i < end; ++i) {
      ascent = std::max(ascent, atoms_[i].ascent);
      descent = std::max(descent, atoms_[i].descent);
    }
    const float top = result_.size.y + (begin > 0 ? 2 * theme_.unit : 0), baseline = std::round(top + ascent);
    for (std::size_t i = begin; i < end; ++i) {
      if (i > begin && atoms_[i].hasSpace) x += space;
      for (Atom::Part& part : atoms_[i].parts) {
        const float up = part.words.empty() ? part.formula.ascent : ascent_;
        result_.pieces.push_back({{x, baseline - up}, std::move(part.words), std::move(part.formula)});
        x += part.width;
      }
    }
    result_.size.y = std::ceil(baseline + descent);
  }

  const Theme& theme_;
  float width_, ascent_ = 0, descent_ = 0;
  bool isApart_ = false;
  std::vector<Atom> atoms_;
  RichTextLayout result_;
};

}  // namespace

RichTextLayout layOutRichText(const Theme& theme, std::string_view text, float width) {
  Builder builder(theme, std::max(1.0f, width));
  try {
    for (const TextPiece& piece : piecesOf(text))
      if (piece.isFormula)
        builder.formula(piece.text);
      else
        builder.words(piece.text);
  } catch (const Error&) {  // which was told of when the lesson was read
    Builder plain(theme, std::max(1.0f, width));
    plain.words(text);
    return plain.finish();
  }
  return builder.finish();
}

void paintRichText(const Theme& theme, const RichTextLayout& layout, ImVec2 at, ImU32 ink) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const RichTextLayout::Piece& piece : layout.pieces) {
    const ImVec2 place(at.x + piece.at.x, at.y + piece.at.y);
    if (!piece.words.empty())
      list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {place.x, std::round(place.y)}, ink,
                   piece.words.c_str());
    else
      paintFormula(theme, list, place, piece.formula, [&](int) { return ink; });
  }
}

void richText(const Theme& theme, std::string_view text, const ImVec4& colour) {
  const RichTextLayout layout = layOutRichText(theme, text, ImGui::GetContentRegionAvail().x);
  paintRichText(theme, layout, ImGui::GetCursorScreenPos(), ImGui::GetColorU32(colour));
  ImGui::Dummy(layout.size);
}

}  // namespace attn
