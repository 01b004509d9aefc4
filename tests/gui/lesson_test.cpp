#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "app/files/example_scenes.h"
#include "app/lessons/lesson_answers.h"
#include "app/lessons/lesson_layout.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_player.h"
#include "app/presenter/hidden_values.h"
#include "app/presenter/presenter.h"
#include "app/session_keeper.h"
#include "core/same_scene.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

constexpr auto kCtrl = ImGuiMod_Ctrl;
const std::string kFirst = "000-1-dot-product";

std::vector<std::string> seen(const GuiDriver& gui) {
  return panelsInSight(const_cast<GuiDriver&>(gui).state().layout);
}

bool isSeen(const GuiDriver& gui, const std::string& panel) {
  const std::vector<std::string> panels = seen(gui);
  return std::find(panels.begin(), panels.end(), panel) != panels.end();
}

OpenLesson& opened(GuiDriver& gui) {
  return *gui.state().lesson.open;
}

void start(GuiDriver& gui, const std::string& key = kFirst, std::size_t step = 0) {
  ASSERT_TRUE(openLesson(gui.app(), key, step)) << gui.state().status;
  gui.app().settle();
  gui.frames(3);
}

void typeNumber(GuiDriver& gui, int field, const std::string& text) {
  gui.click("Lesson/number " + std::to_string(field));
  gui.press(kCtrl | ImGuiKey_A);
  gui.type(text);
}

TEST(Lesson, ANewcomerFindsAndFinishesTheFirstOne) {
  GuiDriver gui;
  gui.menu("Lessons", "Show lessons");
  gui.frames(3);
  gui.click("Lesson/begin");
  gui.frames(3);
  ASSERT_TRUE(gui.state().lesson.open);
  EXPECT_EQ(opened(gui).key, kFirst);
  gui.click("Lesson/Next");
  gui.frames(2);
  EXPECT_EQ(opened(gui).step, 1u);
  gui.press(kCtrl | ImGuiKey_Enter);
  ASSERT_TRUE(opened(gui).presentWork().verdict);
  EXPECT_EQ(opened(gui).presentWork().verdict->says, "Type a number into each field.");
  for (const auto& [field, text] : {std::pair(1, "4,6188"), {2, "3.4641"}, {3, "0.57735"}})
    typeNumber(gui, field, text);
  gui.press(ImGuiKey_Enter);
  ASSERT_TRUE(opened(gui).presentWork().verdict);
  EXPECT_NE(opened(gui).presentWork().verdict->says.find("divided by"), std::string::npos);
  for (const auto& [field, text] : {std::pair(1, "16/2"), {2, "6"}, {3, "1"}}) typeNumber(gui, field, text);
  gui.click("Lesson/Check");
  EXPECT_TRUE(opened(gui).presentWork().isSolved);
}

TEST(Lesson, NumbersAreReadAsPeopleWriteThem) {
  EXPECT_EQ(typedNumber("2,5"), 2.5);
  EXPECT_EQ(typedNumber(" −3 "), -3);
  EXPECT_EQ(typedNumber("1/4"), 0.25);
  EXPECT_EQ(typedNumber("1e-5"), 1e-5);
  for (const char* text : {"", "abc", "1/0", "1 or 2", "nan", "inf", "1/2/3"})
    EXPECT_FALSE(typedNumber(text)) << text;
}

TEST(Lesson, HintsComeOneByOneAndARevealedAnswerDoesNotCount) {
  GuiDriver gui;
  start(gui, kFirst, 2);
  gui.click("Lesson/hint");
  EXPECT_EQ(opened(gui).presentWork().hints, 1u);
  gui.click("Lesson/hint");
  gui.frames(2);
  EXPECT_EQ(opened(gui).presentWork().hints, 2u);
  EXPECT_FALSE(gui.has("Lesson/hint"));
  gui.click("Lesson/Show the answer");
  gui.frames(2);
  EXPECT_EQ(opened(gui).presentWork().typed[0], "0.88");
  gui.click("Lesson/Check");
  EXPECT_TRUE(opened(gui).presentWork().verdict->right);
  EXPECT_TRUE(gui.state().lesson.solved.empty());
}

