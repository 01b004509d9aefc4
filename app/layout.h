#pragma once
#include <imgui.h>

#include <string>
#include <vector>

#include "core/slide.h"

namespace attn {

/// How the panels share the window.
struct Layout {
  Tile root;
  std::vector<std::string> hidden;
  std::string maximised;  // alone on the whole area while set

  bool isHidden(const std::string& panel) const;
  void show(const std::string& panel, bool isShown);
  void toggleMaximised(const std::string& panel);
  /// Shows the panel, in front of those that share its place.
  void bringToFront(const std::string& panel);
  /// Puts the panel into the same place as another one, as a tab in front of it.
  void stackWith(const std::string& panel, const std::string& other);
  /// Gives a panel that shares its place a place of its own beside it.
  void unstack(const std::string& panel);
  /// Whether the panel is one of several tabs.
  bool isStacked(const std::string& panel) const;
};

struct PanelRect {
  std::string panel;
  ImVec2 min, size;
  std::vector<std::string> tabs;  // all that share the place, itself among them; empty where it is alone
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

/// The panels that can be seen: not hidden, not behind another tab or a maximised panel.
std::vector<std::string> panelsInSight(const Layout& layout);

/// Moves the border between two neighbours by so many pixels; each keeps a tenth of the two.
void moveSplitter(const Splitter& splitter, float pixels);

/// As JSON. Reading throws Error; panels that `known` lacks are left out, those it has besides are appended.
std::string writeLayout(const Layout& layout);
Layout readLayout(const std::string& text, const std::vector<std::string>& known);

}  // namespace attn
