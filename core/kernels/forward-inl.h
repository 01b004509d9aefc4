// The forward pass over a range of a head's queries, tile by tile.
// Included once for each SIMD target.
#if defined(ATTN_KERNELS_FORWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_FORWARD_INL_H_
#undef ATTN_KERNELS_FORWARD_INL_H_
#else
#define ATTN_KERNELS_FORWARD_INL_H_
#endif

#include <algorithm>

#include "core/kernels/normalise-inl.h"
#include "core/kernels/scores-inl.h"
#include "core/kernels/tile-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

using Task = HeadTask<float>;
using Forward = HeadForward<float>;

// A score is read as an exponent, so its error counts most: its sum is cut into shorter chains than others.
constexpr Index kScoreChain = 64;

/// Rows of a tile begin an odd number of cache lines apart: at a power of two, the same column of all rows
/// would fall into the same few places of the cache.
HWY_INLINE Index tileStride(Index keys) {
  constexpr Index kLine = 16;
  return ((padded(keys) + kLine - 1) / kLine | 1) * kLine;
}

/// Columns [begin, end) that some row of a tile needs; multiples of the panel width.
struct Span {
  Index begin, end;
  HWY_INLINE Span(Index first, Index last, Index panel)
      : begin(first / panel * panel), end(std::max(begin, (last + panel - 1) / panel * panel)) {}
};

/// The keys that some of these queries sees, and those that all of them see.
struct TileRanges {
  KeyRange some, all;
  TileRanges(const Task& task, Index first, Index count) : some{task.keys, 0}, all{0, task.keys} {
    for (Index i = first; i < first + count; ++i) {
      const KeyRange range = task.range(i);
      all = {std::max(all.begin, range.begin), std::min(all.end, range.end)};
      if (range.begin >= range.end) continue;
      some = {std::min(some.begin, range.begin), std::max(some.end, range.end)};
    }
    if (some.end <= some.begin) some = {0, 0};
  }
  template <class D = F32>
  HWY_INLINE Span span(D d = D()) const {
    return {some.begin, some.end, panelWidth(d)};
  }
};

/// Where a head's packed matrices begin in its scratch memory, in floats.
struct PackedForward {
  Index kTransposed = 0, v, end;
  explicit PackedForward(const Task& t)
      : v(padded(t.keys) * t.keyWidth * (t.precise ? 2 : 1)), end(v + padded(t.valueWidth) * t.keys) {}
};

HWY_INLINE void packKeys(const Task& task, float* to) {
  if (task.precise)
    packTransposedPanels(task.k, task.keyWidth, task.keyWidth, task.keys, reinterpret_cast<double*>(to));
  else
    packTransposedPanels(task.k, task.keyWidth, task.keyWidth, task.keys, to);
}

void packForward(const Task& task, float* packed) {
  const PackedForward at(task);
  packKeys(task, packed + at.kTransposed);
  packPanels(task.v, task.valueWidth, task.keys, task.valueWidth, packed + at.v);
}

/// Scratch for kTileRows queries: their weights, what is mixed of them and, in double, scores and queries.
struct ForwardTile {
  float* weights;  // kTileRows × stride
  float* result;   // kTileRows × resultStride
  double* scores;  // kTileRows × stride
  double* q;       // kTileRows × keyWidth
  Index stride, resultStride;
  ForwardTile(float* memory, const Task& task)
      : weights(memory),
        result(weights + kTileRows * tileStride(task.keys)),
        scores(reinterpret_cast<double*>(result + kTileRows * padded(task.valueWidth))),
        q(scores + kTileRows * tileStride(task.keys)),
        stride(tileStride(task.keys)),
        resultStride(padded(task.valueWidth)) {}
  static Index size(const Task& task) {
    const Index stride = tileStride(task.keys);
    return kTileRows * (stride + padded(task.valueWidth) + (task.precise ? 2 * (stride + task.keyWidth) : 0));
  }
  HWY_INLINE float* scoresOf(F32) const { return weights; }
  HWY_INLINE double* scoresOf(F64) const { return scores; }
  /// Queries [first, first + count), as the sums read them.
  HWY_INLINE TileA<float> queries(F32, const Task& task, Index first, Index) const {
    return {task.q + first * task.keyWidth, task.keyWidth, 1};
  }
  HWY_INLINE TileA<double> queries(F64, const Task& task, Index first, Index count) const {
    std::copy_n(task.q + first * task.keyWidth, count * task.keyWidth, q);
    return {q, task.keyWidth, 1};
  }
};

/// The raw scores of a tile, for all that must happen to them row by row.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void rawScores(D d, const Task& task, Index count, TileA<T> q, Panels<T> panels, Span span,
                          T* tile, Index stride) {
  for (Index j = span.begin; j < span.end; j += panelWidth(d))
    multiplyLongTile(d, count, q, panels.from(j / panelWidth(d), 0), task.keyWidth, kScoreChain, tile + j,
                     stride, false, StoreRow<T>{tile + j, stride});
}