TEST(Lesson, ACellIsAnsweredByAClickInTheMap) {
  GuiDriver gui;
  start(gui, "003-1a-a-distribution", 1);
  const ItemRect map = gui.rect("Weights/map");
  gui.clickAt({map.min.x + 0.1f * map.size().x, map.centre().y});
  gui.frames(2);
  EXPECT_EQ(opened(gui).presentWork().typed, (std::vector<std::string>{"0", "0"}));
  gui.click("Lesson/Check");
  EXPECT_FALSE(opened(gui).presentWork().verdict->right);
  gui.clickAt({map.max.x - 0.1f * map.size().x, map.centre().y});
  gui.frames(2);
  EXPECT_EQ(opened(gui).presentWork().typed, (std::vector<std::string>{"0", "3"}));
  gui.click("Lesson/Check");
  EXPECT_TRUE(opened(gui).presentWork().verdict->right);
}

TEST(Lesson, AMaskIsPaintedWithTheMouse) {
  GuiDriver gui;
  start(gui, "000-2d-the-mask", 3);
  gui.click("Lesson/Check");
  EXPECT_FALSE(opened(gui).presentWork().verdict->right);
  runCommand(gui.app(), "mask.causal");
  gui.frames(2);
  gui.click("Lesson/Check");
  EXPECT_TRUE(opened(gui).presentWork().verdict->right) << opened(gui).presentWork().verdict->says;
}

TEST(Lesson, OpeningIsOneUndoStepAndTheOwnSceneComesBack) {
  GuiDriver gui;
  gui.app().editor().change([](Scene& scene) { scene.scale.temperature = 3; });
  gui.frames(2);
  gui.app().editor().endGesture();
  const SharedScene own = gui.app().editor().shared();
  const Layout layout = gui.state().layout;
  const std::size_t steps = gui.app().editor().steps();
  EXPECT_TRUE(gui.app().documents().isModified());
  start(gui);
  EXPECT_EQ(gui.app().editor().steps(), steps + 1);
  EXPECT_FALSE(gui.app().documents().isModified());  // what is seen is nobody's
  EXPECT_TRUE(gui.app().documents().isOwnModified());
  EXPECT_EQ(gui.app().documents().ownScene(), own);
  runCommand(gui.app(), "lesson.leave");
  gui.frames(2);
  EXPECT_TRUE(sameScene(gui.scene(), *own));
  EXPECT_TRUE(gui.app().documents().isModified());
  EXPECT_EQ(writeLayout(gui.state().layout), writeLayout(layout));
  // No undo leads into the lesson, whose scene would then be saved over the own one.
  EXPECT_EQ(gui.app().editor().steps(), steps);
  EXPECT_FALSE(gui.app().editor().canRedo());
  gui.press(kCtrl | ImGuiKey_Z);
  EXPECT_TRUE(sameScene(gui.scene(), *defaultScene()));
}

TEST(Lesson, AStepIsOneUndoStep) {
  GuiDriver gui;
  start(gui, "000-2b-what-d-is", 1);
  const std::size_t steps = gui.app().editor().steps();
  const SharedScene before = gui.app().editor().shared();
  goToStep(gui.app(), 2);
  gui.frames(2);
  EXPECT_EQ(gui.app().editor().steps(), steps + 1);
  EXPECT_FALSE(sameScene(gui.scene(), *before));
  gui.press(kCtrl | ImGuiKey_Z);
  EXPECT_TRUE(sameScene(gui.scene(), *before));
}

