#include "app/views/map_zoom.h"

#include <algorithm>

namespace attn {
namespace {

/// One side of what is in sight: from where to where, of how many cells.
struct Side {
  double &from, &to;
  double count;

  void zoom(double about, double factor) {
    const double before = to - from;
    const double extent = std::clamp(before * factor, std::min(1.0, count), count);
    from = std::clamp(about - (about - from) * extent / before, 0.0, count - extent);
    to = from + extent;
  }
  void scroll(double cell) {
    const double extent = to - from;
    from =
        std::clamp(from, std::min(cell + 1 - extent, cell), cell);  // a cell in sight may be less than 1 wide
    from = std::clamp(from, 0.0, count - extent);
    to = from + extent;
  }
};

Side acrossOf(MapZoom& zoom) {
  return {zoom.left, zoom.right, static_cast<double>(zoom.across)};
}

Side downOf(MapZoom& zoom) {
  return {zoom.top, zoom.bottom, static_cast<double>(zoom.down)};
}

}  // namespace

MapZoom wholeOf(const MapFrame& frame) {
  const auto across = static_cast<double>(frame.across.count), down = static_cast<double>(frame.down.count);
  return {0, across, 0, down, frame.across.count, frame.down.count};
}

MapZoom& zoomOf(const MapFrame& frame) {
  MapZoom& zoom = frame.context.state.maps.zooms[frame.key];
  if (zoom.across != frame.across.count || zoom.down != frame.down.count) zoom = wholeOf(frame);
  return zoom;
}

void zoomAbout(MapZoom& zoom, double across, double down, double factor) {
  acrossOf(zoom).zoom(across, factor);
  downOf(zoom).zoom(down, factor);
}

void scrollTo(MapZoom& zoom, Index across, Index down) {
  acrossOf(zoom).scroll(static_cast<double>(across));
  downOf(zoom).scroll(static_cast<double>(down));
}

}  // namespace attn
