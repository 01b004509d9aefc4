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

/// The same with the one that the step points at.
std::vector<std::string> panelsInWindowAt(const Lesson& lesson, std::size_t step);
/// Of these the one or two that an audience sees: what is pointed at, and what comes before it.
std::vector<std::string> presentedPanelsAt(const Lesson& lesson, std::size_t step);

/// Puts the lesson that is open on the left of the window, and the panels of its step beside it. Without any
/// the window stays as it is.
void showLessonPanels(ViewState& state);
/// The same before an audience, where there is one.
void showPresentedPanels(ViewState& state);

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
