#include "core/attention/heads.h"

#include <algorithm>

#include "core/attention/scale.h"

namespace attn {
namespace {

// Rows that one piece of work covers: several tiles, so that handing out pieces costs nothing beside them.
constexpr Index kTilesPerPiece = 8;

/// Below so many multiplications, scores in double cost microseconds.
constexpr double kPreciseBelow = 3.3e5;

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

Index partsOf(const Shapes& s) {
  constexpr Index kPieces = 16, kFewestRows = 192;
  return std::clamp<Index>(s.queries / kFewestRows, 1, (kPieces + s.heads - 1) / s.heads);
}

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
    task.divisor = divisorOf(scene.scale, s.keyWidth);
    task.cap = scene.cap.value_or(0);
    task.slope = alibiSlope(scene.alibi, h, s.heads);
    const MatrixOf<T>* bias = biasOf(scene, h);
    task.bias = bias ? bias->data() : nullptr;
    task.visible = &work.visible;
    task.head = h;
    task.normaliser = scene.normaliser.kind;
    task.logit = scene.normaliser.logit;
    task.precise = pairOperations(s, s.keyWidth) < kPreciseBelow;
  }
}

template <class T>
void forwardHeads(const KernelsOf<T>& kernels, Workers& workers, HeadsWorkspace<T>& work, bool projectsOutput,
                  ResultsOf<T>& results) {
  const Shapes& s = results.shapes;
  const std::size_t heads = work.tasks.size();
  const Index packedSize = kernels.packedSize(work.tasks[0]);
  work.packed.reserve(packedSize * s.heads);
  work.kernels.resize(heads);
  work.forward.resize(heads);
  work.repairs.resize(heads);
  work.sums.reserve(s.heads * s.queries);
  reserveTiles(workers, work, kernels.tileSize(work.tasks[0]));
  MatrixOf<T>& joined = projectsOutput ? results.concat : results.out;
  joined.resize(s.queries, s.heads * s.valueWidth);
  // Under QK-norm the tasks hold unit vectors; raw scores are made from q and k themselves.
  const bool rawHere = results.unitQ.empty();
  const double operations = pairOperations(s, s.keyWidth + s.valueWidth);
  // The maps before the mask show hidden pairs too, so there a number that is not finite is looked for at
  // once.
  const bool wholeMaps = results.made.rawScores || results.made.scaledScores || !results.cappedScores.empty();
  workers.run(s.heads, operations, [&](Index h, int) {
    const auto at = static_cast<std::size_t>(h);
    work.kernels[at] = &kernels;
    work.repairs[at].needed = false;
    if (wholeMaps && !isFinite(kernels, work.tasks[at])) planRepair(work.tasks[at], work.repairs[at]);
    work.forward[at] = {.rawScores = rawHere ? orNull(results.rawScores, h) : nullptr,
                        .scaledScores = orNull(results.scaledScores, h),
                        .cappedScores = orNull(results.cappedScores, h),
                        .scores = orNull(results.scores, h),
                        .probs = orNull(results.probs, h),
                        .out = results.headOut.head(h),
                        .joined = joined.data() + h * s.valueWidth,
                        .joinedStride = joined.cols(),
                        .sums = results.made.measures ? work.sums.data() + h * s.queries : nullptr};
    kernels.packForward(work.tasks[at], work.packed.data() + h * packedSize);
  });
  const auto forwardRows = [&](std::size_t h, RowRange rows, int thread) {
    kernels.forwardRows(work.tasks[h], work.forward[h],
                        work.packed.data() + static_cast<Index>(h) * packedSize, tileOf(work, thread), rows);
  };
  forPieces(kernels, workers, s.heads, s.queries, operations, forwardRows);
  for (std::size_t h = 0; h < heads; ++h) {
    HeadRepair<T>& repair = work.repairs[h];
    // What came out finite is right: a NaN behind a mask would have shown, as 0·NaN.
    if (!repair.needed && !kernels.allFinite(work.forward[h].out, s.queries * s.valueWidth) &&
        !isFinite(kernels, work.tasks[h])) {
      planRepair(work.tasks[h], repair);
      kernels.packForward(work.tasks[h], work.packed.data() + static_cast<Index>(h) * packedSize);
      forwardRows(h, {0, s.queries}, 0);
    }
    repairForward(repair, work.forward[h]);
  }
}

namespace {

/// Where the way back of a head reads and writes.
template <class T>
HeadBackward<T> backwardOf(const HeadsWorkspace<T>& work, ResultsOf<T>& results, StackOf<T>& dScaled,
                           Index h) {
  const bool capped = work.tasks[static_cast<std::size_t>(h)].cap != 0;
  return {.probs = results.probs.head(h),
          .cappedScores = capped ? results.cappedScores.head(h) : nullptr,
          .dOut = results.d.headOut.head(h),
          .dProbs = orNull(results.d.probs, h),
          .dScores = orNull(results.d.scores, h),
          .dScaled = orNull(dScaled, h),
          .dQ = results.d.q.head(h),
          .dK = results.d.k.head(h),
          .dV = results.d.v.head(h)};
}

/// The way back of all heads, cut into parts.
template <class T>
struct BackwardPass {
  HeadsWorkspace<T>& work;
  const Shapes& shapes;
  Index packedSize, partSize, parts, rowsOfPart;

