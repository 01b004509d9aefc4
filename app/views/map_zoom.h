#pragma once
#include "app/views/map_frame.h"

namespace attn {

/// The part of the map that is looked at; the whole for a map of another shape.
MapZoom& zoomOf(const MapFrame& frame);

/// All of the map.
MapZoom wholeOf(const MapFrame& frame);

/// Takes `factor` times as many cells into sight, about a place that stays where it is, counted in cells.
void zoomAbout(MapZoom& zoom, double across, double down, double factor);

/// Moves what is in sight so that the cell is.
void scrollTo(MapZoom& zoom, Index across, Index down);

}  // namespace attn