TEST(Lesson, UndoingAllTheWayIsBackAtTheOwnScene) {
  GuiDriver gui;
  gui.app().editor().change([](Scene& scene) { scene.scale.temperature = 3; });
  gui.frames(2);
  gui.app().editor().endGesture();
  const std::size_t steps = gui.app().editor().steps();
  start(gui);
  gui.press(kCtrl | ImGuiKey_Z);
  gui.frames(2);
  EXPECT_FALSE(gui.app().documents().isLent());
  EXPECT_TRUE(gui.app().documents().isModified());
  EXPECT_FALSE(gui.has("Lesson/Next"));
  gui.press(kCtrl | ImGuiKey_Y);  // would bring the lesson's scene into the own file
  gui.frames(2);
  EXPECT_FALSE(gui.app().editor().canRedo());
  EXPECT_EQ(gui.scene().scale.temperature, 3);
  EXPECT_EQ(gui.app().editor().steps(), steps);  // the own history is as it was
  ASSERT_TRUE(gui.has("Lesson/Go on with the lesson"));
  gui.click("Lesson/Go on with the lesson");
  gui.frames(3);
  EXPECT_TRUE(gui.app().documents().isLent());
  EXPECT_EQ(gui.scene().title, "Three vectors and a source, by hand");
}

TEST(Lesson, QuittingAsksAboutTheOwnSceneAndShowsIt) {
  GuiDriver gui;
  gui.app().editor().change([](Scene& scene) { scene.scale.temperature = 3; });
  gui.frames(2);
  start(gui);
  gui.press(kCtrl | ImGuiKey_Q);
  gui.frames(2);
  EXPECT_FALSE(gui.app().isQuitting());
  EXPECT_TRUE(gui.has("//Discard changes"));
  EXPECT_EQ(gui.scene().scale.temperature, 3);
  gui.click("//Discard changes");
  gui.frames(2);
  EXPECT_TRUE(gui.app().isQuitting());
}

TEST(Lesson, QuittingDoesNotAskAboutALessonsScene) {
  GuiDriver gui;
  start(gui);
  gui.app().editor().change([](Scene& scene) { scene.scale.temperature = 3; });
  gui.frames(2);
  gui.press(kCtrl | ImGuiKey_Q);
  gui.frames(2);
  EXPECT_TRUE(gui.app().isQuitting());
}

TEST(Lesson, WhatAStepPointsAtIsFramedAndOpened) {
  for (const ThemeKind theme : {ThemeKind::light, ThemeKind::dark}) {
    GuiDriver gui(defaultScene(), GuiDriver::Screen::offscreen);
    gui.state().appearance.theme = theme;
    start(gui, kFirst, 1);
    gui.state().layout.show("Weights", false);
    goToStep(gui.app(), 2);
    gui.frames(3);
    ASSERT_TRUE(isSeen(gui, "Weights"));
    const std::optional<ItemRect> rect = pointedAtByLesson(gui.app());
    ASSERT_TRUE(rect);
    EXPECT_LT(rect->min.y, gui.rect("Weights/title").min.y);
    EXPECT_GT(rect->max.y, gui.rect("Weights/map").max.y);
    const Image picture = gui.picture();
    const ImVec4 accent = gui.app().theme().accent;
    const std::uint8_t* pixel = picture.at(static_cast<int>(rect->centre().x), static_cast<int>(rect->min.y));
    EXPECT_NEAR(pixel[0], 255 * accent.x, 3);
    EXPECT_NEAR(pixel[2], 255 * accent.z, 3);
  }
}

TEST(Lesson, AnItemOfAPanelCanBePointedAt) {
  GuiDriver gui;
  start(gui);
  gui.app().recordItems(false);  // as outside of tests
  Lesson lesson = *opened(gui).lesson;
  lesson.steps[0].point = "Inputs/go to Q";
  opened(gui).lesson = std::make_shared<const Lesson>(lesson);
  gui.frames(3);
  const std::optional<ItemRect> rect = pointedAtByLesson(gui.app());
  ASSERT_TRUE(rect);
  EXPECT_LT(rect->size().x, 60);
  EXPECT_EQ(gui.app().items().items().size(), 2u);  // this one, by both of its names
}

TEST(Lesson, PageDownAndUpGoThroughTheSteps) {
  GuiDriver gui;
  start(gui);
  gui.press(ImGuiKey_PageDown);
  gui.press(ImGuiKey_PageDown);
  EXPECT_EQ(opened(gui).step, 2u);
  gui.press(ImGuiKey_PageUp);
  EXPECT_EQ(opened(gui).step, 1u);
  gui.click("Weights/map");
  gui.press(ImGuiKey_PageDown);  // there it goes through the map
  EXPECT_EQ(opened(gui).step, 1u);
}

