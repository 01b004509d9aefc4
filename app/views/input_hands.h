#pragma once
#include "app/views/input_grid.h"

namespace attn {

/// Mouse and keyboard on the grids of numbers, and what opens over them.

/// Reads the mouse; right after the grid's item.
void followGridPointer(ViewContext& context, const GridFrame& grid);
/// Gives back the numbers from before the drag that is under way.
void cancelScrub(ViewContext& context);

/// Reads the keys; before the grids are drawn.
void followGridKeys(ViewContext& context);

/// Opens the text field over the cursor's cell (or the label of its row). Without words it holds what is
/// there.
void openText(ViewContext& context, CellText::Place place, std::string_view words = {});
/// Takes what was typed. `isForAll`: into the whole selection.
void commitText(ViewContext& context, bool isForAll = false);
void cancelText(ViewContext& context);
/// The text field itself, if it is open over this grid.
void drawText(ViewContext& context, const GridFrame& grid);

/// Where Q, K and V come from, and which matrices there are.
void drawSourceMenu(ViewContext& context);
/// The menu of cells, rows and columns; the fill popup; the sentence.
void drawInputPopups(ViewContext& context);

}  // namespace attn
