// The forward pass over a range of a head's queries, block by block.
// Included once for each SIMD target.
#if defined(ATTN_KERNELS_FORWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_FORWARD_INL_H_
#undef ATTN_KERNELS_FORWARD_INL_H_
#else
#define ATTN_KERNELS_FORWARD_INL_H_
#endif

#include <algorithm>

#include "core/kernels/block-inl.h"
#include "core/kernels/normalise-inl.h"
#include "core/kernels/scores-inl.h"
#include "core/kernels/tile-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

using Forward = HeadForward<float>;

// A score is read as an exponent, so its error counts most: its sum is cut into shorter chains than others.
constexpr Index kScoreChain = 64;

/// Queries of a block: few, so that their scores are still in L1 when they are normalised.
constexpr Index kForwardRows = 2 * kTileRows;
HWY_INLINE Index forwardRowsOf(Index keys) {
  constexpr Index kCells = 10 * 1024, kLong = 1024;  // of longer rows not even one tile would stay there
  return keys <= kLong && kForwardRows * keys > kCells ? kTileRows : kForwardRows;
}

/// Where a head's packed matrices begin in its scratch memory, in floats.
struct PackedForward {
  Index kTransposed = 0, v, end;
  explicit PackedForward(const Task& t)
      : v(padded(t.keys) * t.keyWidth * (t.precise ? 2 : 1)), end(v + padded(t.valueWidth) * t.keys) {}
};

void packForward(const Task& task, float* packed) {
  const PackedForward at(task);
  float* k = packed + at.kTransposed;
  if (task.precise)
    packTransposedPanels(task.k, task.keyWidth, task.keyWidth, task.keys, reinterpret_cast<double*>(k));
  else
    packTransposedPanels(task.k, task.keyWidth, task.keyWidth, task.keys, k);
  packPanels(task.v, task.valueWidth, task.keys, task.valueWidth, packed + at.v);
}

/// Scratch for a block of queries: their weights, what is mixed of them and, in double, scores and queries.
struct ForwardScratch {
  Index stride, resultStride;
  float* weights;  // rows × stride
  float* result;   // rows × resultStride
  double* scores;  // rows × stride
  double* q;       // rows × keyWidth
  double* spare;   // stride
  ForwardScratch(float* memory, const Task& task)
      : stride(blockStride(task.keys)),
        resultStride(padded(task.valueWidth)),
        weights(memory),
        result(weights + kForwardRows * stride),
        scores(reinterpret_cast<double*>(result + kForwardRows * resultStride)),
        q(scores + (task.precise ? kForwardRows * stride : 0)),
        spare(q + (task.precise ? kForwardRows * padded(task.keyWidth) : 0)) {}
  static Index size(const Task& task) {
    const Index stride = blockStride(task.keys);
    const Index inDouble = task.precise ? 2 * (stride + padded(task.keyWidth)) : 0;
    return kForwardRows * (stride + padded(task.valueWidth) + inDouble) + 2 * stride;
  }
  HWY_INLINE float* scoresOf(F32) const { return weights; }
  HWY_INLINE double* scoresOf(F64) const { return scores; }
  HWY_INLINE float* spareOf(F32) const { return reinterpret_cast<float*>(spare); }
  HWY_INLINE double* spareOf(F64) const { return spare; }
  /// The block's queries, as the sums read them.
  HWY_INLINE TileA<float> queries(F32, const Task& task, const Block& block) const {
    return {task.q + block.first * task.keyWidth, task.keyWidth, 1};
  }
  HWY_INLINE TileA<double> queries(F64, const Task& task, const Block& block) const {
    std::copy_n(task.q + block.first * task.keyWidth, block.rows * task.keyWidth, q);
    return {q, task.keyWidth, 1};
  }
};

/// Calls tile(g, j) for every tile of a block and every panel that it needs: all tiles go over a panel in
/// turn.
template <class D, class Tile>
HWY_INLINE void forPanels(D d, const Block& block, const Tile& tile) {
  for (Index j = block.span.begin; j < block.span.end; j += panelWidth(d))
    for (Index g = 0; g < block.tiles; ++g)
      if (block.spans[g].has(j)) tile(g, j);
}

/// The raw scores of a tile and a panel.
template <class D, class T = hn::TFromD<D>>
HWY_NOINLINE void rawTile(D d, Index rows, TileA<T> q, Panels<T> panel, Index depth, T* to, Index stride) {
  multiplyLongTile(d, rows, q, panel, depth, kScoreChain, to, stride, false, StoreRow<T>{to, stride});
}

