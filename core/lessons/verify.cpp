#include "core/lessons/verify.h"

#include <algorithm>
#include <cmath>

#include "core/attention/visibility.h"
#include "core/error.h"
#include "core/io/number_text.h"
#include "core/lessons/judge.h"

namespace attn {
namespace {

std::string listed(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + numberText(number);
  return text;
}

/// Half a unit of the last digit that a number is printed with: 0.005 of 2.83, 5e-14 of 6.9e-13.
double halfUnit(double printed) {
  const std::string text = numberText(printed);
  const std::size_t exponentAt = text.find('e'), point = text.find('.');
  const std::size_t end = std::min(exponentAt, text.size());
  const double decimals = point < end ? static_cast<double>(end - point - 1) : 0;
  const double exponent = exponentAt < text.size() ? std::stod(text.substr(exponentAt + 1)) : 0;
  return 0.5 * std::pow(10, exponent - decimals);
}

/// Whether each printed number is what the engine computes, rounded.
bool isPrintedRight(const NumbersQuestion& question, const std::vector<double>& computed) {
  return computed.size() == question.printed.size() &&
         std::equal(computed.begin(), computed.end(), question.printed.begin(),
                    [&](double a, double printed) {
                      return std::abs(a - printed) <=
                             std::min(question.tolerance, halfUnit(printed)) * (1 + 1e-9) + 1e-15;
                    });
}

/// What the engine says of one step.
class Check {
 public:
  explicit Check(const LessonStep& step) : step_(step) {}

  std::vector<std::string> complaints;
  std::size_t computed = 0;

  void all() {
    for (const Meter& meter : step_.meters) checkFact(meter.fact);
    if (step_.question) std::visit(*this, step_.question->kind);
  }

  void operator()(const NumbersQuestion& numbers) {
    if (numbers.of) {
      ++computed;
      const std::vector<double> right = numbersOf(*numbers.of);
      if (!isPrintedRight(numbers, right))
        complain("printed is " + listed(numbers.printed) + ", the engine computes " + listed(right) +
                 ", expected the same to the last digit printed and within " + numberText(numbers.tolerance));
    }
    for (const CommonMistake& mistake : step_.question->mistakes) checkMistake(mistake, numbers);
  }

  void operator()(const CellQuestion& cell) {
    ++computed;
    const CellsOf& cells = std::get<CellsOf>(cell.of.what);
    const std::vector<double> numbers = numbersOf(cell.of);
    const Index cols = stageShape(*cell.of.scene, cells.stage).cols;
    const Index at = (cells.row ? 0 : cell.row) * cols + cell.col;
    const double chosen = numbers[static_cast<std::size_t>(at)];
    const auto rivals = std::count_if(numbers.begin(), numbers.end(), [&](double number) {
      return cell.largest ? number >= chosen : number <= chosen;
    });
    if (rivals != 1)
      complain("the cell (" + std::to_string(cell.row) + ", " + std::to_string(cell.col) + ") is " +
               numberText(chosen) + ", which is not the one that is " +
               (cell.largest ? "largest" : "smallest"));
  }

  void operator()(const ChoiceQuestion& choice) {
    for (const Fact& fact : choice.facts) checkFact(fact);
  }

  void operator()(const OrderQuestion&) {}

  void operator()(const MaskQuestion& mask) {
    ++computed;
    const Shapes shapes = {.heads = 1, .queries = mask.mayAttend.rows(), .keys = mask.mayAttend.cols()};
    Index wrong = 0;
    for (Index i = 0; i < shapes.queries; ++i)
      for (Index j = 0; j < shapes.keys; ++j) {
        const bool sees = std::all_of(mask.rules.begin(), mask.rules.end(),
                                      [&](const MaskRule& rule) { return allows(rule, shapes, 0, i, j); });
        wrong += sees != (mask.mayAttend(i, j) != 0);
      }
    if (wrong > 0) complain("may_attend and masks differ in " + std::to_string(wrong) + " pairs");
  }

 private:
  void complain(const std::string& line) { complaints.push_back(line); }

  void checkMistake(const CommonMistake& mistake, const NumbersQuestion& numbers) {
    const auto* quantity = std::get_if<Quantity>(&mistake.numbers);
    const std::vector<double> made =
        quantity ? numbersOf(*quantity) : std::get<std::vector<double>>(mistake.numbers);
    computed += quantity != nullptr;
    const Verdict verdict = judge(*step_.question, made);
    const std::string whose = "the mistake \"" + mistake.means.substr(0, 40) + "…\" leads to " + listed(made);
    if (verdict.right)
      complain(whose + ", which is right within " + numberText(numbers.tolerance));
    else if (verdict.says != mistake.means)
      complain(whose + ", and who answers that hears \"" + verdict.says.substr(0, 60) + "\"");
  }

  void checkFact(const Fact& fact) {
    ++computed;
    const std::vector<double> left = numbersOf(fact.of);
    const auto* quantity = std::get_if<Quantity>(&fact.than);
    const std::vector<double> right =
        quantity ? numbersOf(*quantity) : std::vector{std::get<double>(fact.than)};
    if (left.size() != 1 || right.size() != 1)
      return complain("a fact compares " + std::to_string(left.size()) + " numbers with " +
                      std::to_string(right.size()) + ", expected one with one");
    const double a = left[0], b = right[0];
    using Relation = Fact::Relation;
    const bool holds = fact.relation == Relation::below   ? a < b
                       : fact.relation == Relation::above ? a > b
                                                          : std::abs(a - b) <= fact.tolerance;
    const char* word = fact.relation == Relation::below   ? "below"
                       : fact.relation == Relation::above ? "above"
                                                          : "about";
    if (!holds) complain("a fact does not hold: " + numberText(a) + " is not " + word + " " + numberText(b));
  }

  const LessonStep& step_;
};

}  // namespace

Verification verify(const Lesson& lesson) {
  Verification result;
  for (const LessonStep& step : lesson.steps) {
    if (step.question) ++result.questions;
    Check check(step);
    try {
      check.all();
    } catch (const Error& error) {
      check.complaints.push_back(error.what());
    }
    result.computed += check.computed;
    for (const std::string& complaint : check.complaints)
      result.complaints.push_back("line " + std::to_string(step.line) + ": step \"" + step.title +
                                  "\": " + complaint);
  }
  return result;
}

}  // namespace attn
