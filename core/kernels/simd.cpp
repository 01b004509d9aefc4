// Attention on Highway vectors. README.md beside this file tells how the tiles are laid out and why.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "core/error.h"
#include "core/kernels/kernels.h"

// Targets whose vectors have no fixed size cannot stand in arrays; those machines run the NEON code.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/simd.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, by Highway's rules.
#include "core/kernels/backward-inl.h"
#include "core/kernels/forward-inl.h"
#include "core/kernels/random-inl.h"
#include "core/kernels/small-inl.h"
#include "core/kernels/tile-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

Index packedSize(const Task& task) {
  return std::max(PackedForward(task).end, PackedBackward(task).end);
}

Index tileSize(const Task& task) {
  return std::max(ForwardScratch::size(task), BackwardScratch::size(task));
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

Index productTileSize(const Product<float>& p) {
  return kTileRows * padded(p.cols);
}

void multiplyRows(const Product<float>& p, const float* packed, float* tile, RowRange rows) {
  const Index stride = padded(p.cols);
  const Panels<float> panels = p.bTransposed ? Panels<float>{packed, panelWidth(), p.depth * panelWidth()}
                                             : panelsOf(p.b, p.bStride, p.depth, p.cols, packed);
  for (Index i = rows.begin; i < rows.end; i += kTileRows) {
    const Index count = std::min(kTileRows, rows.end - i);
    const TileA<float> a =
        p.aTransposed ? TileA<float>{p.a + i, 1, p.aStride} : TileA<float>{p.a + i * p.aStride, p.aStride, 1};
    for (Index j = 0; j < p.cols; j += panelWidth())
      multiplyAndStore(count, a, panels.from(j / panelWidth(), 0), p.depth, p.cols - j, tile + j, stride,
                       false);
    for (Index r = 0; r < count; ++r) {
      const float* from = tile + r * stride;
      float* to = p.c + (i + r) * p.cStride;
      if (p.add)
        std::transform(from, from + p.cols, to, to, std::plus<float>());
      else
        std::copy_n(from, p.cols, to);
    }
  }
}

/// x·0 is 0 for every finite x and NaN for all others. Four sums side by side keep the multipliers busy.
bool allFinite(const float* x, Index count) {
  const F32 d;
  const Index n = lanes();
  const Vec zero = hn::Zero(d);
  Vec s0 = zero, s1 = zero, s2 = zero, s3 = zero;
  Index j = 0;
  for (; j + 4 * n <= count; j += 4 * n) {
    s0 = hn::MulAdd(hn::LoadU(d, x + j), zero, s0);
    s1 = hn::MulAdd(hn::LoadU(d, x + j + n), zero, s1);
    s2 = hn::MulAdd(hn::LoadU(d, x + j + 2 * n), zero, s2);
    s3 = hn::MulAdd(hn::LoadU(d, x + j + 3 * n), zero, s3);
  }
  for (; j + n <= count; j += n) s0 = hn::MulAdd(hn::LoadU(d, x + j), zero, s0);
  float rest = 0;
  for (; j < count; ++j) rest += x[j] * 0;
  return rest == 0 && hn::AllTrue(d, hn::Eq(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), zero));
}

double dot(const float* a, const float* b, Index count) {
  const F64 d;
  const Index n = lanes(d);
  auto even = hn::Zero(d), odd = hn::Zero(d);
  Index j = 0;
  for (; j + 2 * n <= count; j += 2 * n) {
    even = hn::MulAdd(loadFloats(d, a + j), loadFloats(d, b + j), even);
    odd = hn::MulAdd(loadFloats(d, a + j + n), loadFloats(d, b + j + n), odd);
  }
  double sum = sumOfLanes(hn::Add(even, odd));
  for (; j < count; ++j) sum += static_cast<double>(a[j]) * static_cast<double>(b[j]);
  return sum;
}

/// Σ x² as floats, a few terms a lane; 0 or less than all of it where squares leave the range of floats.
HWY_INLINE double quickSquares(const float* x, Index count) {
  const F32 d;
  Vec sum = hn::Zero(d);
  for (Index j = 0; j < count; j += lanes()) {
    const Vec v = ConstMapRow{x, count}.load(j);
    sum = hn::MulAdd(v, v, sum);
  }
  return sumOfLanes(sum);
}

/// Rows of few numbers, one a lane.
void squaresOfShortRows(const float* rows, Index count, Index width, double* to) {
  const F64 d;
  for (Index i = 0; i < count; i += lanes(d)) {
    auto sum = hn::Zero(d);
    for (Index t = 0; t < width; ++t) {
      const auto x = columnOf(rows + i * width + t, width, std::min(lanes(d), count - i));
      sum = hn::MulAdd(x, x, sum);
    }
    HWY_ALIGN double lane[hn::MaxLanes(F64())];
    hn::Store(sum, d, lane);
    if (i + lanes(d) <= count)
      hn::StoreU(sum, d, to + i);
    else
      std::copy_n(lane, count - i, to + i);
  }
}

void squareRoots(double* x, Index count) {
  const F64 d;
  Index i = 0;
  for (; i + lanes(d) <= count; i += lanes(d)) hn::StoreU(hn::Sqrt(hn::LoadU(d, x + i)), d, x + i);
  for (; i < count; ++i) x[i] = std::sqrt(x[i]);
}

void squaresOfRows(const float* rows, Index count, Index width, double* to) {
  constexpr Index kShort = 4;
  if (width <= kShort) return squaresOfShortRows(rows, count, width, to);
  // Few terms round little, and squares of these are ordinary floats.
  const double least = 1e-24, most = 1e30;
  const Index few = 8 * lanes();
  for (Index i = 0; i < count; ++i, rows += width) {
    const double quick = width <= few ? quickSquares(rows, width) : 0;
    to[i] = quick > least && quick < most ? quick : dot(rows, rows, width);
  }
}

void fillNormals(std::uint64_t seed, std::uint64_t first, float* to, Index count) {
  normals(seed, first, to, count);
}

const Kernels* kernelTable() {
  static constexpr Kernels kKernels = {
      .name = "",
      .packedSize = packedSize,
      .tileSize = tileSize,
      .partSize = partSize,
      .productPackedSize = productPackedSize,
      .productTileSize = productTileSize,
      .rowBlock = kTileRows,
      .packForward = packForward,
      .forwardRows = forwardRows,
      .packBackward = packBackward,
      .backwardRows = backwardRows,
      .joinParts = joinParts,
      .packProduct = packProduct,
      .multiplyRows = multiplyRows,
      .smallForward = smallForward,
      .smallBackward = smallBackward,
      .allFinite = allFinite,
      .dot = dot,
      .squaresOfRows = squaresOfRows,
      .squareRoots = squareRoots,
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
