#include "core/measures/jacobian.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

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

/// The λ between u[1] and a = u[0] at which (a−λ)·(1 + κ Σ' u²/(λ−u)) = κa², where Σ' leaves a out. With
/// r = 1 − κa taken from the other weights, f(λ) = a·r − λ + (a−λ)·κ Σ' u²/(λ−u) says the same and keeps its
/// digits where a is nearly 1. f falls from +∞ to below 0; Newton's steps that leave the bracket are
/// replaced by halving it.
double secularRoot(const std::vector<double>& u, double coupling, double rest) {
  const double top = u[0];
  if (u.size() == 1) return top * rest;
  double low = u[1], high = top;
  double root = 0.5 * (low + high);
  for (int step = 0; step < 200 && high - low > 1e-15 * high; ++step) {
    double sum = 0, slope = 0;
    for (std::size_t j = 1; j < u.size(); ++j) {
      const double part = u[j] / (root - u[j]);
      sum += coupling * part * u[j];
      slope -= coupling * part * part;
    }
    const double f = top * rest - root + (top - root) * sum;
    (f > 0 ? low : high) = root;
    double next = root - f / ((top - root) * slope - sum - 1);
    // Digits double with each step of Newton's: after one of 1e-9, they are all there. Whether it leaves the
    // bracket then, by a last bit, does not matter.
    if (std::abs(next - root) <= 1e-9 * root) return next;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    root = next;
  }
  return root;
}

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
  u.erase(std::remove(u.begin(), u.end(), 0.0), u.end());
  double others = std::accumulate(u.begin() + 1, u.end(), 0.0);
  if (kind == Normaliser::Kind::sink)
    others = std::max(others, 1 - top);  // the sink's weight is not in the row
  return secularRoot(u, row.coupling, row.coupling * others);
}

template MatrixOf<double> jacobianOf(const Scene&, const Results&, Index, Index);
template MatrixOf<double> jacobianOf(const PreciseScene&, const PreciseResults&, Index, Index);
template double largestJacobianEigenvalue(Normaliser::Kind, const float*, Index);
template double largestJacobianEigenvalue(Normaliser::Kind, const double*, Index);

}  // namespace attn
