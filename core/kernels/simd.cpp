// Attention on Highway vectors. README.md beside this file tells how the tiles are laid out and why.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "core/error.h"
#include "core/kernels/kernels.h"

// Targets whose vectors have no fixed size cannot stand in arrays; those machines run the NEON code.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/simd.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, by Highway's rules.
#include "core/kernels/normalise-inl.h"
#include "core/kernels/random-inl.h"
#include "core/kernels/scores-inl.h"
#include "core/kernels/tile-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

using Task = HeadTask<float>;
using Forward = HeadForward<float>;
using Backward = HeadBackward<float>;

// How many products are summed in registers before they are added to memory. A score is read as an
// exponent, so its error counts most.
constexpr Index kScoreChain = 16;
constexpr Index kMixChain = 128;

/// Where a head's packed matrices begin in its scratch memory.
struct Packed {
  Index kTransposed, v;                        // forward
  Index vTransposed, k, q, dOut, backwardEnd;  // backward
  explicit Packed(const Task& t)
      : kTransposed(0),
        v(padded(t.keys) * t.keyWidth),
        vTransposed(0),
        k(padded(t.keys) * t.valueWidth),
        q(k + padded(t.keyWidth) * t.keys),
        dOut(q + padded(t.keyWidth) * t.queries),
        backwardEnd(dOut + padded(t.valueWidth) * t.queries) {}
};

Index packedSize(const Task& task) {
  const Packed at(task);
  return std::max(at.v + padded(task.valueWidth) * task.keys, at.backwardEnd);
}

/// Rows of a tile begin an odd number of cache lines apart: at a power of two, the same column of all rows
/// would fall into the same few places of the cache.
Index tileStride(Index keys) {
  constexpr Index kLine = 16;
  return ((padded(keys) + kLine - 1) / kLine | 1) * kLine;
}

/// How much of a map is brought into the order of tiles at once: columns of so many tiles, which read whole
/// cache lines, and so many rows, which fill a part of L2.
constexpr Index kPackedTiles = 4;
constexpr Index kPackedRows = 256;

/// A tile: kTileRows rows of scores, kTileRows rows of a result, and kPackedRows × kTileRows numbers of a
/// map.
struct Tile {
  float* scores;
  float* result;
  float* packedMap;
  Index stride, resultStride;
  Tile(float* memory, Index keys, Index width)
      : scores(memory),
        result(scores + kTileRows * tileStride(keys)),
        packedMap(result + kPackedTiles * kTileRows * padded(width)),
        stride(tileStride(keys)),
        resultStride(padded(width)) {}
  float* row(Index r) const { return scores + r * stride; }
};

Index tileSize(Index keys, Index width) {
  return kTileRows * (tileStride(keys) + kPackedTiles * (padded(width) + kPackedRows));
}

/// Columns [begin, end) that some row of a tile needs; multiples of the panel width.
struct Span {
  Index begin, end;
  Span(Index first, Index last) : begin(first / panelWidth() * panelWidth()), end(padded(last)) {
    end = std::max(begin, end);
  }
};

Span spanOfRows(const Task& task, Index first, Index count) {
  Index begin = task.keys, end = 0;
  for (Index i = first; i < first + count; ++i) {
    const KeyRange range = task.range(i);
    if (range.begin >= range.end) continue;
    begin = std::min(begin, range.begin);
    end = std::max(end, range.end);
  }
  return end > begin ? Span(begin, end) : Span(0, 0);
}

/// rows × panels [span) of a product with transposed panels: Q·Kᵀ or dO·Vᵀ.
void multiplyPanels(Index rows, TileA a, const float* panels, Index depth, Span span, const Tile& tile) {
  for (Index j = span.begin; j < span.end; j += panelWidth())
    multiplyTile(rows, a, panels + j * depth, depth, kScoreChain, tile.scores + j, tile.stride, false);
}

/// rows × width = tile [span) · panels (keys × width): P·V or dS·K.
void mixPanels(Index rows, const float* panels, Index keys, Index width, Span span, const Tile& tile) {
  const Index depth = std::min(span.end, keys) - span.begin;
  const TileA a = {tile.scores + span.begin, tile.stride, 1};
  for (Index t = 0; t < width; t += panelWidth())
    multiplyTile(rows, a, panels + t * keys + span.begin * panelWidth(), depth, kMixChain, tile.result + t,
                 tile.resultStride, false);
}

