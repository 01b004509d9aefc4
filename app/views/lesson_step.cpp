// The lesson that is open: where one is in it, what the step says, and the way on.
#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/item_registry.h"
#include "app/lessons/lesson_answers.h"
#include "app/lessons/lesson_library.h"
#include "app/views/lesson.h"
#include "app/views/rich_text_view.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

void wish(ViewContext& context, LessonWish::Kind kind, std::size_t step = 0) {
  context.state.lesson.wish = {kind, "", step};
}

/// What stands for a step in the row of all: a disc for the present one, ticked where it is solved.
void drawMark(const ViewContext& context, ImVec2 centre, float radius, std::size_t index) {
  const OpenLesson& open = *context.state.lesson.open;
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool isPresent = index == open.step, isQuestion = open.lesson->steps[index].question.has_value();
  const ImU32 ink = ImGui::GetColorU32(isPresent ? theme.accent : theme.faint);
  if (isPresent)
    list.AddCircleFilled(centre, radius, ink, 24);
  else if (isQuestion)
    list.AddCircle(centre, radius, ink, 24, 1.5f * theme.unit);
  else
    list.AddCircleFilled(centre, 0.4f * radius, ink, 16);
  if (!open.work[index].isSolved) return;
  const ImU32 tick = ImGui::GetColorU32(isPresent ? theme.panel : theme.series[2]);
  const float r = 0.55f * radius;
  const ImVec2 points[] = {{centre.x - r, centre.y},
                           {centre.x - 0.2f * r, centre.y + 0.7f * r},
                           {centre.x + r, centre.y - 0.7f * r}};
  list.AddPolyline(points, 3, tick, 0, 2 * theme.unit);
}

/// All steps in a row; a click goes there.
void drawMarks(ViewContext& context) {
  const OpenLesson& open = *context.state.lesson.open;
  const std::size_t count = open.lesson->steps.size();
  const float line = ImGui::GetFontSize();
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) flowTo(line, 0);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton(("step " + std::to_string(i + 1)).c_str(), {line, line}))
      wish(context, LessonWish::Kind::goTo, i);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%zu. %s", i + 1, open.lesson->steps[i].title.c_str());
    if (ImGui::IsItemFocused() && isMouseAtRest())
      ImGui::GetWindowDrawList()->AddRect(at, {at.x + line, at.y + line},
                                          ImGui::GetColorU32(context.theme.accent));
    drawMark(context, {at.x + line / 2, at.y + line / 2}, 0.34f * line, i);
  }
}

void drawHead(ViewContext& context) {
  const OpenLesson& open = *context.state.lesson.open;
  const Lesson& lesson = *open.lesson;
  const bool isPresented = context.state.presenter.isOn;
  if (!isPresented) {
    if (ImGui::Button("All lessons")) wish(context, LessonWish::Kind::browse);
    const std::string place = lesson.sheet.empty() ? "" : lesson.sheet + " · " + lesson.exercise;
    if (!place.empty()) {
      flowTo(ImGui::CalcTextSize(place.c_str()).x, 10 * context.theme.unit);
      ImGui::TextDisabled("%s", place.c_str());
    }
  }
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.faint);
  ImGui::TextWrapped("%s", lesson.title.c_str());
  ImGui::PopStyleColor();
  if (!isPresented) drawMarks(context);
}

/// The present scene is not the lesson's, or the file is broken: what to do about it.
void drawTroubles(ViewContext& context) {
  const LessonState& state = context.state.lesson;
  const OpenLesson& open = *state.open;
  if (state.isElsewhere) {
    hint("The window shows your own scene.");
    if (ImGui::Button("Go on with the lesson")) wish(context, LessonWish::Kind::goTo, open.step);
    if (ImGui::Button("Close the lesson")) wish(context, LessonWish::Kind::leave);
  }
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.warning);
  if (!open.fault.empty()) ImGui::TextWrapped("✗ %s", open.fault.c_str());
  for (const std::string& complaint : open.complaints)
    ImGui::TextWrapped("✗ %s: %s", open.file->filename().c_str(), complaint.c_str());
  ImGui::PopStyleColor();
  if (!open.fault.empty()) hint("Shown is the lesson as it could last be read.");
}

void drawText(const ViewContext& context, const LessonStep& step) {
  for (const std::string& paragraph : step.text) {
    richText(context.theme, paragraph, context.theme.text);
    ImGui::Dummy({0, 2 * context.theme.unit});
  }
  if (step.look.empty()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float indent = 10 * context.theme.unit;
  ImGui::Indent(indent);
  richText(context.theme, step.look, context.theme.accent);
  ImGui::Unindent(indent);
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + 3 * context.theme.unit, ImGui::GetItemRectMax().y},
                                            ImGui::GetColorU32(context.theme.accent));
}

void drawWayOn(ViewContext& context) {
  LessonState& state = context.state.lesson;
  OpenLesson& open = *state.open;
  const bool isFirst = open.step == 0, isLast = open.step + 1 == open.lesson->steps.size();
  ImGui::BeginDisabled(isFirst);
  if (ImGui::Button("Back")) wish(context, LessonWish::Kind::goTo, open.step - 1);
  ImGui::EndDisabled();
  ImGui::SameLine();
  const bool isWayOn = !open.present().question || !open.presentWork().isOpen();
  if (isWayOn) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
  if (isLast) {
    if (ImGui::Button("Finish")) wish(context, LessonWish::Kind::browse);
  } else if (ImGui::Button("Next")) {
    wish(context, LessonWish::Kind::goTo, open.step + 1);
  }
  if (isWayOn) ImGui::PopStyleColor();
}

void drawEnd(ViewContext& context) {
  const LessonState& state = context.state.lesson;
  const OpenLesson& open = *state.open;
  if (open.step + 1 < open.lesson->steps.size()) return;
  const std::size_t questions = questionCount(*open.lesson);
  const auto solved =
      static_cast<std::size_t>(std::count_if(open.work.begin(), open.work.end(), [](const StepWork& work) {
        return work.isSolved && !work.isRevealed;
      }));
  if (open.present().question && open.presentWork().isOpen()) return;
  hint(("This was the last step. " + std::to_string(solved) + " of " + std::to_string(questions) +
        " answers were your own. Finish brings your own scene back.")
           .c_str());
}

}  // namespace

void drawLessonStep(ViewContext& context) {
  OpenLesson& open = *context.state.lesson.open;
  if (open.isScrolledUp) ImGui::SetScrollY(0);
  open.isScrolledUp = false;
  ImGui::PushTextWrapPos(ImGui::GetContentRegionMax().x);
  const LessonStep& step = open.present();
  drawHead(context);
  drawTroubles(context);
  ImGui::Spacing();
  if (context.state.lesson.isElsewhere) return ImGui::PopTextWrapPos();
  const std::string title =
      std::to_string(open.step + 1) + " of " + std::to_string(open.lesson->steps.size()) + " · " + step.title;
  ImGui::PushFont(context.theme.heading);
  ImGui::TextWrapped("%s", title.c_str());
  ImGui::PopFont();
  drawText(context, step);
  drawLessonAids(context);
  if (step.question)
    drawLessonQuestion(context);
  else
    drawHiding(context);
  ImGui::Spacing();
  if (!context.state.presenter.isOn) drawWayOn(context);
  drawEnd(context);
  ImGui::PopTextWrapPos();
}

}  // namespace attn
