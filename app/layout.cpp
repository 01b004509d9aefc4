#include "app/layout.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

Tile panel(const char* title, float share) {
  return {Tile::Kind::panel, title, {}, share};
}

/// They share a place at the right of everything else.
constexpr const char* kLabs[] = {"Scaling lab",       "Query lab",           "Cost lab",
                                 "Normalisation lab", "Receptive field lab", "Mask lab"};

bool isVisible(const Layout& layout, const Tile& tile) {
  if (tile.kind == Tile::Kind::panel) return !layout.isHidden(tile.panel);
  return std::any_of(tile.children.begin(), tile.children.end(),
                     [&](const Tile& child) { return isVisible(layout, child); });
}

template <class AnyTile>
std::vector<AnyTile*> visibleChildren(const Layout& layout, AnyTile& tile) {
  std::vector<AnyTile*> visible;
  for (AnyTile& child : tile.children)
    if (isVisible(layout, child)) visible.push_back(&child);
  return visible;
}

/// The panel in front of visible tabs: the chosen one, or the first where that is hidden.
std::string frontOf(const Layout& layout, const Tile& tabs) {
  const std::vector<const Tile*> visible = visibleChildren(layout, tabs);
  for (const Tile* child : visible)
    if (child->panel == tabs.panel) return child->panel;
  return visible.front()->panel;
}

void placeTabs(const Layout& layout, const Tile& tabs, ImVec2 min, ImVec2 size, Arrangement& arrangement) {
  PanelRect rect{frontOf(layout, tabs), min, size, {}};
  for (const Tile* child : visibleChildren(layout, tabs)) rect.tabs.push_back(child->panel);
  if (rect.tabs.size() == 1) rect.tabs.clear();
  arrangement.panels.push_back(std::move(rect));
}

void gatherInSight(const Layout& layout, const Tile& tile, std::vector<std::string>& titles) {
  if (!isVisible(layout, tile)) return;
  if (tile.kind == Tile::Kind::panel) titles.push_back(tile.panel);
  if (tile.kind == Tile::Kind::tabs) titles.push_back(frontOf(layout, tile));
  if (tile.kind == Tile::Kind::row || tile.kind == Tile::Kind::column)
    for (const Tile& child : tile.children) gatherInSight(layout, child, titles);
}

void place(Layout& layout, Tile& tile, ImVec2 min, ImVec2 size, float gap, Arrangement& arrangement);

/// Shares the extent among the visible children. Borders fall on whole pixels.
void placeChildren(Layout& layout, Tile& tile, ImVec2 min, ImVec2 size, float gap, Arrangement& arrangement) {
  const bool isRow = tile.kind == Tile::Kind::row;
  const std::vector<Tile*> children = visibleChildren(layout, tile);
  float shares = 0;
  for (const Tile* child : children) shares += child->share;
  const float room = (isRow ? size.x : size.y) - gap * static_cast<float>(children.size() - 1);
  const float start = isRow ? min.x : min.y;
  float before = 0;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const float offset = gap * static_cast<float>(i);
    const float from = std::round(start + offset + room * before / shares);
    before += children[i]->share;
    const float to = std::round(start + offset + room * before / shares);
    const ImVec2 corner = isRow ? ImVec2(from, min.y) : ImVec2(min.x, from);
    const ImVec2 extent = isRow ? ImVec2(to - from, size.y) : ImVec2(size.x, to - from);
    place(layout, *children[i], corner, extent, gap, arrangement);
    if (i + 1 == children.size()) break;
    const float pair = room * (children[i]->share + children[i + 1]->share) / shares;
    arrangement.splitters.push_back({children[i], children[i + 1], isRow,
                                     isRow ? ImVec2(to, min.y) : ImVec2(min.x, to),
                                     isRow ? ImVec2(gap, size.y) : ImVec2(size.x, gap), pair});
  }
}

void place(Layout& layout, Tile& tile, ImVec2 min, ImVec2 size, float gap, Arrangement& arrangement) {
  if (tile.kind == Tile::Kind::panel)
    arrangement.panels.push_back({tile.panel, min, size, {}});
  else if (tile.kind == Tile::Kind::tabs)
    placeTabs(layout, tile, min, size, arrangement);
  else
    placeChildren(layout, tile, min, size, gap, arrangement);
}

}  // namespace

bool Layout::isHidden(const std::string& panel) const {
  return std::find(hidden.begin(), hidden.end(), panel) != hidden.end();
}

void Layout::show(const std::string& panel, bool isShown) {
  std::erase(hidden, panel);
  if (!isShown) hidden.push_back(panel);
  // One that is asked for comes into sight, also from behind the maximised one.
  if (isShown != (maximised == panel)) maximised.clear();
}

void Layout::toggleMaximised(const std::string& panel) {
  maximised = maximised == panel ? "" : panel;
}

Layout defaultLayout() {
  const Tile formula{Tile::Kind::row,
                     "",
                     {panel("Inputs", 27), panel("Raw scores", 25), panel("Scores", 25), panel("Weights", 25),
                      panel("Lines", 22), panel("Output", 23)},
                     55};
  const Tile backward{Tile::Kind::row,
                      "",
                      {panel("dX", 20), panel("dQ", 20), panel("dK", 20), panel("dV", 20),
                       panel("dScores", 25), panel("dWeights", 25)},
                      50};
  const Tile beneath{Tile::Kind::row,
                     "",
                     {panel("Heads", 14),
                      panel("Mask", 17),
                      panel("Scale", 19),
                      panel("Saturation", 28),
                      {Tile::Kind::tabs, "Gradients", {panel("Gradients", 1), panel("Explain", 1)}, 22}},
                     45};
  const Tile desk{Tile::Kind::column, "", {formula, backward, beneath}, 70};
  const Tile labs{Tile::Kind::tabs, kLabs[0], {}, 55};
  Layout layout{{Tile::Kind::column, "", {{Tile::Kind::row, "", {panel("Lesson", 30), desk, labs}, 1}}, 1},
                {"Lesson", "Raw scores", "Lines", "dX", "dQ", "dK", "dV", "dScores", "dWeights"},
                ""};
  for (const char* lab : kLabs) {
    layout.root.children[0].children[2].children.push_back(panel(lab, 1));
    layout.hidden.push_back(lab);
  }
  return layout;
}

Arrangement arrange(Layout& layout, ImVec2 min, ImVec2 size, float gap) {
  Arrangement arrangement;
  if (!layout.maximised.empty())
    arrangement.panels.push_back({layout.maximised, min, size, {}});
  else if (isVisible(layout, layout.root))
    place(layout, layout.root, min, size, gap, arrangement);
  return arrangement;
}

std::vector<std::string> panelsInSight(const Layout& layout) {
  if (!layout.maximised.empty()) return {layout.maximised};
  std::vector<std::string> titles;
  gatherInSight(layout, layout.root, titles);
  return titles;
}

void moveSplitter(const Splitter& splitter, float pixels) {
  if (splitter.extent <= 0) return;
  const float both = splitter.before->share + splitter.after->share;
  const float moved = splitter.before->share + both * pixels / splitter.extent;
  splitter.before->share = std::clamp(moved, 0.1f * both, 0.9f * both);
  splitter.after->share = both - splitter.before->share;
}

}  // namespace attn
