#pragma once
#include "core/seq2seq/parameters.h"

namespace attn {

/// √ of the sum of squares of everything.
template <class T>
double normOf(Seq2seqParameters<T>& gradient);

/// Adam with β₁ = 0.9, β₂ = 0.999, ε = 1e-8.
template <class T>
class Adam {
 public:
  Adam(const Seq2seqShape& shape, double rate) : rate_(rate), mean_(shape), square_(shape) {}

  /// One step against the gradient times `factor`.
  void step(Seq2seqParameters<T>& parameters, Seq2seqParameters<T>& gradient, double factor);

 private:
  double rate_;
  int steps_ = 0;
  Seq2seqParameters<T> mean_, square_;
};

}  // namespace attn
