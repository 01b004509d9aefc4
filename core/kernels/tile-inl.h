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
using F64 = hn::ScalableTag<double>;
using Vec = hn::Vec<F32>;

template <class D = F32>
HWY_INLINE Index lanes(D d = D()) {
  return static_cast<Index>(hn::Lanes(d));
}

// A tile is kTileRows × 2 vectors of accumulators: as many as leave room for two vectors of B and one
// broadcast of A among the machine's registers (32 with AVX-512 and on Arm, 16 elsewhere).
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3) || HWY_ARCH_ARM_A64  // the better, the lower the number
constexpr Index kTileRows = 12;
#else
constexpr Index kTileRows = 6;
#endif

/// Columns of a panel, and the multiple to which rows of a scratch tile are padded.
template <class D = F32>
HWY_INLINE Index panelWidth(D d = D()) {
  return 2 * lanes(d);
}
HWY_INLINE Index padded(Index count) {
  return (count + panelWidth() - 1) / panelWidth() * panelWidth();
}

/// Whether a matrix of this width can be read as it is: its rows are whole panels.
HWY_INLINE bool needsNoPacking(Index width) {
  return width % panelWidth() == 0;
}

/// B (depth × cols) as panels of panelWidth() columns: (panels, depth, panelWidth), zeros beyond cols.
/// A product then streams through one panel in order, and needs no tail. What can be read where it lies is
/// not packed: see panelsOf.
HWY_INLINE void packPanels(const float* HWY_RESTRICT b, Index stride, Index depth, Index cols,
                           float* HWY_RESTRICT to) {
  if (needsNoPacking(cols)) return;
  const F32 d;
  const Index n = lanes();
  for (Index first = 0; first < cols; first += 2 * n) {
    const Index width = std::min(2 * n, cols - first);
    if (width == 2 * n) {
      for (Index t = 0; t < depth; ++t, to += 2 * n) {
        hn::Store(hn::LoadU(d, b + t * stride + first), d, to);
        hn::Store(hn::LoadU(d, b + t * stride + first + n), d, to + n);
      }
      continue;
    }
    for (Index t = 0; t < depth; ++t, to += 2 * n) {
      std::copy_n(b + t * stride + first, width, to);
      std::fill_n(to + width, 2 * n - width, 0.0f);
    }
  }
}

#if HWY_TARGET != HWY_SCALAR
/// The blocks of four numbers of v to rows that lie `step` apart.
template <class D>
HWY_INLINE void storeBlocks(D d, hn::Vec<D> v, float* HWY_RESTRICT to, Index step) {
  if constexpr (hn::MaxLanes(D()) <= 4) {
    hn::StoreU(v, d, to);
  } else {
    const hn::Half<D> half;
    storeBlocks(half, hn::LowerHalf(half, v), to, step);
    storeBlocks(half, hn::UpperHalf(half, v), to + lanes(half) / 4 * step, step);
  }
}

/// One vector of columns of four rows become as many rows of four.
template <class D>
HWY_INLINE void transposeRows(D d, const float* HWY_RESTRICT b, Index stride, float* HWY_RESTRICT to,
                              Index toStride) {
  const hn::RepartitionToWide<D> wide;
  const auto r0 = hn::LoadU(d, b), r1 = hn::LoadU(d, b + stride);
  const auto r2 = hn::LoadU(d, b + 2 * stride), r3 = hn::LoadU(d, b + 3 * stride);
  const auto low01 = hn::BitCast(wide, hn::InterleaveLower(d, r0, r1));
  const auto low23 = hn::BitCast(wide, hn::InterleaveLower(d, r2, r3));
  const auto high01 = hn::BitCast(wide, hn::InterleaveUpper(d, r0, r1));
  const auto high23 = hn::BitCast(wide, hn::InterleaveUpper(d, r2, r3));
  const auto store = [&](Index column, auto v) HWY_ATTR {
    storeBlocks(d, hn::BitCast(d, v), to + column * toStride, 4 * toStride);
  };
  store(0, hn::InterleaveLower(wide, low01, low23));
  store(1, hn::InterleaveUpper(wide, low01, low23));
  store(2, hn::InterleaveLower(wide, high01, high23));
  store(3, hn::InterleaveUpper(wide, high01, high23));
}

