#include "core/measures/jacobian.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/attention/normalise.h"

namespace attn {
namespace {

/// u and κ of a row, in double.
struct Jacobian {
  std::vector<double> u;
  double coupling = 0;

  template <class T>
  Jacobian(Normaliser::Kind kind, const T* weights, Index count) : u(weights, weights + count) {
    for (double& x : u) x = jacobianWeight(kind, x);
    coupling = jacobianCoupling(kind, u.data(), count);
  }
};

}  // namespace

template <class T>
MatrixOf<double> jacobianOf(const SceneOf<T>& scene, const ResultsOf<T>& results, Index head, Index query) {
  const Jacobian row(scene.normaliser.kind, results.probs.row(head, query), results.shapes.keys);
  const Eigen::Map<const Eigen::VectorXd> u(row.u.data(), results.shapes.keys);
  MatrixOf<double> jacobian = -row.coupling * u * u.transpose();
  jacobian.diagonal() += u;
  return jacobian;
}

template <class T>
double largestJacobianEigenvalue(Normaliser::Kind kind, const T* weights, Index count) {
  Jacobian row(kind, weights, count);
  std::vector<double>& u = row.u;
  if (std::any_of(u.begin(), u.end(), [](double x) { return std::isnan(x); })) return std::nan("");
  std::partial_sort(u.begin(), u.begin() + std::min<Index>(2, count), u.end(), std::greater<>());
  const double top = u[0], next = count > 1 ? u[1] : 0;
  if (row.coupling == 0 || top == next) return top;  // nothing couples, or two weights share the top
  // With a = top: κa²/(a−λ) = 1 + κ Σ' u²/(λ−u). The left side rises in λ and the right one falls, so
  // halving the bracket (next, top) finds the one crossing.
  double low = next, high = top;
  for (int step = 0; step < 200 && high - low > 1e-15 * high; ++step) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    double right = 1;
    for (std::size_t j = 1; j < u.size(); ++j) right += row.coupling * u[j] * u[j] / (middle - u[j]);
    (row.coupling * top * top / (top - middle) < right ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

template MatrixOf<double> jacobianOf(const Scene&, const Results&, Index, Index);
template MatrixOf<double> jacobianOf(const PreciseScene&, const PreciseResults&, Index, Index);
template double largestJacobianEigenvalue(Normaliser::Kind, const float*, Index);
template double largestJacobianEigenvalue(Normaliser::Kind, const double*, Index);

}  // namespace attn
