#include "core/attention/heads.h"

#include <algorithm>

#include "core/attention/scale.h"

namespace attn {
namespace {

// Rows that one piece of work covers: several tiles, so that handing out pieces costs nothing beside them.
constexpr Index kTilesPerPiece = 4;

template <class T>
void reserveTiles(const Workers& workers, HeadsWorkspace<T>& work, Index size) {
  if (work.tiles.size() < static_cast<std::size_t>(workers.threads()))
    work.tiles.resize(static_cast<std::size_t>(workers.threads()));
  for (Buffer<T>& tile : work.tiles) tile.reserve(size);
}

template <class T>
T* tileOf(HeadsWorkspace<T>& work, int thread) {
  return work.tiles[static_cast<std::size_t>(thread)].data();
}

template <class T>
bool isFinite(const KernelsOf<T>& kernels, const HeadTask<T>& task) {
  return kernels.allFinite(task.q, task.queries * task.keyWidth) &&
         kernels.allFinite(task.k, task.keys * task.keyWidth) &&
         kernels.allFinite(task.v, task.keys * task.valueWidth);
}

/// Calls piece(head, range, thread) for ranges that cover `rows` rows of every head.
template <class T, class Piece>
void forPieces(const KernelsOf<T>& kernels, Workers& workers, Index heads, Index rows, double operations,
               const Piece& piece) {
  const Index step = kernels.rowBlock * kTilesPerPiece;
  const Index perHead = (rows + step - 1) / step;
  workers.run(heads * perHead, operations, [&](Index index, int thread) {
    const Index head = index / perHead, begin = index % perHead * step;
    piece(static_cast<std::size_t>(head), RowRange{begin, std::min(begin + step, rows)}, thread);
  });
}

/// Multiplications of one product with all the pairs of all heads.
double pairOperations(const Shapes& s, Index width) {
  return static_cast<double>(s.heads * s.queries * s.keys) * static_cast<double>(width);
}

template <class T>
T* orNull(StackOf<T>& stack, Index head) {
  return stack.empty() ? nullptr : stack.head(head);
}

}  // namespace

template <class T>
void prepareHeads(const SceneOf<T>& scene, const ResultsOf<T>& results, HeadsWorkspace<T>& work) {
  const Shapes& s = results.shapes;
  work.visible.build(scene, s);
  work.tasks.resize(static_cast<std::size_t>(s.heads));
  for (Index h = 0; h < s.heads; ++h) {
    HeadTask<T>& task = work.tasks[static_cast<std::size_t>(h)];
    task.queries = s.queries, task.keys = s.keys;
    task.keyWidth = s.keyWidth, task.valueWidth = s.valueWidth;
    const bool unit = !results.unitQ.empty();
    task.q = unit ? results.unitQ.head(h) : queriesOf(scene, results, h).data();
    task.k = unit ? results.unitK.head(h) : keysOf(scene, results, h).data();
    task.v = valuesOf(scene, results, h).data();
    task.divisor = static_cast<T>(divisorOf(scene.scale, s.keyWidth));
    task.cap = static_cast<T>(scene.cap.value_or(0));
    task.slope = static_cast<T>(alibiSlope(scene.alibi, h, s.heads));
    const MatrixOf<T>* bias = biasOf(scene, h);
    task.bias = bias ? bias->data() : nullptr;
    task.visible = &work.visible;
    task.head = h;
    task.normaliser = scene.normaliser.kind;
    task.logit = static_cast<T>(scene.normaliser.logit);
  }
}

template <class T>
void forwardHeads(const KernelsOf<T>& kernels, Workers& workers, HeadsWorkspace<T>& work,
                  ResultsOf<T>& results) {
  const Shapes& s = results.shapes;
  const std::size_t heads = work.tasks.size();
  const Index packedSize = kernels.packedSize(work.tasks[0]);
  work.packed.reserve(packedSize * s.heads);
  work.kernels.resize(heads);
  work.forward.resize(heads);
  work.repairs.resize(heads);
  work.sums.reserve(s.heads * s.queries);
  reserveTiles(workers, work, kernels.tileSize(s.keys, std::max(s.keyWidth, s.valueWidth)));
  // Under QK-norm the tasks hold unit vectors; raw scores are made from q and k themselves.
  const bool rawHere = results.unitQ.empty();
  const double operations = pairOperations(s, s.keyWidth + s.valueWidth);
  workers.run(s.heads, operations, [&](Index h, int) {
    const auto at = static_cast<std::size_t>(h);
    work.kernels[at] = &kernels;
    work.repairs[at].needed = false;
    if (!isFinite(kernels, work.tasks[at])) planRepair(work.tasks[at], work.repairs[at]);
    work.forward[at] = {.rawScores = rawHere ? orNull(results.rawScores, h) : nullptr,
                        .scaledScores = orNull(results.scaledScores, h),
                        .cappedScores = orNull(results.cappedScores, h),
                        .scores = orNull(results.scores, h),
                        .probs = orNull(results.probs, h),
                        .out = results.headOut.head(h),
                        .sums = results.made.measures ? work.sums.data() + h * s.queries : nullptr};
    work.kernels[at]->packForward(work.tasks[at], work.packed.data() + h * packedSize);
  });
  forPieces(kernels, workers, s.heads, s.queries, operations, [&](std::size_t h, RowRange rows, int thread) {
    work.kernels[h]->forwardRows(work.tasks[h], work.forward[h],
                                 work.packed.data() + static_cast<Index>(h) * packedSize,
                                 tileOf(work, thread), rows);
  });
  for (std::size_t h = 0; h < heads; ++h) repairForward(work.repairs[h], work.forward[h]);
}

template <class T>
void backwardHeads(const KernelsOf<T>& kernels, Workers& workers, HeadsWorkspace<T>& work,
                   ResultsOf<T>& results) {
  const Shapes& s = results.shapes;
  const Index packedSize = kernels.packedSize(work.tasks[0]);
  const bool capped = work.tasks[0].cap != 0;
  StackOf<T>& dScores = results.made.dScores ? results.d.scores : work.dScores;
  StackOf<T>& dScaled = !capped                      ? dScores
                        : results.made.dScaledScores ? results.d.scaledScores
                                                     : work.dScaled;
  dScores.resize(s.heads, s.queries, s.keys);
  dScaled.resize(s.heads, s.queries, s.keys);
  work.backward.resize(work.tasks.size());
  const double operations = pairOperations(s, s.keyWidth + s.valueWidth);
  workers.run(s.heads, operations, [&](Index h, int) {
    const auto at = static_cast<std::size_t>(h);
    const T* dOut = results.d.headOut.head(h);
    if (!kernels.allFinite(dOut, s.queries * s.valueWidth) || hasIdleQuery(work.repairs[at], dOut)) {
      work.kernels[at] = &referenceKernels<T>();
      if (work.repairs[at].needed) work.tasks[at] = work.repairs[at].original;
      work.repairs[at].needed = false;
    }
    work.backward[at] = {.probs = results.probs.head(h),
                         .cappedScores = capped ? results.cappedScores.head(h) : nullptr,
                         .dOut = results.d.headOut.head(h),
                         .dProbs = orNull(results.d.probs, h),
                         .dScores = dScores.head(h),
                         .dScaled = dScaled.head(h),
                         .dQ = results.d.q.head(h),
                         .dK = results.d.k.head(h),
                         .dV = results.d.v.head(h)};
    work.kernels[at]->packBackward(work.tasks[at], work.backward[at], work.packed.data() + h * packedSize);
  });
  forPieces(kernels, workers, s.heads, s.queries, operations, [&](std::size_t h, RowRange rows, int thread) {
    work.kernels[h]->backwardRows(work.tasks[h], work.backward[h],
                                  work.packed.data() + static_cast<Index>(h) * packedSize,
                                  tileOf(work, thread), rows);
  });
  for (std::size_t h = 0; h < work.tasks.size(); ++h) repairBackward(work.repairs[h], work.backward[h]);
  forPieces(kernels, workers, s.heads, s.keys, operations, [&](std::size_t h, RowRange keys, int thread) {
    work.kernels[h]->backwardKeys(work.tasks[h], work.backward[h],
                                  work.packed.data() + static_cast<Index>(h) * packedSize,
                                  tileOf(work, thread), keys);
  });
  if (!capped && results.made.dScaledScores)
    std::copy_n(dScores.data(), dScores.size(), results.d.scaledScores.data());
}

template <class T>
void multiply(const KernelsOf<T>& kernels, Workers& workers, HeadsWorkspace<T>& work,
              const Product<T>& product) {
  T* packed = work.packed.reserve(kernels.productPackedSize(product));
  kernels.packProduct(product, packed);
  reserveTiles(workers, work, kernels.tileSize(0, product.cols));
  const double operations =
      static_cast<double>(product.rows * product.cols) * static_cast<double>(product.depth);
  forPieces(kernels, workers, 1, product.rows, operations, [&](std::size_t, RowRange rows, int thread) {
    kernels.multiplyRows(product, packed, tileOf(work, thread), rows);
  });
}

#define ATTN_INSTANTIATE(T)                                                                      \
  template void prepareHeads(const SceneOf<T>&, const ResultsOf<T>&, HeadsWorkspace<T>&);        \
  template void forwardHeads(const KernelsOf<T>&, Workers&, HeadsWorkspace<T>&, ResultsOf<T>&);  \
  template void backwardHeads(const KernelsOf<T>&, Workers&, HeadsWorkspace<T>&, ResultsOf<T>&); \
  template void multiply(const KernelsOf<T>&, Workers&, HeadsWorkspace<T>&, const Product<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