void clearOutside(MapRow map, Span span, float outside) {
  if (!map.row) return;
  std::fill(map.row, map.row + span.begin, outside);
  std::fill(map.row + std::min(span.end, map.keys), map.row + map.keys, outside);
}

/// One row of a map: the tile's columns [span), 0 elsewhere.
void writeRow(float* map, Index i, Index keys, const float* row, Span span) {
  clearOutside(MapRow(map, i, keys), span, 0);
  std::copy(row + span.begin, row + std::min(span.end, keys), map + i * keys + span.begin);
}

void writeResult(const Tile& tile, Index rows, Index width, float divisor, float* to) {
  for (Index r = 0; r < rows; ++r) {
    const float* from = tile.result + r * tile.resultStride;
    if (divisor == 1)
      std::copy_n(from, width, to + r * width);
    else
      std::transform(from, from + width, to + r * width, [=](float x) { return x / divisor; });
  }
}

void packForward(const Task& task, float* packed) {
  const Packed at(task);
  packTransposedPanels(task.k, task.keyWidth, task.keyWidth, task.keys, packed + at.kTransposed);
  packPanels(task.v, task.valueWidth, task.keys, task.valueWidth, packed + at.v);
}

/// scale → cap → bias → mask → normalise, for one row of raw scores in the tile.
void finishRow(const Task& task, const Forward& to, const Divider& divide, Index i, float* row, Span span) {
  const MapRow probs(to.probs, i, task.keys);
  clearOutside(probs, span, 0);
  clearOutside(MapRow(to.scores, i, task.keys), span, kMinusInfinity);
  const ScoreStages stages(task, to, i);
  const RowScan scan = stages.any()
                           ? scoreRow<false>(stages, divide, task.range(i), row, span.begin, span.end)
                           : scoreRow<true>(stages, divide, task.range(i), row, span.begin, span.end);
  normaliseRow(task, i, scan, row, probs, span.begin, span.end, to.sums ? to.sums + i : nullptr);
}

void forwardRows(const Task& task, const Forward& to, const float* packed, float* memory, RowRange rows) {
  const Packed at(task);
  const Tile tile(memory, task.keys, task.valueWidth);
  const Divider divide(task.divisor);
  const bool wholeMaps = to.rawScores || to.scaledScores || to.cappedScores;
  for (Index i = rows.begin; i < rows.end; i += kTileRows) {
    const Index count = std::min(kTileRows, rows.end - i);
    const Span span = wholeMaps ? Span(0, task.keys) : spanOfRows(task, i, count);
    const TileA q = {task.q + i * task.keyWidth, task.keyWidth, 1};
    multiplyPanels(count, q, packed + at.kTransposed, task.keyWidth, span, tile);
    for (Index r = 0; r < count; ++r) finishRow(task, to, divide, i + r, tile.row(r), span);
    mixPanels(count, packed + at.v, task.keys, task.valueWidth, span, tile);
    writeResult(tile, count, task.valueWidth, 1, to.out + i * task.valueWidth);
  }
}

void packBackward(const Task& task, const Backward& pass, float* packed) {
  const Packed at(task);
  packTransposedPanels(task.v, task.valueWidth, task.valueWidth, task.keys, packed + at.vTransposed);
  packPanels(task.k, task.keyWidth, task.keys, task.keyWidth, packed + at.k);
  packPanels(task.q, task.keyWidth, task.queries, task.keyWidth, packed + at.q);
  packPanels(pass.dOut, task.valueWidth, task.queries, task.valueWidth, packed + at.dOut);
}

void clearHidden(const Task& task, Index i, float* row, Span span) {
  for (Index j = span.begin; j < std::min(span.end, task.keys); ++j)
    if (!task.sees(i, j)) row[j] = 0;
}

