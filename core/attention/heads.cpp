#include "core/attention/heads.h"

#include <algorithm>

#include "core/attention/scale.h"

namespace attn {
namespace {

// Rows that one piece of work covers: several tiles, so that handing out pieces costs nothing beside them.
constexpr Index kTilesPerPiece = 8;

/// Below so many multiplications, scores in double cost microseconds.
constexpr double kPreciseBelow = 4e5;

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

/// Rows that one piece of work covers.
template <class T>
Index pieceRows(const KernelsOf<T>& kernels) {
  return kernels.rowBlock * kTilesPerPiece;
}

/// How a pass over all heads is shared out. One thread alone, or one of several that get equally many, takes
/// its heads one after the other, all in the same scratch memory, which stays in its cache. Else all threads
/// share the pieces of all heads, and every head has scratch memory of its own.
struct Order {
  Index heads, pieces;  // pieces of each head
  double operations;
  bool spreads, byHead;
  Index slots;  // of scratch memory

  Order(const Workers& workers, Index headCount, Index piecesOfHead, double multiplications)
      : heads(headCount),
        pieces(piecesOfHead),
        operations(multiplications),
        spreads(workers.spreads(heads * pieces, operations)),
        byHead(!spreads || heads % workers.threads() == 0),
        slots(!spreads ? 1
              : byHead ? workers.threads()
                       : heads) {}

  /// All that belongs to one head, here and now.
  template <class Pass>
  void runHead(const Pass& pass, Index h, Index slot, int thread) const {
    pass.begin(h, slot);
    for (Index index = 0; index < pieces; ++index) pass.piece(h, index, slot, thread);
    pass.end(h, slot, thread);
  }
  /// Calls begin(head, slot), piece(head, index, slot, thread) and end(head, slot, thread).
  template <class Pass>
  void run(Workers& workers, const Pass& pass) const {
    if (byHead)
      return workers.run(heads, operations, [&](Index h, int thread) { runHead(pass, h, thread, thread); });
    workers.run(heads, operations, [&](Index h, int) { pass.begin(h, h); });
    workers.run(heads * pieces, operations, [&](Index index, int thread) {
      pass.piece(index / pieces, index % pieces, index / pieces, thread);
    });
    workers.run(heads, operations, [&](Index h, int thread) { pass.end(h, h, thread); });
  }
};

/// Multiplications of one product with all the pairs of all heads.
double pairOperations(const Shapes& s, Index width) {
  return static_cast<double>(s.heads * s.queries * s.keys) * static_cast<double>(width);
}

/// Whether the heads are so few and small that packing and tiles would cost more than the numbers do.
template <class T>
bool areSmall(const KernelsOf<T>& kernels, const Shapes& s) {
  return kernels.smallForward && std::max(s.queries, s.keys) <= kSmallTokens &&
         std::max(s.keyWidth, s.valueWidth) <= kSmallWidth &&
         pairOperations(s, s.keyWidth + s.valueWidth) < kPreciseBelow;
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
  const double divisor = divisorOf(scene.scale, s.keyWidth);
  const bool unit = !results.unitQ.empty(), precise = pairOperations(s, s.keyWidth) < kPreciseBelow;
  for (Index h = 0; h < s.heads; ++h) {
    HeadTask<T>& task = work.tasks[static_cast<std::size_t>(h)];
    task.queries = s.queries, task.keys = s.keys;
    task.keyWidth = s.keyWidth, task.valueWidth = s.valueWidth;
    task.q = unit ? results.unitQ.head(h) : queriesOf(scene, results, h).data();
    task.k = unit ? results.unitK.head(h) : keysOf(scene, results, h).data();
    task.v = valuesOf(scene, results, h).data();
    task.divisor = divisor;
    task.cap = scene.cap.value_or(0);
    task.slope = alibiSlope(scene.alibi, h, s.heads);
    const MatrixOf<T>* bias = biasOf(scene, h);
    task.bias = bias ? bias->data() : nullptr;
    task.visible = &work.visible;
    task.head = h;
    task.normaliser = scene.normaliser.kind;
    task.logit = scene.normaliser.logit;
    task.precise = precise;
  }
}

namespace {

/// Where the way forward of a head writes.
template <class T>
HeadForward<T> forwardOf(HeadsWorkspace<T>& work, ResultsOf<T>& results, MatrixOf<T>& joined, bool zerosStand,
                         Index h) {
  const Shapes& s = results.shapes;
  // Under QK-norm the tasks hold unit vectors; raw scores are made from q and k themselves.
  const bool rawHere = results.unitQ.empty();
  return {.rawScores = rawHere ? orNull(results.rawScores, h) : nullptr,
          .scaledScores = orNull(results.scaledScores, h),
          .cappedScores = orNull(results.cappedScores, h),
          .scores = orNull(results.scores, h),
          .probs = orNull(results.probs, h),
          .zerosStand = zerosStand,
          .out = results.headOut.head(h),
          .joined = joined.data() + h * s.valueWidth,
          .joinedStride = joined.cols(),
          .sums = results.made.measures ? work.sums.data() + h * s.queries : nullptr};
}

/// The way forward of all heads, cut into pieces of some rows.
template <class T>
struct ForwardPass {
  const KernelsOf<T>& kernels;
  HeadsWorkspace<T>& work;
  ResultsOf<T>& results;
  MatrixOf<T>& joined;
  const Shapes& shapes;
  Index packedSize;
  bool zerosStand;

