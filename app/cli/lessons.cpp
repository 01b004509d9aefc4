#include "app/cli/lessons.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>

#include "app/lessons/lesson_texts.h"
#include "app/lessons/shipped_lessons.h"
#include "core/error.h"
#include "core/io/text_file.h"
#include "core/lessons/lesson_json.h"
#include "core/lessons/verify.h"

namespace attn {
namespace {

constexpr std::uint64_t kLargestLesson = std::uint64_t{4} << 20;

std::string counted(std::size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::size_t questionsOf(const Lesson& lesson) {
  return static_cast<std::size_t>(
      std::count_if(lesson.steps.begin(), lesson.steps.end(),
                    [](const LessonStep& step) { return step.question.has_value(); }));
}

void list() {
  std::string sheet = "none yet";
  for (const std::string_view file : shippedLessons()) {
    const Lesson lesson = openShippedLesson(file);
    if (lesson.sheet != sheet)
      std::cout << (sheet == "none yet" ? "" : "\n") << "Sheet " << lesson.sheet << '\n';
    sheet = lesson.sheet;
    std::cout << "  " << std::left << std::setw(8) << lesson.exercise << lesson.title << '\n'
              << "          " << lesson.about << '\n'
              << "          " << counted(lesson.steps.size(), "step") << ", "
              << counted(questionsOf(lesson), "question") << ", about " << lesson.minutes << " min; "
              << lesson.name << '\n';
  }
}

/// Says what is wrong with a lesson, or that nothing is; true where nothing is.
template <class Read>
bool checkOne(const std::string& file, const Read& read) {
  try {
    const Lesson lesson = read();
    const Verification verification = verify(lesson);
    std::vector<std::string> complaints = faultsOfTexts(lesson);
    complaints.insert(complaints.end(), verification.complaints.begin(), verification.complaints.end());
    for (const std::string& complaint : complaints)
      std::cerr << "attnscope: " << file << ": " << complaint << '\n';
    if (!complaints.empty()) return false;
    std::cout << file << ": " << counted(lesson.steps.size(), "step") << ", "
              << counted(verification.questions, "question") << ", "
              << counted(verification.computed, "answer") << " computed: all is well\n";
    return true;
  } catch (const Error& error) {
    std::cerr << "attnscope: " << error.what() << '\n';
    return false;
  }
}

void check(const std::vector<std::string>& files) {
  std::size_t checked = 0, bad = 0;
  const auto count = [&](bool well) { ++checked, bad += !well; };
  for (const std::string& file : files)
    count(checkOne(file, [&] { return readLessonJson(readTextFile(file, kLargestLesson), file); }));
  if (files.empty())
    for (const std::string_view file : shippedLessons())
      count(checkOne(std::string(file), [&] { return openShippedLesson(file); }));
  if (bad > 0)
    throw Error(std::to_string(bad) + " of " + counted(checked, "lesson") + " cannot be used as they are");
  std::cout << counted(checked, "lesson") << " checked\n";
}

}  // namespace

void addLessons(CLI::App& program) {
  CLI::App* verb = program.add_subcommand("lessons", "List the lessons that come with the program");
  CLI::App* checks = verb->add_subcommand("check", "Read lessons and compute every answer");
  auto files = std::make_shared<std::vector<std::string>>();
  checks->add_option("FILE", *files, "Lesson files; none: the lessons that come with the program");
  checks->callback([files] { check(*files); });
  verb->callback([verb] {
    if (verb->get_subcommands().empty()) list();
  });
}

}  // namespace attn
