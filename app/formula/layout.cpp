#include "app/formula/layout.h"

#include <algorithm>

#include "app/formula/box.h"

namespace attn {
namespace {

/// Lays nodes out, one function a kind. Sizes are absolute; `fractions` counts the fractions around.
class Layouter {
 public:
  Layouter(const FontMeasure& font, float size) : font_(font), smallest_(kSmallest * size) {}

  Box lay(const Formula& f, float size, int fractions) const {
    // Box 0 stands for the node itself, so that what is placed becomes its child.
    Box box;
    LaidBox self;
    self.kind = f.kind;
    self.part = f.part;
    box.boxes.push_back(self);
    fill(box, f, size, fractions);
    box.boxes[0].rect = {0, -box.ascent, box.width, box.ascent + box.descent};
    if (f.part >= 0)
      for (DrawCommand& command : box.commands)
        if (command.part < 0) command.part = f.part;
    return box;
  }

 private:
  void fill(Box& box, const Formula& f, float size, int fractions) const {
    switch (f.kind) {
      case Formula::Kind::run:
      case Formula::Kind::sign:
        return run(box, f, size);
      case Formula::Kind::space:
        box.width = static_cast<float>(f.width) * size;
        return;
      case Formula::Kind::row:
        return row(box, f, size, fractions);
      case Formula::Kind::fraction:
        return fraction(box, f, size, fractions);
      case Formula::Kind::root:
        return root(box, f, size, fractions);
      case Formula::Kind::scripts:
        return scripts(box, f, size, fractions);
      case Formula::Kind::limits:
        return limits(box, f, size, fractions);
      case Formula::Kind::fenced:
        return fenced(box, f, size, fractions);
      case Formula::Kind::matrix:
        return matrix(box, f, size, fractions);
      case Formula::Kind::hat:
        return hat(box, f, size, fractions);
    }
  }

  float smaller(float size, float scale) const { return std::max(size * scale, std::min(size, smallest_)); }

  void run(Box& box, const Formula& f, float size) const {
    const RunSize extent = font_.measure(f.text, size, f.style);
    box.width = extent.advance;
    box.ascent = extent.ascent;
    box.descent = extent.descent;
    if (!f.text.empty()) box.draw(GlyphRun{f.text, {0, 0}, size, f.style}, extent);
  }

  /// Puts a box to the right of what is there.
  static void append(Box& box, Box next, float dy = 0) {
    const float x = box.width;
    box.width += next.width;
    cover(box, next, dy);
    box.place(std::move(next), x, dy);
  }

  static void cover(Box& box, const Box& placed, float dy) {
    box.ascent = std::max(box.ascent, placed.ascent - dy);
    box.descent = std::max(box.descent, placed.descent + dy);
  }

  /// A sign between two things has space around it; at the start, or after another sign, it belongs to what
  /// follows.
  void row(Box& box, const Formula& f, float size, int fractions) const {
    bool afterThing = false;
    for (std::size_t i = 0; i < f.children.size(); ++i) {
      const Formula& child = f.children[i];
      const bool isSign = child.kind == Formula::Kind::sign;
      const float around = isSign && afterThing && i + 1 < f.children.size() ? 0.22f * size : 0;
      box.width += around;
      append(box, lay(child, size, fractions));
      box.width += around;
      if (child.kind != Formula::Kind::space) afterThing = !isSign;
    }
  }

  void fraction(Box& box, const Formula& f, float size, int fractions) const {
    const float inner = fractions > 0 ? smaller(size, kNestedFractionScale) : size;
    Box above = lay(f.children[0], inner, fractions + 1), below = lay(f.children[1], inner, fractions + 1);
    const float axis = font_.axisHeight(size), thickness = kLine * size, gap = 0.12f * size;
    const float overhang = 0.1f * size, side = 0.06f * size;
    const float line = std::max(above.width, below.width) + 2 * overhang;
    box.width = line + 2 * side;
    const float up = -(axis + thickness / 2 + gap + above.descent);
    const float down = -axis + thickness / 2 + gap + below.ascent;
    cover(box, above, up);
    cover(box, below, down);
    const float aboveX = (box.width - above.width) / 2, belowX = (box.width - below.width) / 2;
    box.place(std::move(above), aboveX, up);
    box.draw(FormulaRect{side, -axis - thickness / 2, line, thickness});
    box.place(std::move(below), belowX, down);
  }

