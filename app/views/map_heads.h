#pragma once
#include "app/views/map_frame.h"

namespace attn {

/// Every head's map side by side, all with one range; a click chooses the head. Fills the room.
void drawAllHeads(MapFrame& frame, ImVec2 room);

}  // namespace attn
