#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/formula/formula.h"

namespace attn {

/// What a font says of a text: how far it moves on, how far it reaches above and below its baseline.
struct RunSize {
  float advance = 0, ascent = 0, descent = 0;
};

/// The caller's font. Better than the font's line height are the real extents of the text's glyphs: the
/// tighter they are, the tighter the formula.
class FontMeasure {
 public:
  virtual ~FontMeasure() = default;
  virtual RunSize measure(std::string_view text, float size, FontStyle style) const = 0;
  /// How far above the baseline the middle of a minus sign lies: where a fraction's line goes.
  virtual float axisHeight(float size) const { return 0.31f * size; }
};

/// x to the right, y down; the origin is the top left corner of the formula.
struct FormulaPoint {
  float x = 0, y = 0;
};
struct FormulaRect {
  float x = 0, y = 0, width = 0, height = 0;
  float right() const { return x + width; }
  float bottom() const { return y + height; }
  bool contains(FormulaPoint p) const { return p.x >= x && p.x <= right() && p.y >= y && p.y <= bottom(); }
};

struct GlyphRun {
  std::string text;
  FormulaPoint baseline;  // where the first glyph starts
  float size = 0;
  FontStyle style = FontStyle::upright;
};
/// A filled rectangle: the line of a fraction.
struct FilledRule {
  FormulaRect rect;
};
/// The sign of a root, a large bracket, a hat.
struct Polyline {
  std::vector<FormulaPoint> points;
  float thickness = 0;
};

struct DrawCommand {
  std::variant<GlyphRun, FilledRule, Polyline> shape;
  FormulaRect rect;
  int part = -1;
};

/// A node of the formula where it has been laid out, for tests and for pointing at things.
struct LaidBox {
  Formula::Kind kind = Formula::Kind::row;
  FormulaRect rect;
  float baseline = 0;  // y
  int parent = -1;     // index of the box around it
  int part = -1;
};

struct FormulaLayout {
  float width = 0, ascent = 0, descent = 0;
  std::vector<DrawCommand> commands;
  std::vector<LaidBox> boxes;  // parents before their children

  float height() const { return ascent + descent; }
  /// The innermost part at a point, −1 where there is none.
  int partAt(FormulaPoint point) const;
  /// The rectangle around all of a part.
  std::optional<FormulaRect> rectOf(int part) const;
};

/// `size` is that of the letters, in the caller's pixels.
FormulaLayout layOut(const Formula& formula, const FontMeasure& font, float size);

}  // namespace attn
