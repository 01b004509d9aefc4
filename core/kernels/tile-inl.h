// Register tiles and packed panels: every matrix product of attention goes through `multiplyTile`.
// Included once for each SIMD target.
#if defined(ATTN_KERNELS_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_TILE_INL_H_
#undef ATTN_KERNELS_TILE_INL_H_
#else
#define ATTN_KERNELS_TILE_INL_H_
#endif

#include <algorithm>

#include "core/matrix.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using Vec = hn::Vec<F32>;

HWY_INLINE Index lanes() {
  return static_cast<Index>(hn::Lanes(F32()));
}

// A tile is kTileRows × 2 vectors of accumulators: as many as leave room for two vectors of B and one
// broadcast of A among the machine's registers (32 with AVX-512 and on Arm, 16 elsewhere).
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_NEON
constexpr Index kTileRows = 12;
#else
constexpr Index kTileRows = 6;
#endif

/// Columns of a panel, and the multiple to which rows of a scratch tile are padded.
HWY_INLINE Index panelWidth() {
  return 2 * lanes();
}
HWY_INLINE Index padded(Index count) {
  return (count + panelWidth() - 1) / panelWidth() * panelWidth();
}

/// B (depth × cols) as panels of panelWidth() columns: (panels, depth, panelWidth), zeros beyond cols.
/// A product then streams through one panel in order, and needs no tail.
HWY_INLINE void packPanels(const float* HWY_RESTRICT b, Index stride, Index depth, Index cols,
                           float* HWY_RESTRICT to) {
  for (Index first = 0; first < cols; first += panelWidth()) {
    const Index width = std::min(panelWidth(), cols - first);
    for (Index t = 0; t < depth; ++t, to += panelWidth()) {
      std::copy_n(b + t * stride + first, width, to);
      std::fill_n(to + width, panelWidth() - width, 0.0f);
    }
  }
}

/// The same of Bᵀ, for B (cols × depth).
HWY_INLINE void packTransposedPanels(const float* HWY_RESTRICT b, Index stride, Index depth, Index cols,
                                     float* HWY_RESTRICT to) {
  for (Index first = 0; first < cols; first += panelWidth()) {
    const Index width = std::min(panelWidth(), cols - first);
    for (Index t = 0; t < depth; ++t, to += panelWidth()) {
      for (Index j = 0; j < width; ++j) to[j] = b[(first + j) * stride + t];
      std::fill_n(to + width, panelWidth() - width, 0.0f);
    }
  }
}

/// A as a tile reads it: element (row, t) is at a[row·rowStride + t·depthStride].
struct TileA {
  const float* a;
  Index rowStride, depthStride;
};

/// C (kRows × panelWidth) = A (kRows × depth) · panel, or += with `add`.
/// Sums run over `chain` terms in registers and are then added to C: shorter chains round less.
template <Index kRows>
HWY_INLINE void multiplyTileRows(TileA a, const float* HWY_RESTRICT panel, Index depth, Index chain,
                                 float* HWY_RESTRICT c, Index cStride, bool add) {
  const F32 d;
  const Index n = lanes();
  for (Index begin = 0; begin == 0 || begin < depth; begin += chain) {  // an empty sum still writes its zeros
    const Index end = std::min(begin + chain, depth);
    Vec left[kRows], right[kRows];
    for (Index r = 0; r < kRows; ++r) left[r] = right[r] = hn::Zero(d);
    for (Index t = begin; t < end; ++t) {
      const Vec b0 = hn::Load(d, panel + t * 2 * n);
      const Vec b1 = hn::Load(d, panel + t * 2 * n + n);
      for (Index r = 0; r < kRows; ++r) {
        const Vec x = hn::Set(d, a.a[r * a.rowStride + t * a.depthStride]);
        left[r] = hn::MulAdd(x, b0, left[r]);
        right[r] = hn::MulAdd(x, b1, right[r]);
      }
    }
    for (Index r = 0; r < kRows; ++r) {
      float* to = c + r * cStride;
      if (add || begin > 0) {
        left[r] = hn::Add(left[r], hn::Load(d, to));
        right[r] = hn::Add(right[r], hn::Load(d, to + n));
      }
      hn::Store(left[r], d, to);
      hn::Store(right[r], d, to + n);
    }
  }
}

/// multiplyTileRows for 1 to kTileRows rows.
template <Index kRows = kTileRows>
HWY_INLINE void multiplyTile(Index rows, TileA a, const float* panel, Index depth, Index chain, float* c,
                             Index cStride, bool add) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return multiplyTile<kRows - 1>(rows, a, panel, depth, chain, c, cStride, add);
  }
  multiplyTileRows<kRows>(a, panel, depth, chain, c, cStride, add);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