/// Four rows (of `depth`) become columns, as far as vectors reach: returns how many numbers of each did.
HWY_INLINE Index transposeFour(const float* HWY_RESTRICT b, Index stride, Index depth, float* HWY_RESTRICT to,
                               Index toStride) {
  const hn::CappedTag<float, 4> four;
  Index t = 0;
  for (; t + lanes() <= depth; t += lanes()) transposeRows(F32(), b + t, stride, to + t * toStride, toStride);
  for (; t + 4 <= depth; t += 4) transposeRows(four, b + t, stride, to + t * toStride, toStride);
  return t;
}
#else
HWY_INLINE Index transposeFour(const float*, Index, Index, float*, Index) {
  return 0;
}
#endif

/// The panels of Bᵀ, for B (cols × depth).
HWY_INLINE void packTransposedPanels(const float* HWY_RESTRICT b, Index stride, Index depth, Index cols,
                                     float* HWY_RESTRICT to) {
  const Index wide = panelWidth();
  for (Index first = 0; first < cols; first += wide, to += depth * wide) {
    const Index width = std::min(wide, cols - first), fourCols = width / 4 * 4;
    const float* from = b + first * stride;
    Index done = 0;  // of the depth, in columns that come in fours
    for (Index j = 0; j < fourCols; j += 4)
      done = transposeFour(from + j * stride, stride, depth, to + j, wide);
    for (Index t = 0; t < depth; ++t) {
      for (Index j = t < done ? fourCols : 0; j < width; ++j) to[t * wide + j] = from[j * stride + t];
      if (width < wide) std::fill_n(to + t * wide + width, wide - width, 0.0f);
    }
  }
}

/// The same in double, for heads small enough to be computed so.
HWY_INLINE void packTransposedPanels(const float* HWY_RESTRICT b, Index stride, Index depth, Index cols,
                                     double* HWY_RESTRICT to) {
  const Index wide = panelWidth(F64());
  for (Index first = 0; first < cols; first += wide)
    for (Index t = 0; t < depth; ++t, to += wide)
      for (Index j = 0; j < wide; ++j)
        to[j] = first + j < cols ? static_cast<double>(b[(first + j) * stride + t]) : 0.0;
}

/// A as a tile reads it: element (row, t) is at a[row·rowStride + t·depthStride].
template <class T>
struct TileA {
  const T* a;
  Index rowStride, depthStride;
};

/// B as a tile reads it: row t of panel p is the two vectors at b + p·next + t·stride.
template <class T>
struct Panels {
  const T* b;
  Index stride, next;

  /// Panel p, from row t on.
  HWY_INLINE Panels from(Index p, Index t) const { return {b + p * next + t * stride, stride, next}; }
};

/// B (depth × cols) as panels: where it lies, or as packPanels wrote it to `packed`.
HWY_INLINE Panels<float> panelsOf(const float* b, Index stride, Index depth, Index cols,
                                  const float* packed) {
  if (needsNoPacking(cols)) return {b, stride, panelWidth()};
  return {packed, panelWidth(), depth * panelWidth()};
}
HWY_INLINE Panels<float> panelsOf(const float* b, Index depth, Index cols, const float* packed) {
  return panelsOf(b, cols, depth, cols, packed);
}

/// One step of the sums: column t of A (kRows) times row t of the panel (2 vectors, or 1 of a narrow one).
template <Index kRows, bool kNarrow, class D, class V = hn::Vec<D>>
HWY_INLINE void multiplyStep(D d, TileA<hn::TFromD<D>> a, Panels<hn::TFromD<D>> panel, Index t,
                             V (&left)[kRows], V (&right)[kRows]) {
  const V b0 = hn::LoadU(d, panel.b + t * panel.stride);
  V b1;
  if constexpr (!kNarrow) b1 = hn::LoadU(d, panel.b + t * panel.stride + lanes(d));
  for (Index r = 0; r < kRows; ++r) {
    const V x = hn::Set(d, a.a[r * a.rowStride + t * a.depthStride]);
    left[r] = hn::MulAdd(x, b0, left[r]);
    if constexpr (!kNarrow) right[r] = hn::MulAdd(x, b1, right[r]);
  }
}