/// Scores of a tile that only need their scale and their row's range: finished while they are in registers.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void plainScores(D d, const Task& task, const Divider<T>& divide, Index i, Index count, TileA<T> q,
                            Panels<T> panels, const TileRanges& ranges, T* tile, Index stride,
                            RowScan<T>* scans) {
  using Scores = PlainScores<D>;
  typename Scores::Row rows[kTileRows];
  Scores::begin(rows, count);
  const Span span = ranges.span(d);
  for (Index j = span.begin; j < span.end; j += panelWidth(d)) {
    const bool whole = j >= ranges.all.begin && j + panelWidth(d) <= ranges.all.end;
    multiplyLongTile(d, count, q, panels.from(j / panelWidth(d), 0), task.keyWidth, kScoreChain, tile + j,
                     stride, false, Scores{task, divide, rows, tile, stride, i, j, whole});
  }
  for (Index r = 0; r < count; ++r) scans[r] = Scores::end(rows[r], tile + r * stride, span.begin, span.end);
}

HWY_INLINE void clearOutside(MapRow map, Span span, float outside) {
  if (!map.row) return;
  std::fill(map.row, map.row + span.begin, outside);
  std::fill(map.row + std::min(span.end, map.keys), map.row + map.keys, outside);
}

/// rows × width = weights [span) · panels (keys × width): P·V or dS·K.
HWY_INLINE void mixPanels(Index rows, const float* weights, Index stride, Panels<float> panels, Index keys,
                          Index width, Span span, float* result, Index resultStride) {
  const Index depth = std::min(span.end, keys) - span.begin;
  for (Index t = 0; t < width; t += panelWidth())
    multiplyAndStore(rows, {weights + span.begin, stride, 1}, panels.from(t / panelWidth(), span.begin),
                     depth, result + t, resultStride, false);
}

/// One tile of the forward pass: score → scale → cap → bias → mask → normalise → mix, scores in the type of
/// D.
template <class D>
void forwardTile(D d, const Task& task, const Forward& to, const float* packed, const ForwardTile& tile,
                 Index i, Index count) {
  using T = hn::TFromD<D>;
  const PackedForward at(task);
  const Divider<T> divide(task.divisor);
  const bool wholeMaps = to.rawScores || to.scaledScores || to.cappedScores;
  const TileRanges ranges(task, i, count);
  const Span span = wholeMaps ? Span(0, task.keys, panelWidth(d)) : ranges.span(d);
  T* scores = tile.scoresOf(d);
  const Panels<T> panels = {reinterpret_cast<const T*>(packed + at.kTransposed), panelWidth(d),
                            task.keyWidth * panelWidth(d)};
  const TileA<T> q = tile.queries(d, task, i, count);
  const bool plain = !ScoreStages::any(task, to);
  RowScan<T> scans[kTileRows];
  if (plain)
    plainScores(d, task, divide, i, count, q, panels, ranges, scores, tile.stride, scans);
  else
    rawScores(d, task, count, q, panels, span, scores, tile.stride);
  float factors[kTileRows];
  for (Index r = 0; r < count; ++r) {
    const MapRow probs(to.probs, i + r, task.keys);
    clearOutside(probs, span, 0);
    clearOutside(MapRow(to.scores, i + r, task.keys), span, kMinusInfinity);
    T* row = scores + r * tile.stride;
    if (!plain)
      scans[r] =
          scoreRow(d, ScoreStages(task, to, i + r), divide, task.range(i + r), row, span.begin, span.end);
    factors[r] = normaliseRow(d, task, i + r, scans[r], row, tile.weights + r * tile.stride, probs,
                              span.begin, span.end, to.sums ? to.sums + i + r : nullptr);
  }
  const Panels<float> v = panelsOf(task.v, task.keys, task.valueWidth, packed + at.v);
  mixPanels(count, tile.weights, tile.stride, v, task.keys, task.valueWidth, span, tile.result,
            tile.resultStride);
  for (Index r = 0; r < count; ++r) {
    const float* from = tile.result + r * tile.resultStride;
    const MapRow out(to.out, i + r, task.valueWidth),
        joined(to.joined + (i + r) * to.joinedStride, task.valueWidth);
    for (Index t = 0; t < task.valueWidth; t += lanes()) {
      const Vec o = hn::Mul(hn::Load(F32(), from + t), hn::Set(F32(), factors[r]));
      out.store(o, t), joined.store(o, t);
    }
  }
}

void forwardRows(const Task& task, const Forward& to, const float* packed, float* memory, RowRange rows) {
  const ForwardTile tile(memory, task);
  for (Index i = rows.begin; i < rows.end; i += kTileRows) {
    const Index count = std::min(kTileRows, rows.end - i);
    if (task.precise)
      forwardTile(F64(), task, to, packed, tile, i, count);
    else
      forwardTile(F32(), task, to, packed, tile, i, count);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
