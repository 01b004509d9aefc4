#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/labs/parameters.h"
#include "core/matrix.h"
#include "core/slide.h"
#include "core/story.h"

namespace attn {

/// How a matrix got its numbers. Kept beside them, so that a scene replays its random fills.
struct Fill {
  enum class Kind { typed, normal, uniform, orthonormal, identity };
  Kind kind = Kind::typed;
  double mean = 0, deviation = 1;  // normal
  double low = -1, high = 1;       // uniform
  std::uint64_t seed = 1;          // normal, uniform, orthonormal

  bool operator==(const Fill&) const = default;
};

template <class T>
struct InputOf {
  MatrixOf<T> values;
  Fill fill;
};

/// One head whose Q, K and V are typed in directly.
template <class T>
struct GivenHeadOf {
  InputOf<T> q;  // queries × keyWidth
  InputOf<T> k;  // keys × keyWidth
  InputOf<T> v;  // keys × valueWidth
};

/// One head that projects X (queries) and X or the other sequence (keys and values).
template <class T>
struct ProjectedHeadOf {
  InputOf<T> wq;  // modelWidth × keyWidth
  InputOf<T> wk;  // otherWidth × keyWidth
  InputOf<T> wv;  // otherWidth × valueWidth
};

/// What makes keys and values of a sequence, for one head.
template <class T>
struct KeyProjectionsOf {
  InputOf<T> wk;  // width of the sequence × keyWidth
  InputOf<T> wv;  // width of the sequence × valueWidth
};

/// The key side that is not in use: that of cross-attention while X attends to itself, that of
/// self-attention while X attends to another sequence.
template <class T>
struct ParkedKeysOf {
  std::optional<InputOf<T>> other;  // the other sequence; none: self-attention is parked
  std::vector<std::string> labels;  // of the other sequence; empty: numbered
  std::vector<KeyProjectionsOf<T>> heads;
};

/// Where Q, K and V come from. Both kinds are kept, so that switching loses nothing.
template <class T>
struct SourceOf {
  enum class Kind { given, projected };
  Kind kind = Kind::given;
  std::vector<GivenHeadOf<T>> given;
  InputOf<T> x;                     // queries × modelWidth
  std::optional<InputOf<T>> other;  // keys × otherWidth: cross-attention
  std::vector<ProjectedHeadOf<T>> projected;
  std::optional<InputOf<T>> wo;  // heads·valueWidth × outWidth
  std::optional<ParkedKeysOf<T>> parked;
};

/// What the scores are divided by: rule × temperature. With a QK-norm gain g, q and k are first
/// brought to length 1, so that g·cos(q, k) takes the place of q·k.
struct Scale {
  enum class Rule { none, sqrtKeyWidth, keyWidth, number };
  Rule rule = Rule::sqrtKeyWidth;
  double number = 1;
  double temperature = 1;
  std::optional<double> qkNormGain = std::nullopt;
};

/// ALiBi: m_h·|i−j| is subtracted. No slopes stands for m_h = 2^(−8h/H), h = 1…H.
struct Alibi {
  std::vector<double> slopes;
};

/// Where the diagonal of a causal mask lies when there are more keys than queries, or fewer:
/// topLeft: query i sees keys j ≤ i; bottomRight: the last query sees the last key.
enum class Alignment { topLeft, bottomRight };

struct CausalRule {
  Alignment alignment = Alignment::topLeft;
};
struct PaddingLengthRule {
  Index length = 0;
};  // keys from `length` on are padding
struct PaddingFlagsRule {
  std::vector<bool> isPadding;
};  // one flag a key
struct WindowRule {
  Index width = 1;
};                   // |i−j| < width
struct PrefixRule {  // keys before `length`, the rest causally
  Index length = 0;
  Alignment alignment = Alignment::topLeft;
};
struct DocumentsRule {
  std::vector<int> ofQuery, ofKey;
};  // pairs of the same document
struct PaintedRule {
  std::vector<Bytes> mayAttend;
};  // one matrix for all heads, or one a head

using MaskRule = std::variant<CausalRule, PaddingLengthRule, PaddingFlagsRule, WindowRule, PrefixRule,
                              DocumentsRule, PaintedRule>;

/// How a row of scores becomes a row of weights.
struct Normaliser {
  enum class Kind { softmax, sink, sparsemax, entmax15, sigmoid };
  Kind kind = Kind::softmax;
  double logit = 0;  // sink: the score of the key that is not there; sigmoid: added to every score
};

/// The gradient that flows into the output.
template <class T>
struct UpstreamOf {
  enum class Kind { ones, cell, given, target };
  Kind kind = Kind::ones;
  Index row = 0, col = 0;  // cell: that output only
  MatrixOf<T> matrix;      // given: dOut itself; target: dOut = out − matrix (of ½‖out − matrix‖²)
};

/// Everything that a person can change, nothing that is computed. Rows are tokens.
template <class T>
struct SceneOf {
  std::string title;
  std::vector<std::string> queryLabels, keyLabels;  // empty: numbered
  SourceOf<T> source;
  Scale scale;
  std::optional<double> cap;  // c·tanh(s/c)
  std::optional<Alibi> alibi;
  std::vector<InputOf<T>> bias;  // none, one for all heads, or one a head: queries × keys
  std::vector<MaskRule> masks;   // all must allow a pair
  Normaliser normaliser;
  UpstreamOf<T> upstream;
  double saturationThreshold = 0.99;  // a row whose largest weight reaches it counts as saturated
  std::vector<Slide> slides;          // for an audience; nothing is computed of them
  std::vector<Story> stories;         // to be played; they change no number
  Labs labs;                          // experiments beside it; they change no number either
};
using Scene = SceneOf<float>;
using PreciseScene = SceneOf<double>;

/// More would be a mistake, or a file that means harm.
constexpr Index kMostHeads = 65536;

struct Shapes {
  Index heads = 0, queries = 0, keys = 0;
  Index keyWidth = 0, valueWidth = 0;
  Index modelWidth = 0, otherWidth = 0;  // 0 where Q, K and V are given
  Index outWidth = 0;

  bool operator==(const Shapes&) const = default;
};

/// The shapes of a scene that `check` has passed.
template <class T>
Shapes shapesOf(const SceneOf<T>& scene);

/// Throws Error with one line that names what does not fit.
template <class T>
void check(const SceneOf<T>& scene);

/// Throws Error where a number does not fit a float.
Scene narrow(const PreciseScene& scene);

/// The slope of a head: the scene's own, or 2^(−8h/H) for h = 1…H; 0 without ALiBi.
double alibiSlope(const std::optional<Alibi>& alibi, Index head, Index heads);

/// The bias of a head, null where there is none.
template <class T>
const MatrixOf<T>* biasOf(const SceneOf<T>& scene, Index head) {
  if (scene.bias.empty()) return nullptr;
  return &scene.bias[scene.bias.size() == 1 ? 0 : static_cast<std::size_t>(head)].values;
}

/// The label of a token: its own, or where that is empty, the letter and its number: "q3".
std::string tokenLabel(const std::vector<std::string>& labels, char letter, Index token);

/// "(3, 4)"
std::string shapeText(Index rows, Index cols);

}  // namespace attn