TEST(Lesson, BeforeAnAudienceTheAnswerIsHiddenUntilTheClickerRevealsIt) {
  GuiDriver gui;
  start(gui, kFirst, 1);
  gui.state().lesson.hidesAsked = false;
  EXPECT_FALSE(isValueHidden(gui.state(), "Scores/map", 0, 1));
  gui.press(ImGuiKey_F5);
  gui.frames(3);
  ASSERT_TRUE(isSeen(gui, "Lesson"));
  EXPECT_TRUE(isValueHidden(gui.state(), "Scores/map", 0, 1));
  EXPECT_TRUE(isValueHidden(gui.state(), "Weights/map", 0, 1));  // the next question's
  gui.press(ImGuiKey_PageDown);
  EXPECT_EQ(opened(gui).step, 1u);
  EXPECT_TRUE(opened(gui).presentWork().isRevealed);
  EXPECT_FALSE(isValueHidden(gui.state(), "Scores/map", 0, 1));
  gui.press(ImGuiKey_PageDown);
  EXPECT_EQ(opened(gui).step, 2u);
  EXPECT_TRUE(isValueHidden(gui.state(), "Weights/map", 0, 1));
  gui.press(ImGuiKey_R);
  EXPECT_TRUE(opened(gui).presentWork().isRevealed);
  gui.press(ImGuiKey_PageUp);
  EXPECT_EQ(opened(gui).step, 1u);
  gui.press(ImGuiKey_Escape);
  gui.frames(2);
  EXPECT_FALSE(gui.state().presenter.isOn);
  EXPECT_TRUE(isSeen(gui, "Lesson"));
}

TEST(Lesson, TheSecondWindowHidesTheAnswerThatTheLecturerSees) {
  GuiDriver gui;
  start(gui, kFirst, 1);
  gui.state().lesson.hidesAsked = false;
  setAudience(gui.app(), true);
  gui.frames(2);
  ViewState audience = gui.state();  // as its window takes it over in every frame
  showToAudience(audience);
  EXPECT_EQ(panelsInSight(audience.layout), (std::vector<std::string>{"Lesson", "Inputs", "Scores"}));
  EXPECT_TRUE(isValueHidden(audience, "Scores/map", 0, 1));
  EXPECT_FALSE(isValueHidden(gui.state(), "Scores/map", 0, 1));
  gui.press(ImGuiKey_PageDown);
  audience = gui.state();
  showToAudience(audience);
  EXPECT_FALSE(isValueHidden(audience, "Scores/map", 0, 1));
}

TEST(Lesson, NumbersThatAreAskedForAreHiddenInTheWindowToo) {
  GuiDriver gui;
  start(gui, kFirst, 1);
  EXPECT_TRUE(isValueHidden(gui.state(), "Scores/map", 0, 2));
  gui.click("Lesson/Hide these numbers in the maps");
  EXPECT_FALSE(isValueHidden(gui.state(), "Scores/map", 0, 2));
}

TEST(Lesson, AnAudienceSeesTheMapThatIsAskedAbout) {
  const auto library = readLibrary({});
  int asked = 0;
  for (const LessonEntry& entry : library->entries)
    for (std::size_t i = 0; i < entry.lesson->steps.size(); ++i) {
      const std::optional<Question>& question = entry.lesson->steps[i].question;
      const auto* numbers = question ? std::get_if<NumbersQuestion>(&question->kind) : nullptr;
      const auto* cell = question ? std::get_if<CellQuestion>(&question->kind) : nullptr;
      const Quantity* of = cell ? &cell->of : numbers && numbers->of ? &*numbers->of : nullptr;
      const auto* cells = of ? std::get_if<CellsOf>(&of->what) : nullptr;
      if (!cells || cells->stage == Stage::q || cells->stage == Stage::k || cells->stage == Stage::v)
        continue;
      const bool isOutput = cells->stage == Stage::headOut || cells->stage == Stage::out;
      const char* map = cells->stage == Stage::probs ? "Weights" : isOutput ? "Output" : "Scores";
      const std::vector<std::string> panels = presentedPanelsAt(*entry.lesson, i);
      EXPECT_NE(std::find(panels.begin(), panels.end(), map), panels.end())
          << entry.key << ", step " << i + 1;
      ++asked;
    }
  EXPECT_GT(asked, 40);
}

