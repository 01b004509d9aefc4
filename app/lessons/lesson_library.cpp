#include "app/lessons/lesson_library.h"

#include <algorithm>
#include <fstream>

#include "app/lessons/lesson_state.h"
#include "app/lessons/lesson_texts.h"
#include "app/lessons/shipped_lessons.h"
#include "core/error.h"
#include "core/io/text_file.h"
#include "core/lessons/lesson_json.h"

namespace attn {
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kLargestLesson = std::uint64_t{4} << 20;

fs::file_time_type timeOf(const fs::path& file) {
  std::error_code ignored;
  return fs::last_write_time(file, ignored);
}

std::vector<LessonEntry> shippedEntries() {
  std::vector<LessonEntry> entries;
  for (const std::string_view file : shippedLessons()) {
    auto lesson = std::make_shared<const Lesson>(openShippedLesson(file));
    entries.push_back({lesson->name, {}, {}, std::move(lesson), ""});
  }
  return entries;
}

std::vector<fs::path> lessonsIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  if (folder.empty()) return files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".json" && at->is_regular_file(error)) files.push_back(at->path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

const LessonEntry* LessonLibrary::find(const std::string& key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const LessonEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

std::shared_ptr<const LessonLibrary> readLibrary(const fs::path& folder,
                                                 std::shared_ptr<const LessonLibrary> older) {
  LessonLibrary library;
  if (older)
    std::copy_if(older->entries.begin(), older->entries.end(), std::back_inserter(library.entries),
                 [](const LessonEntry& entry) { return entry.file.empty(); });
  else
    library.entries = shippedEntries();
  bool isOther = !older;
  for (const fs::path& file : lessonsIn(folder)) {
    const LessonEntry* known = older ? older->find(file.string()) : nullptr;
    const bool isSame = known && known->time == timeOf(file);
    isOther |= !isSame;
    library.entries.push_back(isSame ? *known : readLessonFile(file));
  }
  if (!isOther && library.entries.size() == older->entries.size()) return older;
  return std::make_shared<const LessonLibrary>(std::move(library));
}

LessonEntry readLessonFile(const fs::path& file) {
  LessonEntry entry{file.string(), file, timeOf(file), nullptr, ""};
  try {
    entry.lesson = std::make_shared<const Lesson>(
        readLessonJson(readTextFile(file.string(), kLargestLesson), file.string()));
  } catch (const Error& error) {
    entry.fault = error.what();
  }
  return entry;
}

void addLessonLetters(const LessonState& state, Letters& letters) {
  if (state.open) return addLetters(allTextsOf(*state.open->lesson) + state.open->fault, letters);
  if (!state.library) return;
  for (const LessonEntry& entry : state.library->entries) {
    addLetters(entry.fault, letters);
    if (entry.lesson) addLetters(entry.lesson->title + entry.lesson->sheet + entry.lesson->exercise, letters);
  }
}

bool isLessonFile(const fs::path& file) {
  std::error_code error;
  if (file.extension() != ".json" || !fs::is_regular_file(file, error)) return false;
  std::ifstream stream(file, std::ios::binary);
  std::string begin(std::size_t{1} << 12, '\0');
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(stream.gcount()));
  return begin.find("\"attnscope_lesson\"") != std::string::npos;
}

}  // namespace attn
