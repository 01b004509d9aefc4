#pragma once
#include <span>
#include <vector>

#include "app/views/map_frame.h"

namespace attn {

/// Where a map lies in the room that it has, and what is left around it.
struct MapLayout {
  float left = 0, top = 0, right = 0, bottom = 0;  // of labels and row sums
  ImVec2 size;                                     // of the map itself
  bool isUpright = false;  // the labels above do not fit side by side: they are turned
  bool hasLabels = true;
  bool hasBar = true;  // of colours, beneath
};

/// Where the cells would have too little room, the colour bar of the height `bar` is left out, then the
/// labels.
MapLayout layOut(const MapFrame& frame, ImVec2 room, float bar);

struct PlacedLabel {
  Index index = 0;
  float centre = 0;  // in pixels
  bool isMarked = false;
};

/// Which labels of an axis are written and where, so that none touches another or goes beyond the pixel
/// `limit`. `begin` to `end` are the cells that lie between the pixels `from` and `to`; a label needs
/// `needed` pixels, of which a tenth is the gap to the next: where one is moved inwards from the limit, it
/// does without. Marked ones come first; the others are a round number of cells apart.
std::vector<PlacedLabel> placeLabels(double begin, double end, float from, float to, Index count,
                                     float needed, float limit, std::span<const Index> marked);

/// Labels and row sums beside the plot that is open; they follow its pan and zoom.
void drawAxisLabels(const MapFrame& frame, const MapLayout& layout);

}  // namespace attn
