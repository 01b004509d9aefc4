#pragma once
#include <array>
#include <cstdint>

namespace attn {

/// viridis and cividis: even steps look even. blueRed: for signed values, white at its middle.
enum class Colormap { viridis, cividis, grey, blueRed };

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

/// Whether black is easier to read than white on this colour.
bool isBright(Rgb colour);

}  // namespace attn
