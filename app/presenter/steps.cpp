#include <algorithm>

#include "app/application.h"
#include "app/lessons/lesson_player.h"
#include "app/presenter/presenter.h"
#include "app/views/explain.h"

namespace attn {
namespace {

/// The next slide that there is. Where none was shown yet, forward begins with the first.
bool stepSlides(Application& app, int by) {
  const std::vector<Slide>& slides = app.editor().scene().slides;
  const int here = app.state().presenter.slide.value_or(by > 0 ? 0 : Slide::kMost + 1);
  const auto isBeyond = [&](const Slide& slide) {
    return by > 0 ? slide.number > here : slide.number < here;
  };
  if (by > 0) {
    const auto next = std::find_if(slides.begin(), slides.end(), isBeyond);
    if (next != slides.end()) return showSlide(app, next->number), true;
  } else {
    const auto next = std::find_if(slides.rbegin(), slides.rend(), isBeyond);
    if (next != slides.rend()) return showSlide(app, next->number), true;
  }
  return false;
}

/// The derivation, while an audience sees it.
bool stepDerivation(Application& app, int by) {
  const std::vector<std::string> seen = panelsInSight(app.state().layout);
  if (std::find(seen.begin(), seen.end(), "Explain") == seen.end()) return false;
  return by > 0 ? stepForward(app.state()) : stepBack(app.state());
}

/// A slide's story: forward plays it once, back brings the present scene again.
bool stepStory(Application& app, int by) {
  StoryState& story = app.state().story;
  const Slide* slide = app.state().presenter.slide ? findSlide(app, *app.state().presenter.slide) : nullptr;
  const bool isOfSlide = slide && slide->story == story.chosen && story.isOpen;
  if (!isOfSlide || story.isShown == (by > 0)) return false;
  by > 0 ? togglePlaying(app.editor(), story) : stopStory(story);
  return true;
}

constexpr StepFunction kSteps[] = {stepLesson, stepDerivation, stepStory, stepSlides};

}  // namespace

std::span<const StepFunction> steps() {
  return kSteps;
}

void takeStep(Application& app, int by) {
  app.state().presenter.isBlack = false;
  for (const StepFunction step : steps())
    if (step(app, by)) return;
}

}  // namespace attn
