#pragma once
#include <filesystem>
#include <string>

#include "app/item_registry.h"
#include "app/lessons/lesson_state.h"

namespace attn {

class Application;

/// Shows the browser, or the lesson that is open.
void showLessons(Application& app);

/// Opens a lesson of the library at its first step, or where `step` says. The scene of a lesson is lent: the
/// person's own is put aside. False where there is no such lesson, or it cannot be read.
bool openLesson(Application& app, const std::string& key, std::size_t step = 0);
/// A lesson of any file. A broken one says so in the status line; false then.
bool openLessonFile(Application& app, const std::filesystem::path& file, std::size_t step = 0);
/// Asks for one in a dialog.
void chooseLessonFile(Application& app);

/// Another step, with its scene as one step of undo, and its panels.
void goToStep(Application& app, std::size_t step);
/// The scene as the step has it, whatever was done to it.
void restoreStepScene(Application& app);
/// The person's own scene, panels and comparison again; the browser stays.
void leaveLesson(Application& app);

/// A step by clicker or key: before an audience the answer comes before the next step. False at either end.
bool stepLesson(Application& app, int by);
/// Whether Page up and Page down go through the lesson although nobody presents.
bool hasLessonKeys(const Application& app);

/// Does what was asked for, and looks after files. Once a frame, before the panels are drawn.
void followLessons(Application& app);

/// Where the item lies that the step points at; nothing where it is not on the screen.
std::optional<ItemRect> pointedAtByLesson(const Application& app);
/// Frames the item that the step points at. After the panels.
void drawLessonPointer(Application& app);

}  // namespace attn
