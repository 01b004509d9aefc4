#include "app/cli/shot.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "app/application.h"
#include "app/files.h"
#include "app/lessons/lesson_answers.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_player.h"
#include "app/platform/window_offscreen.h"
#include "app/presenter/presenter.h"
#include "app/views/view.h"
#include "core/error.h"

namespace attn {
namespace {

constexpr int kLargestSide = 16384;
constexpr int kFrames = 4;  // sizes of windows that depend on their content settle within these

std::string checkSize(const std::string& text) {
  int width = 0, height = 0;
  char rest = 0;
  const bool isRead = std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) == 2;
  const bool isFit = width >= 1 && height >= 1 && width <= kLargestSide && height <= kLargestSide;
  return isRead && isFit ? "" : "found " + text + ", expected WIDTHxHEIGHT, each from 1 to 16384";
}

std::string checkTheme(const std::string& text) {
  const std::string word = CLI::detail::to_lower(text);
  return word == "light" || word == "dark" ? "" : "found " + text + ", expected light or dark";
}

/// The title of the panel with this name, whatever its case.
std::string panelNamed(const std::string& name) {
  std::string known;
  for (const View& view : allViews()) {
    if (CLI::detail::to_lower(view.title) == CLI::detail::to_lower(name)) return view.title;
    known += known.empty() ? view.title : std::string(", ") + view.title;
  }
  throw Error("--panel: found " + name + ", expected one of " + known);
}

void present(Application& app, const ShotOptions& options) {
  if (options.slide != 0 && !findSlide(app, options.slide))
    throw Error("--slide: found " + std::to_string(options.slide) + ", which the scene does not have");
  if (options.slide != 0)
    showSlide(app, options.slide);
  else if (options.isPresented)
    startPresenting(app);
  app.state().presenter.hidesValues |= options.hidesValues;
}

/// Whether what was given as a scene is a lesson.
bool isLesson(const ShotOptions& options) {
  return !options.scene.empty() && isLessonFile(options.scene);
}

void openLesson(Application& app, const ShotOptions& options) {
  const std::string& lesson = isLesson(options) ? options.scene : options.lesson;
  if (lesson.empty()) return;
  if (!openLesson(app, lesson, static_cast<std::size_t>(options.step - 1)))
    throw Error("--lesson: " + app.state().status);
  const std::size_t steps = app.state().lesson.open->lesson->steps.size();
  if (static_cast<std::size_t>(options.step) > steps)
    throw Error("--step: found " + std::to_string(options.step) + ", expected at most " +
                std::to_string(steps));
  if (options.isAnswered) revealAnswer(app.state().lesson, app.state().notation);
}

}  // namespace

Image drawShot(const ShotOptions& options) {
  Application app(options.scene.empty() || isLesson(options) ? defaultScene() : openScene(options.scene));
  app.state().appearance = {options.theme, options.scale};
  if (!options.panel.empty()) app.showOnly(panelNamed(options.panel));
  openLesson(app, options);
  present(app, options);
  app.settle();
  if (!app.evaluations().failure().empty()) throw Error(options.scene + ": " + app.evaluations().failure());
  OffscreenWindow window(app, options.width, options.height);
  for (int i = 0; i < kFrames; ++i) window.frame();
  return window.picture();
}

void takeShot(const ShotOptions& options) {
  writePng(drawShot(options), options.output);
}

void addShot(CLI::App& program) {
  CLI::App* verb = program.add_subcommand("shot", "Save a picture of the window, without any display");
  auto options = std::make_shared<ShotOptions>();
  auto size = std::make_shared<std::string>("1280x720");
  verb->add_option("SCENE", options->scene, "A scene file or an .npz archive; the first scene if left out");
  verb->add_option("-o,--output", options->output, "The PNG file to write")->required();
  verb->add_option("--size", *size, "Width and height in pixels")
      ->check(CLI::Validator(checkSize, "WxH"))
      ->capture_default_str();
  verb->add_option("--ui-scale", options->scale, "How large type and spacing are")
      ->check(CLI::Range(0.5, 8.0))
      ->capture_default_str();
  verb->add_option("--panel", options->panel, "Only this panel");
  verb->add_flag("--presenter", options->isPresented,
                 "As an audience sees it: large, in strong colours, no menus");
  verb->add_option("--slide", options->slide, "A slide of the scene, as an audience sees it")
      ->check(CLI::Range(1, Slide::kMost));
  verb->add_option("--lesson", options->lesson, "A lesson by its name (attnscope lessons), or a lesson file");
  verb->add_option("--step", options->step, "The step of the lesson, counted from 1")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb->add_flag("--answer", options->isAnswered, "With the answer to the step's question");
  verb->add_flag("--hide-values", options->hidesValues,
                 "While presented: question marks instead of computed numbers");
  const auto setTheme = [options](const std::string& word) {
    options->theme = CLI::detail::to_lower(word) == "dark" ? ThemeKind::dark : ThemeKind::light;
  };
  verb->add_option_function<std::string>("--theme", setTheme, "light or dark")
      ->check(CLI::Validator(checkTheme, "light|dark"));
  verb->callback([options, size] {
    std::sscanf(size->c_str(), "%dx%d", &options->width, &options->height);
    takeShot(*options);
  });
}

}  // namespace attn
