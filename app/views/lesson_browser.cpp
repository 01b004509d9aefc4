// The lessons that there are: sheet by sheet, with what has been solved of them.
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include "app/item_registry.h"
#include "app/lessons/lesson_answers.h"
#include "app/lessons/lesson_library.h"
#include "app/views/lesson.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

std::string lower(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

/// Whether every word of the search is somewhere in the lesson's line.
bool matches(const LessonEntry& entry, const std::string& search) {
  const Lesson& lesson = *entry.lesson;
  const std::string text =
      lower(lesson.sheet + " " + lesson.exercise + " " + lesson.title + " " + lesson.about);
  const std::string words = lower(search);
  for (std::size_t from = 0; from < words.size();) {
    const std::size_t to = std::min(words.find(' ', from), words.size());
    if (text.find(words.substr(from, to - from)) == std::string::npos) return false;
    from = to + 1;
  }
  return true;
}

void open(LessonState& state, const LessonEntry& entry) {
  state.wish = {LessonWish::Kind::open, entry.key, 0};
}

std::string sheetTitle(const Lesson& lesson, bool isOwn) {
  if (isOwn && lesson.sheet.empty()) return "Your own";
  if (lesson.sheet.empty()) return "Others";
  const bool isNumber = std::isdigit(static_cast<unsigned char>(lesson.sheet.front())) != 0;
  return isNumber ? "Sheet " + lesson.sheet : lesson.sheet;
}

/// "8 min", or what has been solved of it.
std::string progressText(const LessonState& state, const LessonEntry& entry) {
  const std::size_t questions = questionCount(*entry.lesson);
  const std::size_t solved = solvedCount(state, entry.key, *entry.lesson);
  const std::string minutes = std::to_string(entry.lesson->minutes) + " min";
  if (questions > 0 && solved == questions) return "✓ solved";
  return solved == 0 ? minutes
                     : std::to_string(solved) + " of " + std::to_string(questions) + " · " + minutes;
}

/// The room for the longest of them.
float exerciseWidth(const LessonLibrary& library) {
  const float line = ImGui::GetFontSize();
  float width = 0;
  for (const LessonEntry& entry : library.entries)
    if (entry.lesson) width = std::max(width, ImGui::CalcTextSize(entry.lesson->exercise.c_str()).x);
  return std::min(width, 6 * line) + 0.8f * line;
}

void drawEntry(ViewContext& context, const LessonEntry& entry, float number) {
  const Lesson& lesson = *entry.lesson;
  LessonState& state = context.state.lesson;
  const Theme& theme = context.theme;
  const float line = ImGui::GetFontSize(), pad = 3 * theme.unit, width = ImGui::GetContentRegionAvail().x;
  const std::string progress = progressText(state, entry);
  const float right = ImGui::CalcTextSize(progress.c_str()).x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool isNarrow = width < number + right + 12 * line;
  const float room = width - number - (isNarrow ? 0 : right + line);
  const ImVec2 words = ImGui::CalcTextSize(lesson.title.c_str(), nullptr, false, room);
  const float height = words.y + (isNarrow ? line : 0) + 2 * pad;
  ImGui::PushID(entry.key.c_str());
  if (ImGui::Selectable(("##" + entry.key).c_str(), false, 0, {width, height})) open(state, entry);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) ImGui::SetTooltip("%s", lesson.about.c_str());
  ImGui::PopID();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool isSolved = progress.starts_with("✓");
  list.AddText({at.x, at.y + pad}, ImGui::GetColorU32(theme.faint), lesson.exercise.c_str());
  list.AddText(ImGui::GetFont(), line, {at.x + number, at.y + pad}, ImGui::GetColorU32(theme.text),
               lesson.title.c_str(), nullptr, room);
  const ImVec2 end =
      isNarrow ? ImVec2(at.x + number, at.y + pad + words.y) : ImVec2(at.x + width - right, at.y + pad);
  list.AddText(end, ImGui::GetColorU32(isSolved ? theme.series[2] : theme.faint), progress.c_str());
}