  void root(Box& box, const Formula& f, float size, int fractions) const {
    Box inside = lay(f.children[0], size, fractions);
    Box sign = rootSign(inside.width, inside.ascent, inside.descent, size);
    const float gap = 0.1f * size;
    const float x = sign.width - inside.width - gap / 2;
    box.width = sign.width;
    cover(box, sign, 0);
    cover(box, inside, 0);
    box.place(std::move(sign), 0, 0);
    box.place(std::move(inside), x, 0);
  }

  void scripts(Box& box, const Formula& f, float size, int fractions) const {
    const float small = smaller(size, kScriptScale), gap = 0.08f * size;
    append(box, lay(f.children[0], size, fractions));
    const float baseAscent = box.ascent, baseDescent = box.descent, x = box.width + 0.04f * size;
    const bool hasSub = !f.children[1].isNothing(), hasSup = !f.children[2].isNothing();
    Box sub = lay(f.children[1], small, fractions + 1), sup = lay(f.children[2], small, fractions + 1);
    const float up = std::max({0.38f * size, baseAscent - 0.45f * sup.ascent, sup.descent + 0.25f * size});
    float down = std::max({0.18f * size, baseDescent - 0.3f * sub.descent, sub.ascent - 0.45f * size});
    if (hasSub && hasSup) down = std::max(down, sub.ascent + sup.descent - up + gap);
    float width = 0;
    if (hasSup) {
      width = std::max(width, sup.width);
      cover(box, sup, -up);
      box.place(std::move(sup), x, -up);
    }
    if (hasSub) {
      width = std::max(width, sub.width);
      cover(box, sub, down);
      box.place(std::move(sub), x, down);
    }
    if (hasSub || hasSup) box.width = x + width + 0.03f * size;
  }

  /// Σ with what it runs over. The sign's own middle goes on the axis, whatever its font's line is.
  void limits(Box& box, const Formula& f, float size, int fractions) const {
    const float small = smaller(size, kScriptScale), gap = 0.08f * size;
    Box large = lay(f.children[0], kLargeSignScale * size, fractions);
    Box below = lay(f.children[1], small, fractions + 1), above = lay(f.children[2], small, fractions + 1);
    const float dy = (large.ascent - large.descent) / 2 - font_.axisHeight(size);
    const float side = 0.1f * size;
    box.width = std::max({large.width, below.width, above.width}) + 2 * side;
    const float top = dy - large.ascent, bottom = dy + large.descent;
    const float largeX = (box.width - large.width) / 2;
    cover(box, large, dy);
    box.place(std::move(large), largeX, dy);
    if (!f.children[2].isNothing()) {
      const float y = top - gap - above.descent, x = (box.width - above.width) / 2;
      cover(box, above, y);
      box.place(std::move(above), x, y);
    }
    if (!f.children[1].isNothing()) {
      const float y = bottom + gap + below.ascent, x = (box.width - below.width) / 2;
      cover(box, below, y);
      box.place(std::move(below), x, y);
    }
  }

  /// The font's own sign where it is high enough, else one drawn as high as what it holds.
  Box fence(const std::string& sign, const Box& inside, float size) const {
    const RunSize own = font_.measure(sign, size, FontStyle::upright);
    if (inside.ascent <= 1.15f * own.ascent && inside.descent <= 1.3f * own.descent + 0.1f * size) {
      Box box;
      run(box, textRun(sign), size);
      return box;
    }
    const float axis = font_.axisHeight(size);
    const float reach = std::max(inside.ascent - axis, inside.descent + axis) + 0.04f * size;
    return stretchedFence(sign, reach + axis, reach - axis, size);
  }

  void fenced(Box& box, const Formula& f, float size, int fractions) const {
    Box inside = lay(f.children[0], size, fractions);
    Box open = f.open.empty() ? Box{} : fence(f.open, inside, size);
    Box close = f.close.empty() ? Box{} : fence(f.close, inside, size);
    append(box, std::move(open));
    append(box, std::move(inside));
    append(box, std::move(close));
  }

