// Heads of few short tokens, whole and in double: one query a lane, so that nothing is packed, nothing is
// summed across lanes, and no memory is needed beside the stack. Included once for each SIMD target.
#if defined(ATTN_KERNELS_SMALL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_SMALL_INL_H_
#undef ATTN_KERNELS_SMALL_INL_H_
#else
#define ATTN_KERNELS_SMALL_INL_H_
#endif

#include <algorithm>
#include <limits>

#include "core/kernels/kernels.h"
#include "core/kernels/normalise-inl.h"
#include "core/kernels/scores-inl.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::Vec<F64>;
constexpr Index kMostLanes = static_cast<Index>(hn::MaxLanes(F64()));
constexpr Index kSmallStride = kSmallTokens, kSmallRow = kSmallWidth;
static_assert(kSmallStride % kMostLanes == 0 && kSmallRow % kMostLanes == 0);

/// As many queries of a head as a vector has lanes; what stands in lanes beyond `count` nobody reads.
struct QueryLanes {
  const HeadTask<float>& task;
  Index first, count;
  bool seesAll;     // no mask hides anything
  Wide begin, end;  // else: of the keys that each sees
  const std::uint8_t* cells;

  HWY_INLINE QueryLanes(const HeadTask<float>& t, Index firstQuery)
      : task(t),
        first(firstQuery),
        count(std::min(kMostLanes, t.queries - firstQuery)),
        seesAll(t.visible->hidesNothing()),
        begin(hn::Zero(F64())),
        end(begin),
        cells(t.visible->cellsOf(t.head)) {
    if (seesAll) return;
    HWY_ALIGN double from[kMostLanes] = {}, to[kMostLanes] = {};
    const KeyRange* ranges = t.visible->ranges().data() + first;
    for (Index l = 0; l < count; ++l) {
      from[l] = static_cast<double>(ranges[l].begin);
      to[l] = static_cast<double>(ranges[l].end);
    }
    begin = hn::Load(F64(), from), end = hn::Load(F64(), to);
  }
  /// Column t of rows of `width` numbers; the last query stands in for those that are not there.
  HWY_INLINE Wide column(const float* rows, Index width, Index t) const {
    return columnOf(rows + first * width + t, width, count);
  }
  HWY_INLINE void keep(Wide column, float* map, Index key) const {
    if (!map) return;
    HWY_ALIGN float lane[kMostLanes];
    storeFloats(column, lane);
    for (Index l = 0; l < count; ++l) map[(first + l) * task.keys + key] = lane[l];
  }
  HWY_INLINE hn::Mask<F64> see(Index key) const {
    const auto at = hn::Set(F64(), static_cast<double>(key));
    const auto inside = hn::And(hn::Le(begin, at), hn::Lt(at, end));
    if (!cells) return inside;
    HWY_ALIGN double lane[kMostLanes] = {};
    for (Index l = 0; l < count; ++l) lane[l] = cells[(first + l) * task.keys + key];
    return hn::And(inside, hn::Gt(hn::Load(F64(), lane), hn::Zero(F64())));
  }
  /// x where the key is seen, elsewhere `hidden`.
  HWY_INLINE Wide seen(Wide x, Index key, double hidden) const {
    return seesAll ? x : hn::IfThenElse(see(key), x, hn::Set(F64(), hidden));
  }
};

/// Rows of `width` numbers as doubles, padded with zeros to kSmallRow.
HWY_INLINE void widenRows(const float* HWY_RESTRICT from, Index rows, Index width, double* HWY_RESTRICT to) {
  const F64 d;
  for (Index i = 0; i < rows; ++i, from += width, to += kSmallRow) {
    const ConstMapRow row = {from, width};
    for (Index t = 0; t < width; t += kMostLanes) hn::Store(row.load(t, d), d, to + t);
  }
}

/// Σ_t columns_t·row_t: one number of each lane's row with one row of all.
HWY_INLINE Wide dotOf(const double* columns, const double* row, Index width) {
  const F64 d;
  Wide sum = hn::Zero(d);
  for (Index t = 0; t < width; ++t)
    sum = hn::MulAdd(hn::Load(d, columns + t * kMostLanes), hn::Set(d, row[t]), sum);
  return sum;
}

/// Weights of a product: that of step x for row r of the result is at from[r·rowStride + x·stepStride].
struct SmallWeights {
  const double* from;
  Index rowStride, stepStride;
};

