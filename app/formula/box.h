#pragma once
#include "app/formula/layout.h"

namespace attn {

/// A piece of a formula while it is laid out: the origin is at the left end of its baseline, y still down.
struct Box {
  float width = 0, ascent = 0, descent = 0;
  std::vector<DrawCommand> commands;
  std::vector<LaidBox> boxes;

  /// Takes the other's drawing in, moved. Its box becomes a child of box 0, if there is one.
  void place(Box other, float dx, float dy);
  void draw(GlyphRun run, const RunSize& size);
  void draw(FormulaRect rule);
  void draw(Polyline line);
};

/// Sizes and gaps, in parts of the size of the letters.
constexpr float kScriptScale = 0.7f;
constexpr float kNestedFractionScale = 0.8f;
constexpr float kSmallest = 0.5f;  // of the whole formula's size: scripts of scripts stay legible
constexpr float kLargeSignScale = 1.5f;
constexpr float kLine = 0.055f;

/// The fence of a height, drawn with lines: as wide as it needs, its middle on the axis.
Box stretchedFence(const std::string& sign, float ascent, float descent, float size);
/// √ with its line over a box of this extent.
Box rootSign(float width, float ascent, float descent, float size);

}  // namespace attn
