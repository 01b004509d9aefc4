#include "core/attention/repair.h"

#include <algorithm>
#include <cmath>

#include "core/attention/cap.h"
#include "core/attention/score.h"
#include "core/kernels/kernels.h"

namespace attn {
namespace {

/// A copy with rows that are not finite set to 0, and which these were.
template <class T>
std::vector<bool> cleanCopy(const T* from, Index rows, Index width, MatrixOf<T>& copy) {
  copy = ConstMatrixView<T>(from, rows, width);
  std::vector<bool> bad;
  for (Index i = 0; i < rows; ++i) {
    bad.push_back(!copy.row(i).allFinite());
    if (bad.back()) copy.row(i).setZero();
  }
  return bad;
}

bool at(const std::vector<bool>& flags, Index i) {
  return flags[static_cast<std::size_t>(i)];
}

/// The maps before the mask show every pair, hidden or not.
template <class T>
void repairMaps(const HeadRepair<T>& repair, const HeadForward<T>& to) {
  const HeadTask<T>& task = repair.original;
  if (!to.rawScores && !to.scaledScores && !to.cappedScores) return;
  for (Index i = 0; i < task.queries; ++i)
    for (Index j = 0; j < task.keys; ++j) {
      if (!at(repair.badQ, i) && !at(repair.badK, j)) continue;
      const Index cell = i * task.keys + j;
      const T raw = score(task, i, j), scaled = raw / static_cast<T>(task.divisor);
      if (to.rawScores) to.rawScores[cell] = raw;
      if (to.scaledScores) to.scaledScores[cell] = scaled;
      if (to.cappedScores) to.cappedScores[cell] = capped(scaled, static_cast<T>(task.cap));
    }
}

}  // namespace

template <class T>
void planRepair(HeadTask<T>& task, HeadRepair<T>& repair) {
  repair.needed = true;
  repair.original = task;
  repair.badQ = cleanCopy(task.q, task.queries, task.keyWidth, repair.q);
  repair.badK = cleanCopy(task.k, task.keys, task.keyWidth, repair.k);
  const std::vector<bool> badV = cleanCopy(task.v, task.keys, task.valueWidth, repair.v);
  task.q = repair.q.data(), task.k = repair.k.data(), task.v = repair.v.data();
  repair.queries.clear();
  for (Index i = 0; i < task.queries; ++i)
    for (Index j = task.range(i).begin; j < task.range(i).end; ++j) {
      const bool bad = at(repair.badQ, i) || at(repair.badK, j) || at(badV, j);
      if (!bad || !task.sees(i, j)) continue;
      repair.queries.push_back(i);
      break;
    }
}

template <class T>
void repairForward(const HeadRepair<T>& repair, const HeadForward<T>& to) {
  if (!repair.needed) return;
  for (const Index i : repair.queries)
    referenceKernels<T>().forwardRows(repair.original, to, nullptr, nullptr, {i, i + 1});
  repairMaps(repair, to);
}

#define ATTN_INSTANTIATE(T)                               \
  template void planRepair(HeadTask<T>&, HeadRepair<T>&); \
  template void repairForward(const HeadRepair<T>&, const HeadForward<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
