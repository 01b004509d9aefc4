#pragma once
#include <string>

#include "app/layout.h"

namespace attn {

/// Gives the panel so many times its share of the row (for its width) or the column (for its height) that it
/// lies in, as far as its neighbours can do without. Nothing where it has none on that side.
void growPanel(Layout& layout, const std::string& panel, Tile::Kind along, float factor);

/// While it lives, a panel with little of its row has twice as much: for a page that needs the room.
/// Splitters may be moved meanwhile; tiles must not come or go.
class WiderPanel {
 public:
  WiderPanel(Layout& layout, const std::string& panel);
  ~WiderPanel();
  WiderPanel(const WiderPanel&) = delete;
  WiderPanel& operator=(const WiderPanel&) = delete;

 private:
  Tile* tile_ = nullptr;
};

}  // namespace attn
