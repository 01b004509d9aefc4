#include "core/seq2seq/parameters.h"

#include <cmath>

#include "core/error.h"
#include "core/random.h"

namespace attn {
namespace {

void expectWithin(const char* what, Index found, Index least, Index most) {
  if (found < least || found > most)
    throw Error(std::string(what) + ": found " + std::to_string(found) + ", expected " +
                std::to_string(least) + " to " + std::to_string(most));
}

template <class T>
void shapeLstm(LstmParameters<T>& lstm, Index embedding, Index hidden) {
  lstm.input.setZero(embedding, 4 * hidden);
  lstm.hidden.setZero(hidden, 4 * hidden);
  lstm.bias.setZero(1, 4 * hidden);
}

}  // namespace

void check(const Seq2seqShape& shape) {
  expectWithin("letters", shape.letters, 1, 94);
  expectWithin("embedding", shape.embedding, 1, 1024);
  expectWithin("hidden", shape.hidden, 1, 1024);
}

template <class T>
Seq2seqParameters<T>::Seq2seqParameters(const Seq2seqShape& s) {
  sourceEmbedding.setZero(s.letters, s.embedding);
  targetEmbedding.setZero(s.symbols(), s.embedding);
  shapeLstm(encoder, s.embedding, s.hidden);
  shapeLstm(decoder, s.embedding, s.hidden);
  if (s.attention == DecoderAttention::general) general.setZero(s.hidden, s.hidden);
  if (s.attention == DecoderAttention::additive) {
    query.setZero(s.hidden, s.hidden);
    key.setZero(s.hidden, s.hidden);
    score.setZero(1, s.hidden);
  }
  if (s.attends()) {
    combineContext.setZero(s.hidden, s.hidden);
    combineState.setZero(s.hidden, s.hidden);
  }
  output.setZero(s.hidden, s.symbols());
  outputBias.setZero(1, s.symbols());
}

template <class T>
std::vector<typename Seq2seqParameters<T>::Named> Seq2seqParameters<T>::all() {
  std::vector<Named> named = {{"source_embedding", &sourceEmbedding},
                              {"target_embedding", &targetEmbedding},
                              {"encoder_input", &encoder.input},
                              {"encoder_hidden", &encoder.hidden},
                              {"encoder_bias", &encoder.bias},
                              {"decoder_input", &decoder.input},
                              {"decoder_hidden", &decoder.hidden},
                              {"decoder_bias", &decoder.bias},
                              {"attention_general", &general},
                              {"attention_query", &query},
                              {"attention_key", &key},
                              {"attention_score", &score},
                              {"combine_context", &combineContext},
                              {"combine_state", &combineState},
                              {"output", &output},
                              {"output_bias", &outputBias}};
  std::erase_if(named, [](const Named& each) { return each.matrix->size() == 0; });
  return named;
}

template <class T>
void Seq2seqParameters<T>::setZero() {
  for (const Named& each : all()) each.matrix->setZero();
}

template <class T>
Seq2seqParameters<T> initialParameters(const Seq2seqShape& shape, std::uint64_t seed) {
  Seq2seqParameters<T> parameters(shape);
  const Random random(seed);
  const T bound = 1 / std::sqrt(static_cast<T>(shape.hidden));
  std::uint64_t next = 0;
  for (const auto& each : parameters.all()) {
    const bool isEmbedding =
        each.matrix == &parameters.sourceEmbedding || each.matrix == &parameters.targetEmbedding;
    for (Index i = 0; i < each.matrix->size(); ++i, ++next)
      each.matrix->data()[i] = isEmbedding ? static_cast<T>(random.normal(next))
                                           : bound * (2 * static_cast<T>(random.uniform(next)) - 1);
  }
  // With a decoder that cannot tell letters apart at first, the largest weights end up on the anti-diagonal;
  // without, mostly one step off it.
  parameters.targetEmbedding.setZero();
  // An encoder that forgets at first has states that stand for the letter just read.
  parameters.encoder.bias.middleCols(shape.hidden, shape.hidden).array() -= 1;
  return parameters;
}

template struct Seq2seqParameters<float>;
template struct Seq2seqParameters<double>;
template Seq2seqParameters<float> initialParameters(const Seq2seqShape&, std::uint64_t);
template Seq2seqParameters<double> initialParameters(const Seq2seqShape&, std::uint64_t);

}  // namespace attn
