#include "app/views/explain_page.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/formula/latex.h"
#include "app/theme.h"
#include "app/views/explain_words.h"
#include "app/views/formula_view.h"

namespace attn {
namespace {

constexpr float kLetters = 16, kSmallest = 9;      // in units
constexpr float kLargest = 21, kUsualWidth = 700;  // wider pages have larger letters, as far as that
constexpr float kIndent = 22;
constexpr std::string_view kGap = "\\;";

/// Whether a comma, or a semicolon among decimal commas, parts it from what is before it.
bool isNextOfList(const std::string& latex) {
  return (latex.starts_with(',') || latex.starts_with(';')) && latex.substr(1).starts_with(kGap);
}

/// A plus at its start stands between this piece and the one before.
std::string spaced(const std::string& latex) {
  return latex.starts_with(" + ") ? "+\\:" + latex.substr(3) : latex;
}

class Setter {
 public:
  Setter(const Theme& theme, ExplainPage& page)
      : theme_(theme),
        page_(page),
        width_(page.key.width),
        letters_(std::clamp(kLetters * width_ / (kUsualWidth * theme.unit), kLetters, kLargest)) {}

  /// A number that is only handed on needs no heading of its own.
  void section(const Scene& scene, const PrintedSection& section) {
    const bool isHandedOn = section.lines.size() == 1 && section.lines[0].numbers.empty() &&
                            !section.lines[0].symbols.empty() && y_ > 0;
    if (!isHandedOn) {
      if (y_ > 0) y_ += 8 * theme_.unit;
      words(ExplainPage::Words::Kind::heading, cellWords(page_.key.notation, scene, section.cell), 0,
            page_.steps + 1);
      y_ += 3 * theme_.unit;
    }
    for (const PrintedLine& each : section.lines) line(each);
  }
  void finish() { page_.height = y_; }

 private:
  void line(const PrintedLine& line) {
    if (line.folded > 0) {
      const std::string plural = line.folded == 1 ? " more step like this" : " more steps like these";
      return words(ExplainPage::Words::Kind::folded, "⋮  " + std::to_string(line.folded) + plural, kIndent,
                   ++page_.steps);
    }
    int step = ++page_.steps;
    begin();
    piece(line.name.latex, step);
    list(line.symbols, [&] { return step; });
    if (line.numbers.size() > 1) list(line.numbers, [&] { return step = ++page_.steps; });
    if (!line.numbers.empty()) step = ++page_.steps;
    if (line.numbers.size() == 1) list(line.numbers, [&] { return step; });
    const std::size_t result = page_.pieces.size();
    piece("=\\:" + line.result.latex, step);
    for (std::size_t n = result; n < page_.pieces.size(); ++n)
      page_.pieces[n].isResult = true, page_.pieces[n].isAlarm = line.isAlarm;
    endRow();
    using Kind = ExplainPage::Words::Kind;
    if (!line.note.empty()) words(line.isAlarm ? Kind::alarm : Kind::note, line.note, kIndent, step);
    y_ += 4 * theme_.unit;
  }

  template <class StepOf>
  void list(const std::vector<PrintedPiece>& pieces, const StepOf& stepOf) {
    for (std::size_t n = 0; n < pieces.size(); ++n) {
      std::string latex = (n == 0 ? "=\\:" : "") + spaced(pieces[n].latex);
      if (isNextOfList(latex)) latex.erase(0, 1 + kGap.size());  // its mark stays with what is before
      if (n + 1 < pieces.size() && isNextOfList(pieces[n + 1].latex)) latex += pieces[n + 1].latex[0];
      piece(latex, stepOf());
    }
  }

  // Pieces side by side, on one baseline, as far as the width goes.

  void begin() { x_ = 0, row_ = page_.pieces.size(); }

  void piece(const std::string& latex, int step) {
    const Formula formula = parseLatex(latex);
    FormulaLayout layout = formulaLayout(theme_, formula, letters_);
    const float indent = kIndent * theme_.unit;
    const float gap = 0.28f * letters_ * theme_.unit;
    if (x_ > 0 && x_ + gap + layout.width > width_) {
      endRow();
      row_ = page_.pieces.size();
      x_ = indent;
    } else if (x_ > 0) {
      x_ += gap;
    }
    const float room = width_ - x_;
    if (layout.width > room)
      layout = formulaLayout(theme_, formula, std::max(kSmallest, letters_ * 0.99f * room / layout.width));
    const float width = layout.width;
    page_.pieces.push_back({std::move(layout), x_, 0, step});
    x_ += width;
  }

  void endRow() {
    float ascent = 0, descent = 0;
    for (std::size_t n = row_; n < page_.pieces.size(); ++n) {
      ascent = std::max(ascent, page_.pieces[n].layout.ascent);
      descent = std::max(descent, page_.pieces[n].layout.descent);
    }
    for (std::size_t n = row_; n < page_.pieces.size(); ++n) {
      ExplainPage::Piece& piece = page_.pieces[n];
      piece.x = std::round(piece.x), piece.y = std::round(y_ + ascent - piece.layout.ascent);
      gatherLinks(n);
    }
    y_ += ascent + descent + 4 * theme_.unit;
  }

  void gatherLinks(std::size_t n) {
    const ExplainPage::Piece& piece = page_.pieces[n];
    for (const LaidBox& box : piece.layout.boxes) {
      if (box.part < 0) continue;
      const FormulaRect rect{piece.x + box.rect.x, piece.y + box.rect.y, box.rect.width, box.rect.height};
      page_.links.push_back({n, box.part, rect, piece.step});
    }
  }

  void words(ExplainPage::Words::Kind kind, std::string text, float indent, int step) {
    const bool isHeading = kind == ExplainPage::Words::Kind::heading;
    ImFont* font = isHeading ? theme_.heading : theme_.small;
    const float x = indent * theme_.unit, width = std::max(1.0f, width_ - x);
    const float height = font->CalcTextSizeA(font->FontSize, FLT_MAX, width, text.c_str()).y;
    page_.words.push_back({kind, std::move(text), x, std::round(y_), width, height, step});
    y_ += height + 2 * theme_.unit;
  }

  const Theme& theme_;
  ExplainPage& page_;
  float width_, letters_;
  float x_ = 0, y_ = 0;
  std::size_t row_ = 0;  // the first piece of the row
};

}  // namespace

ExplainPage layOutPage(const Theme& theme, const Scene& scene, PrintedDerivation printed,
                       const ExplainPage::Key& key) {
  ExplainPage page;
  page.key = key;
  page.printed = std::move(printed);
  Setter setter(theme, page);
  for (const PrintedSection& section : page.printed.sections) setter.section(scene, section);
  setter.finish();
  return page;
}

}  // namespace attn