TEST(Lesson, NumbersThatLaterStepsAskForAreHiddenAsLongAsTheSceneStays) {
  GuiDriver gui;
  start(gui, kFirst, 0);
  for (const char* map : {"Scores/map", "Weights/map", "Output/map"})
    EXPECT_TRUE(isValueHidden(gui.state(), map, 0, 0)) << map;
  ASSERT_TRUE(gui.has("Lesson/Hide these numbers in the maps"));
  goToStep(gui.app(), 3);
  gui.frames(2);
  EXPECT_FALSE(isValueHidden(gui.state(), "Scores/map", 0, 0));  // asked before
  EXPECT_FALSE(isValueHidden(gui.state(), "Weights/map", 0, 0));
  EXPECT_TRUE(isValueHidden(gui.state(), "Output/map", 0, 0));
  revealAnswer(gui.state().lesson, gui.state().notation);
  gui.frames(2);
  EXPECT_FALSE(isValueHidden(gui.state(), "Output/map", 0, 0));
  EXPECT_FALSE(gui.has("Lesson/Hide these numbers in the maps"));
  start(gui, "003-1c-average-of-two", 1);
  EXPECT_FALSE(isValueHidden(gui.state(), "Weights/map", 0, 0));  // those of the next step are others
  start(gui, "bug-1-wrong-axis");
  EXPECT_FALSE(isValueHidden(gui.state(), "Weights/map", 0, 0));  // the mistake has to be seen
}

TEST(Lesson, ExplainKeepsTheAnswerToItselfUntilItIsKnown) {
  GuiDriver gui;
  start(gui, kFirst, 2);
  const auto explains = [&](Stage stage) {
    explainCell(gui.state(), {stage, 0, 0, 0});
    bringIntoSight(gui.state(), "Explain");
    gui.frames(3);
    return gui.has("Explain/derivation");
  };
  EXPECT_TRUE(explains(Stage::scores));
  EXPECT_FALSE(explains(Stage::probs));
  EXPECT_FALSE(explains(Stage::headOut));  // it is made of the weights
  revealAnswer(gui.state().lesson, gui.state().notation);
  EXPECT_TRUE(explains(Stage::probs));
  start(gui, "001-2.1-without-matrices");
  EXPECT_TRUE(explains(Stage::scores));  // a loop goes through them
}

TEST(Lesson, AMistakeIsShownAsAUntilItIsKnown) {
  GuiDriver gui;
  start(gui, "bug-1-wrong-axis");
  EXPECT_TRUE(gui.state().compare.pinned);
  EXPECT_EQ(gui.state().compare.showing, Showing::pinned);
  revealAnswer(gui.state().lesson, gui.state().notation);
  gui.frames(2);
  EXPECT_EQ(gui.state().compare.showing, Showing::present);
  gui.click("Lesson/B − A");
  EXPECT_EQ(gui.state().compare.showing, Showing::difference);
  gui.click("Lesson/A: with the mistake");
  EXPECT_EQ(gui.state().compare.showing, Showing::pinned);
  goToStep(gui.app(), 1);
  gui.frames(2);
  EXPECT_FALSE(gui.state().compare.pinned);
}

TEST(Lesson, TheBarOfAAndBDoesNotNameTheMistakeThatIsAskedFor) {
  GuiDriver gui;
  start(gui, "bug-1-wrong-axis");
  EXPECT_FALSE(gui.has("Compare/note"));
  revealAnswer(gui.state().lesson, gui.state().notation);
  gui.frames(2);
  EXPECT_TRUE(gui.has("Compare/note"));
}

