#pragma once
#include "app/views/map_frame.h"

namespace attn {

/// Numbers in the cells of the plot that is open, while they fit.
void drawNumbers(const MapFrame& frame);

/// Covers the cells that an audience may not see yet, where their colours are hidden with their numbers.
void coverHidden(const MapFrame& frame);

/// Frames the row, the column and the cell that the pointer is on, here or in another panel, and marks the
/// chosen query. `min` to `max` is the whole map.
void drawMarks(const MapFrame& frame, ImDrawList& list, ImVec2 min, ImVec2 max);

/// The cell between these corners is the one that the keyboard is on.
void outlineCursor(const MapFrame& frame, ImDrawList& list, ImVec2 min, ImVec2 max);

}  // namespace attn