/// The raw scores of a block, for all that must happen to them row by row.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void rawScores(D d, const Task& task, const Block& block, TileA<T> q, Panels<T> panels, T* scores,
                          Index stride) {
  forPanels(d, block, [&](Index g, Index j) HWY_ATTR {
    const Index r = g * kTileRows;
    rawTile(d, block.rowsOf(g), {q.a + r * q.rowStride, q.rowStride, 1}, panels.from(j / panelWidth(d), 0),
            task.keyWidth, scores + r * stride + j, stride);
  });
}

/// The tiles of `plainScores`.
template <bool kExact, class D, class T = hn::TFromD<D>>
HWY_INLINE void plainTiles(D d, const Task& task, const Divider<T>& divide, const Block& block, TileA<T> q,
                           Panels<T> panels, T* scores, Index stride, hn::Vec<D>* largest, const float* map) {
  forPanels(d, block, [&](Index g, Index j) HWY_ATTR {
    const Index first = g * kTileRows, rows = block.rowsOf(g);
    const TileA<T> a = {q.a + first * q.rowStride, q.rowStride, 1};
    const Panels<T> panel = panels.from(j / panelWidth(d), 0);
    T* to = scores + first * stride + j;
    if (j >= block.seenByAll[g].begin && j + panelWidth(d) <= block.seenByAll[g].end) {
      // Without a map, what is made ready is what is written anyway.
      const float* ahead =
          map ? map + (block.first + first) * task.keys + j : reinterpret_cast<const float*>(to);
      multiplyLongTile(
          d, rows, a, panel, task.keyWidth, kScoreChain, to, stride, false,
          PlainScores<D, kExact>{divide, largest + first, to, stride, ahead, map ? task.keys : stride});
      return;
    }
    rawTile(d, rows, a, panel, task.keyWidth, to, stride);
    for (Index r = 0; r < rows; ++r)
      finishEdge(d, divide, task.range(block.first + first + r), j, to + r * stride, largest[first + r]);
  });
}

/// Scores that only need their scale and their row's range: finished while they are in registers.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void plainScores(D d, const Task& task, const Divider<T>& divide, const Block& block, TileA<T> q,
                            Panels<T> panels, T* scores, Index stride, RowScan<T>* scans, const float* map) {
  hn::Vec<D> largest[kForwardRows];
  for (Index r = 0; r < block.rows; ++r) largest[r] = hn::Set(d, T(kMinusInfinity));
  if (divide.isExact())
    plainTiles<true>(d, task, divide, block, q, panels, scores, stride, largest, map);
  else
    plainTiles<false>(d, task, divide, block, q, panels, scores, stride, largest, map);
  for (Index r = 0; r < block.rows; ++r) {
    const Span span = block.spans[r / kTileRows];
    const T top = largestLane(largest[r], T(kMinusInfinity));
    scans[r] = isSoftmax(task) ? RowScan<T>{top, std::isfinite(top)}
                               : scanRow(d, scores + r * stride, span.begin, span.end);
  }
}

HWY_INLINE void clearOutside(MapRow map, Span span, float outside) {
  if (!map.row) return;
  std::fill(map.row, map.row + span.begin, outside);
  std::fill(map.row + std::min(span.end, map.keys), map.row + map.keys, outside);
}

/// What was mixed, times each row's factor, to where it is wanted.
HWY_INLINE void writeOutput(const Task& task, const Forward& to, const ForwardScratch& scratch, Index i,
                            Index r, float factor) {
  const float* from = scratch.result + r * scratch.resultStride;
  const MapRow out(to.out, i, task.valueWidth), joined(to.joined + i * to.joinedStride, task.valueWidth);
  const auto scaled = [&](Index t) HWY_ATTR HWY_LAMBDA_INLINE {
    return hn::Mul(hn::Load(F32(), from + t), hn::Set(F32(), factor));
  };
  Index t = 0;
  for (; t + lanes() <= task.valueWidth; t += lanes()) {
    const Vec o = scaled(t);
    if (out.row) hn::StoreU(o, F32(), out.row + t);
    hn::StoreU(o, F32(), joined.row + t);
  }
  if (t < task.valueWidth) out.store(scaled(t), t), joined.store(scaled(t), t);
}