/// Back through normalise and cap, for one row of dP in the tile.
void finishRowBackward(const Task& task, const Backward& pass, Index i, float* row, Span span) {
  if (pass.dProbs) {
    clearHidden(task, i, row, span);
    writeRow(pass.dProbs, i, task.keys, row, span);
  }
  const MapRow dScores(pass.dScores, i, task.keys);
  clearOutside(dScores, span, 0);
  withKind(task.normaliser, [&](auto kind) {
    const ConstMapRow p = {pass.probs + i * task.keys, task.keys};
    normaliseBackwardRow<decltype(kind)::value>(p, row, dScores, span.begin, span.end);
  });
  if (task.cap == 0) return;
  // capped = c·tanh(s/c), so ds = dcapped·(1 − t)(1 + t) with t = capped/c
  const ConstMapRow bent = {pass.cappedScores + i * task.keys, task.keys};
  const F32 d;
  const Vec one = hn::Set(d, 1.0f);
  for (Index j = span.begin; j < span.end; j += lanes()) {
    const Vec t = hn::Div(bent.load(j), hn::Set(d, task.cap));
    const Vec slope = hn::Mul(hn::Sub(one, t), hn::Add(one, t));
    hn::Store(timesWeight(hn::Load(d, row + j), slope), d, row + j);
  }
  writeRow(pass.dScaled, i, task.keys, row, span);
}

void backwardRows(const Task& task, const Backward& pass, const float* packed, float* memory, RowRange rows) {
  const Packed at(task);
  const Tile tile(memory, task.keys, task.keyWidth);
  for (Index i = rows.begin; i < rows.end; i += kTileRows) {
    const Index count = std::min(kTileRows, rows.end - i);
    const Span span = spanOfRows(task, i, count);
    // o = P·v, so dP = dO·vᵀ
    const TileA dOut = {pass.dOut + i * task.valueWidth, task.valueWidth, 1};
    multiplyPanels(count, dOut, packed + at.vTransposed, task.valueWidth, span, tile);
    for (Index r = 0; r < count; ++r) finishRowBackward(task, pass, i + r, tile.row(r), span);
    // s = q·kᵀ/divisor, so dq = ds·k/divisor
    mixPanels(count, packed + at.k, task.keys, task.keyWidth, span, tile);
    writeResult(tile, count, task.keyWidth, task.divisor, pass.dQ + i * task.keyWidth);
  }
}

/// The rows that see any of `count` keys from `first` on.
RowRange rowsThatSee(const Task& task, Index first, Index count) {
  const auto sees = [&](Index i) { return task.range(i).begin < first + count && task.range(i).end > first; };
  RowRange rows = {0, task.queries};
  while (rows.begin < rows.end && !sees(rows.begin)) ++rows.begin;
  while (rows.end > rows.begin && !sees(rows.end - 1)) --rows.end;
  return rows;
}

/// Rows [begin, begin + depth) of the columns of one tile, row by row without gaps.
void packColumns(const float* map, Index keys, Index depth, Index count, float* to) {
  if (count == kTileRows) {
    for (Index i = 0; i < depth; ++i)
      std::memcpy(to + i * kTileRows, map + i * keys, kTileRows * sizeof(float));
  } else {
    for (Index i = 0; i < depth; ++i) std::copy_n(map + i * keys, count, to + i * kTileRows);
  }
}

/// keys × width = mapᵀ·panels over the rows: dV = Pᵀ·dO or dK = dSᵀ·Q. Columns of a map lie a whole row
/// apart, so a block of them at a time is copied into the order in which the products read it.
void mixRows(const Task& task, const float* map, const float* panels, Index width, float divisor, Index first,
             Index count, const Tile& tile, float* to) {
  const RowRange rows = rowsThatSee(task, first, count);
  for (Index begin = rows.begin; begin == rows.begin || begin < rows.end; begin += kPackedRows) {
    const Index depth = std::min(kPackedRows, rows.end - begin);
    for (Index j = 0; j < count; j += kTileRows)
      packColumns(map + begin * task.keys + first + j, task.keys, depth, std::min(kTileRows, count - j),
                  tile.packedMap + j * kPackedRows);
    for (Index t = 0; t < width; t += panelWidth())
      for (Index j = 0; j < count; j += kTileRows)
        multiplyTile(std::min(kTileRows, count - j), {tile.packedMap + j * kPackedRows, 1, kTileRows},
                     panels + t * task.queries + begin * panelWidth(), depth, kMixChain,
                     tile.result + j * tile.resultStride + t, tile.resultStride, begin > rows.begin);
  }
  writeResult(tile, count, width, divisor, to + first * width);
}

