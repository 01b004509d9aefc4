#pragma once
#include <string>
#include <vector>

#include "app/layout.h"

namespace attn {

struct Lesson;
struct ViewState;

constexpr const char* kLessonPanel = "Lesson";

/// The panels that are wanted at a step: those of the last one that named any. May be empty.
std::vector<std::string> panelsAt(const Lesson& lesson, std::size_t step);

/// The lesson on the left, the other panels beside it, row by row. `share` of the width is the lesson's.
Layout lessonLayout(const std::vector<std::string>& panels, float share);

/// Puts the lesson and these panels into the window, and before an audience where there is one.
void showLessonPanels(ViewState& state, const std::vector<std::string>& panels);

/// Makes the lesson that is open what is presented. False where none is.
bool presentLesson(ViewState& state);

/// Opens a panel that is hidden or behind another one.
void bringIntoSight(ViewState& state, const std::string& panel);

/// The layout of the window itself, also while something else is presented in it.
Layout& windowLayout(ViewState& state);
const Layout& windowLayout(const ViewState& state);

/// The layout that is found again at the next start: the person's own, not a lesson's.
const Layout& layoutToKeep(const ViewState& state);

}  // namespace attn
