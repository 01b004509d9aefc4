#include "app/views/lesson.h"

#include "app/lessons/lesson_player.h"
#include "app/views/rich_text_view.h"
#include "app/views/view.h"

namespace attn {

void drawLesson(ViewContext& context) {
  if (context.state.lesson.open)
    drawLessonStep(context);
  else
    drawLessonBrowser(context);
}

std::string lessonText(const ViewContext& context) {
  const std::optional<OpenLesson>& open = context.state.lesson.open;
  if (!open) return "";
  const LessonStep& step = open->present();
  std::string text = open->lesson->title + "\n" + step.title + "\n";
  for (const std::string& paragraph : step.text) text += paragraph + "\n";
  if (step.question) text += step.question->ask + "\n";
  return text;
}

void drawVerdict(const ViewContext& context, bool isRight, const std::string& text) {
  const Theme& theme = context.theme;
  const ImVec4 colour = isRight ? theme.series[2] : theme.warning;
  const float bar = 3 * theme.unit, gap = 8 * theme.unit, line = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const char* word = isRight ? "✓ Right" : "✗ Not yet";
  const RichTextLayout layout = layOutRichText(theme, text, width - bar - 2 * gap);
  const float height = line + (text.empty() ? 0 : layout.size.y + gap / 2) + gap;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec4 ground = colour;
  ground.w = 0.12f;
  list.AddRectFilled(at, {at.x + width, at.y + height}, ImGui::GetColorU32(ground), 3 * theme.unit);
  list.AddRectFilled(at, {at.x + bar, at.y + height}, ImGui::GetColorU32(colour));
  list.AddText({at.x + bar + gap, at.y + gap / 2}, ImGui::GetColorU32(colour), word);
  paintRichText(theme, layout, {at.x + bar + gap, at.y + gap + line}, ImGui::GetColorU32(theme.text));
  ImGui::Dummy({width, height});
}

}  // namespace attn
