// Lessons of one's own that ask for what is not there, and answers that are no answer: the window goes on.
#include <gtest/gtest.h>

#include "app/lessons/lesson_answers.h"
#include "app/lessons/lesson_player.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

std::string lessonAsking(const std::string& question) {
  return R"({"attnscope_lesson": 1, "title": "Own", "about": "A test.", "minutes": 1,
    "scene": {"attnscope": 1, "heads": [{"q": [[1, 2]], "k": [[2, 1], [0, 3]], "v": [[1], [2]]}]},
    "steps": [{"title": "Only", "text": "A text.", "question": {"ask": "What?", "reveal": "That.", )" +
         question + "}}]}";
}

class LessonFaults : public TemporaryDirectory {
 protected:
  void save(const std::string& question) {
    write(in("own.json"), lessonAsking(question));
    std::filesystem::last_write_time(
        in("own.json"), std::filesystem::file_time_type::clock::now() + std::chrono::seconds(++age_));
  }
  void open(GuiDriver& gui) {
    gui.app().takeDropped({in("own.json")});
    gui.frames(3);
    ASSERT_TRUE(gui.state().lesson.open) << gui.state().status;
  }
  static StepWork& work(GuiDriver& gui) { return gui.state().lesson.open->presentWork(); }

 private:
  int age_ = 0;
};

TEST_F(LessonFaults, HintsThatTheFileNoLongerHasAreForgotten) {
  const std::string numbers = R"("numbers": {"printed": 4, "tolerance": 0})";
  save(R"("hints": ["One.", "Two.", "Three."], )" + numbers);
  GuiDriver gui;
  open(gui);
  for (int i = 0; i < 3; ++i) {
    gui.click(i == 0 ? "Lesson/Hint" : "Lesson/Another hint");
    gui.frames(2);
  }
  EXPECT_EQ(work(gui).hints, 3u);
  save(R"("hints": ["One."], )" + numbers);
  gui.frames(60);
  EXPECT_EQ(work(gui).hints, 1u);
  save(numbers);
  gui.frames(60);
  EXPECT_EQ(work(gui).hints, 0u);
}

TEST_F(LessonFaults, OptionsThatTheFileNoLongerHasAreNotChosen) {
  const std::string right = R"({"text": "a", "right": true}, {"text": "b"})";
  save(R"("choice": {"options": [)" + right + R"(, {"text": "c", "right": true}]})");
  GuiDriver gui;
  open(gui);
  work(gui).chosen = {0, 2};
  save(R"("choice": {"options": [)" + right + "]}");
  gui.frames(60);
  EXPECT_EQ(work(gui).chosen, std::vector<std::size_t>{0});
}

TEST_F(LessonFaults, MoreNumbersThanTheEngineGivesAreJudged) {
  save(R"("numbers": {"printed": [4, 5, 6], "tolerance": 0, "of": {"stage": "scores", "row": 0, "col": 0}})");
  GuiDriver gui;
  open(gui);
  work(gui).typed = {"4", "5", "6"};
  gui.click("Lesson/Check");
  ASSERT_TRUE(work(gui).verdict);
  EXPECT_FALSE(work(gui).verdict->right);
}

TEST_F(LessonFaults, AnAnswerThatCannotBeComputedSaysSo) {
  save(R"("numbers": {"printed": 4, "tolerance": 0, "of": {"measure": "largest", "row": 7}})");
  GuiDriver gui;
  open(gui);
  gui.click("Lesson/Show the answer");
  gui.frames(2);
  ASSERT_TRUE(work(gui).verdict);
  EXPECT_FALSE(work(gui).verdict->right);
  EXPECT_FALSE(work(gui).verdict->says.empty());
}

TEST_F(LessonFaults, ACellFarOutsideIsNoCell) {
  Notation notation;
  notation.first = 1;
  EXPECT_EQ(placeTyped(1, notation), 0);
  for (const double far : {1e300, -1e300, 1e12}) EXPECT_LT(placeTyped(far, notation), 0) << far;
  EXPECT_FALSE(typedNumber("1e300/1e-300"));
  save(R"("cell": {"of": {"stage": "probs"}, "which": "largest", "row": 0, "col": 0})");
  GuiDriver gui;
  gui.state().notation = notation;
  open(gui);
  work(gui).typed = {"1e300", "1"};
  gui.frames(2);
  gui.click("Lesson/Check");
  ASSERT_TRUE(work(gui).verdict);
  EXPECT_EQ(work(gui).verdict->says, "There is no such cell.");
}

/// Counting in double takes seconds then, and more memory than there may be.
TEST_F(LessonFaults, MetersLeaveLargeScenesAlone) {
  GuiDriver gui;
  ASSERT_TRUE(openLesson(gui.app(), "000-2c-counting", 0));
  auto& state = gui.state().lesson;
  while (state.open->present().meters.empty() && state.open->step + 1 < state.open->lesson->steps.size())
    goToStep(gui.app(), state.open->step + 1);
  revealAnswer(state, gui.state().notation);
  gui.app().settle();
  gui.frames(3);
  ASSERT_TRUE(state.counted);
  EXPECT_FALSE(state.counted->numbers.empty());
  Scene large = gui.scene();
  large.queryLabels.clear(), large.keyLabels.clear(), large.masks.clear();
  for (auto& head : large.source.given) {
    head.q.values = head.k.values = Matrix::Zero(600, 2), head.v.values = Matrix::Zero(600, 1);
    head.q.fill = head.k.fill = head.v.fill = {};
  }
  gui.app().editor().change([&](Scene& scene) { scene = large; });
  gui.app().settle();
  gui.frames(3);
  EXPECT_EQ(state.counted->scene, gui.app().editor().shared());
  EXPECT_TRUE(state.counted->numbers.empty());
}

}  // namespace
}  // namespace attn
