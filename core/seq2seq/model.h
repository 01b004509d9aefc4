#pragma once
#include "core/seq2seq/decoder_attention.h"
#include "core/seq2seq/lstm.h"

namespace attn {

/// Strings of symbols, padded to the longest of them: (string, step). Targets end with the mark.
struct StringPairs {
  std::vector<std::vector<Index>> sources, targets;

  Index count() const { return static_cast<Index>(sources.size()); }
};

/// What a model answers to a string.
struct Decoded {
  std::vector<Index> symbols;  // the mark, where it came, is left out
  bool ended = false;          // whether the mark came
  Matrix weights;              // (symbols, length of the source); empty without attention
};

/// LSTM encoder → LSTM decoder → attention → s̃ = tanh(W_c[c; s]) → logits. Without attention, s̃ is s.
template <class T>
class Seq2seqModel {
 public:
  Seq2seqModel(const Seq2seqShape& shape, Seq2seqParameters<T> parameters, int threads = 1);

  const Seq2seqShape& shape() const { return shape_; }
  Seq2seqParameters<T>& parameters() { return parameters_; }
  Seq2seqParameters<T>& gradient() { return gradient_; }

  /// The mean cross-entropy of the targets' symbols, where the decoder reads the right symbol before each.
  double loss(const StringPairs& pairs);
  /// The gradient of the loss that was computed last.
  void backward();

  /// The decoder reads what it wrote itself, always the likeliest symbol, until the mark comes or for
  /// `most` steps.
  std::vector<Decoded> decode(const std::vector<std::vector<Index>>& sources, Index most);

 private:
  void encode(const std::vector<std::vector<Index>>& sources);
  /// From the decoder's states to the logits of all its steps.
  void answer();
  double crossEntropy(const StringPairs& pairs);
  void answerBackward();
  void embeddingBackward();

  Seq2seqShape shape_;
  Seq2seqParameters<T> parameters_, gradient_;
  Products<T> products_;
  Lstm<T> encoder_, decoder_;
  DecoderAttentionPass<T> attention_;
  MatrixOf<T> attentional_, dAttentional_;  // s̃
  MatrixOf<T> logits_, dLogits_;
  std::vector<Index> sourceSymbols_, targetSymbols_;  // read, a row each
};

}  // namespace attn
