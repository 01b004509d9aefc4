// The backward pass over a range of a head's queries, block by block: all six gradients while a block of the
// maps is in cache.
// Included once for each SIMD target.
#if defined(ATTN_KERNELS_BACKWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_BACKWARD_INL_H_
#undef ATTN_KERNELS_BACKWARD_INL_H_
#else
#define ATTN_KERNELS_BACKWARD_INL_H_
#endif

#include <algorithm>

#include "core/kernels/forward-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

using Backward = HeadBackward<float>;

/// Where a head's packed matrices begin in its scratch memory.
struct PackedBackward {
  Index vTransposed = 0, k, q, dOut, end;
  explicit PackedBackward(const Task& t)
      : k(padded(t.keys) * t.valueWidth),
        q(k + padded(t.keyWidth) * t.keys),
        dOut(q + padded(t.keyWidth) * t.queries),
        end(dOut + padded(t.valueWidth) * t.queries) {}
};

void packBackward(const Task& task, const Backward& pass, float* packed) {
  const PackedBackward at(task);
  packTransposedPanels(task.v, task.valueWidth, task.valueWidth, task.keys, packed + at.vTransposed);
  packPanels(task.k, task.keyWidth, task.keys, task.keyWidth, packed + at.k);
  packPanels(task.q, task.keyWidth, task.queries, task.keyWidth, packed + at.q);
  packPanels(pass.dOut, task.valueWidth, task.queries, task.valueWidth, packed + at.dOut);
}

/// Queries of a block: as many as keep their rows of P and dS in L2, and enough that adding to dK and dV is
/// little beside the products.
HWY_INLINE Index blockRows(Index keys) {
  constexpr Index kCells = 48 * 1024;
  return std::clamp(kCells / keys / kTileRows, Index{2}, Index{8}) * kTileRows;
}

/// Scratch for a block of queries: its rows of dP, which become dS, and what is mixed of them.
struct BackwardTile {
  float* ds;      // blockRows × stride
  float* result;  // kTileRows × resultStride
  Index stride, resultStride;
  BackwardTile(float* memory, const Task& task)
      : ds(memory),
        result(ds + blockRows(task.keys) * tileStride(task.keys)),
        stride(tileStride(task.keys)),
        resultStride(padded(task.keyWidth)) {}
  static Index size(const Task& task) {
    return blockRows(task.keys) * tileStride(task.keys) + kTileRows * padded(task.keyWidth);
  }
};

/// What a range of queries adds to dK and dV: keys × padded(keyWidth), then keys × padded(valueWidth).
struct Part {
  float *dK, *dV;
  Index kStride, vStride;
  Part(float* memory, const Task& task)
      : dK(memory),
        dV(dK + task.keys * padded(task.keyWidth)),
        kStride(padded(task.keyWidth)),
        vStride(padded(task.valueWidth)) {}
};

Index partSize(const Task& task) {
  return task.keys * (padded(task.keyWidth) + padded(task.valueWidth));
}

/// One row of a map: the tile's columns [span), 0 elsewhere.
HWY_INLINE void writeRow(float* map, Index i, Index keys, const float* row, Span span) {
  clearOutside(MapRow(map, i, keys), span, 0);
  std::copy(row + span.begin, row + std::min(span.end, keys), map + i * keys + span.begin);
}

HWY_INLINE void clearHidden(const Task& task, Index i, float* row, Span span) {
  for (Index j = span.begin; j < std::min(span.end, task.keys); ++j)
    if (!task.sees(i, j)) row[j] = 0;
}

/// capped = c·tanh(s/c), so ds = dcapped·(1 − t)(1 + t) with t = capped/c
HWY_INLINE void capBackwardRow(const Task& task, ConstMapRow capped, float* row, Span span) {
  const F32 d;
  const Vec one = hn::Set(d, 1.0f), cap = hn::Set(d, static_cast<float>(task.cap));
  for (Index j = span.begin; j < span.end; j += lanes()) {
    const Vec t = hn::Div(capped.load(j), cap);
    const Vec slope = hn::Mul(hn::Sub(one, t), hn::Add(one, t));
    hn::Store(timesWeight(hn::Load(d, row + j), slope), d, row + j);
  }
}

/// Back through normalise and cap, for one row of dP in the tile.
HWY_INLINE void finishRowBackward(const Task& task, const Backward& pass, Index i, float* row, Span span) {
  if (pass.dProbs) {
    clearHidden(task, i, row, span);
    writeRow(pass.dProbs, i, task.keys, row, span);
  }
  withKind(task.normaliser, [&](auto kind) {
    const ConstMapRow p = {pass.probs + i * task.keys, task.keys};
    normaliseBackwardRow<decltype(kind)::value>(p, row, span.begin, span.end);
  });
  if (pass.dScores) writeRow(pass.dScores, i, task.keys, row, span);
  if (task.cap != 0) capBackwardRow(task, {pass.cappedScores + i * task.keys, task.keys}, row, span);
  if (pass.dScaled) writeRow(pass.dScaled, i, task.keys, row, span);
}

