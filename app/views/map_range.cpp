#include "app/views/map_range.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr float kLeastHigh = 1e-30f;  // below, floats have few digits left, and shaders none
constexpr float kMostDecades = 6;     // of an automatic logarithmic range
constexpr float kFewestDecades = 2;
constexpr float kLeastPlain = 0.02f;  // three digits still say enough
constexpr float kMost = 1.5e38f;  // the difference of two such is finite

float powerBelow(float value) {
  return std::pow(10.0f, std::floor(std::log10(value)));
}

MapRange logarithmicRange(const Extent& extent, float largest) {
  const float high = std::max(largest, kLeastHigh);
  const float least = extent.smallest > 0 ? extent.smallest : high;
  const float low = std::clamp(powerBelow(std::max(least, kLeastHigh)), high * std::pow(10.0f, -kMostDecades),
                               high * std::pow(10.0f, -kFewestDecades));
  return {std::max(powerBelow(low * 1.0001f), 1e-37f), high};
}

}  // namespace

float roundedUp(float value) {
  constexpr float kSteps[] = {1, 1.2f, 1.5f, 2, 2.5f, 3, 4, 5, 6, 8, 10};
  if (!(value > kLeastHigh)) return kLeastHigh;
  if (value > 1e37f) return kMost;
  const float power = powerBelow(value);
  for (const float step : kSteps)
    if (value <= step * power * 1.000001f) return step * power;
  return 10 * power;
}

MapRange automaticRange(const Extent& extent, bool isWeights, bool isDiverging, bool isLogarithmic) {
  const float size = std::max(std::abs(extent.low), std::abs(extent.high));
  const bool isEmpty = extent.finite == 0 || size == 0;
  float largest = isEmpty ? 1 : roundedUp(size);
  if (isWeights && size > 0.5f) largest = std::max(1.0f, largest);
  if (isLogarithmic) return logarithmicRange(extent, largest);
  if (isDiverging) return {-largest, largest};
  if (isWeights || extent.low >= 0) return {0, largest};
  const float high = extent.high > 0 ? roundedUp(extent.high) : 0.0f;
  return {-roundedUp(-extent.low), high};
}

MapRange usableRange(MapRange typed, bool isDiverging, bool isLogarithmic) {
  const auto tamed = [](float value) { return std::isnan(value) ? 0.0f : std::clamp(value, -kMost, kMost); };
  typed = {tamed(typed.low), tamed(typed.high)};
  if (isLogarithmic) {
    const float high = std::max({std::abs(typed.low), std::abs(typed.high), kLeastHigh});
    const float low = typed.low > 0 && typed.low < high ? typed.low : high * 1e-4f;
    return {std::max(low, 1e-37f), high};
  }
  if (isDiverging) {
    const float largest = std::max({std::abs(typed.low), std::abs(typed.high), kLeastHigh});
    return {-largest, largest};
  }
  if (typed.low > typed.high) std::swap(typed.low, typed.high);
  const float least = std::max(kLeastHigh, 1e-6f * std::max(std::abs(typed.low), std::abs(typed.high)));
  if (typed.high - typed.low < least) typed.high = typed.low + least;
  return typed;
}

int exponentFor(const MapRange& range) {
  const float size = std::max(std::abs(range.low), std::abs(range.high));
  if ((size >= kLeastPlain && size < 1000) || !(size > 0)) return 0;
  return static_cast<int>(std::floor(std::log10(size) + 1e-6f));
}

int digitsFor(const MapRange& range) {
  const float size = std::max(std::abs(range.low), std::abs(range.high));
  return size >= kLeastPlain && size < 0.2f ? 3 : 2;
}

std::vector<float> barTicks(const ColourScale& scale, int most) {
  std::vector<float> ticks;
  const int count = std::max(2, most);
  if (!scale.isLogarithmic) {
    const int parts = count >= 5 ? 4 : count >= 3 ? 2 : 1;
    for (int i = 0; i <= parts; ++i)
      ticks.push_back(std::lerp(scale.low, scale.high, static_cast<float>(i) / static_cast<float>(parts)));
    return ticks;
  }
  const float first = std::ceil(std::log10(scale.low) - 1e-4f), last = std::log10(scale.high) + 1e-4f;
  const int room = scale.isDiverging ? std::max(1, (count - 1) / 2) : count;
  const float step = std::max(1.0f, std::ceil((last - first) / static_cast<float>(std::max(1, room - 1))));
  for (float power = std::floor(last); power >= first; power -= step)
    ticks.insert(ticks.begin(), std::pow(10.0f, power));
  if (scale.isDiverging) {
    const std::vector<float> right = ticks;
    ticks.insert(ticks.begin(), 0);
    for (const float tick : right) ticks.insert(ticks.begin(), -tick);
  }
  return ticks;
}

}  // namespace attn
