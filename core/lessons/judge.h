#pragma once
#include <string>
#include <variant>
#include <vector>

#include "core/lessons/lesson.h"

namespace attn {

struct ChosenCell {
  Index row = 0, col = 0;
};
struct ChosenOptions {
  std::vector<std::size_t> indices;  // ascending
};
struct ChosenOrder {
  std::vector<std::size_t> indices;  // of the items, first to last
};
/// What someone answers: numbers, a cell, options, an order or a painted mask.
using Answer = std::variant<std::vector<double>, ChosenCell, ChosenOptions, ChosenOrder, Bytes>;

struct Verdict {
  bool right = false;
  std::string says;  // why it is wrong, where that is known
};

/// Whether the engine agrees. An answer of another kind than the question's is wrong.
Verdict judge(const Question& question, const Answer& answer);

/// The answer that `judge` takes as right.
Answer rightAnswer(const Question& question);

}  // namespace attn
