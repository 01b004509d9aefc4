#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/letters.h"
#include "core/lessons/lesson.h"

namespace attn {

struct LessonState;

/// A lesson that can be opened, or the file of one that cannot.
struct LessonEntry {
  std::string key;                       // of a shipped lesson its name, of an own one its file
  std::filesystem::path file;            // empty: it comes with the program
  std::filesystem::file_time_type time;  // of the file
  std::shared_ptr<const Lesson> lesson;  // null where it cannot be read
  std::string fault;                     // then why, with file, line and reason
};

struct LessonLibrary {
  std::vector<LessonEntry> entries;  // shipped ones first, sheet by sheet

  const LessonEntry* find(const std::string& key) const;
};

/// The lessons that come with the program, and those in the folder, which need not exist. What an older
/// library has of them is not read again.
std::shared_ptr<const LessonLibrary> readLibrary(const std::filesystem::path& folder,
                                                 std::shared_ptr<const LessonLibrary> older = nullptr);

/// A lesson of a file, or why there is none.
LessonEntry readLessonFile(const std::filesystem::path& file);

/// The letters of the lesson that is open, or of the titles in the list.
void addLessonLetters(const LessonState& state, Letters& letters);

/// Whether a file that is to be opened is a lesson: a .json that says so.
bool isLessonFile(const std::filesystem::path& file);

}  // namespace attn
