#include "core/edits/stories.h"

#include <algorithm>
#include <cmath>

#include "core/edits/inputs.h"
#include "core/edits/rearrange.h"
#include "core/edits/story_numbers.h"

namespace attn {
namespace {

using Kind = StoryTarget::Kind;

/// 0 at the start, 1 at the end.
double shareAt(const Story& story, double seconds) {
  const double turns = std::max(0.0, seconds) / story.seconds;
  if (story.repeat == Story::Repeat::once) return std::min(turns, 1.0);
  if (story.repeat == Story::Repeat::loop) return turns - std::floor(turns);
  const double there = std::fmod(turns, 2.0);
  return there <= 1 ? there : 2 - there;
}

/// "length of the prefix"; a rule that has none is only counted.
std::string ruleName(const Scene& scene, std::size_t rule) {
  const MaskRule* found = rule < scene.masks.size() ? &scene.masks[rule] : nullptr;
  if (found && std::holds_alternative<PaddingLengthRule>(*found)) return "keys before the padding";
  if (found && std::holds_alternative<WindowRule>(*found)) return "width of the window";
  if (found && std::holds_alternative<PrefixRule>(*found)) return "length of the prefix";
  return "length of mask rule " + std::to_string(rule + 1);
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
  changeChecked(moment, [&](Scene& changed) { setStoryNumber(changed, story.target, value); });
  return moment;
}

Story suggestedStory(const Scene& scene, const StoryTarget& target) {
  Story story;
  story.target = target;
  const double now = storyNumber(scene, target);
  story.from = std::isfinite(now) ? now : 0;
  story.to = suggestedEnd(scene, target, story.from);
  return story;
}

bool isWhole(const StoryTarget& target) {
  return target.kind == Kind::keyWidth || target.kind == Kind::valueWidth ||
         target.kind == Kind::ruleLength || target.kind == Kind::seed;
}

std::string targetText(const Scene& scene, const StoryTarget& target, const PlaceWriting& writing) {
  const auto place = [&] {
    const std::string row = std::to_string(target.row + writing.first),
                      col = std::to_string(target.col + writing.first);
    return writing.columnsFirst ? " [" + col + ", " + row + "]" : " [" + row + ", " + col + "]";
  };
  const auto ofMatrix = [&](const char* what) { return what + inputText(scene, target.input); };
  switch (target.kind) {
    case Kind::cell:
      return inputText(scene, target.input) + place();
    case Kind::upstream:
      return (scene.upstream.kind == UpstreamOf<float>::Kind::target ? "target" : "dOut") + place();
    case Kind::slope:
      return "slope of head " + std::to_string(target.input.head + 1);
    case Kind::ruleLength:
      return ruleName(scene, target.rule);
    case Kind::mean:
      return ofMatrix("μ of ");
    case Kind::deviation:
      return ofMatrix("σ of ");
    case Kind::low:
      return ofMatrix("least of ");
    case Kind::high:
      return ofMatrix("largest of ");
    case Kind::seed:
      return ofMatrix("seed of ");
    case Kind::constant:
      return ofMatrix("every number of ");
    default:
      break;
  }
  constexpr const char* kNames[] = {"temperature", "divisor", "gain of QK-norm", "cap", "logit", "threshold",
                                    "d_k",         "d_v"};
  return kNames[static_cast<std::size_t>(target.kind)];
}

void removeStory(Scene& scene, std::size_t at) {
  if (at >= scene.stories.size()) return;
  scene.stories.erase(scene.stories.begin() + static_cast<std::ptrdiff_t>(at));
  for (Slide& slide : scene.slides) {
    if (slide.story == at) slide.story.reset();
    if (slide.story && *slide.story > at) --*slide.story;
  }
}

}  // namespace attn
