#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "app/gpu/colormap.h"
#include "core/matrix.h"

namespace attn {

struct ViewContext;

enum class ScoreStage { raw, scaled, masked };

struct MapRange {
  float low = 0, high = 1;
};

struct MapsState {
  Colormap sequential = Colormap::viridis;
  Colormap diverging = Colormap::blueRed;
  bool showsNumbers = true;
  bool isLogarithmic = false;  // of the weights
  ScoreStage scores = ScoreStage::masked;

  /// The ranges that were found last, by the map's label: looked for again only in new numbers.
  struct Found {
    std::uint64_t serial = 0;
    const float* values = nullptr;
    MapRange range;
  };
  std::map<std::string, Found> ranges;
};

/// A matrix to be shown as a map.
struct Map {
  enum class Axis { queries, keys, dimensions };
  using Columns = Axis;
  const char* label;              // "Weights": names the plot within its window
  const float* values = nullptr;  // rows × cols, owned by the context's evaluation
  Index rows = 0, cols = 0;
  Index head = 0;
  Axis columns = Axis::keys;
  Axis rowsAre = Axis::queries;
  bool isSigned = true;    // a diverging colormap around 0
  bool isMasked = false;   // hatch the pairs that the mask hides
  bool isWeights = false;  // the range is 0 to at least 1, and may be logarithmic
};

/// Fills the rest of the window: map, labels on both sides, numbers while they fit, colour bar.
void drawMap(ViewContext& context, const Map& map);

/// Only the coloured cells, in a given size, as an item that can be clicked. True when it was.
bool drawThumbnail(ViewContext& context, const Map& map, float width, float height);

}  // namespace attn
