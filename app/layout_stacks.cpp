// Which panels share a place, and how they come to it and leave it.
#include <algorithm>
#include <utility>

#include "app/layout.h"

namespace attn {
namespace {

bool holds(const Tile& tile, const std::string& panel) {
  return tile.kind == Tile::Kind::panel && tile.panel == panel;
}

/// The tile whose child the panel is; null where there is none.
template <class AnyTile>
AnyTile* parentOf(AnyTile& tile, const std::string& panel) {
  for (AnyTile& child : tile.children) {
    if (holds(child, panel)) return &tile;
    if (AnyTile* found = parentOf(child, panel)) return found;
  }
  return nullptr;
}

auto childWith(Tile& parent, const std::string& panel) {
  return std::find_if(parent.children.begin(), parent.children.end(),
                      [&](const Tile& child) { return holds(child, panel); });
}

/// Tabs of one panel become that panel, rows and columns without any go. The root stays what it is.
void tidy(Tile& tile) {
  for (Tile& child : tile.children) tidy(child);
  std::erase_if(tile.children,
                [](const Tile& child) { return child.kind != Tile::Kind::panel && child.children.empty(); });
  if (tile.kind != Tile::Kind::tabs) return;
  if (tile.children.size() == 1) {
    const float share = tile.share;
    tile = Tile(tile.children.front());
    tile.share = share;
  } else if (!tile.children.empty() && childWith(tile, tile.panel) == tile.children.end()) {
    tile.panel = tile.children.front().panel;
  }
}

}  // namespace

void Layout::bringToFront(const std::string& panel) {
  const bool isMaximised = !maximised.empty();
  show(panel, true);
  if (isMaximised) maximised = panel;
  Tile* parent = parentOf(root, panel);
  if (parent && parent->kind == Tile::Kind::tabs) parent->panel = panel;
}

bool Layout::isStacked(const std::string& panel) const {
  const Tile* parent = parentOf(root, panel);
  return parent && parent->kind == Tile::Kind::tabs;
}

void Layout::stackWith(const std::string& panel, const std::string& other) {
  Tile* from = parentOf(root, panel);
  if (panel == other || !from || !parentOf(root, other)) return;
  from->children.erase(childWith(*from, panel));
  Tile* parent = parentOf(root, other);
  if (parent->kind != Tile::Kind::tabs) {
    Tile& place = *childWith(*parent, other);
    const float share = std::exchange(place.share, 1.0f);
    place = Tile{Tile::Kind::tabs, other, {place}, share};
    parent = &place;
  }
  parent->children.push_back({Tile::Kind::panel, panel, {}, 1});
  parent->panel = panel;
  tidy(root);
}

void Layout::unstack(const std::string& panel) {
  Tile* tabs = parentOf(root, panel);
  if (!tabs || tabs->kind != Tile::Kind::tabs) return;
  tabs->children.erase(childWith(*tabs, panel));
  const float share = std::exchange(tabs->share, 1.0f);
  Tile rest = *tabs;
  *tabs = Tile{Tile::Kind::column, "", {std::move(rest), {Tile::Kind::panel, panel, {}, 1}}, share};
  tidy(root);
}

}  // namespace attn