  T* packed(Index slot) const { return work.packed.data() + slot * packedSize; }

  /// The maps before the mask show hidden pairs too, so there a number that is not finite is looked for at
  /// once.
  bool showsHidden() const {
    return results.made.rawScores || results.made.scaledScores || !results.cappedScores.empty();
  }
  void aim(Index h) const {
    const auto at = static_cast<std::size_t>(h);
    work.kernels[at] = &kernels;
    work.repairs[at].needed = false;
    if (showsHidden() && !isFinite(kernels, work.tasks[at])) planRepair(work.tasks[at], work.repairs[at]);
    work.forward[at] = forwardOf(work, results, joined, zerosStand, h);
  }
  /// A small head, in one call. False where that did not do, and tiles must.
  bool small(Index h) const {
    aim(h);
    const auto at = static_cast<std::size_t>(h);
    HeadTask<T>& task = work.tasks[at];
    HeadForward<T>& to = work.forward[at];
    HeadRepair<T>& repair = work.repairs[at];
    to.small = work.small.data() + h * kSmallNumbers;
    bool done = kernels.smallForward(task, to);
    if (!done && !repair.needed && !isFinite(kernels, task)) {
      planRepair(task, repair);
      done = kernels.smallForward(task, to);
    }
    if (done) repairForward(repair, to);
    if (!done && repair.needed) task = repair.original;
    // The way back of a query that saw such a number is for the plain loops.
    if (!done || (repair.needed && !repair.queries.empty())) to.small = nullptr;
    return done;
  }
  void begin(Index h, Index slot) const {
    aim(h);
    kernels.packForward(work.tasks[static_cast<std::size_t>(h)], packed(slot));
  }
  void rows(Index h, RowRange range, Index slot, int thread) const {
    const auto at = static_cast<std::size_t>(h);
    kernels.forwardRows(work.tasks[at], work.forward[at], packed(slot), tileOf(work, thread), range);
  }
  void piece(Index h, Index index, Index slot, int thread) const {
    const Index step = pieceRows(kernels);
    rows(h, {index * step, std::min((index + 1) * step, shapes.queries)}, slot, thread);
  }
  /// What came out finite is right: a NaN behind a mask would have shown, as 0·NaN.
  void end(Index h, Index slot, int thread) const {
    const auto at = static_cast<std::size_t>(h);
    HeadRepair<T>& repair = work.repairs[at];
    const bool finite = kernels.allFinite(work.forward[at].out, shapes.queries * shapes.valueWidth);
    work.finite[at] = finite && !repair.needed;
    if (!repair.needed && !finite && !isFinite(kernels, work.tasks[at])) {
      planRepair(work.tasks[at], repair);
      kernels.packForward(work.tasks[at], packed(slot));
      rows(h, {0, shapes.queries}, slot, thread);
    }
    repairForward(repair, work.forward[at]);
  }
};

/// Where the way back of a head reads and writes.
template <class T>
HeadBackward<T> backwardOf(const HeadsWorkspace<T>& work, ResultsOf<T>& results, StackOf<T>& dScaled,
                           Index h) {
  const bool capped = work.tasks[static_cast<std::size_t>(h)].cap != 0;
  return {.probs = results.probs.head(h),
          .cappedScores = capped ? results.cappedScores.head(h) : nullptr,
          .out = results.headOut.head(h),
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
  const KernelsOf<T>& kernels;
  HeadsWorkspace<T>& work;
  ResultsOf<T>& results;
  StackOf<T>& dScaled;
  const Shapes& shapes;
  Index parts, packedSize, partSize;  // the most that a part may hold

  T* packed(Index slot) const { return work.packed.data() + slot * packedSize; }
  /// The parts of a head lie one behind the other, as long as its kernels make them.
  T* part(Index h, Index slot, Index index) const {
    const auto at = static_cast<std::size_t>(h);
    return work.parts.data() + slot * parts * partSize + index * work.kernels[at]->partSize(work.tasks[at]);
  }

  /// A head that went the short way forward, in one call. False where tiles must do it.
  bool small(Index h) const {
    const auto at = static_cast<std::size_t>(h);
    HeadTask<T>& task = work.tasks[at];
    HeadRepair<T>& plan = work.repairs[at];
    HeadBackward<T>& to = work.backward[at];
    if (!work.forward[at].small) return false;
    to = backwardOf(work, results, dScaled, h);
    to.small = work.forward[at].small;
    if (kernels.smallBackward(task, to)) return true;
    if (plan.needed || isFinite(kernels, task)) return false;
    planRepair(task, plan);  // what no query saw may still meet a gradient of 0
    if (plan.queries.empty() && kernels.smallBackward(task, to)) return true;
    task = plan.original;
    plan.needed = false;
    return false;
  }
  void pack(Index h, Index slot) const {
    const auto at = static_cast<std::size_t>(h);
    work.kernels[at]->packBackward(work.tasks[at], work.backward[at], packed(slot));
  }
  void begin(Index h, Index slot) const {
    work.backward[static_cast<std::size_t>(h)] = backwardOf(work, results, dScaled, h);
    pack(h, slot);
  }
  void piece(Index h, Index index, Index slot, int thread) const {
    const auto at = static_cast<std::size_t>(h);
    const Index step = (shapes.queries + parts - 1) / parts, begin = index * step;
    work.kernels[at]->backwardRows(work.tasks[at], work.backward[at], packed(slot), tileOf(work, thread),
                                   {begin, std::min(begin + step, shapes.queries)}, part(h, slot, index));
  }
  void join(Index h, Index slot) const {
    const auto at = static_cast<std::size_t>(h);
    work.kernels[at]->joinParts(work.tasks[at], work.backward[at], part(h, slot, 0), parts, {0, shapes.keys});
  }
  void end(Index h, Index slot, int thread) const {
    join(h, slot);
    const HeadBackward<T>& to = work.backward[static_cast<std::size_t>(h)];
    const bool finite = kernels.allFinite(to.dQ, shapes.queries * shapes.keyWidth) &&
                        kernels.allFinite(to.dK, shapes.keys * shapes.keyWidth) &&
                        kernels.allFinite(to.dV, shapes.keys * shapes.valueWidth);
    // The tiles may have worked on clean copies, and their gradients then know nothing of what a query saw.
    const HeadRepair<T>& plan = work.repairs[static_cast<std::size_t>(h)];
    if (!finite || (plan.needed && !plan.queries.empty())) repair(h, slot, thread);
  }
  /// A head whose gradients are not finite, once more: on clean copies where only hidden numbers are to
  /// blame, and else by the plain loops, which know that no gradient times NaN is no gradient.
  void repair(Index h, Index slot, int thread) const {
    const auto at = static_cast<std::size_t>(h);
    HeadRepair<T>& plan = work.repairs[at];
    HeadTask<T>& task = work.tasks[at];
    if (!plan.needed && !isFinite(kernels, task)) planRepair(task, plan);
    const bool onlyHidden = plan.needed && plan.queries.empty() &&
                            kernels.allFinite(work.backward[at].dOut, shapes.queries * shapes.valueWidth);
    if (!onlyHidden) {
      if (plan.needed) task = plan.original;
      work.kernels[at] = &referenceKernels<T>();
    }
    pack(h, slot);
    for (Index index = 0; index < parts; ++index) piece(h, index, slot, thread);
    join(h, slot);
  }
};

}  // namespace

template <class T>
void forwardHeads(const KernelsOf<T>& kernels, Workers& workers, HeadsWorkspace<T>& work, bool projectsOutput,
                  ResultsOf<T>& results) {
  const Shapes& s = results.shapes;
  const std::size_t heads = work.tasks.size();
  work.kernels.resize(heads);
  work.forward.resize(heads);
  work.repairs.resize(heads);
  work.finite.assign(heads, 0);
  work.sums.reserve(s.heads * s.queries);
  MatrixOf<T>& joined = projectsOutput ? results.concat : results.out;
  joined.resize(s.queries, s.heads * s.valueWidth);
  // While something is dragged, the mask stays, and with it what it hides.
  const bool zerosStand = results.probsRanges == work.visible.ranges();
  if (!zerosStand) results.probsRanges.clear();  // until all are written
  const Index step = pieceRows(kernels);
  const Order order(workers, s.heads, (s.queries + step - 1) / step,
                    pairOperations(s, s.keyWidth + s.valueWidth));
  ForwardPass<T> pass = {kernels, work, results, joined, s, 0, zerosStand};
  const auto reserve = [&] {
    pass.packedSize = kernels.packedSize(work.tasks[0]);
    reserveTiles(workers, work, kernels.tileSize(work.tasks[0]));
    work.packed.reserve(order.slots * pass.packedSize);
  };
  if (areSmall(kernels, s)) {
    work.small.reserve(s.heads * kSmallNumbers);
    for (Index h = 0; h < s.heads; ++h)
      if (!pass.small(h)) reserve(), order.runHead(pass, h, 0, 0);
  } else {
    reserve();
    order.run(workers, pass);
  }
  if (!zerosStand && !results.probs.empty()) results.probsRanges = work.visible.ranges();
}

template <class T>
void backwardHeads(const KernelsOf<T>& kernels, Workers& workers, HeadsWorkspace<T>& work,
                   ResultsOf<T>& results) {
  const Shapes& s = results.shapes;
  makeIf(results.made.dRawScores && !results.made.dScaledScores, work.dScaled, s.heads, s.queries, s.keys);
  StackOf<T>& dScaled = results.made.dScaledScores ? results.d.scaledScores : work.dScaled;
  work.backward.resize(work.tasks.size());
  const Order order(workers, s.heads, partsOf(s), pairOperations(s, s.keyWidth + s.valueWidth));
  BackwardPass<T> pass = {kernels, work, results, dScaled, s, order.pieces, 0, 0};
  const auto reserve = [&] {
    pass.packedSize = kernels.packedSize(work.tasks[0]);
    // The plain loops may stand in.
    pass.partSize = std::max(kernels.partSize(work.tasks[0]), referenceKernels<T>().partSize(work.tasks[0]));
    reserveTiles(workers, work, kernels.tileSize(work.tasks[0]));
    work.packed.reserve(order.slots * pass.packedSize);
    work.parts.reserve(order.slots * pass.parts * pass.partSize);
  };
  if (areSmall(kernels, s)) {
    for (Index h = 0; h < s.heads; ++h)
      if (!pass.small(h)) reserve(), order.runHead(pass, h, 0, 0);
  } else {
    reserve();
    order.run(workers, pass);
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
  const Index step = pieceRows(kernels);
  workers.run((product.rows + step - 1) / step, operations, [&](Index index, int thread) {
    const RowRange rows = {index * step, std::min((index + 1) * step, product.rows)};
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
