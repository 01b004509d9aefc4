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

/// Queries of a block: many, so that adding to dK and dV is little beside the products; fewer where a row is
/// so long that they would leave the caches.
HWY_INLINE Index blockRows(Index keys) {
  constexpr Index kCells = 800 * 1024;
  return std::max(Index{2}, std::min(kMostTiles, kCells / keys / kTileRows)) * kTileRows;
}

/// Scratch for a block of queries: its rows of dP, which become dS, and what is mixed of them.
struct BackwardScratch {
  Index stride, resultStride;
  float* ds;      // rows × stride
  float* result;  // rows × resultStride
  /// For rows of so many keys: all of them, or a chunk.
  BackwardScratch(float* memory, const Task& task, Index keys)
      : stride(blockStride(keys)),
        resultStride(padded(task.keyWidth)),
        ds(memory),
        result(ds + blockRows(keys) * stride) {}
  /// The same memory for the chunk of keys that begins there.
  HWY_INLINE BackwardScratch startingAt(Index key) const {
    BackwardScratch moved = *this;
    moved.ds -= key;
    return moved;
  }
  static Index size(const Task& task) {
    return blockRows(task.keys) * (blockStride(task.keys) + padded(task.keyWidth));
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
  HWY_INLINE void clear(Index key, Index count) const {
    std::fill_n(dK + key * kStride, count * kStride, 0.0f);
    std::fill_n(dV + key * vStride, count * vStride, 0.0f);
  }
  /// What will be added to next, on its way while this is being computed.
  HWY_INLINE void prefetch(Index key, Index count) const {
    HWY_NAMESPACE::prefetch(dK + key * kStride, count * kStride);
    HWY_NAMESPACE::prefetch(dV + key * vStride, count * vStride);
  }
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

/// Whether a row's Σ p·dp is known before its dP is: for softmax it is dO·O, since O = P·V and dP = dO·Vᵀ.
/// Then long rows need not be whole, and are taken in chunks of keys of which everything stays in L2.
HWY_INLINE bool goesInChunks(const Task& task, const Backward& pass) {
  constexpr Index kLongRow = 1024;
  return isSoftmax(task) && task.keys > kLongRow && task.cap == 0 && !pass.dProbs && !pass.dScores &&
         !pass.dScaled;
}
constexpr Index kChunkKeys = 512;

/// dO·O of a row, in double until the end.
HWY_INLINE float sharedBeforehand(const Task& task, const Backward& pass, Index i) {
  const F64 d;
  const ConstMapRow out = {pass.out + i * task.valueWidth, task.valueWidth};
  const ConstMapRow dOut = {pass.dOut + i * task.valueWidth, task.valueWidth};
  auto sum = hn::Zero(d);
  for (Index t = 0; t < task.valueWidth; t += lanes(d))
    sum = hn::MulAdd(out.load(t, d), dOut.load(t, d), sum);
  return static_cast<float>(sumOfLanes(sum));
}

/// Back through normalise and cap, for one row of dP in the tile.
HWY_INLINE void finishRowBackward(const Task& task, const Backward& pass, Index i, const float* shared,
                                  float* row, Span span) {
  if (pass.dProbs) {
    clearHidden(task, i, row, span);
    writeRow(pass.dProbs, i, task.keys, row, span);
  }
  withKind(task.normaliser, [&](auto kind) {
    constexpr Kind kKind = decltype(kind)::value;
    const ConstMapRow p = {pass.probs + i * task.keys, task.keys};
    const float sum = shared ? *shared : sharedOfRow<kKind>(p, row, span.begin, span.end);
    normaliseBackwardRow<kKind>(p, sum, row, span.begin, span.end);
  });
  if (pass.dScores) writeRow(pass.dScores, i, task.keys, row, span);
  if (task.cap != 0) capBackwardRow(task, {pass.cappedScores + i * task.keys, task.keys}, row, span);
  if (pass.dScaled) writeRow(pass.dScaled, i, task.keys, row, span);
}

/// dP and dS of a block, and what they add to dQ. Columns that a tile does not need are cleared where another
/// one does. `shared` holds each row's Σ p·dp where that is known.
void backwardBlock(const Task& task, const Backward& pass, const float* packed,
                   const BackwardScratch& scratch, const Block& block, const float* shared, bool isFirst) {
  const PackedBackward at(task);
  // o = P·v, so dP = dO·vᵀ
  const float* dOut = pass.dOut + block.first * task.valueWidth;
  const Panels<float> v = {packed + at.vTransposed, panelWidth(), task.valueWidth * panelWidth()};
  forPanels(F32(), block, [&](Index g, Index j) HWY_ATTR {
    const Index r = g * kTileRows;
    for (Index row = 0; row < block.rowsOf(g); ++row)
      prefetch(pass.probs + (block.first + r + row) * task.keys + j, panelWidth());
    multiplyAndStore(block.rowsOf(g), {dOut + r * task.valueWidth, task.valueWidth, 1},
                     v.from(j / panelWidth(), 0), task.valueWidth, task.keys - j,
                     scratch.ds + r * scratch.stride + j, scratch.stride, false);
  });
  for (Index r = 0; r < block.rows; ++r) {
    float* row = scratch.ds + r * scratch.stride;
    const Span span = block.spans[r / kTileRows];
    finishRowBackward(task, pass, block.first + r, shared ? shared + r : nullptr, row, span);
    const Index end = std::max(block.span.begin, span.begin);
    std::fill(row + block.span.begin, row + end, 0.0f);
    std::fill(row + std::max(end, span.end), row + block.span.end, 0.0f);
  }
  // s = q·kᵀ/divisor, so dq = ds·k/divisor
  mixBlock(block, scratch.ds, scratch.stride, panelsOf(task.k, task.keys, task.keyWidth, packed + at.k),
           task.keyWidth, scratch.result, scratch.resultStride, !isFirst);
}

void writeQueryGradients(const Task& task, const Backward& pass, const BackwardScratch& scratch,
                         const Block& block) {
  const Divider<float> divide(task.divisor);
  for (Index r = 0; r < block.rows; ++r)
    divideRow(scratch.result + r * scratch.resultStride, divide,
              MapRow(pass.dQ, block.first + r, task.keyWidth));
}

/// Those of some rows that see any of `count` keys from `first` on.
HWY_INLINE RowRange rowsThatSee(const Task& task, RowRange rows, Index first, Index count) {
  const auto sees = [&](Index i) { return task.range(i).begin < first + count && task.range(i).end > first; };
  while (rows.begin < rows.end && !sees(rows.begin)) ++rows.begin;
  while (rows.end > rows.begin && !sees(rows.end - 1)) --rows.end;
  return rows;
}

/// What a block of queries adds to dK = dSᵀ·Q (divided by the divisor in the end) and dV = Pᵀ·dO. The first
/// block of a part writes what later ones add to.
void addToKeys(const Task& task, const Backward& pass, const float* packed, const BackwardScratch& scratch,
               const Block& block, const Part& part, bool isFirst) {
  const PackedBackward at(task);
  const Panels<float> q = panelsOf(task.q, task.queries, task.keyWidth, packed + at.q);
  const Panels<float> dOut = panelsOf(pass.dOut, task.queries, task.valueWidth, packed + at.dOut);
  const RowRange keys = {block.span.begin, std::min(block.span.end, task.keys)};
  if (isFirst) part.clear(0, keys.begin), part.clear(keys.end, task.keys - keys.end);
  for (Index j = keys.begin; j < keys.end; j += kTileRows) {
    const Index count = std::min(kTileRows, keys.end - j);
    const RowRange rows = rowsThatSee(task, {block.first, block.first + block.rows}, j, count);
    const Index depth = rows.end - rows.begin;
    if (depth == 0 && isFirst) part.clear(j, count);
    if (depth == 0) continue;
    if (!isFirst) part.prefetch(j + count, std::min(kTileRows, keys.end - j - count));
    const TileA<float> ds = {scratch.ds + (rows.begin - block.first) * scratch.stride + j, 1, scratch.stride};
    for (Index t = 0; t < task.keyWidth; t += panelWidth())
      multiplyAndStore(count, ds, q.from(t / panelWidth(), rows.begin), depth, task.keyWidth - t,
                       part.dK + j * part.kStride + t, part.kStride, !isFirst);
    const TileA<float> p = {pass.probs + rows.begin * task.keys + j, 1, task.keys};
    for (Index t = 0; t < task.valueWidth; t += panelWidth())
      multiplyAndStore(count, p, dOut.from(t / panelWidth(), rows.begin), depth, task.valueWidth - t,
                       part.dV + j * part.vStride + t, part.vStride, !isFirst);
  }
}

/// All gradients of a block, chunk by chunk.
void chunkedBackward(const Task& task, const Backward& pass, const float* packed,
                     const BackwardScratch& scratch, const Block& block, const Part& part, bool isFirst) {
  float shared[kMostTiles * kTileRows];
  for (Index r = 0; r < block.rows; ++r) shared[r] = sharedBeforehand(task, pass, block.first + r);
  if (isFirst) part.clear(0, task.keys);
  for (Index from = block.span.begin; from < block.span.end; from += kChunkKeys) {
    const Block chunk = block.within(from, from + kChunkKeys);
    const BackwardScratch moved = scratch.startingAt(from);
    backwardBlock(task, pass, packed, moved, chunk, shared, from == block.span.begin);
    addToKeys(task, pass, packed, moved, chunk, part, false);
  }
}

void backwardRows(const Task& task, const Backward& pass, const float* packed, float* memory, RowRange rows,
                  float* partMemory) {
  const bool inChunks = goesInChunks(task, pass);
  const BackwardScratch scratch(memory, task, inChunks ? kChunkKeys : task.keys);
  const Part part(partMemory, task);
  if (rows.begin >= rows.end) part.clear(0, task.keys);
  const Index step = blockRows(inChunks ? kChunkKeys : task.keys);
  for (Index begin = rows.begin; begin < rows.end; begin += step) {
    const Block block(task, begin, std::min(step, rows.end - begin), panelWidth());
    const bool isFirst = begin == rows.begin;
    if (inChunks && block.span.end > block.span.begin) {
      chunkedBackward(task, pass, packed, scratch, block, part, isFirst);
    } else {
      backwardBlock(task, pass, packed, scratch, block, nullptr, true);
      addToKeys(task, pass, packed, scratch, block, part, isFirst);
    }
    writeQueryGradients(task, pass, scratch, block);
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
