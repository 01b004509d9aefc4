#include "app/lessons/lesson_answers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "app/view_state.h"
#include "core/attention/visibility.h"
#include "core/error.h"
#include "core/io/json_parse.h"
#include "core/io/number_text.h"

namespace attn {
namespace {

std::string plain(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    constexpr std::string_view kMinus = "−";
    if (text.substr(i, kMinus.size()) == kMinus)
      result += '-', i += kMinus.size() - 1;
    else if (text[i] != ' ')
      result += text[i] == ',' ? '.' : text[i];
  }
  if (result.starts_with('+')) result.erase(0, 1);
  return result;
}

std::optional<double> parsed(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool isWhole = error == std::errc{} && end == text.data() + text.size();
  return isWhole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

/// The numbers that are typed; throws Error with what is in the way.
std::vector<double> typedNumbers(const StepWork& work) {
  std::vector<double> numbers;
  for (const std::string& text : work.typed) {
    if (plain(text).empty())
      throw Error(work.typed.size() == 1 ? "Type a number." : "Type a number into each field.");
    const std::optional<double> number = typedNumber(text);
    if (!number) throw Error("Found " + inQuotes(text) + ", expected a number.");
    numbers.push_back(*number);
  }
  return numbers;
}

struct GatherAnswer {
  const StepWork& work;
  const Scene& scene;
  const Notation& notation;

  Answer operator()(const NumbersQuestion&) const { return typedNumbers(work); }
  Answer operator()(const CellQuestion&) const {
    const bool isEmpty = plain(work.typed[0]).empty() && plain(work.typed[1]).empty();
    if (isEmpty) throw Error("Click a cell, or type its row and column.");
    const std::vector<double> numbers = typedNumbers(work);
    return ChosenCell{placeTyped(numbers[0], notation), placeTyped(numbers[1], notation)};
  }
  Answer operator()(const ChoiceQuestion&) const {
    if (work.chosen.empty()) throw Error("Choose an answer.");
    return ChosenOptions{work.chosen};
  }
  Answer operator()(const OrderQuestion&) const { return ChosenOrder{work.order}; }
  Answer operator()(const MaskQuestion& mask) const {
    Bytes pairs = visiblePairs(scene);
    if (pairs.rows() != mask.mayAttend.rows() || pairs.cols() != mask.mayAttend.cols())
      throw Error("The scene has another shape than the question: go back to the step's scene.");
    return pairs;
  }
};

/// Puts the right answer into the controls.
struct PutAnswer {
  StepWork& work;
  const NumbersQuestion* numbers;
  const Notation& notation;

  void operator()(const std::vector<double>&) const {
    for (std::size_t i = 0; i < work.typed.size(); ++i)
      work.typed[i] = withMark(numberText(numbers->printed[i]), notation);
  }
  void operator()(const ChosenCell& cell) const {
    work.typed = {std::to_string(notation.counted(cell.row)), std::to_string(notation.counted(cell.col))};
  }
  void operator()(const ChosenOptions& options) const { work.chosen = options.indices; }
  void operator()(const ChosenOrder& order) const { work.order = order.indices; }
  void operator()(const Bytes&) const {}  // the person decides whether the scene takes it over
};

bool isScore(Stage stage) {
  return stage == Stage::rawScores || stage == Stage::scaledScores || stage == Stage::cappedScores ||
         stage == Stage::scores;
}

/// Whether the map or table with this name shows the stage.
bool shows(const std::string& of, Stage stage) {
  if (isScore(stage)) return of == "Raw scores/map" || of == "Scores/map";
  if (stage == Stage::probs) return of == "Weights/map";
  return (stage == Stage::headOut || stage == Stage::out) && of == "Output/map";
}

/// How far down the forward pass a stage lies: what it is made of lies further up.
int rankOf(Stage stage) {
  if (stage == Stage::q || stage == Stage::k || stage == Stage::v) return 1;
  if (isScore(stage)) return 2;
  if (stage == Stage::probs) return 3;
  if (stage == Stage::headOut) return 4;
  return stage == Stage::out ? 5 : 0;
}

bool hidesAnswers(const ViewState& state) {
  const LessonState& lesson = state.lesson;
  return lesson.open && !lesson.isElsewhere && (state.presenter.isOn || lesson.hidesAsked);
}

/// The numbers that a step asks for and the engine computes, while the answer is not known; null if none.
const NumbersQuestion* riddleOf(const OpenLesson& open, std::size_t step) {
  const std::optional<Question>& question = open.lesson->steps[step].question;
  const auto* numbers = question ? std::get_if<NumbersQuestion>(&question->kind) : nullptr;
  return numbers && numbers->of && open.work[step].isOpen() ? numbers : nullptr;
}

bool asksFor(const NumbersQuestion& numbers, const std::string& of, Index row, Index col) {
  if (const auto* measure = std::get_if<MeasureOf>(&numbers.of->what))
    return of == "Saturation" && row == measure->row;
  const auto* cells = std::get_if<CellsOf>(&numbers.of->what);
  return cells && shows(of, cells->stage) && cells->row.value_or(row) == row &&
         cells->col.value_or(col) == col;
}

bool isOfHead(const NumbersQuestion& numbers, Index head) {
  const auto* cells = std::get_if<CellsOf>(&numbers.of->what);
  return !cells || cells->stage == Stage::out || cells->head == head;
}

/// Behind the last step that asks about the numbers which are in sight now. Where a mistake or a loop has to
/// be looked at, only the step's own question hides anything.
std::size_t endOfScene(const OpenLesson& open) {
  const std::vector<LessonStep>& steps = open.lesson->steps;
  const auto isToBeSeen = [](const LessonStep& step) { return step.wrong || step.loop; };
  if (isToBeSeen(open.present())) return open.step + 1;
  std::size_t end = open.step + 1;
  while (end < steps.size() && !steps[end].changesScene) ++end;
  return end;
}

}  // namespace

std::optional<double> typedNumber(std::string_view text) {
  const std::string number = plain(text);
  const std::size_t bar = number.find('/');
  if (bar == std::string::npos) return parsed(number);
  const std::optional<double> above = parsed(number.substr(0, bar)), below = parsed(number.substr(bar + 1));
  if (!above || !below || *below == 0) return std::nullopt;
  const double quotient = *above / *below;
  return std::isfinite(quotient) ? std::optional(quotient) : std::nullopt;
}

Index placeTyped(double typed, const Notation& notation) {
  constexpr double kMost = 1e9;
  if (!(std::abs(typed) <= kMost)) return -1;
  return static_cast<Index>(std::lround(typed)) - notation.first;
}

StepWork freshWork(const OpenLesson& open, std::size_t step) {
  StepWork work;
  const std::optional<Question>& question = open.lesson->steps[step].question;
  if (!question) return work;
  if (const auto* numbers = std::get_if<NumbersQuestion>(&question->kind))
    work.typed.resize(numbers->printed.size());
  if (std::holds_alternative<CellQuestion>(question->kind)) work.typed.resize(2);
  if (const auto* order = std::get_if<OrderQuestion>(&question->kind))
    work.order = shuffled(order->items.size(), open.lesson->name + question->ask);
  if (work.order.size() > 1 && std::is_sorted(work.order.begin(), work.order.end()))
    std::swap(work.order[0], work.order[1]);  // nobody is to find it in order
  return work;
}

std::vector<std::size_t> shuffled(std::size_t count, const std::string& seed) {
  std::uint64_t state = 0xcbf29ce484222325;
  for (const char letter : seed) state = (state ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(order[i - 1], order[(state >> 33) % i]);
  }
  return order;
}

void checkAnswer(LessonState& state, const Scene& scene, const Notation& notation) {
  if (!state.open || !state.open->present().question) return;
  StepWork& work = state.open->presentWork();
  const Question& question = *state.open->present().question;
  try {
    work.verdict = judge(question, std::visit(GatherAnswer{work, scene, notation}, question.kind));
  } catch (const Error& error) {
    work.verdict = Verdict{false, error.what()};
  }
  if (!work.verdict->right) return;
  if (!work.isRevealed) state.solved[state.open->key].insert(state.open->present().title);
  work.isSolved = true;
}

void giveHint(LessonState& state) {
  if (!state.open || !state.open->present().question) return;
  StepWork& work = state.open->presentWork();
  work.hints = std::min(work.hints + 1, state.open->present().question->hints.size());
}

void revealAnswer(LessonState& state, const Notation& notation) {
  if (!state.open || !state.open->present().question) return;
  StepWork& work = state.open->presentWork();
  const Question& question = *state.open->present().question;
  work.isRevealed = true;
  work.verdict.reset();
  try {
    std::visit(PutAnswer{work, std::get_if<NumbersQuestion>(&question.kind), notation},
               rightAnswer(question));
  } catch (const Error& error) {  // of a lesson that asks for what its scene does not have
    work.verdict = Verdict{false, error.what()};
  }
}

void noticeClickedCell(ViewState& state) {
  LessonState& lesson = state.lesson;
  if (!lesson.open) return;
  StepWork& work = lesson.open->presentWork();
  const int clicks = state.explain.clicks;
  if (work.clicks == clicks) return;
  work.clicks = clicks;
  const std::optional<Question>& question = lesson.open->present().question;
  const auto* asked = question ? std::get_if<CellQuestion>(&question->kind) : nullptr;
  if (!asked) return;
  const Stage stage = std::get<CellsOf>(asked->of.what).stage, clicked = state.explain.cell.stage;
  const auto isPair = [](Stage s) { return isScore(s) || s == Stage::probs; };
  if (clicked != stage && !(isPair(clicked) && isPair(stage))) return;
  work.typed = {std::to_string(state.notation.counted(state.explain.cell.row)),
                std::to_string(state.notation.counted(state.explain.cell.col))};
  work.verdict.reset();
}

Bytes visiblePairs(const Scene& scene) {
  const Shapes shapes = shapesOf(scene);
  Visibility visibility;
  visibility.build(scene, shapes);
  Bytes pairs(shapes.queries, shapes.keys);
  for (Index i = 0; i < shapes.queries; ++i)
    for (Index j = 0; j < shapes.keys; ++j) pairs(i, j) = visibility.sees(0, i, j) ? 1 : 0;
  return pairs;
}

std::size_t questionCount(const Lesson& lesson) {
  return static_cast<std::size_t>(
      std::count_if(lesson.steps.begin(), lesson.steps.end(),
                    [](const LessonStep& step) { return step.question.has_value(); }));
}

std::size_t solvedCount(const LessonState& state, const std::string& key, const Lesson& lesson) {
  const auto solved = state.solved.find(key);
  if (solved == state.solved.end()) return 0;
  return static_cast<std::size_t>(std::count_if(
      lesson.steps.begin(), lesson.steps.end(),
      [&](const LessonStep& step) { return step.question && solved->second.contains(step.title); }));
}

bool isAskedFor(const ViewState& state, const std::string& of, Index row, Index col) {
  if (!hidesAnswers(state)) return false;
  const OpenLesson& open = *state.lesson.open;
  if (const auto* numbers = riddleOf(open, open.step); numbers && asksFor(*numbers, of, row, col))
    return true;
  for (std::size_t step = open.step + 1; step < endOfScene(open); ++step) {
    const auto* numbers = riddleOf(open, step);
    if (numbers && isOfHead(*numbers, state.selection.head) && asksFor(*numbers, of, row, col)) return true;
  }
  return false;
}

bool hasNumbersToHide(const OpenLesson& open) {
  for (std::size_t step = open.step; step < std::max(open.step + 1, endOfScene(open)); ++step) {
    const auto* numbers = riddleOf(open, step);
    if (!numbers) continue;
    const auto* cells = std::get_if<CellsOf>(&numbers->of->what);
    if (std::holds_alternative<MeasureOf>(numbers->of->what) ||
        (cells && rankOf(cells->stage) > rankOf(Stage::v)))
      return true;
  }
  return false;
}

bool givesAnswerAway(const ViewState& state, const Cell& explained) {
  if (!hidesAnswers(state) || state.lesson.open->present().loop) return false;
  const auto* numbers = riddleOf(*state.lesson.open, state.lesson.open->step);
  const auto* asked = numbers ? std::get_if<CellsOf>(&numbers->of->what) : nullptr;
  if (!asked || (explained.head != asked->head && explained.stage != Stage::out)) return false;
  const bool isSame = explained.stage == asked->stage || (isScore(explained.stage) && isScore(asked->stage));
  if (isSame)
    return asked->row.value_or(explained.row) == explained.row &&
           asked->col.value_or(explained.col) == explained.col;
  if (rankOf(explained.stage) <= rankOf(asked->stage)) return false;
  const bool isKeySide = asked->stage == Stage::k || asked->stage == Stage::v;
  return isKeySide || asked->row.value_or(explained.row) == explained.row;
}

}  // namespace attn
