#pragma once
#include <imgui.h>

#include <optional>

#include "app/views/mask.h"

namespace attn {

/// Where the painter's cells lie on the screen: queries downwards and keys to the right, or turned.
struct MaskGrid {
  PainterPlace place;
  ImVec2 min, size;  // of the cells that are in sight
  ImVec2 cell;       // pixels of a cell
  ImVec2 first;      // column and row at `min`
  Shapes shapes;
  bool isTurned = false;  // queries are columns

  Index across() const { return isTurned ? shapes.queries : shapes.keys; }
  Index down() const { return isTurned ? shapes.keys : shapes.queries; }
  Index column(Pair pair) const { return isTurned ? pair.query : pair.key; }
  Index row(Pair pair) const { return isTurned ? pair.key : pair.query; }

  ImVec2 max() const { return {min.x + size.x, min.y + size.y}; }
  /// The upper left corner of a cell, also of one out of sight.
  ImVec2 placeOf(Pair pair) const;
  /// The cell at a place; of one outside, the nearest.
  Pair cellAt(ImVec2 place) const;
};

/// Fits the grid, as far as it is zoomed, into what is left of the window but for `beneath` pixels. Nothing
/// where there is no room.
std::optional<MaskGrid> layOutGrid(ViewContext& context, const Shapes& shapes, float beneath);

/// The wheel zooms about the pointer, the right button moves what is zoomed, + − 0 do so by key.
void zoomWithMouse(ViewContext& context, const MaskGrid& grid);
void zoomAbout(MaskState& state, const MaskGrid& grid, ImVec2 place, float factor);
/// Moves what is in sight so that the cell is.
void scrollTo(MaskState& state, const MaskGrid& grid, Pair pair);

}  // namespace attn
