#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/attention/visibility.h"

namespace attn {

struct ViewContext;
struct ViewState;
struct Wanted;

struct Pair {
  Index query = 0, key = 0;
  bool operator==(const Pair&) const = default;
};

/// Which pairs the scene leaves visible, as edited: the painter does not wait for an evaluation.
struct MaskPicture {
  Shapes shapes;
  Visibility visibility;
  Matrix values;  // queries × keys, all the same: what is visible has one colour
  std::uint64_t serial = 0;
};

/// Where the painter lies on the screen.
struct PainterPlace {
  float left = 0;          // of the panel
  float names = 0;         // the room for the names of rows, left of `x`; 0: they are not shown
  float heads = 0;         // the room for the names of columns, above `y`; 0: they are not shown
  bool isUpright = false;  // these names do not fit side by side: they are turned
  float x = 0, y = 0, width = 0, height = 0;  // of the cells that are in sight
};

struct MaskState {
  /// What a stroke of the painter writes, from its first cell on.
  enum class Stroke { none, hide, show };
  enum class Brush { cell, rectangle, row, column };
  Stroke stroke = Stroke::none;
  Brush brush = Brush::cell;
  Pair first, last;            // of the stroke
  Pair cursor;                 // what the arrow keys move
  bool isTyping = false;       // the cursor was moved later than the mouse: it is shown
  std::optional<Pair> anchor;  // the corner of a rectangle that the keyboard spans
  bool onlyThisHead = false;
  bool documentsApart = false;  // queries and keys of one sequence may belong to other documents
  std::string message;          // about the last stroke; empty when all went well

  float zoom = 1;                      // 1: all pairs are in sight
  float firstQuery = 0, firstKey = 0;  // at the upper left corner

  struct BlindRows {
    std::uint64_t serial = 0;
    Index head = 0;
    std::vector<Index> rows;
  };
  std::shared_ptr<const Scene> pictured;  // what `picture` was made for
  std::shared_ptr<const MaskPicture> picture;
  BlindRows blind;
  bool isInUse = false;   // the pointer was on the painter, or painting, in the last frame
  float rulesHeight = 0;  // of the rules above the painter, in the last frame
};

void drawMask(ViewContext& context);

}  // namespace attn