/// dP, dS and dQ of one tile of queries. The rest of the block's columns is cleared.
void backwardTile(const Task& task, const Backward& pass, const float* packed, const BackwardTile& tile,
                  Index i, Index count, float* ds, Span block) {
  const PackedBackward at(task);
  const Span span = TileRanges(task, i, count).span();
  // o = P·v, so dP = dO·vᵀ
  const TileA<float> dOut = {pass.dOut + i * task.valueWidth, task.valueWidth, 1};
  const Panels<float> v = {packed + at.vTransposed, panelWidth(), task.valueWidth * panelWidth()};
  for (Index j = span.begin; j < span.end; j += panelWidth())
    multiplyAndStore(count, dOut, v.from(j / panelWidth(), 0), task.valueWidth, ds + j, tile.stride, false);
  for (Index r = 0; r < count; ++r) {
    float* row = ds + r * tile.stride;
    finishRowBackward(task, pass, i + r, row, span);
    if (span.begin > block.begin) std::fill(row + block.begin, row + span.begin, 0.0f);
    if (span.end < block.end) std::fill(row + span.end, row + block.end, 0.0f);
  }
  // s = q·kᵀ/divisor, so dq = ds·k/divisor
  mixPanels(count, ds, tile.stride, panelsOf(task.k, task.keys, task.keyWidth, packed + at.k), task.keys,
            task.keyWidth, span, tile.result, tile.resultStride);
  const Divider<float> divide(task.divisor);
  for (Index r = 0; r < count; ++r)
    divideRow(tile.result + r * tile.resultStride, divide, MapRow(pass.dQ, i + r, task.keyWidth));
}

/// The rows of a block that see any of `count` keys from `first` on.
HWY_INLINE RowRange rowsThatSee(const Task& task, RowRange block, Index first, Index count) {
  const auto sees = [&](Index i) { return task.range(i).begin < first + count && task.range(i).end > first; };
  while (block.begin < block.end && !sees(block.begin)) ++block.begin;
  while (block.end > block.begin && !sees(block.end - 1)) --block.end;
  return block;
}

/// What a block of queries adds to dK = dSᵀ·Q (divided by the divisor in the end) and dV = Pᵀ·dO.
void addToKeys(const Task& task, const Backward& pass, const float* packed, const BackwardTile& tile,
               RowRange block, Span span, const Part& part) {
  const PackedBackward at(task);
  const Panels<float> q = panelsOf(task.q, task.queries, task.keyWidth, packed + at.q);
  const Panels<float> dOut = panelsOf(pass.dOut, task.queries, task.valueWidth, packed + at.dOut);
  const Index last = std::min(span.end, task.keys);
  for (Index j = span.begin; j < last; j += kTileRows) {
    const Index count = std::min(kTileRows, last - j);
    const RowRange rows = rowsThatSee(task, block, j, count);
    const Index depth = rows.end - rows.begin;
    if (depth == 0) continue;
    const TileA<float> ds = {tile.ds + (rows.begin - block.begin) * tile.stride + j, 1, tile.stride};
    for (Index t = 0; t < task.keyWidth; t += panelWidth())
      multiplyAndStore(count, ds, q.from(t / panelWidth(), rows.begin), depth, part.dK + j * part.kStride + t,
                       part.kStride, true);
    const TileA<float> p = {pass.probs + rows.begin * task.keys + j, 1, task.keys};
    for (Index t = 0; t < task.valueWidth; t += panelWidth())
      multiplyAndStore(count, p, dOut.from(t / panelWidth(), rows.begin), depth,
                       part.dV + j * part.vStride + t, part.vStride, true);
  }
}

void backwardRows(const Task& task, const Backward& pass, const float* packed, float* memory, RowRange rows,
                  float* partMemory) {
  const BackwardTile tile(memory, task);
  const Part part(partMemory, task);
  std::fill_n(partMemory, partSize(task), 0.0f);
  const Index step = blockRows(task.keys);
  for (Index begin = rows.begin; begin < rows.end; begin += step) {
    const RowRange block = {begin, std::min(begin + step, rows.end)};
    const Span span = TileRanges(task, block.begin, block.end - block.begin).span();
    for (Index i = block.begin; i < block.end; i += kTileRows)
      backwardTile(task, pass, packed, tile, i, std::min(kTileRows, block.end - i),
                   tile.ds + (i - block.begin) * tile.stride, span);
    addToKeys(task, pass, packed, tile, block, span, part);
  }
}

void joinParts(const Task& task, const Backward& pass, float* parts, Index count, RowRange keys) {
  const Part first(parts, task);
  const Index size = partSize(task);
  for (Index n = 1; n < count; ++n) {
    const Part part(parts + n * size, task);
    for (Index t = keys.begin * part.kStride; t < keys.end * part.kStride; ++t) first.dK[t] += part.dK[t];
    for (Index t = keys.begin * part.vStride; t < keys.end * part.vStride; ++t) first.dV[t] += part.dV[t];
  }
  const Divider<float> divide(task.divisor);
  for (Index j = keys.begin; j < keys.end; ++j) {
    divideRow(first.dK + j * first.kStride, divide, MapRow(pass.dK, j, task.keyWidth));
    std::copy_n(first.dV + j * first.vStride, task.valueWidth, pass.dV + j * task.valueWidth);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