TEST(Lesson, EachBugToSpotIsComparedWithWhatIsRight) {
  for (const std::string_view name : {"bug-1-wrong-axis", "bug-2-wrong-width", "bug-3-mask-after-softmax",
                                      "bug-4-wrong-sign", "bug-5-nothing-to-see", "bug-6-overflow"}) {
    const auto library = readLibrary({});
    const LessonEntry* entry = library->find(std::string(name));
    ASSERT_TRUE(entry) << name;
    const auto& steps = entry->lesson->steps;
    const auto found =
        std::find_if(steps.begin(), steps.end(), [](const LessonStep& step) { return step.wrong; });
    ASSERT_NE(found, steps.end()) << name;
    const Moment wrong(*found->wrong), right(*found->scene);
    double difference = 0;
    const Shapes& shapes = right.results.shapes;
    for (Index i = 0; i < shapes.queries; ++i)
      for (Index j = 0; j < shapes.keys; ++j)
        difference =
            std::max(difference, std::abs(wrong.results.probs.at(0, i, j) - right.results.probs.at(0, i, j)));
    EXPECT_GT(difference, 0.01) << name;
  }
}

TEST(Lesson, ExplainTellsWhereAnAnswerComesFromOnceItIsKnown) {
  GuiDriver gui;
  start(gui, "001-2.1-without-matrices", 1);
  const Cell asked{Stage::scores, 0, 1, 0};
  EXPECT_NE(gui.state().explain.cell, asked);
  gui.click("Lesson/Show the answer");
  gui.frames(2);
  EXPECT_EQ(gui.state().explain.cell, asked);
}

TEST(Lesson, APanelThatIsPointedAtStandsWithTheOthers) {
  GuiDriver gui;
  start(gui, "001-2.2-heads-without-matrices", 4);
  EXPECT_FALSE(isSeen(gui, "Output"));
  goToStep(gui.app(), 5);
  gui.frames(3);
  ASSERT_TRUE(isSeen(gui, "Output"));
  EXPECT_GT(gui.rect("Output/title").min.x, gui.rect("Lesson/title").max.x);
  EXPECT_GT(gui.rect("Output/map").size().y, 150);
  goToStep(gui.app(), 4);
  EXPECT_FALSE(isSeen(gui, "Output"));
}

TEST(Lesson, LoopsGoThroughTheCells) {
  GuiDriver gui;
  start(gui, "001-2.1-without-matrices");
  EXPECT_EQ(gui.state().explain.cell, (Cell{Stage::scores, 0, 0, 0}));
  for (int i = 0; i < 4; ++i) gui.click("Lesson/Next cell");
  EXPECT_EQ(gui.state().explain.cell, (Cell{Stage::scores, 0, 1, 1}));
  gui.moveTo({2, 2});
  gui.frames(3);
  EXPECT_EQ(gui.state().hover.query, 1);  // marked in every panel
  EXPECT_EQ(gui.state().hover.key, 1);
  gui.click("Lesson/Cell before");
  EXPECT_EQ(gui.state().explain.cell, (Cell{Stage::scores, 0, 1, 0}));
}

TEST(Lesson, TheCounterCountsTheSceneAsItIs) {
  GuiDriver gui;
  start(gui, "000-2c-counting", 1);
  EXPECT_FALSE(gui.state().lesson.counted);  // it would give the answer away
  revealAnswer(gui.state().lesson, gui.state().notation);
  gui.frames(2);
  using Pairs = std::vector<std::pair<double, double>>;
  ASSERT_TRUE(gui.state().lesson.counted);
  EXPECT_EQ(gui.state().lesson.counted->numbers, (Pairs{{12, 12}}));
  gui.app().editor().change([](Scene& scene) {
    for (auto* input : {&scene.source.given[0].k, &scene.source.given[0].v})
      input->values.conservativeResizeLike(Matrix::Zero(4, input->values.cols()));
  });
  gui.frames(3);
  EXPECT_EQ(gui.state().lesson.counted->numbers, (Pairs{{16, 16}}));
}

