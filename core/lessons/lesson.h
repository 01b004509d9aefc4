#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/lessons/quantity.h"

namespace attn {

/// One number or several, to be typed. What is printed and what the engine says agree within the tolerance.
struct NumbersQuestion {
  std::vector<double> printed;
  std::optional<Quantity> of;  // none: the printed numbers are all there is
  double tolerance = 0;
};
/// A cell of a map, to be clicked: the one with the largest or the smallest number of a head or a row.
struct CellQuestion {
  Quantity of;  // holds CellsOf, without col
  bool largest = true;
  Index row = 0, col = 0;
};
/// "The entropy of row 0 is below 1": what makes a choice right, in numbers.
struct Fact {
  enum class Relation { below, above, about };
  Quantity of;
  Relation relation = Relation::about;
  std::variant<double, Quantity> than = 0.0;
  double tolerance = 0;  // of about
};
struct Option {
  std::string text;
  bool right = false;
  std::string means;  // what one who chooses it has in mind, where it is wrong
};
struct ChoiceQuestion {
  std::vector<Option> options;
  std::vector<Fact> facts;
};
/// Steps that are to be brought into their order; here they are in the right one.
struct OrderQuestion {
  std::vector<std::string> items;
};
/// A mask to be painted: which keys each query may see.
struct MaskQuestion {
  Bytes mayAttend;              // queries × keys
  std::vector<MaskRule> rules;  // that say the same
};
using QuestionKind = std::variant<NumbersQuestion, CellQuestion, ChoiceQuestion, OrderQuestion, MaskQuestion>;

/// A mistake that is often made, and what the one who made it should hear.
struct CommonMistake {
  std::variant<std::vector<double>, Quantity> numbers;
  std::string means;
};

struct Question {
  std::string ask;
  QuestionKind kind;
  std::vector<CommonMistake> mistakes;  // of numbers
  std::vector<std::string> hints;
  std::string reveal;  // how it is found
};

/// Two numbers of the scene as it is at the moment, side by side, and how they should compare.
struct Meter {
  std::string text, thanText;  // what they are
  Fact fact;
};

struct LessonStep {
  std::string title;
  std::vector<std::string> text;              // paragraphs, with formulas between dollar signs
  std::shared_ptr<const PreciseScene> scene;  // as it is from this step on
  bool changesScene = false;                  // the first step always does
  std::vector<std::string> panels;            // that are wanted in sight; empty: as they are
  std::string point;                          // the item to point at, by its label path; may be empty
  std::string look;                           // what to look at there
  std::vector<Meter> meters;
  std::optional<Stage> loop;                  // whose cells are gone through one by one
  std::shared_ptr<const PreciseScene> wrong;  // with the mistake that the step is about; null: none
  std::optional<Question> question;
  std::size_t line = 0;  // of the file
};

struct Lesson {
  std::string name;  // of the file, without its ending
  std::string title, sheet, exercise, about;
  int minutes = 5;
  std::vector<LessonStep> steps;
};

}  // namespace attn
