// Every lesson that comes with the program is walked to its end through the interface: each question is
// answered wrong first, and has to say so; then right.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/formula/latex.h"
#include "app/formula/rich_text.h"
#include "app/lessons/lesson_answers.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_player.h"
#include "app/lessons/lesson_texts.h"
#include "app/lessons/shipped_lessons.h"
#include "app/letters.h"
#include "app/views/formula_view.h"
#include "core/io/number_text.h"
#include "core/lessons/lesson_json.h"
#include "core/same_scene.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

constexpr auto kCtrl = ImGuiMod_Ctrl;

std::vector<double> numbersOfMistake(const CommonMistake& mistake) {
  const auto* quantity = std::get_if<Quantity>(&mistake.numbers);
  return quantity ? numbersOf(*quantity) : std::get<std::vector<double>>(mistake.numbers);
}

/// What has to be said of the wrong answer; empty where nothing is known of it.
std::string meaningOf(const StepWork& work, const Question& question) {
  if (!question.mistakes.empty()) return question.mistakes.front().means;
  if (const auto* choice = std::get_if<ChoiceQuestion>(&question.kind))
    for (const std::size_t index : work.chosen)
      if (!choice->options[index].right) return choice->options[index].means;
  return "";
}

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

  /// Wrong is the first of the mistakes that are known, else something far off.
  void answer(const NumbersQuestion& question, bool isRight) {
    std::vector<double> numbers = std::get<std::vector<double>>(rightAnswer(*step().question));
    if (!isRight && !step().question->mistakes.empty())
      numbers = numbersOfMistake(step().question->mistakes.front());
    else if (!isRight)
      for (double& number : numbers) number += 3 + 2 * question.tolerance;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      type("Lesson/number " + std::to_string(i + 1), numberText(numbers[i]));
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

  /// Cell by cell in the painter; the wrong mask is the right one but for its first pair.
  void answer(const MaskQuestion& question, bool isRight) {
    Bytes wanted = question.mayAttend;
    if (!isRight) wanted(0, 0) = !wanted(0, 0);
    const auto share = [](Index i, Index count) {
      return (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
    };
    for (Index i = 0; i < wanted.rows(); ++i)
      for (Index j = 0; j < wanted.cols(); ++j) {
        if (visiblePairs(gui_.scene())(i, j) == wanted(i, j)) continue;
        const ItemRect painter = gui_.rect("Mask/painter");
        gui_.clickAt({painter.min.x + painter.size().x * share(j, wanted.cols()),
                      painter.min.y + painter.size().y * share(i, wanted.rows())});
        gui_.frames(30);  // or the next press might be a double click
      }
    EXPECT_EQ(visiblePairs(gui_.scene()), wanted);
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
        const std::string means = meaningOf(student.work(), *question);
        if (!isRight && !means.empty()) {
          EXPECT_EQ(student.work().verdict->says, means);
        }
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

std::vector<TextPiece> formulasOf(const Lesson& lesson) {
  std::vector<TextPiece> formulas;
  for (const LessonStep& step : lesson.steps)
    for (const std::string& text : textsOf(step))
      for (const TextPiece& piece : piecesOf(text))
        if (piece.isFormula) formulas.push_back(piece);
  return formulas;
}

/// No letter of a lesson is looked for in the fonts of the system, which may not have it.
TEST(Lessons, HaveOnlyLettersOfTheProgramsOwnFonts) {
  for (const std::string_view file : shippedLessons()) {
    Letters letters;
    addLetters(allTextsOf(openShippedLesson(file)), letters);
    EXPECT_TRUE(letters.empty()) << file << ": " << static_cast<unsigned>(*letters.begin());
  }
}

/// Every glyph of every formula has a picture in the font of formulas.
TEST(Lessons, HaveOnlyFormulasThatTheFontCanWrite) {
  GuiDriver gui;
  const Theme& theme = gui.app().theme();
  for (const std::string_view file : shippedLessons())
    for (const TextPiece& piece : formulasOf(openShippedLesson(file)))
      for (const DrawCommand& command : formulaLayout(theme, parseLatex(piece.text), 16).commands) {
        const auto* run = std::get_if<GlyphRun>(&command.shape);
        if (!run) continue;
        const ImFont& font = *(run->style == FontStyle::italic ? theme.formulaItalic : theme.formula)[0];
        for (const char *at = run->text.data(), *end = at + run->text.size(); at < end;) {
          unsigned letter = 0;
          at += std::max(1, ImTextCharFromUtf8(&letter, at, end));
          EXPECT_TRUE(font.FindGlyphNoFallback(letter)) << file << ": " << piece.text << ": " << letter;
        }
      }
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
