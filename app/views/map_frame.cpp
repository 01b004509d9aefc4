#include "app/views/map_frame.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/views/compare.h"
#include "app/views/labels.h"
#include "app/views/map_range.h"
#include "core/measures/over_heads.h"

namespace attn {
namespace {

std::uint64_t serialOf(const ViewContext& context, const Map& map) {
  return (context.evaluation->serial << 32) + map.version;
}

const Visibility* visibilityOf(const ViewContext& context, const Map& map) {
  return map.isMasked && context.evaluation->hidesPairs ? &context.evaluation->visibility : nullptr;
}

Extent extentOfHeads(const Visibility* visibility, const float* values, const Map& map, Index head,
                     Index heads) {
  std::vector<std::uint8_t> hidden;
  if (visibility) findHidden(*visibility, head, heads, map.rows, map.cols, hidden);
  return extentOf(values, map.rows * map.cols, hidden.empty() ? nullptr : hidden.data());
}

MapFacts findFacts(const ViewContext& context, const Map& map) {
  MapFacts facts{serialOf(context, map), map.values, {}, {}};
  facts.extent = extentOfHeads(visibilityOf(context, map), map.values, map, map.head, map.heads);
  if (map.isWeights) facts.rowSums = rowSums(map.values, map.rows, map.cols);
  return facts;
}

const MapFacts& factsOf(ViewContext& context, const Map& map) {
  MapFacts& facts = context.state.maps.facts[keyOf(map)];
  if (facts.serial != serialOf(context, map) || facts.values != map.values) facts = findFacts(context, map);
  return facts;
}

/// Of all heads of the stack that the map is from.
const Extent& sharedExtent(ViewContext& context, const Map& map) {
  MapFacts& facts = context.state.maps.shared[currentPanel()];
  const std::uint64_t serial = context.evaluation->serial;
  if (facts.serial == serial && facts.values == map.stack->data()) return facts.extent;
  facts = {serial, map.stack->data(), {}, {}};
  const Visibility* visibility = visibilityOf(context, map);
  for (Index head = 0; head < map.stack->heads(); ++head)
    facts.extent = joined(facts.extent, extentOfHeads(visibility, map.stack->head(head), map, head, 1));
  return facts.extent;
}

const Extent& rangedExtent(const MapFrame& frame) {
  const bool isShared = frame.options.sharesRange && frame.map.stack && frame.map.heads == 1;
  return isShared ? sharedExtent(frame.context, frame.map) : frame.facts.extent;
}

Colormap colormapOf(const ViewContext& context, const Map& map, const MapOptions& options) {
  const MapsState& maps = context.state.maps;
  const bool suits = options.colormap && (!showsDifference(context) || isDiverging(*options.colormap));
  if (suits) return *options.colormap;
  if (!map.isSigned) return maps.sequential;
  const bool isDark = context.theme.kind == ThemeKind::dark;
  return isDark && maps.diverging == Colormap::blueRed ? Colormap::dusk : maps.diverging;
}

/// Lines of hatching must be seen on the paper, but not louder than the cells.
ImVec4 hatchInk(const Theme& theme) {
  const auto between = [](float a, float b) { return a + (b - a) * 0.38f; };
  return {between(theme.panel.x, theme.text.x), between(theme.panel.y, theme.text.y),
          between(theme.panel.z, theme.text.z), 1};
}

void setColours(MapFrame& frame) {
  const Map& map = frame.map;
  const Theme& theme = frame.context.theme;
  HeatmapPicture& picture = frame.picture;
  picture.colormap = colormapOf(frame.context, map, frame.options);
  picture.isDiverging = isDiverging(picture.colormap);
  picture.isLogarithmic = frame.options.isLogarithmic;
  const MapRange range =
      frame.options.range && !showsDifference(frame.context)
          ? usableRange(*frame.options.range, picture.isDiverging, picture.isLogarithmic)
          : automaticRange(rangedExtent(frame), map.isWeights, picture.isDiverging, picture.isLogarithmic);
  picture.low = range.low, picture.high = range.high;
  frame.exponent = exponentFor(range), frame.digits = digitsFor(range);
  if (const int wanted = frame.context.state.notation.digits; wanted >= 0) frame.digits = wanted;
  picture.paper = theme.panel, picture.ink = hatchInk(theme), picture.alarm = theme.warning;
  picture.hatchWidth = std::round(7 * theme.unit);
}

/// Keeps the evaluation for the picture: its numbers, unless MapsState has them, and its visibility.
void setNumbers(MapFrame& frame) {
  const Map& map = frame.map;
  HeatmapPicture& picture = frame.picture;
  picture.owner = frame.context.evaluation;
  picture.values = map.values;
  picture.rows = map.rows, picture.cols = map.cols;
  picture.serial = serialOf(frame.context, map);
  picture.visibility = visibilityOf(frame.context, map);
  picture.head = map.head, picture.heads = map.heads;
  picture.isFinite = frame.facts.extent.notNumbers == 0 && frame.facts.extent.infinities == 0;
  picture.isTransposed = frame.options.isTransposed;
  picture.reduction = frame.options.reduction;
}

}  // namespace

bool MapFrame::isHidden(Index row, Index col) const {
  if (!hidesPairs()) return false;
  for (Index head = map.head; head < map.head + map.heads; ++head)
    if (context.evaluation->visibility.sees(head, row, col)) return false;
  return true;
}

MapFrame frameOf(ViewContext& context, const Map& map) {
  MapOptions& options = mapOptions(context);
  MapFrame frame{context, map, options, factsOf(context, map), {}, {}, 0, 2, {}, keyOf(map)};
  frame.across = {map.columns, map.cols}, frame.down = {map.rowsAre, map.rows};
  if (options.isTransposed) std::swap(frame.across, frame.down);
  setNumbers(frame);
  setColours(frame);
  return frame;
}

std::string currentPanel() {
  return ImGui::GetCurrentWindow()->RootWindow->Name;
}

std::string keyOf(const Map& map) {
  return currentPanel() + "/" + map.label;
}

MapOptions& mapOptions(ViewContext& context) {
  const auto [place, isNew] = context.state.maps.options.try_emplace(currentPanel());
  if (isNew) place->second.isTransposed = context.state.notation.queriesAreColumns;
  return place->second;
}

Map mapOf(ViewContext& context, const StackOf<float>& stack) {
  Map map{.label = "map", .rows = stack.rows(), .cols = stack.cols(), .stack = &stack};
  map.head = std::min(context.state.selection.head, stack.heads() - 1);
  const HeadChoice choice = context.state.heads.choice;
  if (choice == HeadChoice::one || stack.empty()) {
    map.values = stack.empty() ? nullptr : stack.head(map.head);
    return map;
  }
  map.version = static_cast<std::uint64_t>(choice);
  map.head = 0, map.heads = stack.heads();
  MapTogether& together = context.state.maps.together[currentPanel()];
  const std::uint64_t serial = serialOf(context, map);
  if (together.serial != serial || together.from != stack.data()) {
    const OverHeads how = choice == HeadChoice::average ? OverHeads::average : OverHeads::maximum;
    takeTogether(stack, how, together.values);
    together.serial = serial, together.from = stack.data();
  }
  map.values = together.values.data();
  return map;
}

std::string axisLabel(const Notation& notation, const Scene& scene, Map::Axis axis, Index i) {
  switch (axis) {
    case Map::Axis::queries:
      return queryLabel(notation, scene, i);
    case Map::Axis::keys:
      return keyLabel(notation, scene, i);
    case Map::Axis::dimensions:
      break;
  }
  return dimensionLabel(notation, i);
}

std::optional<Index>& hoveredOn(Hover& hover, Map::Axis axis) {
  switch (axis) {
    case Map::Axis::queries:
      return hover.query;
    case Map::Axis::keys:
      return hover.key;
    case Map::Axis::dimensions:
      break;
  }
  return hover.dimension;
}

std::optional<Index> hoveredOn(const Hover& hover, Map::Axis axis) {
  Hover copy = hover;
  return hoveredOn(copy, axis);
}

std::string cellText(const Notation& notation, float value, int exponent, int digits) {
  const double scaled = static_cast<double>(value) * std::pow(10.0, -exponent);
  return numberText(notation, std::abs(scaled) < 0.5 * std::pow(10.0, -digits) ? 0 : scaled, digits);
}

}  // namespace attn