/// Row r of weights·rows, from column t on. All four products that weights take part in go this way.
HWY_INLINE Wide mixRow(SmallWeights weights, Index r, const double* rows, Index steps, Index t) {
  const F64 d;
  Wide sum = hn::Zero(d);
  for (Index x = 0; x < steps; ++x)
    sum = hn::MulAdd(hn::Set(d, weights.from[r * weights.rowStride + x * weights.stepStride]),
                     hn::Load(d, rows + x * kSmallRow + t), sum);
  return sum;
}

/// to (count × width) = weights·rows. Adds what it writes, times 0, to `zeros`: NaN once it is not finite.
HWY_INLINE void mixRows(SmallWeights weights, const double* rows, Index steps, Index count, Index width,
                        float* to, Wide& zeros) {
  for (Index r = 0; r < count; ++r)
    for (Index t = 0; t < width; t += kMostLanes) {
      const Wide sum = mixRow(weights, r, rows, steps, t);
      zeros = hn::MulAdd(sum, hn::Zero(F64()), zeros);
      MapRow(to, r, width).store(sum, t);
    }
}

/// scale → cap → bias → mask of a column of raw scores, with the maps that are wanted.
HWY_INLINE Wide bendColumn(const QueryLanes& queries, const HeadForward<float>& to, Wide s, Index key,
                           const Divider<double>& divide) {
  const F64 d;
  const HeadTask<float>& task = queries.task;
  queries.keep(s, to.rawScores, key);
  s = divide(s);
  queries.keep(s, to.scaledScores, key);
  if (task.cap != 0) s = hn::Mul(hn::Set(d, task.cap), hn::Tanh(d, hn::Div(s, hn::Set(d, task.cap))));
  queries.keep(s, to.cappedScores, key);
  if (task.slope != 0) {
    const auto distance = hn::Abs(hn::Iota(d, static_cast<double>(queries.first - key)));
    s = hn::NegMulAdd(hn::Set(d, task.slope), distance, s);
  }
  if (task.bias) s = hn::Add(s, queries.column(task.bias, task.keys, key));
  s = queries.seen(s, key, static_cast<double>(kMinusInfinity));
  queries.keep(s, to.scores, key);
  return s;
}

/// What the columns of scores say of each query.
struct ColumnScan {
  Wide largest;
  bool sound = true;  // no NaN, no +∞, and where a key is seen one score above −∞
};

/// All scores of some queries, key by key, into `scores`: (keys, kSmallStride). `kPlain` ones only need their
/// scale.
template <bool kPlain>
HWY_INLINE ColumnScan scoreColumns(const QueryLanes& queries, const HeadForward<float>& to, const double* k,
                                   double* HWY_RESTRICT scores) {
  const F64 d;
  const HeadTask<float>& task = queries.task;
  HWY_ALIGN double q[kSmallWidth * kMostLanes];
  for (Index t = 0; t < task.keyWidth; ++t)
    hn::Store(queries.column(task.q, task.keyWidth, t), d, q + t * kMostLanes);
  const Divider<double> divide(task.divisor);
  const auto none = hn::Set(d, static_cast<double>(kMinusInfinity));
  Wide largest = none;
  auto fine = hn::Eq(none, none), seesAny = fine;
  if (!kPlain && !queries.seesAll) seesAny = hn::Ne(none, none);
  for (Index j = 0; j < task.keys; ++j) {
    const Wide raw = dotOf(q, k + j * kSmallRow, task.keyWidth);
    const Wide s = kPlain ? divide(raw) : bendColumn(queries, to, raw, j, divide);
    hn::Store(s, d, scores + j * kSmallStride);
    fine = hn::And(fine, hn::Le(s, hn::Set(d, std::numeric_limits<double>::max())));
    if (!kPlain && !queries.seesAll) seesAny = hn::Or(seesAny, queries.see(j));
    largest = hn::Max(largest, s);
  }
  const auto isNone = hn::Eq(largest, none);
  const bool sound = hn::AllTrue(d, fine) && hn::AllFalse(d, hn::And(isNone, seesAny));
  return {largest, sound};
}

