#pragma once

namespace attn {

struct MaskGrid;
struct ViewContext;

/// The names of the rows (queries, or keys where it is turned) at the left of the painter and of the columns
/// above it, as far as there is room: they follow its zoom, and where lines are thin only some are named.
void drawMaskNames(const ViewContext& context, const MaskGrid& grid);

}  // namespace attn
