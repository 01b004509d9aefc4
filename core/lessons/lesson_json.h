#pragma once
#include <string>
#include <string_view>

#include "core/lessons/lesson.h"

namespace attn {

/// A lesson from the text of its file (docs/lessons.md). Throws Error with one line: the file, the line, the
/// path, what was found and what was expected.
Lesson readLessonJson(std::string_view text, const std::string& file);

}  // namespace attn