/// Softmax of every lane, in place, and with `sums` its measures.
template <bool kMeasure>
HWY_INLINE void softmaxColumns(const QueryLanes& queries, Wide largest, double* HWY_RESTRICT scores,
                               RowSums* sums) {
  const F64 d;
  const HeadTask<float>& task = queries.task;
  const Wide zero = hn::Zero(d), one = hn::Set(d, 1.0), logit = hn::Set(d, task.logit);
  const bool sink = task.normaliser == Kind::sink;
  const auto isNone = hn::Eq(largest, hn::Set(d, static_cast<double>(kMinusInfinity)));
  const Wide most = sink ? hn::Max(largest, logit) : hn::IfThenZeroElse(isNone, largest);
  const Wide top = kMeasure && sink ? expOfNonPositive(hn::Sub(largest, most)) : one;
  Wide sum = zero, mean = zero, ties = zero, rest = zero, squares = zero, cubes = zero;
  for (Index j = 0; j < task.keys; ++j) {
    double* at = scores + j * kSmallStride;
    const Wide z = hn::Sub(hn::Load(d, at), most), e = expOfNonPositive(z);
    sum = hn::Add(sum, e);
    hn::Store(e, d, at);
    if (!kMeasure) continue;
    const auto isTop = hn::Eq(e, top);
    const Wide other = hn::IfThenZeroElse(isTop, e), square = hn::Mul(other, other);
    mean = hn::MulAdd(e, hn::Max(z, hn::Set(d, -800.0)), mean);  // not 0·∞
    ties = hn::Add(ties, hn::IfThenElseZero(isTop, one));
    rest = hn::Add(rest, other);
    squares = hn::Add(squares, square);
    cubes = hn::MulAdd(square, other, cubes);
  }
  const Wide sinkPart = sink ? expOfNonPositive(hn::Sub(logit, most)) : zero;
  const Wide total = hn::Add(sum, sinkPart);
  const Wide inverse = hn::IfThenZeroElse(hn::Eq(total, zero), hn::Div(one, total));
  for (Index j = 0; j < task.keys; ++j)
    hn::Store(hn::Mul(hn::Load(d, scores + j * kSmallStride), inverse), d, scores + j * kSmallStride);
  if (!kMeasure) return;
  SoftmaxMoments moments;
  hn::Store(inverse, d, moments.inverse), hn::Store(hn::Mul(sinkPart, inverse), d, moments.sink);
  hn::Store(sink ? hn::Mul(sum, inverse) : one, d, moments.share);
  hn::Store(top, d, moments.top), hn::Store(ties, d, moments.ties), hn::Store(mean, d, moments.mean);
  hn::Store(rest, d, moments.rest), hn::Store(squares, d, moments.squares);
  hn::Store(cubes, d, moments.cubes);
  for (Index l = 0; l < queries.count; ++l) {
    moments.isMeasured[l] = queries.seesAll || task.visible->countOf(task.head, queries.first + l) > 0;
    if (!moments.isMeasured[l]) sums[queries.first + l] = {};
  }
  moments.write(queries.count, sums + queries.first);
}

/// sparsemax and 1.5-entmax of every lane, in place: Newton's iteration as in thresholdRow.
template <int kPower>
HWY_INLINE void thresholdColumns(const HeadTask<float>& task, Wide largest, double* HWY_RESTRICT scores) {
  const F64 d;
  const Wide zero = hn::Zero(d), one = hn::Set(d, 1.0);
  const auto isNone = hn::Eq(largest, hn::Set(d, static_cast<double>(kMinusInfinity)));
  const Wide most = hn::IfThenZeroElse(isNone, largest);
  const auto above = [&](Index j, Wide threshold) HWY_ATTR {
    const Wide s = hn::Load(d, scores + j * kSmallStride);
    const Wide z = hn::Mul(hn::Sub(s, most), hn::Set(d, 1.0 / kPower));
    return hn::Max(hn::Sub(z, threshold), zero);
  };
  Wide threshold = hn::Set(d, -1.0);
  for (int step = 0; step < 100; ++step) {
    Wide sum = zero, slope = zero;
    for (Index j = 0; j < task.keys; ++j) {
      const Wide x = above(j, threshold);
      sum = hn::Add(sum, kPower == 1 ? x : hn::Mul(x, x));
      slope = hn::Add(slope, kPower == 1 ? hn::IfThenElseZero(hn::Gt(x, zero), one) : x);
    }
    const Wide move = hn::Div(hn::Sub(sum, one), hn::Mul(hn::Set(d, 1.0 * kPower), slope));
    const auto moves = hn::AndNot(isNone, hn::Gt(move, hn::Set(d, 1e-15)));
    threshold = hn::Add(threshold, hn::IfThenElseZero(moves, move));
    if (hn::AllFalse(d, moves)) break;
  }
  for (Index j = 0; j < task.keys; ++j) {
    const Wide x = above(j, threshold);
    hn::Store(kPower == 1 ? x : hn::Mul(x, x), d, scores + j * kSmallStride);
  }
}

