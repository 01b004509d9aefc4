#include "core/seq2seq/adam.h"

#include <cmath>

namespace attn {

template <class T>
double normOf(Seq2seqParameters<T>& gradient) {
  double sum = 0;
  for (const auto& each : gradient.all()) sum += each.matrix->template cast<double>().squaredNorm();
  return std::sqrt(sum);
}

template <class T>
void Adam<T>::step(Seq2seqParameters<T>& parameters, Seq2seqParameters<T>& gradient, double factor) {
  constexpr double kBeta1 = 0.9, kBeta2 = 0.999;
  ++steps_;
  const T beta1 = static_cast<T>(kBeta1), beta2 = static_cast<T>(kBeta2), epsilon = static_cast<T>(1e-8);
  const T rate = static_cast<T>(rate_ / (1 - std::pow(kBeta1, steps_)));
  const T correction = static_cast<T>(1 / (1 - std::pow(kBeta2, steps_)));
  const auto values = parameters.all(), gradients = gradient.all(), means = mean_.all(),
             squares = square_.all();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto g = gradients[i].matrix->array() * static_cast<T>(factor);
    auto m = means[i].matrix->array(), v = squares[i].matrix->array();
    m = beta1 * m + (1 - beta1) * g;
    v = beta2 * v + (1 - beta2) * g.square();
    values[i].matrix->array() -= rate * m / ((v * correction).sqrt() + epsilon);
  }
}

template double normOf(Seq2seqParameters<float>&);
template double normOf(Seq2seqParameters<double>&);
template class Adam<float>;
template class Adam<double>;

}  // namespace attn
