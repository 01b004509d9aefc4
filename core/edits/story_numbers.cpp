#include "core/edits/story_numbers.h"

#include <algorithm>
#include <cmath>

#include "core/attention/scale.h"
#include "core/edits/dimensions.h"
#include "core/edits/inputs.h"
#include "core/edits/rearrange.h"
#include "core/error.h"
#include "core/fill.h"

namespace attn {
namespace {

using Kind = StoryTarget::Kind;

constexpr double kWidest = 4096;
constexpr double kLongest = 1e9;             // more than any scene has tokens
constexpr double kSeeds = 9007199254740992;  // up to here every whole number is a double

/// Filled matrices are drawn anew in their new shape; what was typed keeps its numbers and gets zeros.
void setWidth(Scene& scene, Dimension dimension, double wanted) {
  if (!(wanted >= 1 && wanted <= kWidest))
    throw Error(std::string(dimension == Dimension::key ? "d_k" : "d_v") + ": a story to " +
                std::to_string(std::lround(wanted)) + ", expected 1 to 4096");
  const auto width = static_cast<Index>(std::lround(wanted));
  const Index before = widthOf(scene, dimension);
  if (width == before) return;
  const SourceOf<float> old = scene.source;
  const bool isKey = dimension == Dimension::key;
  rearrange(scene, isKey ? Axis::keyWidth : Axis::valueWidth, resized(before, width));
  const auto redraw = [](InputOf<float>& input, const InputOf<float>& was) {
    input.fill = was.fill;
    refill(input);
  };
  SourceOf<float>& source = scene.source;
  const bool isGiven = source.kind == SourceOf<float>::Kind::given;
  for (std::size_t h = 0; isGiven && h < source.given.size(); ++h) {
    if (isKey) redraw(source.given[h].q, old.given[h].q), redraw(source.given[h].k, old.given[h].k);
    if (!isKey) redraw(source.given[h].v, old.given[h].v);
  }
  for (std::size_t h = 0; !isGiven && h < source.projected.size(); ++h) {
    if (isKey) redraw(source.projected[h].wq, old.projected[h].wq);
    if (isKey) redraw(source.projected[h].wk, old.projected[h].wk);
    if (!isKey) redraw(source.projected[h].wv, old.projected[h].wv);
  }
  if (!isKey && source.wo) redraw(*source.wo, *old.wo);
}

void expectHead(const Scene& scene, Index head) {
  const Index heads = shapesOf(scene).heads;
  if (head < 0 || head >= heads)
    throw Error("slope: of head " + std::to_string(head + 1) + ", expected one of " + std::to_string(heads));
}

void setSlope(Scene& scene, Index head, double value) {
  expectHead(scene, head);
  const Index heads = shapesOf(scene).heads;
  std::vector<double> slopes;
  for (Index h = 0; h < heads; ++h) slopes.push_back(h == head ? value : alibiSlope(scene.alibi, h, heads));
  scene.alibi = Alibi{slopes};
}

/// The length of a rule of this scene, or of a copy of it.
template <class AnyScene>
auto& lengthOf(AnyScene& scene, std::size_t rule) {
  if (rule >= scene.masks.size())
    throw Error("masks: rule " + std::to_string(rule + 1) + ", expected one of " +
                std::to_string(scene.masks.size()));
  auto& found = scene.masks[rule];
  if (auto* padding = std::get_if<PaddingLengthRule>(&found)) return padding->length;
  if (auto* window = std::get_if<WindowRule>(&found)) return window->width;
  if (auto* prefix = std::get_if<PrefixRule>(&found)) return prefix->length;
  throw Error("masks: rule " + std::to_string(rule + 1) +
              " has no length, expected padding from a key on, a window or a prefix");
}

const InputOf<float>& inputOf(const Scene& scene, const StoryTarget& target) {
  const InputOf<float>* input = findInput(scene, target.input);
  if (!input)
    throw Error(inputText(scene, target.input) + ": not in this scene, expected a matrix that it has");
  return *input;
}

/// The matrix's own fill where it has the number; else the one to begin with.
Fill fillOf(const Scene& scene, const StoryTarget& target) {
  const Fill fill = inputOf(scene, target).fill;
  const bool isOfInterval = target.kind == Kind::low || target.kind == Kind::high;
  const bool isOfSeed =
      target.kind == Kind::seed && fill.kind != Fill::Kind::typed && fill.kind != Fill::Kind::identity;
  const Fill::Kind wanted = isOfInterval ? Fill::Kind::uniform : Fill::Kind::normal;
  if (isOfSeed || fill.kind == wanted) return fill;
  return {.kind = wanted, .seed = nextSeed(scene)};
}

double fillNumber(const Fill& fill, Kind kind) {
  if (kind == Kind::mean) return fill.mean;
  if (kind == Kind::deviation) return fill.deviation;
  if (kind == Kind::low) return fill.low;
  return kind == Kind::high ? fill.high : static_cast<double>(fill.seed);
}

void setFill(Scene& scene, const StoryTarget& target, double value) {
  Fill fill = fillOf(scene, target);
  if (target.kind == Kind::mean) fill.mean = value;
  if (target.kind == Kind::deviation) fill.deviation = value;
  if (target.kind == Kind::low) fill.low = value;
  if (target.kind == Kind::high) fill.high = value;
  if (target.kind == Kind::seed)
    fill.seed = static_cast<std::uint64_t>(std::clamp(std::round(value), 0.0, kSeeds));
  fillInput(scene, target.input, fill);
}

template <class AnyScene>
auto& upstreamCell(AnyScene& scene, const StoryTarget& target) {
  auto& upstream = scene.upstream;
  using Upstream = UpstreamOf<float>::Kind;
  if (upstream.kind != Upstream::given && upstream.kind != Upstream::target)
    throw Error("upstream: no matrix in use, expected a given gradient or a target");
  if (target.row >= upstream.matrix.rows() || target.col >= upstream.matrix.cols())
    throw Error("upstream: " + shapeText(target.row, target.col) + ", expected a place inside " +
                shapeText(upstream.matrix.rows(), upstream.matrix.cols()));
  return upstream.matrix(target.row, target.col);
}

}  // namespace

void setStoryNumber(Scene& scene, const StoryTarget& target, double value) {
  switch (target.kind) {
    case Kind::temperature:
      scene.scale.temperature = value;
      return;
    case Kind::divisor:
      scene.scale.rule = Scale::Rule::number;
      scene.scale.number = value;
      return;
    case Kind::gain:
      scene.scale.qkNormGain = value;
      return;
    case Kind::cap:
      scene.cap = value;
      return;
    case Kind::logit:
      scene.normaliser.logit = value;
      return;
    case Kind::threshold:
      scene.saturationThreshold = value;
      return;
    case Kind::keyWidth:
      return setWidth(scene, Dimension::key, value);
    case Kind::valueWidth:
      return setWidth(scene, Dimension::value, value);
    case Kind::cell:
      return setCell(scene, target.input, target.row, target.col, static_cast<float>(value));
    case Kind::slope:
      return setSlope(scene, target.input.head, value);
    case Kind::ruleLength:
      lengthOf(scene, target.rule) = static_cast<Index>(std::llround(std::clamp(value, -1.0, kLongest)));
      return;
    case Kind::constant: {
      const Matrix& values = inputOf(scene, target).values;
      const Matrix block = Matrix::Constant(values.rows(), values.cols(), static_cast<float>(value));
      return setBlock(scene, target.input, 0, 0, block);
    }
    case Kind::upstream:
      upstreamCell(scene, target) = static_cast<float>(value);
      return;
    default:
      return setFill(scene, target, value);
  }
}

double storyNumber(const Scene& scene, const StoryTarget& target) {
  const Shapes shapes = shapesOf(scene);
  Scale plain = scene.scale;
  plain.temperature = 1;
  switch (target.kind) {
    case Kind::temperature:
      return scene.scale.temperature;
    case Kind::divisor:
      return plainDivisor(plain, shapes.keyWidth);
    case Kind::gain:
      return scene.scale.qkNormGain.value_or(1);
    case Kind::cap:
      return scene.cap.value_or(20);
    case Kind::logit:
      return scene.normaliser.logit;
    case Kind::threshold:
      return scene.saturationThreshold;
    case Kind::keyWidth:
      return static_cast<double>(shapes.keyWidth);
    case Kind::valueWidth:
      return static_cast<double>(shapes.valueWidth);
    case Kind::cell:
      return static_cast<double>(blockOf(scene, target.input, target.row, target.col, 1, 1)(0, 0));
    case Kind::slope:
      expectHead(scene, target.input.head);
      return alibiSlope(scene.alibi, target.input.head, shapes.heads);
    case Kind::ruleLength:
      return static_cast<double>(lengthOf(scene, target.rule));
    case Kind::constant:
      return static_cast<double>(inputOf(scene, target).values.mean());
    case Kind::upstream:
      return static_cast<double>(upstreamCell(scene, target));
    default:
      return fillNumber(fillOf(scene, target), target.kind);
  }
}

double suggestedEnd(const Scene& scene, const StoryTarget& target, double now) {
  constexpr double kDraws = 10;
  switch (target.kind) {
    case Kind::temperature:
    case Kind::divisor:
    case Kind::gain:
      return now * 8;
    case Kind::cap:
      return now / 10;
    case Kind::logit:
      return now + 4;
    case Kind::threshold:
      return now > 0.6 ? 0.5 : 0.99;
    case Kind::keyWidth:
    case Kind::valueWidth:
      return std::min(std::max(64.0, 4 * now), kWidest);
    case Kind::slope:
      return now == 0 ? 1 : now * 8;
    case Kind::ruleLength: {
      const auto most = static_cast<double>(shapesOf(scene).keys);
      return now < most ? most : 1;
    }
    case Kind::mean:
    case Kind::high:
      return now + 3;
    case Kind::deviation:
      return now == 0 ? 3 : now * 4;
    case Kind::low:
      return now - 3;
    case Kind::seed:
      return now + kDraws;
    default:
      return now == 0 ? 4 : -now;
  }
}

}  // namespace attn
