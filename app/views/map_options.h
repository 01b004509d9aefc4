#pragma once
#include "app/views/map_frame.h"
#include "core/io/block_text.h"

namespace attn {

/// A line above a map: what it is and of which head, and the gear.
void mapCaption(ViewContext& context, const char* text);

/// A gear at the right end of the line that was drawn last: opens the options of the panel's map.
void drawGear(ViewContext& context);

/// Opens the options at the pointer, for the map with this label.
void openMapOptions(const char* label);

/// The options, if they are open. Call it outside of a plot.
void drawMapOptions(MapFrame& frame);

/// The numbers of the map, with the queries as they lie on the screen.
std::string textOfMap(const MapFrame& frame, BlockFormat format);

}  // namespace attn
