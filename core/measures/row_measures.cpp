#include "core/measures/row_measures.h"

#include <algorithm>
#include <cmath>

#include "core/measures/jacobian.h"

namespace attn {
namespace {

template <class T>
void resizeAll(ResultsOf<T>& results) {
  const Shapes& s = results.shapes;
  for (auto* flags : {&results.maskedRows, &results.nonFiniteRows, &results.saturatedRows})
    flags->resize(s.heads, s.queries, 1);
  results.visibleKeys.resize(s.heads, s.queries, 1);
  MeasuresOf<T>& m = results.measures;
  for (auto* measure : {&m.largestWeight, &m.entropy, &m.entropyShare, &m.effectiveKeys, &m.jacobianNorm})
    results.made.measures ? measure->resize(s.heads, s.queries, 1) : measure->clear();
  results.made.eigenvalues ? m.jacobianEigenvalue.resize(s.heads, s.queries, 1)
                           : m.jacobianEigenvalue.clear();
}

template <class T>
void measureRow(const RowSums& sums, Index row, Index visible, double logVisible, MeasuresOf<T>& m) {
  m.largestWeight.data()[row] = static_cast<T>(sums.largest);
  m.entropy.data()[row] = static_cast<T>(sums.entropy);
  m.entropyShare.data()[row] =
      static_cast<T>(visible > 1 ? sums.shareEntropy / logVisible : sums.shareEntropy * 0);
  m.effectiveKeys.data()[row] = static_cast<T>(visible == 0 ? 0 : sums.effectiveKeys);
  m.jacobianNorm.data()[row] = static_cast<T>(sums.jacobianNorm);
}

}  // namespace

template <class T>
void measureRows(const SceneOf<T>& scene, const KernelsOf<T>& kernels, const Visibility& visible,
                 bool headsAreFinite, const RowSums* sums, ResultsOf<T>& results) {
  const Shapes& s = results.shapes;
  resizeAll(results);
  const bool allFinite =
      (headsAreFinite || kernels.allFinite(results.headOut.data(), results.headOut.size())) &&
      (!scene.source.wo || kernels.allFinite(results.out.data(), results.out.size()));
  const bool seesAll = visible.hidesNothing();
  const bool rowByRow = sums || !allFinite || results.made.eigenvalues || !seesAll;
  if (!rowByRow) {
    std::fill_n(results.visibleKeys.data(), s.heads * s.queries, static_cast<std::int32_t>(s.keys));
    for (auto* flags : {&results.maskedRows, &results.nonFiniteRows, &results.saturatedRows})
      std::fill_n(flags->data(), s.heads * s.queries, std::uint8_t{0});
    return;
  }
  Index lastCount = 0;
  double logOfLastCount = 0;
  for (Index h = 0; h < s.heads; ++h)
    for (Index i = 0; i < s.queries; ++i) {
      const Index row = h * s.queries + i;
      const Index count = seesAll ? s.keys : visible.countOf(h, i);
      results.visibleKeys.data()[row] = static_cast<std::int32_t>(count);
      results.maskedRows.data()[row] = count == 0;
      bool finite = allFinite || (kernels.allFinite(results.headOut.row(h, i), s.valueWidth) &&
                                  kernels.allFinite(results.out.data() + i * s.outWidth, s.outWidth));
      bool saturated = false;
      if (sums) {
        if (count != lastCount) lastCount = count, logOfLastCount = std::log(static_cast<double>(count));
        measureRow(sums[row], row, count, logOfLastCount, results.measures);
        finite = finite && std::isfinite(sums[row].total);
        // With one key to look at, a weight of 1 is no sign of saturation.
        saturated = count > 1 && sums[row].largest >= scene.saturationThreshold;
      }
      results.nonFiniteRows.data()[row] = !finite;
      results.saturatedRows.data()[row] = saturated;
      if (results.made.eigenvalues)
        results.measures.jacobianEigenvalue.data()[row] =
            static_cast<T>(largestJacobianEigenvalue(scene.normaliser.kind, results.probs.row(h, i), s.keys));
    }
}

template void measureRows(const Scene&, const Kernels&, const Visibility&, bool, const RowSums*, Results&);
template void measureRows(const PreciseScene&, const KernelsOf<double>&, const Visibility&, bool,
                          const RowSums*, PreciseResults&);

}  // namespace attn
