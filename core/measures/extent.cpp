#include "core/measures/extent.h"

#include <array>
#include <bit>
#include <limits>
#include <numeric>

namespace attn {
namespace {

constexpr Index kLanes = 16;
constexpr float kMost = std::numeric_limits<float>::max();

/// As many running answers as a vector has lanes: the loop over them becomes vector instructions.
struct Lanes {
  std::array<float, kLanes> low, high, smallest;
  std::array<std::int32_t, kLanes> finite{}, notNumbers{}, infinities{};

  Lanes() { low.fill(kMost), high.fill(-kMost), smallest.fill(kMost); }

  void take(std::size_t lane, float value, bool counts) {
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & 0x7fffffffu;
    constexpr std::uint32_t kInfinity = 0x7f800000u;
    const bool isFinite = counts & (magnitude < kInfinity);
    const float size = std::bit_cast<float>(magnitude);
    low[lane] = isFinite & (value < low[lane]) ? value : low[lane];
    high[lane] = isFinite & (value > high[lane]) ? value : high[lane];
    smallest[lane] = isFinite & (size > 0) & (size < smallest[lane]) ? size : smallest[lane];
    finite[lane] += isFinite;
    infinities[lane] += counts & (magnitude == kInfinity);
    notNumbers[lane] += counts & (magnitude > kInfinity);
  }

  Extent together() const {
    Extent extent{.low = kMost, .high = -kMost, .smallest = kMost};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      extent.low = std::min(extent.low, low[lane]);
      extent.high = std::max(extent.high, high[lane]);
      extent.smallest = std::min(extent.smallest, smallest[lane]);
      extent.finite += finite[lane];
      extent.notNumbers += notNumbers[lane];
      extent.infinities += infinities[lane];
    }
    if (extent.finite == 0) extent.low = extent.high = 0;
    if (extent.smallest == kMost) extent.smallest = 0;
    return extent;
  }
};

bool isSeen(const Visibility& visibility, Index head, Index heads, Index query, Index key) {
  for (Index h = head; h < head + heads; ++h)
    if (visibility.sees(h, query, key)) return true;
  return false;
}

}  // namespace

void findHidden(const Visibility& visibility, Index head, Index heads, Index queries, Index keys,
                std::vector<std::uint8_t>& hidden) {
  hidden.assign(static_cast<std::size_t>(queries * keys), 255);
  for (Index i = 0; i < queries; ++i) {
    const KeyRange range = visibility.ranges()[static_cast<std::size_t>(i)];
    std::uint8_t* row = hidden.data() + i * keys;
    for (Index j = range.begin; j < range.end; ++j) row[j] = isSeen(visibility, head, heads, i, j) ? 0 : 255;
  }
}

Extent extentOf(const float* values, Index count, const std::uint8_t* hidden) {
  Lanes lanes;
  const Index whole = count / kLanes * kLanes;
  for (Index k = 0; k < whole; k += kLanes)
    for (Index lane = 0; lane < kLanes; ++lane)
      lanes.take(static_cast<std::size_t>(lane), values[k + lane], !hidden || hidden[k + lane] == 0);
  for (Index k = whole; k < count; ++k)
    lanes.take(static_cast<std::size_t>(k - whole), values[k], !hidden || hidden[k] == 0);
  return lanes.together();
}

Extent joined(const Extent& a, const Extent& b) {
  const bool hasBoth = a.finite > 0 && b.finite > 0;
  Extent extent = a.finite > 0 ? a : b;
  if (hasBoth) extent.low = std::min(a.low, b.low), extent.high = std::max(a.high, b.high);
  extent.smallest = a.smallest == 0   ? b.smallest
                    : b.smallest == 0 ? a.smallest
                                      : std::min(a.smallest, b.smallest);
  extent.finite = a.finite + b.finite;
  extent.notNumbers = a.notNumbers + b.notNumbers;
  extent.infinities = a.infinities + b.infinities;
  return extent;
}

std::vector<double> rowSums(const float* values, Index rows, Index cols) {
  std::vector<double> sums(static_cast<std::size_t>(rows));
  for (Index i = 0; i < rows; ++i)
    sums[static_cast<std::size_t>(i)] = std::accumulate(values + i * cols, values + (i + 1) * cols, 0.0);
  return sums;
}

}  // namespace attn
