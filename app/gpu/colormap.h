#pragma once
#include <array>
#include <cstdint>

namespace attn {

/// viridis and cividis: even steps look even. blueRed and dusk: for signed values, white or nearly black at
/// the middle.
enum class Colormap { viridis, cividis, grey, blueRed, dusk };
constexpr Colormap kColormaps[] = {Colormap::viridis, Colormap::cividis, Colormap::grey, Colormap::blueRed,
                                   Colormap::dusk};

/// "viridis"
const char* nameOf(Colormap map);

constexpr int kColormapSteps = 256;
struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Rgb&) const = default;
};
using ColormapTable = std::array<Rgb, kColormapSteps>;

/// From the lowest value to the highest, interpolated in Oklab between the map's anchors.
ColormapTable tableOf(Colormap map);

/// The entry for a share of the range; what is outside takes the end.
Rgb colourAt(const ColormapTable& table, float share);

/// Whether black has more contrast than white on this colour.
bool isBright(Rgb colour);

/// Whether its middle stands for 0.
bool isDiverging(Colormap map);

/// How numbers become places in a colormap.
struct ColourScale {
  float low = 0, high = 1;  // logarithmic: the least magnitude that is told from 0, and the largest
  bool isLogarithmic = false;
  bool isDiverging = false;  // 0 in the middle; linear ones then have low = −high
};

/// 0 to 1 from the one end of the colormap to the other, beyond where the value is. NaN stays NaN.
/// shaders/heatmap.frag does the same.
float shareOf(const ColourScale& scale, float value);

}  // namespace attn