/// What every normaliser but softmax does with the columns of scores, in place.
HWY_NOINLINE void otherColumns(const QueryLanes& queries, Wide largest, double* HWY_RESTRICT scores,
                               RowSums* sums) {
  const HeadTask<float>& task = queries.task;
  if (task.normaliser == Kind::sparsemax) thresholdColumns<1>(task, largest, scores);
  if (task.normaliser == Kind::entmax15) thresholdColumns<2>(task, largest, scores);
  if (task.normaliser == Kind::sigmoid)
    for (Index j = 0; j < task.keys; ++j)
      sigmoidRow(F64(), scores + j * kSmallStride, 0, kMostLanes, task.logit);
  if (!sums) return;
  HWY_ALIGN float row[kSmallTokens + 2 * hn::MaxLanes(F32())] = {};
  for (Index l = 0; l < queries.count; ++l) {
    for (Index j = 0; j < task.keys; ++j) row[j] = static_cast<float>(scores[j * kSmallStride + l]);
    sums[queries.first + l] = withKind(
        task.normaliser, [&](auto k) { return rowSums<decltype(k)::value>(row, 0, padded(task.keys)); });
  }
}

/// The weights of all queries to the map: p (keys, kSmallStride) on its side.
HWY_INLINE void writeSmallMap(const HeadTask<float>& task, const double* p, float* map) {
  Index done = 0;  // keys that go in fours, as far as queries do
  const Index fours = task.queries / 4 * 4;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<float, 4> four;
  HWY_ALIGN float columns[4 * kSmallStride];
  for (; done + 4 <= task.keys; done += 4) {
    for (Index j = 0; j < 4; ++j)
      for (Index i = 0; i < fours; i += kMostLanes)
        storeFloats(hn::Load(F64(), p + (done + j) * kSmallStride + i), columns + j * kSmallStride + i);
    for (Index i = 0; i < fours; i += 4)
      transposeRows(four, columns + i, kSmallStride, map + i * task.keys + done, task.keys);
  }
#endif
  for (Index i = 0; i < task.queries; ++i)
    for (Index j = i < fours ? done : 0; j < task.keys; ++j)
      map[i * task.keys + j] = static_cast<float>(p[j * kSmallStride + i]);
}

/// score → scale → cap → bias → mask → normalise of some queries, into columns of p.
HWY_INLINE bool smallWeights(const QueryLanes& queries, const HeadForward<float>& to, const double* k,
                             double* p) {
  const HeadTask<float>& task = queries.task;
  const bool plain = queries.seesAll && !ScoreStages::any(task, to);
  const ColumnScan scan =
      plain ? scoreColumns<true>(queries, to, k, p) : scoreColumns<false>(queries, to, k, p);
  if (!scan.sound) return false;
  if (!isSoftmax(task))
    otherColumns(queries, scan.largest, p, to.sums);
  else if (to.sums)
    softmaxColumns<true>(queries, scan.largest, p, to.sums);
  else
    softmaxColumns<false>(queries, scan.largest, p, nullptr);
  return true;
}

/// score → scale → cap → bias → mask → normalise → mix of a whole head. False where a number surfaced that is
/// not finite: then nothing of what was written counts.
bool smallForward(const HeadTask<float>& task, const HeadForward<float>& to) {
  HWY_ALIGN double rows[kSmallTokens * kSmallRow];
  double* p = to.small;
  widenRows(task.k, task.keys, task.keyWidth, rows);
  for (Index i = 0; i < task.queries; i += kMostLanes)
    if (!smallWeights(QueryLanes(task, i), to, rows, p + i)) return false;
  if (to.probs) writeSmallMap(task, p, to.probs);
  widenRows(task.v, task.keys, task.valueWidth, rows);
  Wide zeros = hn::Zero(F64());
  for (Index i = 0; i < task.queries; ++i)
    for (Index t = 0; t < task.valueWidth; t += kMostLanes) {
      const Wide sum = mixRow({p, 1, kSmallStride}, i, rows, task.keys, t);
      zeros = hn::MulAdd(sum, hn::Zero(F64()), zeros);
      MapRow(to.out, i, task.valueWidth).store(sum, t);
      MapRow(to.joined + i * to.joinedStride, task.valueWidth).store(sum, t);
    }
  return hn::AllTrue(F64(), hn::Eq(zeros, hn::Zero(F64())));
}

template <Kind kKind>
HWY_INLINE Wide jacobianWeightOf(Wide p) {
  const F64 d;
  if constexpr (kKind == Kind::sparsemax) return hn::IfThenElseZero(hn::Gt(p, hn::Zero(d)), hn::Set(d, 1.0));
  if constexpr (kKind == Kind::entmax15) return hn::Sqrt(p);
  if constexpr (kKind == Kind::sigmoid) return hn::Mul(p, hn::Sub(hn::Set(d, 1.0), p));
  return p;
}