void drawFault(const Theme& theme, const LessonEntry& entry) {
  ImGui::PushStyleColor(ImGuiCol_Text, theme.warning);
  ImGui::TextWrapped("✗ %s", entry.fault.c_str());
  ImGui::PopStyleColor();
}

/// The first lesson that is found. Enter in the search opens it.
const LessonEntry* drawList(ViewContext& context, const LessonLibrary& library) {
  const LessonState& state = context.state.lesson;
  const LessonEntry* first = nullptr;
  std::string sheet;
  const float number = exerciseWidth(library);
  for (const LessonEntry& entry : library.entries) {
    if (!entry.lesson || !matches(entry, state.search)) continue;
    const std::string title = sheetTitle(*entry.lesson, !entry.file.empty());
    if (title != sheet) {
      if (first) ImGui::Spacing();
      sectionLabel(context.theme, title.c_str());
      sheet = title;
    }
    if (!first) first = &entry;
    drawEntry(context, entry, number);
  }
  for (const LessonEntry& entry : library.entries)
    if (!entry.lesson) drawFault(context.theme, entry);
  if (!first) hint("No lesson has these words.");
  return first;
}

bool drawSearch(std::string& search) {
  char text[128] = {};
  search.copy(text, sizeof text - 1);
  ImGui::SetNextItemWidth(-1);
  const bool isEntered = ImGui::InputTextWithHint("##search lessons", "search; Enter opens the first one",
                                                  text, sizeof text, ImGuiInputTextFlags_EnterReturnsTrue);
  search = text;
  return isEntered;
}

/// The step of the first question that is not solved; none where all are.
std::optional<std::size_t> firstUnsolved(const LessonState& state, const LessonEntry& entry) {
  const auto solved = state.solved.find(entry.key);
  const auto& steps = entry.lesson->steps;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].question && (solved == state.solved.end() || !solved->second.contains(steps[i].title)))
      return i;
  return std::nullopt;
}

/// Where to begin, or to go on: at the lesson that was open last, or at the one after it.
void drawStart(ViewContext& context, const LessonLibrary& library) {
  LessonState& state = context.state.lesson;
  const auto isUnsolved = [&](const LessonEntry& entry) {
    return entry.lesson && firstUnsolved(state, entry);
  };
  const auto begin = library.entries.begin(), end = library.entries.end();
  const auto last =
      std::find_if(begin, end, [&](const LessonEntry& entry) { return entry.key == state.last; });
  const auto entry = std::find_if(last == end ? begin : last, end, isUnsolved);
  if (entry == end) return;
  const bool isBegun = solvedCount(state, entry->key, *entry->lesson) > 0;
  const std::string name = (isBegun ? "Go on: " : "Begin: ") + entry->lesson->title;
  const float width = ImGui::CalcTextSize(name.c_str()).x + 24 * context.theme.unit;
  if (ImGui::Button((name + "##begin").c_str(), {std::min(ImGui::GetContentRegionAvail().x, width), 0}))
    state.wish = {LessonWish::Kind::open, entry->key, isBegun ? *firstUnsolved(state, *entry) : 0};
  nameRect("begin", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

}  // namespace

void drawLessonBrowser(ViewContext& context) {
  LessonState& state = context.state.lesson;
  if (!state.library) state.library = readLibrary(state.folder);
  const std::shared_ptr<const LessonLibrary> library = state.library;
  ImGui::PushTextWrapPos(ImGui::GetContentRegionMax().x);
  hint("Exercises, step by step. Each asks something, and checks what you answer.");
  ImGui::Spacing();
  drawStart(context, *library);
  ImGui::Spacing();
  const bool isEntered = drawSearch(state.search);
  const LessonEntry* first = drawList(context, *library);
  if (isEntered && first && !state.search.empty()) open(state, *first);
  ImGui::Spacing();
  if (ImGui::Button("Open a lesson file…")) state.wish = {LessonWish::Kind::chooseFile, "", 0};
  if (!state.folder.empty()) hint(("Lessons in " + state.folder.string() + " are listed here.").c_str());
  ImGui::PopTextWrapPos();
}

}  // namespace attn
