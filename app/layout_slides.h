#pragma once
#include <string>
#include <vector>

#include "app/layout.h"

namespace attn {

/// What of the layout is seen, and nothing else: for a slide.
Tile tilesInSight(const Layout& layout);

/// A layout that shows these tiles alone; all other panels are there, hidden. Nothing is seen where `known`
/// has none of the panels.
Layout layoutShowing(const Tile& tiles, const std::vector<std::string>& known);

}  // namespace attn
