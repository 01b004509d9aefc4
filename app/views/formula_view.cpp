#include "app/views/formula_view.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/item_registry.h"
#include "app/theme.h"

namespace attn {
namespace {

constexpr float kSmallestShare = 0.6f;  // smaller letters could not be read

/// The face whose own size is nearest: its letters need the least resampling.
ImFont* faceOf(const Theme& theme, float size, FontStyle style) {
  ImFont* const* faces = style == FontStyle::italic ? theme.formulaItalic : theme.formula;
  const auto isNearer = [&](ImFont* a, ImFont* b) {
    return std::abs(a->FontSize - size) < std::abs(b->FontSize - size);
  };
  return *std::min_element(faces, faces + std::size(theme.formula), isNearer);
}

class ThemeMeasure : public FontMeasure {
 public:
  explicit ThemeMeasure(const Theme& theme) : theme_(theme) {}

  /// The real extents of the glyphs, so that a fraction's line lies close to what is above and below it.
  RunSize measure(std::string_view text, float size, FontStyle style) const override {
    const ImFont& face = *faceOf(theme_, size, style);
    const float scale = size / face.FontSize;
    float advance = 0, top = face.Ascent, bottom = face.Ascent;
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
      unsigned int letter = 0;
      at += std::max(1, ImTextCharFromUtf8(&letter, at, end));
      const ImFontGlyph* glyph = face.FindGlyph(static_cast<ImWchar>(letter));
      if (!glyph) continue;
      advance += glyph->AdvanceX;
      if (glyph->Visible) top = std::min(top, glyph->Y0), bottom = std::max(bottom, glyph->Y1);
    }
    return {advance * scale, (face.Ascent - top) * scale, (bottom - face.Ascent) * scale};
  }

 private:
  const Theme& theme_;
};

/// Puts the commands of a layout into a draw list, lines on whole pixels.
struct Painter {
  const Theme& theme;
  ImDrawList& list;
  ImVec2 origin;
  ImU32 ink;

  void operator()(const GlyphRun& run) const {
    ImFont* face = faceOf(theme, run.size, run.style);
    const float top = origin.y + run.baseline.y - face->Ascent * run.size / face->FontSize;
    list.AddText(face, run.size, {origin.x + run.baseline.x, std::round(top)}, ink, run.text.c_str());
  }
  void operator()(const FilledRule& rule) const {
    const float height = std::max(1.0f, std::round(rule.rect.height));
    const float y = std::round(origin.y + rule.rect.y);
    list.AddRectFilled({origin.x + rule.rect.x, y}, {origin.x + rule.rect.right(), y + height}, ink);
  }
  void operator()(const Polyline& line) const {
    std::vector<ImVec2> points;
    for (const FormulaPoint& p : line.points) points.emplace_back(origin.x + p.x, origin.y + p.y);
    list.AddPolyline(points.data(), static_cast<int>(points.size()), ink, 0, std::max(1.0f, line.thickness));
  }
};

FormulaLayout fitted(const Theme& theme, const Formula& formula, const FormulaStyle& style) {
  const ThemeMeasure measure(theme);
  const float size = style.size * theme.unit;
  FormulaLayout layout = layOut(formula, measure, size);
  if (style.mostWidth <= 0 || layout.width <= style.mostWidth) return layout;
  return layOut(formula, measure, size * std::max(kSmallestShare, 0.99f * style.mostWidth / layout.width));
}

}  // namespace

FormulaLayout formulaLayout(const Theme& theme, const Formula& formula, float size) {
  return layOut(formula, ThemeMeasure(theme), size * theme.unit);
}

void paintCommand(const Theme& theme, ImDrawList& list, ImVec2 at, const DrawCommand& command, ImU32 ink) {
  std::visit(Painter{theme, list, at, ink}, command.shape);
}

ImVec2 formulaSize(const Theme& theme, const Formula& formula, const FormulaStyle& style) {
  const FormulaLayout layout = fitted(theme, formula, style);
  return {std::ceil(layout.width), std::ceil(layout.height())};
}

int drawFormula(const Theme& theme, const char* name, const Formula& formula, const FormulaStyle& style) {
  const FormulaLayout layout = fitted(theme, formula, style);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(std::ceil(layout.width), std::ceil(layout.height()));
  ImGui::Dummy(size);
  nameRect(name, at, {at.x + size.x, at.y + size.y});
  paintFormula(theme, *ImGui::GetWindowDrawList(), at, layout, [&](int part) {
    const bool isMarked = style.markedPart >= 0 && part == style.markedPart;
    return ImGui::GetColorU32(isMarked ? theme.accent : style.colour);
  });
  if (!ImGui::IsItemHovered()) return -1;
  const ImVec2 mouse = ImGui::GetMousePos();
  return layout.partAt({mouse.x - at.x, mouse.y - at.y});
}

}  // namespace attn
