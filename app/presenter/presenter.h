#pragma once
#include <span>

#include "core/slide.h"

namespace attn {

class Application;
struct ViewState;

/// Shows the panels to an audience: large, in strong colours, without menus. The slide that was shown last
/// comes back; without slides the few panels in sight, or where they are many, scores, weights and output.
void startPresenting(Application& app);
/// The window is as it was before.
void stopPresenting(Application& app);

/// A second window for the audience, while this one keeps its panels and menus.
void setAudience(Application& app, bool isWanted);
/// Makes a copy of a lecturer's state that of the window for the audience.
void showToAudience(ViewState& state);

/// A step forward (1) or back (−1), as a clicker asks for it. True where it was taken.
using StepFunction = bool (*)(Application& app, int by);
/// Who is asked for a step, one after the other; the slides come last. Something new that can be stepped
/// through is a new function in steps.cpp.
std::span<const StepFunction> steps();
void takeStep(Application& app, int by);

/// The scene's slide with this number; null where there is none.
const Slide* findSlide(const Application& app, int number);
/// Presents the slide. Nothing where there is none.
void showSlide(Application& app, int number);
/// What is seen now becomes the slide with this number, as a change of the scene that can be undone.
void saveSlide(Application& app, int number);
void removeSlide(Application& app, int number);

/// The keys of slides, and those with which presenting ends. Before the panels are drawn.
void followPresenterKeys(Application& app);

/// The numbers of the slides, which can be clicked; the one that is shown is underlined. In the window that
/// is open.
void drawSlideNumbers(Application& app);

/// How much of the window's height the numbers of the slides take while presenting.
float slideStripHeight(const Application& app);
/// The strip, the spotlight, the dot, or nothing but black. After the panels.
void drawPresenter(Application& app);

}  // namespace attn
