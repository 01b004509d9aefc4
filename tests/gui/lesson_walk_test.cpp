// Every lesson that comes with the program is walked to its end through the interface: each question is
// answered wrong first, and has to say so; then right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/lessons/lesson_answers.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_player.h"
#include "app/lessons/shipped_lessons.h"
#include "core/io/number_text.h"
#include "core/lessons/lesson_json.h"
#include "core/same_scene.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

constexpr auto kCtrl = ImGuiMod_Ctrl;

/// The hand of a student.
class Student {
 public:
  explicit Student(GuiDriver& gui) : gui_(gui) {}

  const OpenLesson& open() const { return *gui_.state().lesson.open; }
  const LessonStep& step() const { return open().present(); }
  const StepWork& work() const { return open().presentWork(); }

  /// What is below the fold is scrolled to, as the wheel does it.
  void use(const std::string& path) {
    for (int i = 0; i < 40 && !isInSight(path); ++i) {
      const ItemRect title = gui_.rect("Lesson/title");
      gui_.moveTo({title.centre().x, title.max.y + 60});
      gui_.wheel(gui_.has(path) && gui_.rect(path).centre().y < title.max.y + 20 ? 1.0f : -1.0f);
    }
    gui_.click(path);
  }

  void type(const std::string& path, const std::string& text) {
    use(path);
    gui_.press(kCtrl | ImGuiKey_A);
    gui_.type(text);
  }

  void check() {
    use("Lesson/Check");
    gui_.frames(2);
  }

  void answer(const NumbersQuestion& question, bool isRight) {
    const std::vector<double> right = std::get<std::vector<double>>(rightAnswer(*step().question));
    const double off = isRight ? 0 : 3 + 2 * question.tolerance;
    for (std::size_t i = 0; i < right.size(); ++i)
      type("Lesson/number " + std::to_string(i + 1), numberText(right[i] + off));
  }

  void answer(const CellQuestion& question, bool isRight) {
    type("Lesson/row", std::to_string(question.row));
    const Index cols = stageShape(gui_.scene(), std::get<CellsOf>(question.of.what).stage).cols;
    type("Lesson/column", std::to_string(isRight ? question.col : (question.col + 1) % cols));
  }

  void answer(const ChoiceQuestion& question, bool isRight) {
    const std::vector<std::size_t> order =
        shuffled(question.options.size(), open().lesson->name + step().question->ask);
    const auto right = std::count_if(question.options.begin(), question.options.end(),
                                     [](const Option& option) { return option.right; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool isChosen = std::count(work().chosen.begin(), work().chosen.end(), order[i]) > 0;
      const bool isWanted = question.options[order[i]].right == isRight;
      const bool isMore = right > 1 ? isChosen != isWanted : isWanted && !isChosen;
      if (isMore) use("Lesson/option " + std::to_string(i + 1));
      if (right == 1 && isWanted) return;
    }
  }

  void answer(const OrderQuestion& question, bool isRight) {
    if (!isRight) return;  // it begins in a wrong order
    for (std::size_t place = 0; place < question.items.size(); ++place) {
      auto at = static_cast<std::size_t>(std::find(work().order.begin(), work().order.end(), place) -
                                         work().order.begin());
      for (; at > place; --at) use("Lesson/up " + std::to_string(at + 1));
    }
  }

  void answer(const MaskQuestion& question, bool isRight) {
    if (!isRight) {
      gui_.app().editor().change([](Scene& scene) { scene.masks.clear(); });
      gui_.frames(2);
      if (visiblePairs(gui_.scene()) != question.mayAttend) return;
      gui_.app().editor().change([](Scene& scene) { scene.masks = {CausalRule{}}; });
    } else {
      gui_.app().editor().change([&](Scene& scene) { scene.masks = question.rules; });
    }
    gui_.frames(2);
  }

 private:
  bool isInSight(const std::string& path) const {
    if (!gui_.has(path)) return false;
    const ItemRect title = gui_.rect("Lesson/title"), item = gui_.rect(path);
    return item.centre().y > title.max.y && item.centre().y < 700;
  }

  GuiDriver& gui_;
};

class LessonWalk : public testing::TestWithParam<std::string> {};

TEST_P(LessonWalk, EndsWithEveryQuestionSolved) {
  GuiDriver gui;
  const SharedScene own = gui.app().editor().shared();
  ASSERT_TRUE(openLesson(gui.app(), GetParam()));
  gui.frames(3);
  Student student(gui);
  const Lesson lesson = *student.open().lesson;
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    SCOPED_TRACE(lesson.steps[i].title);
    ASSERT_EQ(student.open().step, i);
    EXPECT_TRUE(sameScene(gui.scene(), narrow(*lesson.steps[i].scene)));
    const bool isLast = i + 1 == lesson.steps.size();
    if (const auto& question = lesson.steps[i].question) {
      for (const bool isRight : {false, true}) {
        std::visit([&](const auto& kind) { student.answer(kind, isRight); }, question->kind);
        student.check();
        ASSERT_TRUE(student.work().verdict) << "nothing was said";
        EXPECT_EQ(student.work().verdict->right, isRight) << student.work().verdict->says;
        EXPECT_EQ(student.work().isSolved, isRight);
      }
    }
    student.use(isLast ? "Lesson/Finish" : "Lesson/Next");
    gui.frames(3);
  }
  EXPECT_FALSE(gui.state().lesson.open);
  EXPECT_EQ(solvedCount(gui.state().lesson, GetParam(), lesson), questionCount(lesson));
  EXPECT_TRUE(sameScene(gui.scene(), *own));
  EXPECT_EQ(gui.withoutPlace(), "");
}

std::vector<std::string> shippedNames() {
  std::vector<std::string> names;
  for (const std::string_view file : shippedLessons()) names.push_back(openShippedLesson(file).name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Shipped, LessonWalk, testing::ValuesIn(shippedNames()), [](const auto& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace attn
