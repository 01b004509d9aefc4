#include "app/layout_slides.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

/// Without what is hidden or not known; a row or column of one is that one. False where nothing is left.
template <class Keep>
bool prune(Tile& tile, const Keep& keeps) {
  if (tile.kind == Tile::Kind::panel) return keeps(tile.panel);
  std::vector<Tile> kept;
  for (Tile& child : tile.children)
    if (prune(child, keeps)) kept.push_back(std::move(child));
  tile.children = std::move(kept);
  if (tile.children.size() == 1) {
    Tile only = std::move(tile.children.front());
    only.share = tile.share;
    tile = std::move(only);
  } else if (tile.kind == Tile::Kind::tabs && !tile.children.empty()) {
    const bool hasFront = std::any_of(tile.children.begin(), tile.children.end(),
                                      [&](const Tile& child) { return child.panel == tile.panel; });
    if (!hasFront) tile.panel = tile.children.front().panel;
  }
  return tile.kind == Tile::Kind::panel || !tile.children.empty();
}

Tile single(const std::string& panel, float share) {
  return {Tile::Kind::panel, panel, {}, share};
}

}  // namespace

Tile tilesInSight(const Layout& layout) {
  if (!layout.maximised.empty()) return single(layout.maximised, 1);
  Tile tiles = layout.root;
  if (!prune(tiles, [&](const std::string& panel) { return !layout.isHidden(panel); })) return {};
  tiles.share = 1;
  return tiles;
}

Layout layoutShowing(const Tile& tiles, const std::vector<std::string>& known) {
  std::vector<std::string> missing = known;
  Tile root = tiles;
  // Each is met once, also where a file names it twice.
  const bool isSeen = prune(root, [&](const std::string& panel) { return std::erase(missing, panel) > 0; });
  Layout layout;
  layout.root = {Tile::Kind::column, "", {}, 1};
  if (isSeen) layout.root.children.push_back(std::move(root));
  for (const std::string& panel : missing) layout.root.children.push_back(single(panel, 0.6f));
  layout.hidden = missing;
  return layout;
}

}  // namespace attn