/// A (kRows × depth) · panel (depth × 2 vectors), summed in registers. `finish(r, left, right)` takes the two
/// vectors of each row. Of a narrow panel, which has nothing but padding on its right, that half is 0 unseen.
template <Index kRows, bool kNarrow, class D, class Finish>
HWY_INLINE void multiplyTileRows(D d, TileA<hn::TFromD<D>> a, Panels<hn::TFromD<D>> panel, Index depth,
                                 const Finish& finish) {
  hn::Vec<D> left[kRows], right[kRows];
  for (Index r = 0; r < kRows; ++r) left[r] = right[r] = hn::Zero(d);
  for (Index t = 0; t < depth; ++t) multiplyStep<kRows, kNarrow>(d, a, panel, t, left, right);
#pragma GCC unroll 16
  for (Index r = 0; r < kRows; ++r) finish(r, left[r], right[r]);
}

/// multiplyTileRows for 1 to kRows rows.
template <bool kNarrow, Index kRows = kTileRows, class D, class Finish>
HWY_INLINE void multiplyTile(D d, Index rows, TileA<hn::TFromD<D>> a, Panels<hn::TFromD<D>> panel,
                             Index depth, const Finish& finish) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return multiplyTile<kNarrow, kRows - 1>(d, rows, a, panel, depth, finish);
  }
  multiplyTileRows<kRows, kNarrow>(d, a, panel, depth, finish);
}

/// What becomes of a row of a finished tile: it is written to C.
template <class T>
struct StoreRow {
  T* c;
  Index stride;
  template <class V>
  HWY_INLINE void operator()(Index r, V left, V right) const {
    const hn::ScalableTag<T> d;
    hn::Store(left, d, c + r * stride);
    hn::Store(right, d, c + r * stride + lanes(d));
  }
};
/// What is in C already is added before `then` takes the row.
template <class T, class Then>
struct AddRow {
  const T* c;
  Index stride;
  const Then& then;
  template <class V>
  HWY_INLINE void operator()(Index r, V left, V right) const {
    const hn::ScalableTag<T> d;
    const T* from = c + r * stride;
    then(r, hn::Add(left, hn::Load(d, from)), hn::Add(right, hn::Load(d, from + lanes(d))));
  }
};

/// C (rows × panelWidth) = A·panel, or += with `add`, which `finish` takes at the end. Long sums are cut into
/// chains that are added up in C: shorter chains round less.
template <bool kNarrow = false, class D, class T, class Finish>
HWY_INLINE void multiplyLongTile(D d, Index rows, TileA<T> a, Panels<T> panel, Index depth, Index chain, T* c,
                                 Index cStride, bool add, const Finish& finish) {
  const StoreRow<T> store = {c, cStride};
  for (; depth > chain; depth -= chain, add = true) {
    if (add)
      multiplyTile<kNarrow>(d, rows, a, panel, chain, AddRow<T, StoreRow<T>>{c, cStride, store});
    else
      multiplyTile<kNarrow>(d, rows, a, panel, chain, store);
    a.a += chain * a.depthStride;
    panel = panel.from(0, chain);
  }
  if (add)
    multiplyTile<kNarrow>(d, rows, a, panel, depth, AddRow<T, Finish>{c, cStride, finish});
  else
    multiplyTile<kNarrow>(d, rows, a, panel, depth, finish);
}

/// The same for products that are only written: one copy of all these loops for all of them. `width` columns
/// of the panel count, the others are padding.
HWY_NOINLINE void multiplyAndStore(Index rows, TileA<float> a, Panels<float> panel, Index depth, Index width,
                                   float* c, Index cStride, bool add) {
  constexpr Index kChain = 256;
  const StoreRow<float> store = {c, cStride};
  if (width > lanes())
    multiplyLongTile(F32(), rows, a, panel, depth, kChain, c, cStride, add, store);
  else
    multiplyLongTile<true>(F32(), rows, a, panel, depth, kChain, c, cStride, add, store);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
