#pragma once
#include <string>
#include <vector>

#include "core/lessons/lesson.h"

namespace attn {

/// What cannot be shown of a lesson's texts, a line each with the line of the step: formulas that cannot be
/// read, panels that do not exist.
std::vector<std::string> faultsOfTexts(const Lesson& lesson);

/// All that is wrong with a lesson, a line each: with its texts, and with what the engine computes.
std::vector<std::string> complaintsAbout(const Lesson& lesson);

/// Every text of a step that may hold formulas.
std::vector<std::string> textsOf(const LessonStep& step);
/// Every text of a lesson that is shown.
std::string allTextsOf(const Lesson& lesson);

}  // namespace attn
