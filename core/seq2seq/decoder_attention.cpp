#include "core/seq2seq/decoder_attention.h"

#include <cmath>

#include "core/seq2seq/activation.h"

namespace attn {
namespace {

using Kind = DecoderAttention;

template <class T>
T scaleOf(const Seq2seqShape& shape) {
  return shape.attention == Kind::scaledDot ? 1 / std::sqrt(static_cast<T>(shape.hidden)) : T{1};
}

}  // namespace

template <class T>
template <class M>
auto DecoderAttentionPass<T>::ofString(M& states, Index string, Index steps) const {
  using Element = std::conditional_t<std::is_const_v<M>, const T, T>;
  return Block<Element>(states.data() + string * states.cols(), steps, states.cols(), batch_ * states.cols());
}

template <class T>
Block<T> DecoderAttentionPass<T>::weightsOf(StackOf<T>& stack, Index string) const {
  return {stack.head(string), targetSteps_, lengthOf(string), sourceSteps_};
}

template <class T>
const MatrixOf<T>& DecoderAttentionPass<T>::queries(const MatrixOf<T>& decoderStates) const {
  const bool projected = shape_.attention == Kind::general || shape_.attention == Kind::additive;
  return projected ? queries_ : decoderStates;
}

template <class T>
void DecoderAttentionPass<T>::setSource(const Seq2seqShape& shape, const Seq2seqParameters<T>& parameters,
                                        const MatrixOf<T>& encoderStates, const std::vector<Index>& lengths,
                                        Products<T>& products) {
  shape_ = shape, lengths_ = lengths, encoderStates_ = &encoderStates;
  batch_ = static_cast<Index>(lengths.size());
  sourceSteps_ = encoderStates.rows() / batch_;
  if (shape_.attention != Kind::additive) return;
  keys_.resize(encoderStates.rows(), shape_.hidden);
  products.times(encoderStates, parameters.key, keys_);
}

/// The scores of one string, where its weights will stand.
template <class T>
void DecoderAttentionPass<T>::scoreString(const Seq2seqParameters<T>& p, const MatrixOf<T>& q, Index string,
                                          Products<T>& products) {
  const Index hidden = shape_.hidden, length = lengthOf(string);
  if (shape_.attention != Kind::additive)
    return products.timesTransposed(ofString(q, string, targetSteps_),
                                    ofString(*encoderStates_, string, length), weightsOf(weights, string));
  for (Index t = 0; t < targetSteps_; ++t)
    for (Index s = 0; s < length; ++s) {
      const T *query = q.row(t * batch_ + string).data(), *key = keys_.row(s * batch_ + string).data();
      T score = 0;
      for (Index j = 0; j < hidden; ++j) score += p.score(0, j) * squash(query[j] + key[j]);
      weights.at(string, t, s) = score;
    }
}

/// Softmax of each row, and 0 behind the end of the string.
template <class T>
void DecoderAttentionPass<T>::normalise(Index string) {
  const Index length = lengthOf(string);
  const T scale = scaleOf<T>(shape_);
  for (Index t = 0; t < targetSteps_; ++t) {
    T* row = weights.row(string, t);
    const T largest = *std::max_element(row, row + length);
    T sum = 0;
    for (Index s = 0; s < length; ++s) sum += row[s] = std::exp((row[s] - largest) * scale);
    for (Index s = 0; s < length; ++s) row[s] /= sum;
    std::fill(row + length, row + sourceSteps_, T{});
  }
}

template <class T>
void DecoderAttentionPass<T>::forward(const Seq2seqParameters<T>& p, const MatrixOf<T>& decoderStates,
                                      Products<T>& products) {
  targetSteps_ = decoderStates.rows() / batch_;
  weights.resize(batch_, targetSteps_, sourceSteps_);
  context.resize(decoderStates.rows(), shape_.hidden);
  if (&queries(decoderStates) == &queries_) {
    queries_.resize(decoderStates.rows(), shape_.hidden);
    products.times(decoderStates, shape_.attention == Kind::general ? p.general : p.query, queries_);
  }
  for (Index b = 0; b < batch_; ++b) {
    scoreString(p, queries(decoderStates), b, products);
    normalise(b);
    const Block<T> w = weightsOf(weights, b);
    products.times({w.data, w.rows, w.cols, w.stride}, ofString(*encoderStates_, b, lengthOf(b)),
                   ofString(context, b, targetSteps_));
  }
}

/// From dScores to dQueries and dKeys, the latter added up.
template <class T>
void DecoderAttentionPass<T>::scoreBackward(const Seq2seqParameters<T>& p, const MatrixOf<T>& q, Index string,
                                            Products<T>& products, Seq2seqParameters<T>& gradient) {
  const Index hidden = shape_.hidden, length = lengthOf(string);
  const Block<T> written = weightsOf(dScores_, string);
  const Block<const T> d = {written.data, written.rows, written.cols, written.stride};
  if (shape_.attention != Kind::additive) {  // score = q·h
    products.times(d, ofString(*encoderStates_, string, length), ofString(dQueries_, string, targetSteps_));
    products.addTransposedTimes(d, ofString(q, string, targetSteps_), ofString(dKeys_, string, length));
    return;
  }
  for (Index t = 0; t < targetSteps_; ++t)
    for (Index s = 0; s < length; ++s) {  // score = Σ v·tanh(q + k)
      const Index queryRow = t * batch_ + string, keyRow = s * batch_ + string;
      const T *query = q.row(queryRow).data(), *key = keys_.row(keyRow).data();
      T *dQuery = dQueries_.row(queryRow).data(), *dKey = dKeys_.row(keyRow).data();
      const T dScore = dScores_.at(string, t, s);
      for (Index j = 0; j < hidden; ++j) {
        const T u = squash(query[j] + key[j]);
        gradient.score(0, j) += dScore * u;
        const T dSum = dScore * p.score(0, j) * (1 - u * u);
        dQuery[j] += dSum;
        dKey[j] += dSum;
      }
    }
}

template <class T>
void DecoderAttentionPass<T>::backward(const Seq2seqParameters<T>& p, const MatrixOf<T>& decoderStates,
                                       Products<T>& products, Seq2seqParameters<T>& gradient,
                                       MatrixOf<T>& dDecoderStates, MatrixOf<T>& dEncoderStates) {
  const T scale = scaleOf<T>(shape_);
  dScores_.resize(batch_, targetSteps_, sourceSteps_);
  dQueries_.setZero(decoderStates.rows(), shape_.hidden);
  dKeys_.setZero(encoderStates_->rows(), shape_.hidden);
  const MatrixOf<T>&upstream = dContext, &q = queries(decoderStates);
  for (Index b = 0; b < batch_; ++b) {
    // context = weights · encoder states
    const Index length = lengthOf(b);
    const Block<T> w = weightsOf(weights, b);
    products.timesTransposed(ofString(upstream, b, targetSteps_), ofString(*encoderStates_, b, length),
                             weightsOf(dScores_, b));
    products.addTransposedTimes({w.data, w.rows, w.cols, w.stride}, ofString(upstream, b, targetSteps_),
                                ofString(dEncoderStates, b, length));
    // weights = softmax(scale · score)
    for (Index t = 0; t < targetSteps_; ++t) {
      T *d = dScores_.row(b, t), sum = 0;
      const T* weight = weights.row(b, t);
      for (Index s = 0; s < length; ++s) sum += weight[s] * d[s];
      for (Index s = 0; s < length; ++s) d[s] = scale * weight[s] * (d[s] - sum);
    }
    scoreBackward(p, q, b, products, gradient);
  }
  switch (shape_.attention) {
    case Kind::general:  // q = s·W
      products.addTransposedTimes(decoderStates, dQueries_, gradient.general);
      products.timesTransposed(dQueries_, p.general, dDecoderStates, true);
      dEncoderStates += dKeys_;
      break;
    case Kind::additive:  // q = s·W_q, k = h·U_k
      products.addTransposedTimes(decoderStates, dQueries_, gradient.query);
      products.timesTransposed(dQueries_, p.query, dDecoderStates, true);
      products.addTransposedTimes(*encoderStates_, dKeys_, gradient.key);
      products.timesTransposed(dKeys_, p.key, dEncoderStates, true);
      break;
    default:
      dDecoderStates += dQueries_;
      dEncoderStates += dKeys_;
  }
}

template class DecoderAttentionPass<float>;
template class DecoderAttentionPass<double>;

}  // namespace attn
