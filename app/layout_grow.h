#pragma once
#include <string>

#include "app/layout.h"

namespace attn {

/// Gives the panel so many times its share of the row (for its width) or the column (for its height) that it
/// lies in, as far as its neighbours can do without. Nothing where it has none on that side.
void growPanel(Layout& layout, const std::string& panel, Tile::Kind along, float factor);

}  // namespace attn
