#pragma once
#include <optional>
#include <string>

#include "app/views/mask.h"

namespace attn {

struct MaskGrid;

/// Paints with the mouse on the painter's item, which was drawn last. The first cell decides whether a stroke
/// hides or shows. Returns the cell under the pointer.
std::optional<Pair> strokeWithMouse(ViewContext& context, const MaskPicture& mask, const MaskGrid& grid);

/// The same from the keyboard while the painter is focused: arrows move, Space paints (Shift: the row,
/// Ctrl+Shift: the column), Ctrl+Space begins and ends a rectangle, Escape drops it, + − 0 zoom.
void strokeWithKeys(ViewContext& context, const MaskPicture& mask, const MaskGrid& grid);

/// Which rules hide a pair: "causal, top-left and window 2"; empty when it is visible.
std::string reasonText(const Scene& scene, Index head, Pair pair);

}  // namespace attn
