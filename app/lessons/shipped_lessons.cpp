#include "app/lessons/shipped_lessons.h"

#include <string>

#include "app/embedded.h"
#include "core/lessons/lesson_json.h"

namespace attn {

std::vector<std::string_view> shippedLessons() {
  std::vector<std::string_view> files;
  for (const std::string_view name : embeddedNames())
    if (name.starts_with("lessons/")) files.push_back(name);
  return files;
}

Lesson openShippedLesson(std::string_view file) {
  return readLessonJson(embedded(file), std::string(file));
}

}  // namespace attn
