#include "app/layout_grow.h"

#include <algorithm>

namespace attn {
namespace {

bool isInSight(const Layout& layout, const Tile& tile) {
  if (tile.kind == Tile::Kind::panel) return !layout.isHidden(tile.panel);
  return std::any_of(tile.children.begin(), tile.children.end(),
                     [&](const Tile& child) { return isInSight(layout, child); });
}

/// What the visible neighbours of a child have together.
float shareBeside(const Layout& layout, const Tile& parent, const Tile& child) {
  float share = 0;
  for (const Tile& other : parent.children)
    if (&other != &child && isInSight(layout, other)) share += other.share;
  return share;
}

struct Place {
  Tile* child = nullptr;
  float beside = 0;  // the share of its neighbours
};

/// Whether the panel is in this tile; then also the innermost place in which it can grow.
bool findPlace(const Layout& layout, Tile& tile, const std::string& panel, Tile::Kind along, Place& place) {
  if (tile.kind == Tile::Kind::panel) return tile.panel == panel;
  for (Tile& child : tile.children) {
    if (!findPlace(layout, child, panel, along, place)) continue;
    const float beside = shareBeside(layout, tile, child);
    if (!place.child && tile.kind == along && beside > 0) place = {&child, beside};
    return true;
  }
  return false;
}

}  // namespace

void growPanel(Layout& layout, const std::string& panel, Tile::Kind along, float factor) {
  constexpr float kLeast = 0.1f, kMost = 0.9f;  // of the whole row or column
  Place place;
  if (!findPlace(layout, layout.root, panel, along, place) || !place.child) return;
  const auto shareFor = [&](float part) { return place.beside * part / (1 - part); };
  place.child->share = std::clamp(place.child->share * factor, shareFor(kLeast), shareFor(kMost));
}

WiderPanel::WiderPanel(Layout& layout, const std::string& panel) {
  constexpr float kLittle = 0.2f;
  Place place;
  if (!findPlace(layout, layout.root, panel, Tile::Kind::row, place) || !place.child) return;
  if (place.child->share > kLittle * (place.child->share + place.beside)) return;
  tile_ = place.child;
  tile_->share *= 2;
}

WiderPanel::~WiderPanel() {
  if (tile_) tile_->share /= 2;
}

}  // namespace attn
