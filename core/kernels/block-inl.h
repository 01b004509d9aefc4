// Blocks of queries: their rows of a map are in cache while everything is made of them that can be.
// Included once for each SIMD target.
#if defined(ATTN_KERNELS_BLOCK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_BLOCK_INL_H_
#undef ATTN_KERNELS_BLOCK_INL_H_
#else
#define ATTN_KERNELS_BLOCK_INL_H_
#endif

#include <algorithm>

#include "core/attention/head.h"
#include "core/kernels/tile-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

using Task = HeadTask<float>;

constexpr Index kMostTiles = 16;

/// Rows of a block begin an odd number of cache lines apart: at a power of two, the same column of all rows
/// would fall into the same few places of the cache.
HWY_INLINE Index blockStride(Index keys) {
  constexpr Index kLine = 16;
  return ((padded(keys) + kLine - 1) / kLine | 1) * kLine;
}

/// Columns [begin, end), multiples of the panel width.
struct Span {
  Index begin = 0, end = 0;
  Span() = default;
  HWY_INLINE Span(KeyRange range, Index panel)
      : begin(range.begin / panel * panel), end(std::max(begin, (range.end + panel - 1) / panel * panel)) {}
  HWY_INLINE bool has(Index j) const { return j >= begin && j < end; }
  /// What it has in common with columns [from, to).
  HWY_INLINE Span within(Index from, Index to) const {
    Span common;
    common.begin = std::clamp(begin, from, to), common.end = std::clamp(end, from, to);
    return common;
  }
};

/// What two ranges have in common; empty ranges lie inside [from, to) too.
HWY_INLINE KeyRange within(KeyRange range, Index from, Index to) {
  return {std::clamp(range.begin, from, to), std::clamp(range.end, from, to)};
}

/// A block of queries, tile by tile: the keys that some query of a tile sees, and those that all of them see.
struct Block {
  Index first, rows, tiles;
  Span span;  // of all tiles
  Span spans[kMostTiles];
  KeyRange seenBySome[kMostTiles], seenByAll[kMostTiles];

  Block(const Task& task, Index begin, Index count, Index panel, bool allKeys = false)
      : first(begin), rows(count), tiles((count + kTileRows - 1) / kTileRows) {
    KeyRange whole = {task.keys, 0};
    for (Index g = 0; g < tiles; ++g) {
      KeyRange some = {task.keys, 0}, all = {0, task.keys};
      for (Index r = 0; r < rowsOf(g); ++r) {
        const KeyRange range = task.range(first + g * kTileRows + r);
        all = {std::max(all.begin, range.begin), std::min(all.end, range.end)};
        if (range.begin < range.end)
          some = {std::min(some.begin, range.begin), std::max(some.end, range.end)};
      }
      if (allKeys) some = {0, task.keys};
      if (some.end <= some.begin) some = {0, 0};
      seenBySome[g] = some, seenByAll[g] = all;
      spans[g] = Span(some, panel);
      if (some.end > 0) whole = {std::min(whole.begin, some.begin), std::max(whole.end, some.end)};
    }
    if (whole.end > whole.begin) span = Span(whole, panel);
  }
  HWY_INLINE Index rowsOf(Index tile) const { return std::min(kTileRows, rows - tile * kTileRows); }
  /// The same queries with only the keys [from, to), multiples of the panel width.
  HWY_INLINE Block within(Index from, Index to) const {
    Block part = *this;
    part.span = span.within(from, to);
    for (Index g = 0; g < tiles; ++g) {
      part.spans[g] = spans[g].within(from, to);
      part.seenBySome[g] = HWY_NAMESPACE::within(seenBySome[g], from, to);
    }
    return part;
  }
};

/// rows × width = weights (rows × keys that are seen) · panels (keys × width), or += with `add`: P·V or dS·K.
HWY_INLINE void mixBlock(const Block& block, const float* weights, Index stride, Panels<float> panels,
                         Index width, float* result, Index resultStride, bool add = false) {
  for (Index g = 0; g < block.tiles; ++g) {
    const KeyRange keys = block.seenBySome[g];
    const TileA<float> a = {weights + g * kTileRows * stride + keys.begin, stride, 1};
    for (Index t = 0; t < width; t += panelWidth())
      multiplyAndStore(block.rowsOf(g), a, panels.from(t / panelWidth(), keys.begin), keys.end - keys.begin,
                       width - t, result + g * kTileRows * resultStride + t, resultStride, add);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
