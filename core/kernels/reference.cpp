// Attention written without matrix products: one pair of tokens at a time, as in a textbook.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/bias.h"
#include "core/attention/cap.h"
#include "core/attention/mix.h"
#include "core/attention/normalise.h"
#include "core/attention/score.h"
#include "core/kernels/kernels.h"
#include "core/random.h"

namespace attn {
namespace {

template <class T>
void keep(T* map, Index at, T value) {
  if (map) map[at] = value;
}

/// score → scale → cap → bias → mask for one row. Returns the visible keys and their scores.
template <class T>
void scoreRow(const HeadTask<T>& task, const HeadForward<T>& to, Index i, std::vector<Index>& keys,
              std::vector<T>& scores) {
  for (Index j = 0; j < task.keys; ++j) {
    const Index at = i * task.keys + j;
    const bool seen = task.sees(i, j);
    if (!seen && !to.rawScores && !to.scaledScores && !to.cappedScores) {
      keep(to.scores, at, -std::numeric_limits<T>::infinity());
      continue;
    }
    const T raw = score(task, i, j);
    const T scaled = raw / static_cast<T>(task.divisor);
    const T bent = capped(scaled, static_cast<T>(task.cap));
    const T final = seen ? bent + bias(task, i, j) : -std::numeric_limits<T>::infinity();
    keep(to.rawScores, at, raw);
    keep(to.scaledScores, at, scaled);
    keep(to.cappedScores, at, bent);
    keep(to.scores, at, final);
    if (!seen) continue;
    keys.push_back(j);
    scores.push_back(final);
  }
}

template <class T>
void forwardRows(const HeadTask<T>& task, const HeadForward<T>& to, const T*, T*, RowRange rows) {
  std::vector<Index> keys;
  std::vector<T> row;
  for (Index i = rows.begin; i < rows.end; ++i) {
    keys.clear(), row.clear();
    scoreRow(task, to, i, keys, row);
    const Index count = static_cast<Index>(row.size());
    const T sinkWeight = normalise(task.normaliser, static_cast<T>(task.logit), row.data(), count);
    if (to.sums) to.sums[i] = sumsOf(task.normaliser, row.data(), count, sinkWeight);
    T* out = to.out + i * task.valueWidth;
    if (to.probs) std::fill_n(to.probs + i * task.keys, task.keys, T(0));
    std::fill_n(out, task.valueWidth, T(0));
    for (std::size_t a = 0; a < keys.size(); ++a) {
      keep(to.probs, i * task.keys + keys[a], row[a]);
      mix(task, keys[a], row[a], out);
    }
    std::copy_n(out, task.valueWidth, to.joined + i * to.joinedStride);
  }
}

/// Whether nothing flows into the output of a row. Then nothing flows out of it either, whatever it holds.
template <class T>
bool hasNoGradient(const HeadTask<T>& task, const HeadBackward<T>& pass, Index i) {
  const T* dOut = pass.dOut + i * task.valueWidth;
  return std::all_of(dOut, dOut + task.valueWidth, [](T d) { return d == 0; });
}

/// The visible keys of one row with their dScaled; dP, dScores and dScaled of hidden pairs are 0.
template <class T>
void backwardRow(const HeadTask<T>& task, const HeadBackward<T>& pass, Index i, std::vector<Index>& keys,
                 std::vector<T>& d) {
  std::vector<T> p;
  const bool idle = hasNoGradient(task, pass, i);
  for (Index j = 0; j < task.keys; ++j) {
    const Index at = i * task.keys + j;
    for (T* map : {pass.dProbs, pass.dScores, pass.dScaled}) keep(map, at, T(0));
    if (idle || !task.sees(i, j)) continue;
    keys.push_back(j);
    p.push_back(pass.probs[at]);
    d.push_back(mixBackwardProb(task, j, pass.dOut + i * task.valueWidth));
    keep(pass.dProbs, at, d.back());
  }
  normaliseBackward(task.normaliser, p.data(), d.data(), static_cast<Index>(p.size()));
  for (std::size_t a = 0; a < keys.size(); ++a) {
    const Index at = i * task.keys + keys[a];
    keep(pass.dScores, at, d[a]);
    if (task.cap != 0) d[a] *= capSlope(pass.cappedScores[at], static_cast<T>(task.cap));
    keep(pass.dScaled, at, d[a]);
  }
}

/// A part is keys × keyWidth of dK, then keys × valueWidth of dV.
template <class T>
Index partSize(const HeadTask<T>& task) {
  return task.keys * (task.keyWidth + task.valueWidth);
}

template <class T>
void backwardRows(const HeadTask<T>& task, const HeadBackward<T>& pass, const T*, T*, RowRange rows,
                  T* part) {
  std::fill_n(part, partSize(task), T(0));
  std::vector<Index> keys;
  std::vector<T> d;
  for (Index i = rows.begin; i < rows.end; ++i) {
    keys.clear(), d.clear();
    backwardRow(task, pass, i, keys, d);
    std::fill_n(pass.dQ + i * task.keyWidth, task.keyWidth, T(0));
    for (std::size_t a = 0; a < keys.size(); ++a) {
      const Index j = keys[a];
      scoreBackward<T>(task, i, j, d[a] / static_cast<T>(task.divisor), pass.dQ, part);
      mixBackwardValue(task, j, pass.probs[i * task.keys + j], pass.dOut + i * task.valueWidth,
                       part + task.keys * task.keyWidth);
    }
  }
}

template <class T>
void joinParts(const HeadTask<T>& task, const HeadBackward<T>& pass, T* parts, Index count, RowRange keys) {
  const auto join = [&](const T* from, Index width, T* to) {
    for (Index at = keys.begin * width; at < keys.end * width; ++at) {
      to[at] = 0;
      for (Index n = 0; n < count; ++n) to[at] += from[n * partSize(task) + at];
    }
  };
  join(parts, task.keyWidth, pass.dK);
  join(parts + task.keys * task.keyWidth, task.valueWidth, pass.dV);
}

/// c_ij = Σ_t a_it · b_tj
template <class T>
void multiplyRows(const Product<T>& p, const T*, T*, RowRange rows) {
  for (Index i = rows.begin; i < rows.end; ++i)
    for (Index j = 0; j < p.cols; ++j) {
      T sum = 0;
      for (Index t = 0; t < p.depth; ++t) {
        const T a = p.aTransposed ? p.a[t * p.aStride + i] : p.a[i * p.aStride + t];
        const T b = p.bTransposed ? p.b[j * p.bStride + t] : p.b[t * p.bStride + j];
        sum += a * b;
      }
      T& c = p.c[i * p.cStride + j];
      c = p.add ? c + sum : sum;
    }
}

template <class T>
bool allFinite(const T* x, Index count) {
  return std::all_of(x, x + count, [](T value) { return std::isfinite(value); });
}

template <class T>
double dot(const T* a, const T* b, Index count) {
  double sum = 0;
  for (Index i = 0; i < count; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

template <class T>
void squaresOfRows(const T* rows, Index count, Index width, double* to) {
  for (Index i = 0; i < count; ++i) to[i] = dot(rows + i * width, rows + i * width, width);
}

void squareRoots(double* x, Index count) {
  std::transform(x, x + count, x, [](double value) { return std::sqrt(value); });
}

void normals(std::uint64_t seed, std::uint64_t first, float* to, Index count) {
  const Random random(seed);
  for (Index i = 0; i < count; ++i) to[i] = random.normal(first + static_cast<std::uint64_t>(i));
}

}  // namespace

template <class T>
const KernelsOf<T>& referenceKernels() {
  static constexpr KernelsOf<T> kKernels = {
      .name = "reference",
      .packedSize = [](const HeadTask<T>&) -> Index { return 0; },
      .tileSize = [](const HeadTask<T>&) -> Index { return 0; },
      .partSize = partSize<T>,
      .productPackedSize = [](const Product<T>&) -> Index { return 0; },
      .productTileSize = [](const Product<T>&) -> Index { return 0; },
      .rowBlock = 1,
      .packForward = [](const HeadTask<T>&, T*) {},
      .forwardRows = forwardRows<T>,
      .packBackward = [](const HeadTask<T>&, const HeadBackward<T>&, T*) {},
      .backwardRows = backwardRows<T>,
      .joinParts = joinParts<T>,
      .packProduct = [](const Product<T>&, T*) {},
      .multiplyRows = multiplyRows<T>,
      .smallForward = nullptr,
      .smallBackward = nullptr,
      .allFinite = allFinite<T>,
      .dot = dot<T>,
      .squaresOfRows = squaresOfRows<T>,
      .squareRoots = squareRoots,
      .normals = normals,
  };
  return kKernels;
}

template const KernelsOf<float>& referenceKernels();
template const KernelsOf<double>& referenceKernels();

}  // namespace attn
