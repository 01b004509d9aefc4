#pragma once
#include <array>
#include <cstdint>

#include "core/matrix.h"

namespace attn {

/// Why scores are divided by √d_k: what is drawn, and how often.
struct ScalingLab {
  enum class Rule { none, sqrtKeyWidth, keyWidth, number };
  double mean = 0, deviation = 1;  // of the numbers of q and k
  Index keyWidth = 64;             // whose products the histogram shows: a power of two
  Index keys = 64, trials = 256;
  double number = 8;               // the divisor of the rule `number`
  Rule rule = Rule::sqrtKeyWidth;  // the one that is marked
  std::uint64_t seed = 1;

  bool operator==(const ScalingLab&) const = default;
};

/// Which query averages two values.
struct QueryLab {
  enum class Keys { orthonormal, drawn };
  Keys kind = Keys::orthonormal;
  Index keys = 6, width = 8;               // no more keys than dimensions
  Index first = 0, second = 1;             // i and j
  double alongFirst = 4, alongSecond = 4;  // q = a·k_i + b·k_j, of the means where keys are drawn
  double variance = 0.01;                  // ε of Σ = εI
  bool isStretched = false;                // one key has more variance along its mean
  Index stretched = 0;
  double stretch = 0.5;
  bool hasTwoHeads = false;  // one looks at i, the other at j; their outputs are averaged
  Index samples = 400;
  Index firstBasis = 2, secondBasis = 2;  // dimensions of the subspaces of v_i and v_j
  std::uint64_t seed = 1;

  bool operator==(const QueryLab&) const = default;
};

/// What attention costs.
struct CostLab {
  enum class Over { length, modelWidth };
  Index queries = 512, keys = 512, modelWidth = 256, heads = 4;
  Over over = Over::length;

  bool operator==(const CostLab&) const = default;
};

/// How far a node sees when each head looks at one place only.
struct ReceptiveLab {
  enum class Targets { drawn, scene };
  Targets targets = Targets::drawn;
  Index tokens = 12, layers = 3, heads = 2;
  Index node = 5;
  bool isCausal = false;
  std::uint64_t seed = 1;

  bool operator==(const ReceptiveLab&) const = default;
};

/// What layer norm keeps.
struct NormLab {
  Index batch = 4, width = 6;
  double gain = 1.5, shift = 0.5, epsilon = 0;
  Index row = 1, col = 2;  // the number that is changed
  double change = 0;       // by so much
  std::uint64_t seed = 1;

  bool operator==(const NormLab&) const = default;
};

/// Which masks which attention needs.
struct MaskLab {
  enum class Stack { encoder, decoder, encoderDecoder };
  enum class Module { encoderSelf, decoderSelf, cross };
  static constexpr std::size_t kSentences = 3;
  Stack stack = Stack::encoderDecoder;
  Module module = Module::cross;
  std::array<Index, kSentences> source = {5, 3, 2}, target = {3, 5, 4};  // words of each sentence
  Index sentence = 1;
  bool padsLeft = false;
  bool usesPadding = true;  // the key padding mask

  bool operator==(const MaskLab&) const = default;
};

/// What the labs are set to. A scene keeps it, so that it is undone and saved like everything else.
struct Labs {
  ScalingLab scaling;
  QueryLab query;
  CostLab cost;
  ReceptiveLab receptive;
  NormLab norm;
  MaskLab mask;

  bool operator==(const Labs&) const = default;
};

/// Throws Error with one line that names what does not fit: "labs.scaling.trials: 0, expected 1 to 1024".
void check(const Labs& labs);

}  // namespace attn
