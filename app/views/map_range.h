#pragma once
#include <vector>

#include "app/gpu/colormap.h"
#include "app/views/map.h"

namespace attn {

/// The least of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten that is not below a value above 0.
/// Ranges keep to these, so that colours stay still while a number is dragged and the ends read well.
float roundedUp(float value);

/// The range that colours these numbers best. Weights have 0 to 1 unless all are below one half.
MapRange automaticRange(const Extent& extent, bool isWeights, bool isDiverging, bool isLogarithmic);

/// What a person typed, made fit: finite, low below high, above 0 where the scale is logarithmic.
MapRange usableRange(MapRange typed, bool isDiverging, bool isLogarithmic);

/// The power of ten that numbers of this range are written in multiples of: 0 where they read well as they
/// are.
int exponentFor(const MapRange& range);
/// How many digits numbers in the cells have behind the point.
int digitsFor(const MapRange& range);

/// Where a colour bar bears numbers, from the lowest to the highest, at most `most` of them (2 at least).
std::vector<float> barTicks(const ColourScale& scale, int most);

}  // namespace attn
