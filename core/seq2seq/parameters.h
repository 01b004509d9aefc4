#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/matrix.h"

namespace attn {

/// How a decoder state q = s_t scores an encoder state k = h_s.
enum class DecoderAttention {
  none,       // the decoder sees nothing but the encoder's last state
  dot,        // qᵀk
  scaledDot,  // qᵀk / √hidden
  general,    // qᵀWk
  additive    // vᵀ tanh(W_q q + U_k k)
};

/// What fixes the shapes of all parameters. Symbols are numbered from 0; one more than the letters stands
/// for the end where the decoder writes, and for the start where it reads.
struct Seq2seqShape {
  DecoderAttention attention = DecoderAttention::dot;
  Index letters = 4, embedding = 16, hidden = 40;

  Index symbols() const { return letters + 1; }
  Index mark() const { return letters; }  // end and start
  bool attends() const { return attention != DecoderAttention::none; }
  bool operator==(const Seq2seqShape&) const = default;
};
/// Throws Error that names what was found and what was expected.
void check(const Seq2seqShape& shape);

/// Gates stand side by side as input, forget, candidate, output: 4·hidden columns.
template <class T>
struct LstmParameters {
  MatrixOf<T> input;   // (embedding, 4·hidden)
  MatrixOf<T> hidden;  // (hidden, 4·hidden)
  MatrixOf<T> bias;    // (1, 4·hidden)
};

/// Everything that is learned; also its gradient, and the moments of Adam. Rows multiply from the left: x·W.
template <class T>
struct Seq2seqParameters {
  MatrixOf<T> sourceEmbedding;  // (letters, embedding)
  MatrixOf<T> targetEmbedding;  // (symbols, embedding)
  LstmParameters<T> encoder, decoder;
  MatrixOf<T> general;                       // (hidden, hidden)
  MatrixOf<T> query, key;                    // of additive attention: (hidden, hidden)
  MatrixOf<T> score;                         // v of additive attention: (1, hidden)
  MatrixOf<T> combineContext, combineState;  // the halves of W_c: (hidden, hidden)
  MatrixOf<T> output;                        // (hidden, symbols)
  MatrixOf<T> outputBias;                    // (1, symbols)

  /// All zero.
  explicit Seq2seqParameters(const Seq2seqShape& shape);

  struct Named {
    const char* name;
    MatrixOf<T>* matrix;
  };
  /// Those that this kind of attention has, in a fixed order.
  std::vector<Named> all();
  void setZero();
};

/// Random values of a seed: letters the encoder reads are standard normal, those the decoder reads 0, all
/// others uniform within ±1/√hidden; the encoder's forget gates have 1 less.
template <class T>
Seq2seqParameters<T> initialParameters(const Seq2seqShape& shape, std::uint64_t seed);

}  // namespace attn