/// κ of every lane from its Σu.
template <Kind kKind>
HWY_INLINE Wide couplingOf(Wide sum) {
  const F64 d;
  if constexpr (kKind == Kind::sigmoid) return hn::Zero(d);
  if constexpr (kKind == Kind::sparsemax || kKind == Kind::entmax15)
    return hn::IfThenElseZero(hn::Gt(sum, hn::Zero(d)), hn::Div(hn::Set(d, 1.0), sum));
  return hn::Set(d, 1.0);
}

HWY_INLINE Wide timesWeight(Wide u, Wide x) {
  return hn::IfThenZeroElse(hn::Eq(u, hn::Zero(F64())), hn::Mul(u, x));
}

/// From the weights p of some queries to their dScaled/divisor, key by key.
template <Kind kKind>
HWY_INLINE void backwardColumns(const QueryLanes& queries, const HeadBackward<float>& pass,
                                const double* HWY_RESTRICT dOut, const double* HWY_RESTRICT v,
                                const double* HWY_RESTRICT p, double* HWY_RESTRICT ds) {
  const F64 d;
  const HeadTask<float>& task = queries.task;
  Wide products = hn::Zero(d), weights = products;
  for (Index j = 0; j < task.keys; ++j) {
    const Wide u = jacobianWeightOf<kKind>(hn::Load(d, p + j * kSmallStride));
    const Wide dp = dotOf(dOut, v + j * kSmallRow, task.valueWidth);
    hn::Store(dp, d, ds + j * kSmallStride);
    if (pass.dProbs) queries.keep(queries.seen(dp, j, 0), pass.dProbs, j);
    products = hn::Add(products, timesWeight(u, dp));
    weights = hn::Add(weights, u);
  }
  const Wide shared = timesWeight(couplingOf<kKind>(weights), products);
  const Divider<double> divide(task.divisor);
  const Wide one = hn::Set(d, 1.0);
  for (Index j = 0; j < task.keys; ++j) {
    const Wide u = jacobianWeightOf<kKind>(hn::Load(d, p + j * kSmallStride));
    Wide s = timesWeight(u, hn::Sub(hn::Load(d, ds + j * kSmallStride), shared));
    queries.keep(s, pass.dScores, j);
    if (task.cap != 0) {
      const Wide t = hn::Div(queries.column(pass.cappedScores, task.keys, j), hn::Set(d, task.cap));
      s = timesWeight(s, hn::Mul(hn::Sub(one, t), hn::Add(one, t)));
    }
    queries.keep(s, pass.dScaled, j);
    hn::Store(divide(s), d, ds + j * kSmallStride);
  }
}

/// All gradients of a whole head. False where one is not finite.
bool smallBackward(const HeadTask<float>& task, const HeadBackward<float>& pass) {
  const F64 d;
  HWY_ALIGN double ds[kSmallTokens * kSmallStride];
  const double* p = pass.small;
  HWY_ALIGN double columns[kSmallWidth * kMostLanes], rows[kSmallTokens * kSmallRow];
  widenRows(task.v, task.keys, task.valueWidth, rows);
  for (Index i = 0; i < task.queries; i += kMostLanes) {
    const QueryLanes queries(task, i);
    for (Index t = 0; t < task.valueWidth; ++t)
      hn::Store(queries.column(pass.dOut, task.valueWidth, t), d, columns + t * kMostLanes);
    withKind(task.normaliser, [&](auto kind) HWY_ATTR {
      backwardColumns<decltype(kind)::value>(queries, pass, columns, rows, p + i, ds + i);
    });
  }
  Wide zeros = hn::Zero(d);
  const SmallWeights byQuery = {ds, 1, kSmallStride}, byKey = {ds, kSmallStride, 1};
  widenRows(task.k, task.keys, task.keyWidth, rows);
  mixRows(byQuery, rows, task.keys, task.queries, task.keyWidth, pass.dQ, zeros);
  widenRows(task.q, task.queries, task.keyWidth, rows);
  mixRows(byKey, rows, task.queries, task.keys, task.keyWidth, pass.dK, zeros);
  widenRows(pass.dOut, task.queries, task.valueWidth, rows);
  mixRows({p, kSmallStride, 1}, rows, task.queries, task.keys, task.valueWidth, pass.dV, zeros);
  return hn::AllTrue(d, hn::Eq(zeros, hn::Zero(d)));
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
