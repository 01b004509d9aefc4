#pragma once
#include <string_view>
#include <vector>

#include "core/lessons/lesson.h"

namespace attn {

/// The files of the lessons that come with the program, "lessons/000-1-….json", sheet by sheet.
std::vector<std::string_view> shippedLessons();

/// One of them. Throws Error where it is bad, as readLessonJson does.
Lesson openShippedLesson(std::string_view file);

}  // namespace attn
