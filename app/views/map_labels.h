#pragma once
#include "app/gpu/heatmap.h"
#include "app/views/map.h"

namespace attn {

struct ViewContext;

/// The room that a map leaves for what stands around it.
struct MapMargins {
  float left = 0, top = 0, bottom = 0;
  bool isUpright = false;  // the column labels do not fit side by side: they are turned
};

MapMargins measureLabels(const ViewContext& context, const Map& map);

/// Labels of rows and columns beside the plot that is open; they follow its pan and zoom.
void drawAxisLabels(const ViewContext& context, const Map& map, const MapMargins& margins);

/// A strip with the colours and what its ends stand for.
void drawColourBar(const ViewContext& context, const HeatmapPicture& picture, float width);

}  // namespace attn
