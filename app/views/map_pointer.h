#pragma once
#include <string>

#include "app/views/map_frame.h"

namespace attn {

/// What the pointer is on goes to all panels, and a tooltip tells of the cell. The place is counted in cells.
void followPointer(const MapFrame& frame, double across, double down);

/// The same for the keyboard's cell, whose corners are at `min` and `max`: the tooltip is beside it.
void pointAt(const MapFrame& frame, Index row, Index col, ImVec2 min, ImVec2 max);

/// Chooses the cell's query, where the map has queries, and explains the cell.
void chooseQuery(const MapFrame& frame, Index row, Index col);
/// A click (not the end of a drag) does so with the cell that the pointer is on.
void chooseByClick(const MapFrame& frame);

/// The pair, its number with all digits, and what that number means: a line each.
std::string cellTitle(const MapFrame& frame, Index row, Index col);
std::string cellValue(const MapFrame& frame, Index row, Index col);
std::string cellMeaning(const MapFrame& frame, Index row, Index col);

}  // namespace attn
