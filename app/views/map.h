#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/gpu/colormap.h"
#include "app/gpu/pyramid.h"
#include "app/views/hover.h"
#include "core/explain/explain.h"
#include "core/matrix.h"
#include "core/measures/extent.h"

namespace attn {

struct ViewContext;

enum class ScoreStage { raw, scaled, masked };

struct MapRange {
  float low = 0, high = 1;
  bool operator==(const MapRange&) const = default;
};

/// How a panel's map is drawn: its gear, or a right click on it, changes these.
struct MapOptions {
  std::optional<Colormap> colormap;  // none: one that suits the numbers and the theme
  bool isLogarithmic = false;
  std::optional<MapRange> range;  // none: what the numbers need
  bool sharesRange = false;       // the range is that of all heads
  bool showsNumbers = true;
  bool showsRowSums = true;   // of weights
  bool isTransposed = false;  // queries as columns
  bool showsAllHeads = false;
  Reduction reduction = Reduction::largest;
};

/// The part of a map that is looked at, in cells across and down.
struct MapZoom {
  double left = 0, right = 0, top = 0, bottom = 0;
  Index across = 0, down = 0;  // the whole that it is a part of; another whole is seen whole
};

/// What is known of the numbers of a map. Looked for again only in new ones.
struct MapFacts {
  std::uint64_t serial = 0;
  const float* values = nullptr;
  Extent extent;
  std::vector<double> rowSums;  // of weights
};

/// All heads of a stack as one matrix.
struct MapTogether {
  std::uint64_t serial = 0;
  const float* from = nullptr;
  StackOf<float> values;
};

/// The cell that the keyboard is on. Going there is like pointing at it.
struct MapCursor {
  std::string map;         // by panel and label: whose cell it is
  Index row = 0, col = 0;  // of the matrix, however it lies
  Hover last;           // where keyboard and pointer were last: in the next map they begin at the same pair
  unsigned plot = 0;    // the item that has the keyboard; 0: no map has
  bool isLeft = false;  // the arrow keys move between items again
};

struct MapsState {
  Colormap sequential = Colormap::viridis;
  Colormap diverging = Colormap::blueRed;  // in the dark theme dusk, which does not glare
  bool showsNumbers = true;                // in any map at all
  ScoreStage scores = ScoreStage::masked;
  bool showsHeadOutput = false;     // in Output: of the chosen head, where W_O makes one of all
  bool showsOtherSequence = false;  // in dX: of the keys and values, where they have one of their own

  MapCursor cursor;
  std::string opensOptions;  // of this panel, in the next frame

  std::map<std::string, MapOptions> options;    // by the panel's title
  std::map<std::string, MapZoom> zooms;         // by panel and label
  std::map<std::string, MapFacts> facts;        // by panel and label
  std::map<std::string, MapFacts> shared;       // by panel: of all heads
  std::map<std::string, MapTogether> together;  // by panel
};

/// A matrix to be shown as a map.
struct Map {
  enum class Axis { queries, keys, dimensions };
  using Columns = Axis;
  const char* label;              // "map": names the plot within its window
  const float* values = nullptr;  // rows × cols, owned by the context's evaluation or by MapsState
  Index rows = 0, cols = 0;
  Index head = 0, heads = 1;  // whose it is: of one head, or of so many from this one on
  Axis columns = Axis::keys;
  bool isSigned = true;    // a diverging colormap around 0
  bool isMasked = false;   // hatch the pairs that the mask hides
  bool isWeights = false;  // the range is 0 to 1 unless all are small; rows are summed

  Axis rowsAre = Axis::queries;
  const StackOf<float>* stack = nullptr;  // of all heads: for a range that they share, and to show them all
  const char* meaning = "";               // of a cell, for its tooltip: {row} and {column} are put in
  std::optional<Stage> stage = {};        // whose cells these are: a click explains one
  std::uint64_t version = 0;  // tells other numbers at the same place apart, within an evaluation; below 2³²
};

/// The chosen head's part of a stack, or all heads as one, as the Heads panel says.
Map mapOf(ViewContext& context, const StackOf<float>& stack);

/// The options of the panel that is being drawn.
MapOptions& mapOptions(ViewContext& context);

/// Fills the rest of the window: map, labels on both sides, numbers while they fit, colour bar.
void drawMap(ViewContext& context, const Map& map);

/// Only the coloured cells, in a given size, as an item that can be clicked. True when it was.
bool drawThumbnail(ViewContext& context, const Map& map, float width, float height);

}  // namespace attn
