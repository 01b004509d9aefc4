#include "core/edits/stories.h"

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

/// 0 at the start, 1 at the end.
double shareAt(const Story& story, double seconds) {
  const double turns = std::max(0.0, seconds) / story.seconds;
  if (story.repeat == Story::Repeat::once) return std::min(turns, 1.0);
  if (story.repeat == Story::Repeat::loop) return turns - std::floor(turns);
  const double there = std::fmod(turns, 2.0);
  return there <= 1 ? there : 2 - there;
}

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

void setTarget(Scene& scene, const StoryTarget& target, double value) {
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
  }
}

/// Another value that shows something.
double suggestedEnd(Kind kind, double now) {
  switch (kind) {
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
    case Kind::cell:
      break;
  }
  return now == 0 ? 4 : -now;
}

}  // namespace

double storyValue(const Story& story, double seconds) {
  const double share = shareAt(story, seconds);
  const bool isSmooth = story.easing == Story::Easing::smooth;
  return std::lerp(story.from, story.to, isSmooth ? share * share * (3 - 2 * share) : share);
}

double storyLength(const Story& story) {
  return story.repeat == Story::Repeat::backAndForth ? 2 * story.seconds : story.seconds;
}

Scene storyMoment(const Scene& scene, const Story& story, double value) {
  Scene moment = scene;
  changeChecked(moment, [&](Scene& changed) { setTarget(changed, story.target, value); });
  return moment;
}

double currentValue(const Scene& scene, const StoryTarget& target) {
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
      break;
  }
  return static_cast<double>(blockOf(scene, target.input, target.row, target.col, 1, 1)(0, 0));
}

Story suggestedStory(const Scene& scene, const StoryTarget& target) {
  Story story;
  story.target = target;
  const double now = currentValue(scene, target);
  story.from = std::isfinite(now) ? now : 0;
  story.to = suggestedEnd(target.kind, story.from);
  return story;
}

std::string targetText(const Scene& scene, const StoryTarget& target) {
  if (target.kind == Kind::cell)
    return inputText(scene, target.input) + " [" + std::to_string(target.row) + ", " +
           std::to_string(target.col) + "]";
  constexpr const char* kNames[] = {"temperature", "divisor", "gain of QK-norm", "cap", "logit", "threshold",
                                    "d_k",         "d_v"};
  return kNames[static_cast<std::size_t>(target.kind)];
}

}  // namespace attn