void backwardKeys(const Task& task, const Backward& pass, const float* packed, float* memory, RowRange keys) {
  const Packed at(task);
  const Tile forK(memory, task.keys, task.keyWidth), forV(memory, task.keys, task.valueWidth);
  for (Index j = keys.begin; j < keys.end; j += kPackedTiles * kTileRows) {
    const Index count = std::min(kPackedTiles * kTileRows, keys.end - j);
    mixRows(task, pass.dScaled, packed + at.q, task.keyWidth, task.divisor, j, count, forK, pass.dK);
    mixRows(task, pass.probs, packed + at.dOut, task.valueWidth, 1, j, count, forV, pass.dV);
  }
}

Index productPackedSize(const Product<float>& p) {
  return padded(p.cols) * p.depth;
}

void packProduct(const Product<float>& p, float* packed) {
  if (p.bTransposed)
    packTransposedPanels(p.b, p.bStride, p.depth, p.cols, packed);
  else
    packPanels(p.b, p.bStride, p.depth, p.cols, packed);
}

void multiplyRows(const Product<float>& p, const float* packed, float* memory, RowRange rows) {
  const Tile tile(memory, 0, p.cols);
  for (Index i = rows.begin; i < rows.end; i += kTileRows) {
    const Index count = std::min(kTileRows, rows.end - i);
    const TileA a = p.aTransposed ? TileA{p.a + i, 1, p.aStride} : TileA{p.a + i * p.aStride, p.aStride, 1};
    for (Index j = 0; j < p.cols; j += panelWidth())
      multiplyTile(count, a, packed + j * p.depth, p.depth, kScoreChain, tile.result + j, tile.resultStride,
                   false);
    for (Index r = 0; r < count; ++r) {
      const float* from = tile.result + r * tile.resultStride;
      float* to = p.c + (i + r) * p.cStride;
      if (p.add)
        std::transform(from, from + p.cols, to, to, std::plus<float>());
      else
        std::copy_n(from, p.cols, to);
    }
  }
}

/// x·0 is 0 for every finite x and NaN for all others.
bool allFinite(const float* x, Index count) {
  const F32 d;
  Vec sum = hn::Zero(d);
  Index j = 0;
  for (; j + lanes() <= count; j += lanes()) sum = hn::MulAdd(hn::LoadU(d, x + j), hn::Zero(d), sum);
  float rest = 0;
  for (; j < count; ++j) rest += x[j] * 0;
  return rest == 0 && hn::AllTrue(d, hn::Eq(sum, hn::Zero(d)));
}

void fillNormals(std::uint64_t seed, std::uint64_t first, float* to, Index count) {
  normals(seed, first, to, count);
}

const Kernels* kernelTable() {
  static constexpr Kernels kKernels = {
      .name = "",
      .packedSize = packedSize,
      .productPackedSize = productPackedSize,
      .tileSize = tileSize,
      .rowBlock = kTileRows,
      .packForward = packForward,
      .forwardRows = forwardRows,
      .packBackward = packBackward,
      .backwardRows = backwardRows,
      .backwardKeys = backwardKeys,
      .packProduct = packProduct,
      .multiplyRows = multiplyRows,
      .allFinite = allFinite,
      .normals = fillNormals,
  };
  return &kKernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

HWY_EXPORT(kernelTable);

/// One table for each target that was built and that this machine can run, best first. Highway keeps
/// the chosen target in a global: it is asked for each one once, and then left at its own choice.
std::vector<Kernels> collectTables() {
  std::vector<Kernels> tables;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::GetChosenTarget().Update(target);
    tables.push_back(*HWY_DYNAMIC_DISPATCH(kernelTable)());
    tables.back().name = hwy::TargetName(target);
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return tables;
}

const std::vector<Kernels>& allTables() {
  static const std::vector<Kernels> kTables = collectTables();
  return kTables;
}

}  // namespace

const Kernels& bestKernels() {
  return allTables().front();
}

std::vector<std::string> simdTargets() {
  std::vector<std::string> names;
  for (const Kernels& table : allTables()) names.emplace_back(table.name);
  return names;
}

const Kernels& kernelsNamed(const std::string& name) {
  std::string known;
  for (const Kernels& table : allTables()) {
    if (name == table.name) return table;
    known += (known.empty() ? "" : ", ") + std::string(table.name);
  }
  throw Error("target '" + name + "': expected one of " + known);
}

}  // namespace attn
#endif
