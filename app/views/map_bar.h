#pragma once
#include "app/views/map_frame.h"

namespace attn {

/// How high the colour bar is, with its numbers and signs.
float colourBarHeight(const MapFrame& frame);

/// A strip with the colours and the numbers that they stand for; beneath it the signs of cells without
/// colour.
void drawColourBar(const MapFrame& frame, float width);

}  // namespace attn
