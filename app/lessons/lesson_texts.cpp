#include "app/lessons/lesson_texts.h"

#include <algorithm>

#include "app/formula/rich_text.h"
#include "app/views/view.h"
#include "core/error.h"
#include "core/io/json_parse.h"
#include "core/lessons/verify.h"

namespace attn {
namespace {

bool isPanel(const std::string& title) {
  return std::any_of(allViews().begin(), allViews().end(),
                     [&](const View& view) { return view.title == title; });
}

}  // namespace

std::vector<std::string> textsOf(const LessonStep& step) {
  std::vector<std::string> texts = step.text;
  texts.push_back(step.look);
  for (const Meter& meter : step.meters) texts.push_back(meter.text), texts.push_back(meter.thanText);
  if (!step.question) return texts;
  const Question& question = *step.question;
  texts.push_back(question.ask);
  texts.push_back(question.reveal);
  texts.insert(texts.end(), question.hints.begin(), question.hints.end());
  for (const CommonMistake& mistake : question.mistakes) texts.push_back(mistake.means);
  if (const auto* choice = std::get_if<ChoiceQuestion>(&question.kind))
    for (const Option& option : choice->options) texts.push_back(option.text), texts.push_back(option.means);
  if (const auto* order = std::get_if<OrderQuestion>(&question.kind))
    texts.insert(texts.end(), order->items.begin(), order->items.end());
  return texts;
}

std::string allTextsOf(const Lesson& lesson) {
  std::string all = lesson.title + lesson.sheet + lesson.exercise + lesson.about;
  for (const LessonStep& step : lesson.steps) {
    all += step.title;
    for (const std::string& text : textsOf(step)) all += text;
  }
  return all;
}

std::vector<std::string> faultsOfTexts(const Lesson& lesson) {
  std::vector<std::string> faults;
  for (const LessonStep& step : lesson.steps) {
    const std::string where = "line " + std::to_string(step.line) + ": step \"" + step.title + "\": ";
    for (const std::string& text : textsOf(step)) try {
        piecesOf(text);
      } catch (const Error& error) {
        faults.push_back(where + error.what());
      }
    if (const std::string panel = step.point.substr(0, step.point.find('/'));
        !panel.empty() && !isPanel(panel))
      faults.push_back(where + "found the point " + inQuotes(step.point) +
                       ", expected the title of a panel, or of one and an item in it");
    for (const std::string& panel : step.panels)
      if (!isPanel(panel))
        faults.push_back(where + "found the panel " + inQuotes(panel) + ", expected the title of one");
  }
  return faults;
}

std::vector<std::string> complaintsAbout(const Lesson& lesson) {
  std::vector<std::string> complaints = faultsOfTexts(lesson);
  const std::vector<std::string> computed = verify(lesson).complaints;
  complaints.insert(complaints.end(), computed.begin(), computed.end());
  return complaints;
}

}  // namespace attn
