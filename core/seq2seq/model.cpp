#include "core/seq2seq/model.h"

#include <cmath>

#include "core/seq2seq/activation.h"

namespace attn {
namespace {

Index longestOf(const std::vector<std::vector<Index>>& strings) {
  std::size_t longest = 0;
  for (const auto& string : strings) longest = std::max(longest, string.size());
  return static_cast<Index>(longest);
}

/// The symbol of each row (step, string), 0 behind the end.
std::vector<Index> byStep(const std::vector<std::vector<Index>>& strings) {
  const std::size_t steps = static_cast<std::size_t>(longestOf(strings)), batch = strings.size();
  std::vector<Index> symbols(steps * batch, 0);
  for (std::size_t b = 0; b < batch; ++b)
    for (std::size_t t = 0; t < strings[b].size(); ++t) symbols[t * batch + b] = strings[b][t];
  return symbols;
}

template <class T>
void lookUp(const std::vector<Index>& symbols, const MatrixOf<T>& embedding, MatrixOf<T>& to) {
  for (std::size_t i = 0; i < symbols.size(); ++i) to.row(static_cast<Index>(i)) = embedding.row(symbols[i]);
}

}  // namespace

template <class T>
Seq2seqModel<T>::Seq2seqModel(const Seq2seqShape& shape, Seq2seqParameters<T> parameters, int threads)
    : shape_(shape), parameters_(std::move(parameters)), gradient_(shape), products_(threads) {}

template <class T>
void Seq2seqModel<T>::encode(const std::vector<std::vector<Index>>& sources) {
  encoder_.resize(static_cast<Index>(sources.size()), longestOf(sources), shape_.embedding, shape_.hidden);
  encoder_.lengths.clear();
  for (const auto& source : sources) encoder_.lengths.push_back(static_cast<Index>(source.size()));
  sourceSymbols_ = byStep(sources);
  lookUp(sourceSymbols_, parameters_.sourceEmbedding, encoder_.input);
  encoder_.forward(parameters_.encoder, products_);
  if (shape_.attends()) attention_.setSource(shape_, parameters_, encoder_.out, encoder_.lengths, products_);
}

template <class T>
void Seq2seqModel<T>::answer() {
  const MatrixOf<T>& states = decoder_.out;
  if (shape_.attends()) {
    attention_.forward(parameters_, states, products_);
    attentional_.resize(states.rows(), shape_.hidden);
    products_.times(attention_.context, parameters_.combineContext, attentional_);
    products_.times(states, parameters_.combineState, attentional_, true);
    attentional_ = attentional_.unaryExpr([](T x) { return squash(x); });
  }
  logits_.resize(states.rows(), shape_.symbols());
  logits_.rowwise() = parameters_.outputBias.row(0);
  products_.times(shape_.attends() ? attentional_ : states, parameters_.output, logits_, true);
}

/// Also makes dLogits: (softmax − right symbol) / count, 0 behind the end of a target.
template <class T>
double Seq2seqModel<T>::crossEntropy(const StringPairs& pairs) {
  Index count = 0;
  for (const auto& target : pairs.targets) count += static_cast<Index>(target.size());
  dLogits_.setZero(logits_.rows(), logits_.cols());
  double total = 0;
  for (Index b = 0; b < pairs.count(); ++b) {
    const std::vector<Index>& target = pairs.targets[static_cast<std::size_t>(b)];
    for (std::size_t t = 0; t < target.size(); ++t) {
      const Index row = static_cast<Index>(t) * pairs.count() + b;
      const T largest = logits_.row(row).maxCoeff();
      dLogits_.row(row) = (logits_.row(row).array() - largest).exp();
      const T sum = dLogits_.row(row).sum();
      total += static_cast<double>(std::log(sum) + largest - logits_(row, target[t]));
      dLogits_.row(row) /= sum;
      dLogits_(row, target[t]) -= 1;
    }
  }
  dLogits_ /= static_cast<T>(count);
  return total / static_cast<double>(count);
}

template <class T>
double Seq2seqModel<T>::loss(const StringPairs& pairs) {
  encode(pairs.sources);
  decoder_.resize(pairs.count(), longestOf(pairs.targets), shape_.embedding, shape_.hidden);
  std::vector<std::vector<Index>> read = pairs.targets;  // each symbol one step later, behind the mark
  for (auto& string : read) string.insert(string.begin(), shape_.mark()), string.pop_back();
  targetSymbols_ = byStep(read);
  lookUp(targetSymbols_, parameters_.targetEmbedding, decoder_.input);
  decoder_.firstHidden = encoder_.lastHidden();
  decoder_.firstCell = encoder_.lastCell();
  decoder_.forward(parameters_.decoder, products_);
  answer();
  return crossEntropy(pairs);
}

template <class T>
void Seq2seqModel<T>::answerBackward() {
  const MatrixOf<T>& states = decoder_.out;
  // logits = s̃·output + bias
  gradient_.outputBias += dLogits_.colwise().sum();
  products_.addTransposedTimes(shape_.attends() ? attentional_ : states, dLogits_, gradient_.output);
  if (!shape_.attends()) return products_.timesTransposed(dLogits_, parameters_.output, decoder_.dOut);
  dAttentional_.resize(attentional_.rows(), attentional_.cols());
  products_.timesTransposed(dLogits_, parameters_.output, dAttentional_);
  // s̃ = tanh(c·combineContext + s·combineState)
  dAttentional_.array() *= 1 - attentional_.array().square();
  products_.addTransposedTimes(attention_.context, dAttentional_, gradient_.combineContext);
  products_.addTransposedTimes(states, dAttentional_, gradient_.combineState);
  attention_.dContext.resize(states.rows(), shape_.hidden);
  products_.timesTransposed(dAttentional_, parameters_.combineContext, attention_.dContext);
  products_.timesTransposed(dAttentional_, parameters_.combineState, decoder_.dOut);
  attention_.backward(parameters_, states, products_, gradient_, decoder_.dOut, encoder_.dOut);
}

template <class T>
void Seq2seqModel<T>::embeddingBackward() {
  for (std::size_t i = 0; i < sourceSymbols_.size(); ++i)
    gradient_.sourceEmbedding.row(sourceSymbols_[i]) += encoder_.dInput.row(static_cast<Index>(i));
  for (std::size_t i = 0; i < targetSymbols_.size(); ++i)
    gradient_.targetEmbedding.row(targetSymbols_[i]) += decoder_.dInput.row(static_cast<Index>(i));
}

template <class T>
void Seq2seqModel<T>::backward() {
  gradient_.setZero();
  answerBackward();
  decoder_.backward(parameters_.decoder, products_, gradient_.decoder);
  encoder_.dHidden = decoder_.dHidden;
  encoder_.dCell = decoder_.dCell;
  encoder_.backward(parameters_.encoder, products_, gradient_.encoder);
  embeddingBackward();
}

template <class T>
std::vector<Decoded> Seq2seqModel<T>::decode(const std::vector<std::vector<Index>>& sources, Index most) {
  encode(sources);
  const Index batch = static_cast<Index>(sources.size());
  std::vector<Decoded> decoded(sources.size());
  std::vector<Index> read(sources.size(), shape_.mark());
  MatrixOf<T> hidden = encoder_.lastHidden(), cell = encoder_.lastCell();
  if (shape_.attends())
    for (std::size_t b = 0; b < sources.size(); ++b)
      decoded[b].weights.setZero(most, static_cast<Index>(sources[b].size()));
  Index open = batch;
  for (Index t = 0; t < most && open > 0; ++t) {
    decoder_.resize(batch, 1, shape_.embedding, shape_.hidden);
    decoder_.firstHidden = hidden, decoder_.firstCell = cell;
    lookUp(read, parameters_.targetEmbedding, decoder_.input);
    decoder_.forward(parameters_.decoder, products_);
    hidden = decoder_.out, cell = decoder_.cell;
    answer();
    for (Index b = 0; b < batch; ++b) {
      Decoded& each = decoded[static_cast<std::size_t>(b)];
      if (each.ended) continue;
      Index& symbol = read[static_cast<std::size_t>(b)];
      logits_.row(b).maxCoeff(&symbol);
      if (symbol == shape_.mark()) {
        each.ended = true, --open;
        continue;
      }
      each.symbols.push_back(symbol);
      for (Index s = 0; s < each.weights.cols(); ++s)
        each.weights(t, s) = static_cast<float>(attention_.weights.at(b, 0, s));
    }
  }
  for (Decoded& each : decoded)
    if (shape_.attends())
      each.weights.conservativeResize(static_cast<Index>(each.symbols.size()), Eigen::NoChange);
  return decoded;
}

template class Seq2seqModel<float>;
template class Seq2seqModel<double>;

}  // namespace attn
