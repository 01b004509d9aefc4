#include "core/lessons/lesson_json.h"

#include "core/io/json_lines.h"
#include "core/io/json_parse.h"
#include "core/lessons/question_json.h"

namespace attn {
namespace {

constexpr int kVersion = 1;
constexpr std::uint64_t kMostMemory = std::uint64_t{256} << 20;  // a lesson is small, whoever wrote it
constexpr int kLongestLesson = 600;                              // minutes

/// A text, or a list of paragraphs.
std::vector<std::string> readParagraphs(const JsonReader& place) {
  if (place.isText()) return {place.text()};
  std::vector<std::string> paragraphs;
  for (std::size_t i = 0; i < place.lengthOfSome("paragraphs"); ++i) paragraphs.push_back(place[i].text());
  return paragraphs;
}

LessonStep readStep(const JsonReader& place, const JsonLines& lines, std::size_t index,
                    SceneDocument& scene) {
  place.allow({"title", "text", "change", "panels", "point", "look", "meters", "loop", "wrong", "question"});
  LessonStep step;
  step.line = lines.lineOf("steps[" + std::to_string(index) + "]");
  step.title = place.at("title").text();
  step.text = readParagraphs(place.at("text"));
  step.changesScene = index == 0 || place.has("change");
  if (place.has("change")) scene = scene.changed(place.at("change"));
  step.scene = scene.scene;
  if (place.has("panels")) step.panels = readParagraphs(place.at("panels"));
  if (place.has("point")) step.point = place.at("point").text();
  if (place.has("look")) step.look = place.at("look").text();
  if (place.has("meters")) step.meters = readMeters(place.at("meters"), scene);
  if (place.has("loop")) step.loop = readStage(place.at("loop"), *scene.scene);
  if (place.has("wrong")) step.wrong = scene.changed(place.at("wrong")).scene;
  if (place.has("question")) step.question = readQuestion(place.at("question"), scene);
  return step;
}

/// "lessons/by_hand.json" is the lesson by_hand.
std::string nameOf(std::string_view file) {
  file.remove_prefix(file.find_last_of('/') + 1);  // npos + 1 is 0
  return std::string(file.substr(0, file.rfind('.')));
}

}  // namespace

Lesson readLessonJson(std::string_view text, const std::string& file) {
  const nlohmann::json document = parseJson(text, file, kMostMemory);
  const JsonLines lines(text);
  const JsonReader root(document, file, &lines);
  root.allow({"attnscope_lesson", "title", "sheet", "exercise", "about", "minutes", "scene", "steps"});
  const JsonReader version = root.at("attnscope_lesson");
  if (version.whole<int>() != kVersion) version.refuse("version " + std::to_string(kVersion));
  Lesson lesson;
  lesson.name = nameOf(file);
  lesson.title = root.at("title").text();
  if (root.has("sheet")) lesson.sheet = root.at("sheet").text();
  if (root.has("exercise")) lesson.exercise = root.at("exercise").text();
  lesson.about = root.at("about").text();
  lesson.minutes = root.at("minutes").whole<int>(1);
  if (lesson.minutes > kLongestLesson)
    root.at("minutes").refuse("a number of minutes up to " + std::to_string(kLongestLesson));
  SceneDocument scene = SceneDocument::read(root.at("scene").node(), root.at("scene"));
  const JsonReader steps = root.at("steps");
  for (std::size_t i = 0; i < steps.lengthOfSome("steps"); ++i)
    lesson.steps.push_back(readStep(steps[i], lines, i, scene));
  return lesson;
}

}  // namespace attn
