#pragma once
#include <string>

#include "app/gpu/heatmap.h"
#include "app/views/map.h"
#include "app/views/view.h"

namespace attn {

struct MapAxis {
  Map::Axis kind = Map::Axis::queries;
  Index count = 0;
};

/// What the parts of a map's drawing share during a frame.
struct MapFrame {
  ViewContext& context;
  const Map& map;
  MapOptions& options;
  const MapFacts& facts;
  MapAxis across, down;      // as they lie on the screen
  int exponent = 0;          // numbers are written as multiples of 10 to this
  int digits = 2;            // behind the point
  HeatmapPicture picture;    // its place is not known before the plot is open
  std::string key;           // names what is kept of the map from frame to frame
  bool isFactorTold = true;  // without the power of ten that they are multiples of, numbers are not written

  float value(Index row, Index col) const { return map.values[row * map.cols + col]; }
  bool hidesPairs() const { return picture.visibility != nullptr; }
  bool isHidden(Index row, Index col) const;
  /// The matrix's cell at a place of the screen, counted in cells.
  Index rowOf(Index across, Index down) const { return options.isTransposed ? across : down; }
  Index colOf(Index across, Index down) const { return options.isTransposed ? down : across; }
};

/// Finds what it does not know yet: ranges and sums of new numbers.
MapFrame frameOf(ViewContext& context, const Map& map);

/// "Weights/map": a name for what is kept of a map from frame to frame.
std::string keyOf(const Map& map);
/// The title of the panel that is being drawn.
std::string currentPanel();

/// The token, or the number of the dimension.
std::string axisLabel(const Notation& notation, const Scene& scene, Map::Axis axis, Index i);
/// Where the pointer is on this axis.
std::optional<Index>& hoveredOn(Hover& hover, Map::Axis axis);
std::optional<Index> hoveredOn(const Hover& hover, Map::Axis axis);

/// A number as multiple of 10^exponent; what is smaller than its last digit is 0.
std::string cellText(const Notation& notation, float value, int exponent, int digits = 2);

}  // namespace attn
