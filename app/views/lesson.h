#pragma once
#include <string>

namespace attn {

struct LessonStep;
struct OpenLesson;
struct ViewContext;

/// The lessons that there are, or the one that is open.
void drawLesson(ViewContext& context);
/// The present step as text, for the clipboard.
std::string lessonText(const ViewContext& context);

void drawLessonBrowser(ViewContext& context);
void drawLessonStep(ViewContext& context);
/// What is asked at the present step, with the controls to answer, and what became of the answer.
void drawLessonQuestion(ViewContext& context);
/// Numbers in the maps that are asked for are hidden; whoever wants to read them there, may.
void drawHiding(ViewContext& context);
/// What helps to see what a step is about: numbers that are counted as the scene changes, a loop over cells,
/// a mistake beside what is right.
void drawLessonAids(ViewContext& context);

/// A line with a bar at its left, green with a tick or red with a cross: never by colour alone.
void drawVerdict(const ViewContext& context, bool isRight, const std::string& text);

}  // namespace attn
