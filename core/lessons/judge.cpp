#include "core/lessons/judge.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace attn {
namespace {

bool agree(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  // Half a unit of the last digit is asked for as 0.005, and 0.125 is 0.13 or 0.12: neither must fail by
  // rounding.
  const double allowed = tolerance * (1 + 1e-9) + 1e-12;
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](double x, double y) {
           return x == y || std::abs(x - y) <= allowed;
         });
}

std::vector<double> numbersIn(const std::variant<std::vector<double>, Quantity>& numbers) {
  if (const auto* known = std::get_if<std::vector<double>>(&numbers)) return *known;
  return numbersOf(std::get<Quantity>(numbers));
}

std::vector<double> rightNumbers(const NumbersQuestion& question) {
  return question.of ? numbersOf(*question.of) : question.printed;
}

std::vector<std::size_t> rightOptions(const ChoiceQuestion& question) {
  std::vector<std::size_t> right;
  for (std::size_t i = 0; i < question.options.size(); ++i)
    if (question.options[i].right) right.push_back(i);
  return right;
}

std::vector<std::size_t> upTo(std::size_t count) {
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

Verdict judgeNumbers(const Question& question, const NumbersQuestion& numbers,
                     const std::vector<double>& given) {
  if (agree(given, rightNumbers(numbers), numbers.tolerance)) return {true, ""};
  if (given.size() != numbers.printed.size())
    return {false, "Asked for are " + std::to_string(numbers.printed.size()) + " numbers."};
  for (const CommonMistake& mistake : question.mistakes)
    if (agree(given, numbersIn(mistake.numbers), numbers.tolerance)) return {false, mistake.means};
  const std::vector<double> right = rightNumbers(numbers);
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(given.size(), right.size()); ++i)
    count += agree({given[i]}, {right[i]}, numbers.tolerance);
  if (count == 0) return {};
  return {false, std::to_string(count) + " of " + std::to_string(given.size()) + " numbers " +
                     (count == 1 ? "is" : "are") + " right."};
}

/// Whoever chose another cell of the right row hears what stands there.
Verdict judgeCell(const CellQuestion& cell, const ChosenCell& chosen) {
  if (chosen.row == cell.row && chosen.col == cell.col) return {true, ""};
  const CellsOf& asked = std::get<CellsOf>(cell.of.what);
  const StageShape shape = stageShape(*cell.of.scene, asked.stage);
  if (chosen.row < 0 || chosen.col < 0 || chosen.row >= shape.rows || chosen.col >= shape.cols)
    return {false, "There is no such cell."};
  if (asked.row && chosen.row != *asked.row) return {false, "Another row is asked for."};
  const double number =
      numbersOf({cell.of.scene, CellsOf{asked.stage, asked.head, chosen.row, chosen.col}}).front();
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", number);
  return {false, std::string("There stands ") + text + ": another one is " +
                     (cell.largest ? "larger." : "smaller.")};
}

Verdict judgeOrder(const OrderQuestion& order, const std::vector<std::size_t>& chosen) {
  const std::vector<std::size_t> right = upTo(order.items.size());
  if (chosen == right) return {true, ""};
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(chosen.size(), right.size()); ++i) count += chosen[i] == right[i];
  return {false, std::to_string(count) + " of " + std::to_string(right.size()) +
                     (count == 1 ? " is" : " are") + " in the right place."};
}

/// The first wrong option that was chosen speaks.
Verdict judgeChoice(const ChoiceQuestion& choice, const std::vector<std::size_t>& chosen) {
  if (chosen == rightOptions(choice)) return {true, ""};
  for (const std::size_t i : chosen)
    if (i < choice.options.size() && !choice.options[i].right) return {false, choice.options[i].means};
  return {false, chosen.empty() ? "" : "That is right, but not all of it."};
}

Verdict judgeMask(const MaskQuestion& mask, const Bytes& painted) {
  if (painted.rows() != mask.mayAttend.rows() || painted.cols() != mask.mayAttend.cols()) return {};
  Index hiddenTooMuch = 0, seenTooMuch = 0;
  for (Index i = 0; i < painted.size(); ++i) {
    const bool sees = painted.data()[i] != 0, may = mask.mayAttend.data()[i] != 0;
    hiddenTooMuch += may && !sees;
    seenTooMuch += sees && !may;
  }
  if (hiddenTooMuch + seenTooMuch == 0) return {true, ""};
  const auto pairs = [](Index count) { return std::to_string(count) + (count == 1 ? " pair" : " pairs"); };
  std::string says;
  if (seenTooMuch > 0) says = pairs(seenTooMuch) + " should be hidden";
  if (hiddenTooMuch > 0) says += (says.empty() ? "" : ", ") + pairs(hiddenTooMuch) + " should be seen";
  return {false, says + "."};
}

struct Judge {
  const Question& question;
  const Answer& answer;

  template <class Expected>
  const Expected* given() const {
    return std::get_if<Expected>(&answer);
  }
  Verdict operator()(const NumbersQuestion& numbers) const {
    const auto* typed = given<std::vector<double>>();
    return typed ? judgeNumbers(question, numbers, *typed) : Verdict{};
  }
  Verdict operator()(const CellQuestion& cell) const {
    const auto* chosen = given<ChosenCell>();
    return chosen ? judgeCell(cell, *chosen) : Verdict{};
  }
  Verdict operator()(const ChoiceQuestion& choice) const {
    const auto* chosen = given<ChosenOptions>();
    return chosen ? judgeChoice(choice, chosen->indices) : Verdict{};
  }
  Verdict operator()(const OrderQuestion& order) const {
    const auto* chosen = given<ChosenOrder>();
    return chosen ? judgeOrder(order, chosen->indices) : Verdict{};
  }
  Verdict operator()(const MaskQuestion& mask) const {
    const auto* painted = given<Bytes>();
    return painted ? judgeMask(mask, *painted) : Verdict{};
  }
};

struct RightAnswer {
  Answer operator()(const NumbersQuestion& numbers) const { return rightNumbers(numbers); }
  Answer operator()(const CellQuestion& cell) const { return ChosenCell{cell.row, cell.col}; }
  Answer operator()(const ChoiceQuestion& choice) const { return ChosenOptions{rightOptions(choice)}; }
  Answer operator()(const OrderQuestion& order) const { return ChosenOrder{upTo(order.items.size())}; }
  Answer operator()(const MaskQuestion& mask) const { return mask.mayAttend; }
};

}  // namespace

Verdict judge(const Question& question, const Answer& answer) {
  return std::visit(Judge{question, answer}, question.kind);
}

Answer rightAnswer(const Question& question) {
  return std::visit(RightAnswer{}, question.kind);
}

}  // namespace attn
