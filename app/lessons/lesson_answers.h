#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson_state.h"

namespace attn {

struct Notation;
struct ViewState;

/// "2.5", "2,5", "−3", "1/3", "1e-5". Nothing where it is no number.
std::optional<double> typedNumber(std::string_view text);
/// The row or column that a number which was typed stands for; negative where there can be none.
Index placeTyped(double typed, const Notation& notation);

/// What a question that nobody has answered yet begins with.
StepWork freshWork(const OpenLesson& open, std::size_t step);

/// In which order options are shown, and items at first: the same at every start.
std::vector<std::size_t> shuffled(std::size_t count, const std::string& seed);

/// Judges what is answered at the present step. What is right counts as solved.
void checkAnswer(LessonState& state, const Scene& scene, const Notation& notation);
void giveHint(LessonState& state);
/// Shows the answer, in the controls as well.
void revealAnswer(LessonState& state, const Notation& notation);

/// Takes a cell that was clicked in a map for the answer, where one is asked for.
void noticeClickedCell(ViewState& state);

/// Which pairs the scene leaves visible, in its first head.
Bytes visiblePairs(const Scene& scene);

/// How many questions a lesson has, and how many of them have been solved at any time.
std::size_t questionCount(const Lesson& lesson);
std::size_t solvedCount(const LessonState& state, const std::string& key, const Lesson& lesson);

/// Whether a number of a stage or a measure is asked for, by the present step or by one behind it with the
/// same scene, and not to be seen yet by whoever sits at this window. `of` names the map or table as for
/// hidden values.
bool isAskedFor(const ViewState& state, const std::string& of, Index row, Index col);
/// Whether the maps hold numbers that these steps ask for.
bool hasNumbersToHide(const OpenLesson& open);
/// Whether the derivation of a number would show what the present step asks for.
bool givesAnswerAway(const ViewState& state, const Cell& explained);

}  // namespace attn
