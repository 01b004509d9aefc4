#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/comparison.h"
#include "app/layout.h"
#include "core/lessons/judge.h"

namespace attn {

struct LessonLibrary;

/// What somebody has done at one step of a lesson.
struct StepWork {
  std::vector<std::string> typed;   // numbers, or the row and column of a cell
  std::vector<std::size_t> chosen;  // options, ascending
  std::vector<std::size_t> order;   // items, as they lie now
  std::optional<Verdict> verdict;   // on what is answered now; none while that was not asked
  int clicks = 0;                   // on cells that were noticed
  std::size_t hints = 0;            // that have been given
  bool isSolved = false;            // by an answer, at any time since the lesson was opened
  bool isRevealed = false;          // the answer was shown
  bool hasTurned = false;           // A and B were turned when the mistake was known
  bool isOpen() const { return !isSolved && !isRevealed; }
};

struct OpenLesson {
  std::string key;  // of a shipped lesson its name, of an own one its file
  std::shared_ptr<const Lesson> lesson;
  std::size_t step = 0;
  std::vector<StepWork> work;                 // one a step
  std::optional<std::filesystem::path> file;  // an own one: read again when it changes
  std::filesystem::file_time_type time{};     // of the file, as it was read
  std::string fault;                          // why what the file holds now is not shown
  std::vector<std::string> complaints;        // what `attnscope lessons check` says of it
  Index loop = 0;                             // the cell that a loop is at
  bool isScrolledUp = false;                  // the next frame begins at the top

  const LessonStep& present() const { return lesson->steps[step]; }
  StepWork& presentWork() { return work[step]; }
  const StepWork& presentWork() const { return work[step]; }
};

/// What was asked for in the panel: done before the next frame.
struct LessonWish {
  enum class Kind { none, open, goTo, restore, leave, browse, chooseFile };
  Kind kind = Kind::none;
  std::string key;       // of what to open
  std::size_t step = 0;  // to go to
};

struct LessonState {
  std::optional<OpenLesson> open;
  LessonWish wish;
  std::string search;
  std::map<std::string, std::set<std::string>> solved;  // by lesson: the titles of its steps
  std::string last;                                     // the lesson that was open last
  bool hidesAsked = true;                               // numbers that are asked for, in the window as well

  std::shared_ptr<const LessonLibrary> library;  // null until it is looked at
  std::filesystem::path folder;                  // of own lessons; may be empty, need not exist
  double lookedAt = 0;                           // when files were last looked at, in seconds

  // Of the person, while a lesson is open.
  Layout ownLayout;
  CompareState ownCompare;
  bool isElsewhere = false;  // the scene is the person's again, though the lesson is open

  struct Counted {  // the meters' numbers, of the scene that they were counted for
    std::shared_ptr<const Scene> scene;
    std::size_t step = 0;
    std::vector<std::pair<double, double>> numbers;
  };
  std::shared_ptr<const Counted> counted;
};

}  // namespace attn