TEST(Lesson, ThePaletteAndTheSearchFindLessons) {
  GuiDriver gui;
  gui.press(kCtrl | ImGuiKey_P);
  gui.type("lesson second W_O");
  gui.press(ImGuiKey_Enter);
  gui.frames(3);
  ASSERT_TRUE(gui.state().lesson.open);
  EXPECT_EQ(opened(gui).key, "001-1.3-second-head");
  gui.click("Lesson/All lessons");
  gui.frames(3);
  EXPECT_FALSE(gui.state().lesson.open);
  gui.click("Lesson/search lessons");
  gui.type("overflow");
  gui.frames(2);
  EXPECT_TRUE(gui.has("Lesson/bug-6-overflow"));
  EXPECT_FALSE(gui.has("Lesson/" + kFirst));
  gui.press(ImGuiKey_Enter);
  gui.frames(3);
  ASSERT_TRUE(gui.state().lesson.open);
  EXPECT_EQ(opened(gui).key, "bug-6-overflow");
}

const char* kOwn = R"({
  "attnscope_lesson": 1,
  "title": "My own",
  "about": "A test.",
  "minutes": 2,
  "scene": {"attnscope": 1, "heads": [{"q": [[1, 2]], "k": [[2, 1]], "v": [[1]]}]},
  "steps": [
    {
      "title": "First",
      "text": "Some text."
    },
    {
      "title": "Second",
      "text": "A score is $q \\cdot k$.",
      "question": {"ask": "What is it?", "numbers": {"printed": 4, "tolerance": 0.1}, "reveal": "4."}
    }
  ]
})";

class OwnLesson : public TemporaryDirectory {
 protected:
  Folders folders() const { return {in("config"), in("state"), in("data")}; }

  /// Writes the file as an editor does, and lets its time differ whatever the clock of the file system.
  void save(const std::filesystem::path& file, const std::string& text) {
    write(file, text);
    std::filesystem::last_write_time(
        file, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(++age_));
  }
  static std::string with(std::string text, const std::string& old, const std::string& now) {
    return text.replace(text.find(old), old.size(), now);
  }
  static void waitForLook(GuiDriver& gui) { gui.frames(60); }

 private:
  int age_ = 0;
};

TEST_F(OwnLesson, IsOpenedByDroppingItByTheCommandLineAndByTheDialog) {
  save(in("own.json"), kOwn);
  for (const int way : {0, 1, 2}) {
    GuiDriver gui;
    if (way == 0) gui.app().takeDropped({in("own.json")});
    if (way == 1) gui.app().documents().openAtOnce(in("own.json"));
    if (way == 2) {
      runCommand(gui.app(), "file.openLesson");
      gui.app().documents().dialog().setTyped(in("own.json").string());
      gui.app().documents().dialog().accept();
    }
    gui.frames(3);
    ASSERT_TRUE(gui.state().lesson.open) << way;
    EXPECT_EQ(opened(gui).lesson->title, "My own");
    EXPECT_TRUE(gui.app().documents().recent().empty());
  }
}

TEST_F(OwnLesson, FollowsItsFileAndSaysWhatIsWrongWithIt) {
  save(in("own.json"), kOwn);
  GuiDriver gui;
  gui.app().takeDropped({in("own.json")});
  gui.frames(3);
  goToStep(gui.app(), 1);
  gui.frames(2);
  typeNumber(gui, 1, "7");
  save(in("own.json"), with(kOwn, "Second", "Renamed"));
  EXPECT_TRUE(gui.app().expectsNews());
  waitForLook(gui);
  EXPECT_EQ(opened(gui).present().title, "Renamed");
  EXPECT_EQ(opened(gui).step, 1u);
  save(in("own.json"), with(kOwn, "\"minutes\": 2", "\"minutes\": -2"));
  waitForLook(gui);
  EXPECT_NE(opened(gui).fault.find("own.json: line 5: minutes: found -2"), std::string::npos)
      << opened(gui).fault;
  EXPECT_EQ(opened(gui).present().title, "Renamed");  // the last good one stays
  save(in("own.json"), with(kOwn, "Some text.", "Broken $\\\\frac{1$."));
  waitForLook(gui);
  EXPECT_EQ(opened(gui).fault, "");
  ASSERT_EQ(opened(gui).complaints.size(), 1u);
  EXPECT_NE(opened(gui).complaints[0].find("line 8"), std::string::npos) << opened(gui).complaints[0];
  EXPECT_EQ(gui.withoutPlace(), "");
  std::filesystem::remove(in("own.json"));
  waitForLook(gui);
  EXPECT_NE(opened(gui).fault.find("cannot be read"), std::string::npos);
}