  BackwardPass(const KernelsOf<T>& kernels, HeadsWorkspace<T>& workspace, const Shapes& s)
      : work(workspace),
        shapes(s),
        packedSize(kernels.packedSize(work.tasks[0])),
        // The plain loops may stand in.
        partSize(std::max(kernels.partSize(work.tasks[0]), referenceKernels<T>().partSize(work.tasks[0]))),
        parts(partsOf(s)),
        rowsOfPart((s.queries + parts - 1) / parts) {}

  T* packed(Index h) const { return work.packed.data() + h * packedSize; }
  T* part(Index h, Index index) const { return work.parts.data() + (h * parts + index) * partSize; }

  void pack(Index h) const {
    const auto at = static_cast<std::size_t>(h);
    work.kernels[at]->packBackward(work.tasks[at], work.backward[at], packed(h));
  }
  void rows(Index h, Index index, int thread) const {
    const auto at = static_cast<std::size_t>(h);
    const Index begin = index * rowsOfPart;
    work.kernels[at]->backwardRows(work.tasks[at], work.backward[at], packed(h), tileOf(work, thread),
                                   {begin, std::min(begin + rowsOfPart, shapes.queries)}, part(h, index));
  }
  void join(Index h) const {
    const auto at = static_cast<std::size_t>(h);
    work.kernels[at]->joinParts(work.tasks[at], work.backward[at], part(h, 0), parts, {0, shapes.keys});
  }
  void head(Index h) const {
    pack(h);
    for (Index index = 0; index < parts; ++index) rows(h, index, 0);
    join(h);
  }
};

/// A head whose gradients are not finite, once more: on clean copies where only hidden numbers are to blame,
/// and else by the plain loops, which know that no gradient times NaN is no gradient.
template <class T>
void repairBackward(const KernelsOf<T>& kernels, const BackwardPass<T>& pass, Index h) {
  const auto at = static_cast<std::size_t>(h);
  HeadRepair<T>& repair = pass.work.repairs[at];
  HeadTask<T>& task = pass.work.tasks[at];
  if (!repair.needed && !isFinite(kernels, task)) planRepair(task, repair);
  const bool onlyHidden =
      repair.needed && repair.queries.empty() &&
      kernels.allFinite(pass.work.backward[at].dOut, pass.shapes.queries * pass.shapes.valueWidth);
  if (!onlyHidden) {
    if (repair.needed) task = repair.original;
    pass.work.kernels[at] = &referenceKernels<T>();
  }
  pass.head(h);
}

}  // namespace

template <class T>
void backwardHeads(const KernelsOf<T>& kernels, Workers& workers, HeadsWorkspace<T>& work,
                   ResultsOf<T>& results) {
  const Shapes& s = results.shapes;
  const BackwardPass<T> pass(kernels, work, s);
  work.parts.reserve(s.heads * pass.parts * pass.partSize);
  makeIf(results.made.dRawScores && !results.made.dScaledScores, work.dScaled, s.heads, s.queries, s.keys);
  StackOf<T>& dScaled = results.made.dScaledScores ? results.d.scaledScores : work.dScaled;
  work.backward.resize(work.tasks.size());
  const double operations = pairOperations(s, s.keyWidth + s.valueWidth);
  workers.run(s.heads, operations, [&](Index h, int) {
    work.backward[static_cast<std::size_t>(h)] = backwardOf(work, results, dScaled, h);
    pass.pack(h);
  });
  workers.run(s.heads * pass.parts, operations,
              [&](Index index, int thread) { pass.rows(index / pass.parts, index % pass.parts, thread); });
  workers.run(s.heads, operations, [&](Index h, int) { pass.join(h); });
  for (Index h = 0; h < s.heads; ++h) {
    const HeadBackward<T>& to = work.backward[static_cast<std::size_t>(h)];
    const bool finite = kernels.allFinite(to.dQ, s.queries * s.keyWidth) &&
                        kernels.allFinite(to.dK, s.keys * s.keyWidth) &&
                        kernels.allFinite(to.dV, s.keys * s.valueWidth);
    if (!finite) repairBackward(kernels, pass, h);
  }
}

template <class T>
void multiply(const KernelsOf<T>& kernels, Workers& workers, HeadsWorkspace<T>& work,
              const Product<T>& product) {
  T* packed = work.packed.reserve(kernels.productPackedSize(product));
  kernels.packProduct(product, packed);
  reserveTiles(workers, work, kernels.productTileSize(product));
  const double operations =
      static_cast<double>(product.rows * product.cols) * static_cast<double>(product.depth);
  forPieces(kernels, workers, 1, product.rows, operations, [&](std::size_t, RowRange rows, int thread) {
    kernels.multiplyRows(product, packed, tileOf(work, thread), rows);
  });
}

#define ATTN_INSTANTIATE(T)                                                                           \
  template void prepareHeads(const SceneOf<T>&, const ResultsOf<T>&, HeadsWorkspace<T>&);             \
  template void forwardHeads(const KernelsOf<T>&, Workers&, HeadsWorkspace<T>&, bool, ResultsOf<T>&); \
  template void backwardHeads(const KernelsOf<T>&, Workers&, HeadsWorkspace<T>&, ResultsOf<T>&);      \
  template void multiply(const KernelsOf<T>&, Workers&, HeadsWorkspace<T>&, const Product<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
