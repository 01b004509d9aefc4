#include <filesystem>

#include "app/application.h"
#include "app/files/example_scenes.h"
#include "app/help/tooltips.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_player.h"
#include "app/palette/palette.h"
#include "app/presenter/presenter.h"
#include "app/views/story_bar.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

/// What a command means, else that it is on.
std::string detailOf(const Command& command, const Application& app) {
  const bool isOn = command.isChecked && command.isChecked(app);
  return (isOn ? "✓ " : "") + std::string(tooltipFor(std::string("//") + command.title));
}

void addCommands(const Application& app, std::vector<PaletteEntry>& entries) {
  for (const Command& command : app.commands()) {
    if (command.run == togglePalette) continue;
    const bool isReady = isEnabled(command, app);
    entries.push_back({command.menu, command.title, detailOf(command, app), shortcutText(command.shortcut),
                       isReady, command.isEnabled.otherwise, command.run});
  }
}

void addRecentScenes(const Application& app, std::vector<PaletteEntry>& entries) {
  for (const std::string& file : app.documents().recent()) {
    const std::filesystem::path path(file);
    entries.push_back({"Recent scene", path.filename().string(), path.parent_path().string(), "", true, "",
                       [path](Application& a) { a.documents().open(path); }});
  }
}

void addExamples(const Application&, std::vector<PaletteEntry>& entries) {
  for (const ExampleScene& example : exampleScenes())
    entries.push_back({"Example", example.title, "", "", true, "",
                       [&example](Application& a) { a.documents().startWith(openExample(example)); }});
}

void goToPanel(Application& app, const char* title) {
  app.state().layout.bringToFront(title);
  app.state().panels.focused = app.state().panels.toFocus = title;
  keyboardTakesOver();
}

void addPanels(const Application& app, std::vector<PaletteEntry>& entries) {
  for (const View& view : allViews()) {
    if (view.isLab) continue;  // its command opens it
    const bool isHidden = app.state().layout.isHidden(view.title);
    entries.push_back({"Panel", view.title, isHidden ? "hidden" : "", "", true, "",
                       [title = view.title](Application& a) { goToPanel(a, title); }});
  }
}

void addSlides(const Application& app, std::vector<PaletteEntry>& entries) {
  for (int number = 1; number <= Slide::kMost; ++number) {
    const std::string name = std::to_string(number);
    entries.push_back({"Slide", "Save as slide " + name, "", "Ctrl+" + name, true, "",
                       [number](Application& a) { saveSlide(a, number); }});
    if (!findSlide(app, number)) continue;
    entries.push_back({"Slide", "Show slide " + name, "", "Alt+" + name, true, "",
                       [number](Application& a) { showSlide(a, number); }});
    entries.push_back({"Slide", "Remove slide " + name, "", "Ctrl+Shift+" + name, true, "",
                       [number](Application& a) { removeSlide(a, number); }});
  }
}

void playStory(Application& app, std::size_t story) {
  StoryState& state = app.state().story;
  stopStory(state);
  state.chosen = story;
  togglePlaying(app.editor(), state);
}

void addStories(const Application& app, std::vector<PaletteEntry>& entries) {
  const Scene& scene = *app.editor().kept();
  for (std::size_t i = 0; i < scene.stories.size(); ++i)
    entries.push_back({"Story", "Play: " + storyTitle(scene, scene.stories[i], app.state().notation), "", "",
                       true, "", [i](Application& a) { playStory(a, i); }});
}

void addLessons(const Application& app, std::vector<PaletteEntry>& entries) {
  const LessonState& state = app.state().lesson;
  const std::shared_ptr<const LessonLibrary> library = readLibrary(state.folder, state.library);
  for (const LessonEntry& entry : library->entries) {
    if (!entry.lesson) continue;
    const std::string place = entry.lesson->sheet + " " + entry.lesson->exercise;
    entries.push_back({"Lesson", entry.lesson->title, place + " · " + entry.lesson->about, "", true, "",
                       [key = entry.key](Application& a) { openLesson(a, key); }});
  }
}

constexpr PaletteProvider kProviders[] = {addRecentScenes, addCommands, addPanels, addExamples,
                                          addLessons,      addSlides,   addStories};

}  // namespace

std::span<const PaletteProvider> paletteProviders() {
  return kProviders;
}

}  // namespace attn