TEST_F(OwnLesson, WhatWasTypedStaysWhileTheStepAsksTheSame) {
  save(in("own.json"), kOwn);
  GuiDriver gui;
  gui.app().takeDropped({in("own.json")});
  gui.frames(3);
  goToStep(gui.app(), 1);
  gui.frames(2);
  typeNumber(gui, 1, "7");
  gui.click("Lesson/Check");  // nothing is being typed any more
  save(in("own.json"), with(kOwn, "\"reveal\": \"4.\"", "\"reveal\": \"Four.\""));
  waitForLook(gui);
  EXPECT_EQ(opened(gui).present().question->reveal, "Four.");
  EXPECT_EQ(opened(gui).presentWork().typed[0], "7");
}

TEST_F(OwnLesson, ACrashInALessonLosesNothingOfTheOwnScene) {
  {
    GuiDriver gui;
    gui.app().remember(folders());
    gui.app().editor().change([](Scene& scene) { scene.scale.temperature = 6; });
    gui.frames(2);
    start(gui);
    gui.app().editor().change([](Scene& scene) { scene.scale.temperature = 2; });
    gui.frames(2);
  }  // without finish(), as a crash would end it
  GuiDriver gui;
  gui.app().remember(folders());
  gui.frames(6);
  ASSERT_TRUE(gui.has("//Restore"));
  gui.press(ImGuiKey_Space);
  gui.frames(2);
  EXPECT_EQ(gui.scene().scale.temperature, 6);
  EXPECT_EQ(gui.scene().title, defaultScene()->title);
}

TEST_F(OwnLesson, AFolderOfThemIsListedAndABadOneIsNamed) {
  std::filesystem::create_directories(in("data/lessons"));
  save(in("data/lessons/good.json"), kOwn);
  save(in("data/lessons/bad.json"), "{\n\"attnscope_lesson\": 2}");
  GuiDriver gui;
  gui.app().remember(folders());
  showLessons(gui.app());
  gui.frames(3);
  const auto& library = *gui.state().lesson.library;
  const LessonEntry* good = library.find(in("data/lessons/good.json").string());
  ASSERT_TRUE(good && good->lesson);
  const LessonEntry* bad = library.find(in("data/lessons/bad.json").string());
  ASSERT_TRUE(bad && !bad->lesson);
  EXPECT_NE(bad->fault.find("bad.json: line 2: attnscope_lesson"), std::string::npos) << bad->fault;
  EXPECT_TRUE(library.find(kFirst)->lesson);
  save(in("data/lessons/late.json"), kOwn);
  waitForLook(gui);
  EXPECT_TRUE(gui.state().lesson.library->find(in("data/lessons/late.json").string()));
}

TEST_F(OwnLesson, WhatWasSolvedIsKnownAtTheNextStartAndIsInNoScene) {
  {
    GuiDriver gui;
    gui.app().remember(folders());
    start(gui, kFirst, 1);
    for (const auto& [field, text] : {std::pair(1, "8"), {2, "6"}, {3, "1"}}) typeNumber(gui, field, text);
    gui.press(ImGuiKey_Enter);
    ASSERT_TRUE(opened(gui).presentWork().isSolved);
    gui.app().finish();
  }
  GuiDriver gui;
  gui.app().remember(folders());
  gui.frames(2);
  EXPECT_FALSE(gui.state().lesson.open);
  const auto library = readLibrary({});
  EXPECT_EQ(solvedCount(gui.state().lesson, kFirst, *library->find(kFirst)->lesson), 1u);
  EXPECT_EQ(gui.state().lesson.last, kFirst);
  runCommand(gui.app(), "lesson.browse");
  gui.frames(3);
  gui.click("Lesson/begin");  // where it was left
  gui.frames(3);
  ASSERT_TRUE(gui.state().lesson.open);
  EXPECT_EQ(opened(gui).step, 2u);
  runCommand(gui.app(), "lesson.leave");
  gui.frames(2);
  EXPECT_TRUE(isSeen(gui, "Scale"));  // the panels are the person's, not the lesson's
}

}  // namespace
}  // namespace attn
