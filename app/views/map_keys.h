#pragma once
#include <imgui.h>

#include "app/views/map_frame.h"

namespace attn {

/// Whether the panel shows this map before all: its keys are this map's, wherever in the panel they arrive.
bool isMainMap(const Map& map);

/// Reads the keys of the map whose plot is the item, before that is opened: they move the cursor and zoom,
/// and Enter chooses the cursor's query. True when the options are asked for.
bool followMapKeys(MapFrame& frame, MapZoom& zoom, ImGuiID item);

/// Outlines the cell that the keyboard is on, in the plot that is open. Until the mouse moves it is what all
/// panels mark, as if it were pointed at.
void drawMapCursor(const MapFrame& frame, ImGuiID item);

}  // namespace attn