/// How many rows are normalised together, step by step: as many as stay in L1 between the steps.
HWY_INLINE Index rowsTogether(const Span& span) {
  constexpr Index kCells = 2048;
  return std::clamp<Index>(kCells / std::max<Index>(1, span.end - span.begin), 1, kForwardRows);
}

/// scale → cap → bias → mask, as far as `plainScores` did not do it, → normalise, for a block of scores.
/// Writes the maps, leaves weights in the scratch, and what they must still be multiplied with in `factors`.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void normaliseBlock(D d, const Task& task, const Forward& to, const ForwardScratch& scratch,
                               const Block& block, const Divider<T>& divide, bool plain, RowScan<T>* scans,
                               float* factors) {
  SoftmaxRow<D> softmax[kForwardRows];
  SoftmaxMoments moments;
  if (to.sums) moments.clear(block.rows);
  T* scores = scratch.scoresOf(d);
  const Index together = rowsTogether(block.span);
  for (Index begin = 0; begin < block.rows; begin += together) {
    const Index end = std::min(begin + together, block.rows);
    for (Index r = begin; r < end; ++r) {
      const Index i = block.first + r;
      const Span span = block.spans[r / kTileRows];
      T* row = scores + r * scratch.stride;
      if (!to.zerosStand) clearOutside(MapRow(to.probs, i, task.keys), span, 0);
      clearOutside(MapRow(to.scores, i, task.keys), span, kMinusInfinity);
      if (!plain)
        scans[r] = scoreRow(d, ScoreStages(task, to, i), divide, task.range(i), row, span.begin, span.end);
      beginRow(d, task, scans[r], row, span.begin, span.end, to.sums, softmax[r]);
    }
    for (Index r = begin; r < end; ++r) {
      const Index i = block.first + r;
      const Span span = block.spans[r / kTileRows];
      factors[r] =
          finishRow(d, task, i, scans[r], softmax[r], scores + r * scratch.stride, scratch.spareOf(d),
                    scratch.weights + r * scratch.stride, MapRow(to.probs, i, task.keys), span.begin,
                    span.end, to.sums ? to.sums + i : nullptr, to.sums ? &moments : nullptr, r);
    }
  }
  if (to.sums) moments.fillGaps(block.rows), moments.write(block.rows, to.sums + block.first);
}

/// One block of the forward pass: score → scale → cap → bias → mask → normalise → mix, with scores in D's
/// type.
template <class D>
void forwardBlock(D d, const Task& task, const Forward& to, const float* packed,
                  const ForwardScratch& scratch, Index first, Index count) {
  using T = hn::TFromD<D>;
  const PackedForward at(task);
  const Divider<T> divide(task.divisor);
  const Block block(task, first, count, panelWidth(d), to.rawScores || to.scaledScores || to.cappedScores);
  T* scores = scratch.scoresOf(d);
  const Panels<T> k = {reinterpret_cast<const T*>(packed + at.kTransposed), panelWidth(d),
                       task.keyWidth * panelWidth(d)};
  const TileA<T> q = scratch.queries(d, task, block);
  const bool plain = !ScoreStages::any(task, to);
  RowScan<T> scans[kForwardRows];
  if (plain)
    plainScores(d, task, divide, block, q, k, scores, scratch.stride, scans,
                passesCache(task, to.probs) ? nullptr : to.probs);
  else
    rawScores(d, task, block, q, k, scores, scratch.stride);
  float factors[kForwardRows];
  normaliseBlock(d, task, to, scratch, block, divide, plain, scans, factors);
  mixBlock(block, scratch.weights, scratch.stride,
           panelsOf(task.v, task.keys, task.valueWidth, packed + at.v), task.valueWidth, scratch.result,
           scratch.resultStride);
  for (Index r = 0; r < count; ++r) writeOutput(task, to, scratch, first + r, r, factors[r]);
}

void forwardRows(const Task& task, const Forward& to, const float* packed, float* memory, RowRange rows) {
  const ForwardScratch scratch(memory, task);
  const Index step = forwardRowsOf(task.keys);
  for (Index i = rows.begin; i < rows.end; i += step) {
    const Index count = std::min(step, rows.end - i);
    if (task.precise)
      forwardBlock(F64(), task, to, packed, scratch, i, count);
    else
      forwardBlock(F32(), task, to, packed, scratch, i, count);
  }
  if (passesCache(task, to.probs)) hwy::FlushStream();
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
