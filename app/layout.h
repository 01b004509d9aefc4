#pragma once
#include <imgui.h>

#include <map>
#include <string>
#include <vector>

namespace attn {

/// How the panels share the window: rows and columns of panels that lie side by side without gaps.
struct Tile {
  enum class Kind { panel, row, column };
  Kind kind = Kind::panel;
  std::string panel;           // its title
  std::vector<Tile> children;  // of a row (left to right) or a column (top to bottom)
  float share = 1;             // of the parent's extent, relative to its siblings
};

struct Layout {
  Tile root;
  std::vector<std::string> hidden;
  std::string maximised;  // alone on the whole area while set

  bool isHidden(const std::string& panel) const;
  void show(const std::string& panel, bool isShown);
  void toggleMaximised(const std::string& panel);
};

struct PanelRect {
  std::string panel;
  ImVec2 min, size;
};

/// A bar between two neighbours that can be dragged.
struct Splitter {
  Tile* before = nullptr;
  Tile* after = nullptr;
  bool isVertical = false;  // the bar stands upright: its neighbours are left and right
  ImVec2 min, size;
  float extent = 0;  // of both neighbours together, in pixels
};

struct Arrangement {
  std::vector<PanelRect> panels;
  std::vector<Splitter> splitters;
};

/// The formula from left to right above; what it is made with, saturation and gradients beneath.
Layout defaultLayout();

/// Where each visible panel lies. The splitters point into `layout`.
Arrangement arrange(Layout& layout, ImVec2 min, ImVec2 size, float gap);

/// Moves the border between two neighbours by so many pixels; each keeps a tenth of the two.
void moveSplitter(const Splitter& splitter, float pixels);

/// As JSON. Reading throws Error; panels that `known` lacks are left out, those it has besides are appended.
std::string writeLayout(const Layout& layout);
Layout readLayout(const std::string& text, const std::vector<std::string>& known);

}  // namespace attn
