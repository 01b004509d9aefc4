#pragma once
#include <vector>

#include "core/seq2seq/parameters.h"
#include "core/seq2seq/products.h"

namespace attn {

/// Attention of decoder states over encoder states, of a batch, for all steps at once. Rows of states are
/// (step, string). What stands behind the end of a source string gets no weight.
template <class T>
class DecoderAttentionPass {
 public:
  StackOf<T> weights;    // (strings, target steps, source steps)
  MatrixOf<T> context;   // Σ weight · encoder state, a row a decoder state
  MatrixOf<T> dContext;  // to be filled before backward()

  /// The encoder states must live until the last backward().
  void setSource(const Seq2seqShape& shape, const Seq2seqParameters<T>& parameters,
                 const MatrixOf<T>& encoderStates, const std::vector<Index>& lengths, Products<T>& products);
  void forward(const Seq2seqParameters<T>& parameters, const MatrixOf<T>& decoderStates,
               Products<T>& products);
  /// Adds to `gradient`, dDecoderStates and dEncoderStates.
  void backward(const Seq2seqParameters<T>& parameters, const MatrixOf<T>& decoderStates,
                Products<T>& products, Seq2seqParameters<T>& gradient, MatrixOf<T>& dDecoderStates,
                MatrixOf<T>& dEncoderStates);

 private:
  Index lengthOf(Index string) const { return lengths_[static_cast<std::size_t>(string)]; }
  /// The rows of one string in a matrix of (step, string) rows.
  template <class M>
  auto ofString(M& states, Index string, Index steps) const;
  Block<T> weightsOf(StackOf<T>& stack, Index string) const;
  const MatrixOf<T>& queries(const MatrixOf<T>& decoderStates) const;
  void scoreString(const Seq2seqParameters<T>& parameters, const MatrixOf<T>& queries, Index string,
                   Products<T>& products);
  void normalise(Index string);
  void scoreBackward(const Seq2seqParameters<T>& parameters, const MatrixOf<T>& queries, Index string,
                     Products<T>& products, Seq2seqParameters<T>& gradient);

  Seq2seqShape shape_;
  Index batch_ = 0, sourceSteps_ = 0, targetSteps_ = 0;
  std::vector<Index> lengths_;
  const MatrixOf<T>* encoderStates_ = nullptr;
  MatrixOf<T> queries_, keys_;  // where they are not the states themselves
  MatrixOf<T> dQueries_, dKeys_;
  StackOf<T> dScores_;
};

}  // namespace attn