  void matrix(Box& box, const Formula& f, float size, int fractions) const {
    const auto columns = static_cast<std::size_t>(std::max(f.columns, 1));
    const std::size_t rows = (f.children.size() + columns - 1) / columns;
    std::vector<Box> cells;
    std::vector<float> widths(columns), ascents(rows), descents(rows);
    for (std::size_t i = 0; i < f.children.size(); ++i) {
      cells.push_back(lay(f.children[i], size, fractions));
      float &width = widths[i % columns], &ascent = ascents[i / columns], &descent = descents[i / columns];
      width = std::max(width, cells[i].width);
      ascent = std::max({ascent, cells[i].ascent, 0.6f * size});
      descent = std::max({descent, cells[i].descent, 0.15f * size});
    }
    const float rowGap = 0.25f * size, columnGap = 0.9f * size;
    float height = rows > 0 ? rowGap * static_cast<float>(rows - 1) : 0;
    for (std::size_t r = 0; r < rows; ++r) height += ascents[r] + descents[r];
    const float axis = font_.axisHeight(size);
    float y = -axis - height / 2;
    for (std::size_t r = 0; r < rows; ++r) {
      y += ascents[r];
      float x = 0;
      for (std::size_t c = 0; c < columns && r * columns + c < cells.size(); ++c) {
        Box& cell = cells[r * columns + c];
        const float cellX = x + (widths[c] - cell.width) / 2;
        box.place(std::move(cell), cellX, y);
        x += widths[c] + columnGap;
      }
      y += descents[r] + rowGap;
    }
    for (std::size_t c = 0; c < columns; ++c) box.width += widths[c] + (c > 0 ? columnGap : 0);
    box.ascent = axis + height / 2;
    box.descent = height / 2 - axis;
  }

  void hat(Box& box, const Formula& f, float size, int fractions) const {
    append(box, lay(f.children[0], size, fractions));
    const float thickness = kLine * size, high = 0.16f * size;
    const float bottom = -box.ascent - 0.04f * size - thickness / 2;
    const float half = std::min(0.22f * size, std::max(box.width / 2 - thickness, 0.1f * size));
    const float middle = box.width / 2;
    box.draw(
        Polyline{{{middle - half, bottom}, {middle, bottom - high}, {middle + half, bottom}}, thickness});
    box.ascent = -bottom + high + thickness / 2;
    const float overhang = half + thickness / 2 - middle;
    if (overhang > 0) widen(box, overhang);
  }

  /// The same amount of room on both sides.
  static void widen(Box& box, float by) {
    Box wide;
    wide.boxes.push_back(box.boxes[0]);
    wide.ascent = box.ascent;
    wide.descent = box.descent;
    wide.width = box.width + 2 * by;
    const LaidBox self = box.boxes[0];
    box.boxes.erase(box.boxes.begin());
    for (LaidBox& each : box.boxes) --each.parent;
    wide.place(std::move(box), by, 0);
    wide.boxes[0] = self;
    box = std::move(wide);
  }

  const FontMeasure& font_;
  float smallest_;
};

FormulaRect united(const FormulaRect& a, const FormulaRect& b) {
  const float x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

}  // namespace

FormulaLayout layOut(const Formula& formula, const FontMeasure& font, float size) {
  Box laid = Layouter(font, size).lay(formula, size, 0);
  FormulaLayout layout{laid.width, laid.ascent, laid.descent, {}, {}};
  Box page;
  page.place(std::move(laid), 0, layout.ascent);
  layout.commands = std::move(page.commands);
  layout.boxes = std::move(page.boxes);
  return layout;
}

int FormulaLayout::partAt(FormulaPoint point) const {
  // Children come after their parents: the last one that holds the point is the innermost.
  for (auto box = boxes.rbegin(); box != boxes.rend(); ++box)
    if (box->part >= 0 && box->rect.contains(point)) return box->part;
  return -1;
}

std::optional<FormulaRect> FormulaLayout::rectOf(int part) const {
  std::optional<FormulaRect> rect;
  for (const LaidBox& box : boxes)
    if (box.part == part) rect = rect ? united(*rect, box.rect) : box.rect;
  return rect;
}

}  // namespace attn
