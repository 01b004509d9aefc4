// What a step asks, and the controls to answer it.
#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/item_registry.h"
#include "app/lessons/lesson_answers.h"
#include "app/views/labels.h"
#include "app/views/lesson.h"
#include "app/views/rich_text_view.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

StepWork& workOf(ViewContext& context) {
  return context.state.lesson.open->presentWork();
}

/// A field for a number. True when Enter was pressed in it.
bool numberField(ViewContext& context, const char* name, std::string& typed, float width) {
  char text[64] = {};
  typed.copy(text, sizeof text - 1);
  const float more = (ImGui::GetFontSize() - context.theme.numbers->FontSize) / 2;  // as high as a button
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(padding.x, padding.y + std::max(0.0f, more)));
  ImGui::PushFont(context.theme.numbers);
  const bool isEntered = ImGui::InputText(name, text, sizeof text, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopFont();
  ImGui::PopStyleVar();
  if (typed != text) workOf(context).verdict.reset();
  typed = text;
  return isEntered;
}

/// True when it was answered by Enter.
struct DrawControls {
  ViewContext& context;

  bool operator()(const NumbersQuestion&) const {
    StepWork& work = workOf(context);
    const float width = 6 * ImGui::GetFontSize();
    bool isEntered = false;
    for (std::size_t i = 0; i < work.typed.size(); ++i) {
      if (i > 0) flowTo(width);
      isEntered |= numberField(context, ("##number " + std::to_string(i + 1)).c_str(), work.typed[i], width);
    }
    return isEntered;
  }

  bool operator()(const CellQuestion&) const {
    StepWork& work = workOf(context);
    const float width = 4 * ImGui::GetFontSize();
    hint("Click it in its map, or type where it is.");
    beginHeadLine();
    ImGui::TextUnformatted("row");
    ImGui::SameLine();
    bool isEntered = numberField(context, "##row", work.typed[0], width);
    ImGui::SameLine();
    ImGui::TextUnformatted("column");
    ImGui::SameLine();
    isEntered |= numberField(context, "##column", work.typed[1], width);
    const auto row = typedNumber(work.typed[0]), column = typedNumber(work.typed[1]);
    if (row && column && isPair()) {
      const Notation& notation = context.state.notation;
      const Index query = placeTyped(*row, notation), key = placeTyped(*column, notation);
      const Shapes shapes = shapesOf(context.scene);
      if (query >= 0 && key >= 0 && query < shapes.queries && key < shapes.keys)
        ImGui::TextDisabled("%s → %s", queryLabel(notation, context.scene, query).c_str(),
                            keyLabel(notation, context.scene, key).c_str());
    }
    return isEntered;
  }

  bool operator()(const ChoiceQuestion& choice) const {
    const auto right =
        std::count_if(choice.options.begin(), choice.options.end(), [](const Option& o) { return o.right; });
    if (right > 1) hint("Choose all that are right.");
    const OpenLesson& open = *context.state.lesson.open;
    const std::vector<std::size_t> order =
        shuffled(choice.options.size(), open.lesson->name + open.present().question->ask);
    for (std::size_t i = 0; i < order.size(); ++i) drawOption(choice, order[i], i, right > 1);
    return false;
  }

  bool operator()(const OrderQuestion& order) const {
    StepWork& work = workOf(context);
    std::optional<std::size_t> rises;
    const float button = ImGui::GetFrameHeight(), gap = ImGui::GetStyle().ItemInnerSpacing.x;
    for (std::size_t i = 0; i < work.order.size(); ++i) {
      const std::string number = std::to_string(i + 1);
      ImGui::BeginDisabled(i == 0);
      if (ImGui::ArrowButton(("##up " + number).c_str(), ImGuiDir_Up)) rises = i;
      ImGui::EndDisabled();
      ImGui::SameLine(0, gap);
      ImGui::BeginDisabled(i + 1 == work.order.size());
      if (ImGui::ArrowButton(("##down " + number).c_str(), ImGuiDir_Down)) rises = i + 1;
      ImGui::EndDisabled();
      ImGui::SameLine(0, 2 * gap);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const RichTextLayout text = layOutRichText(context.theme, number + ". " + order.items[work.order[i]],
                                                 ImGui::GetContentRegionAvail().x);
      const float down = std::max(0.0f, (button - text.size.y) / 2);
      paintRichText(context.theme, text, {at.x, at.y + down}, ImGui::GetColorU32(context.theme.text));
      ImGui::Dummy({text.size.x, std::max(button, text.size.y)});
    }
    if (rises) {
      std::swap(work.order[*rises - 1], work.order[*rises]);
      work.verdict.reset();
    }
    return false;
  }

  bool operator()(const MaskQuestion& mask) const {
    const Bytes pairs = visiblePairs(context.scene);
    const auto seen = std::count(pairs.data(), pairs.data() + pairs.size(), 1);
    hint(("Paint in the panel Mask. Visible now: " + std::to_string(seen) + " of " +
          std::to_string(pairs.size()) + " pairs.")
             .c_str());
    if (workOf(context).isRevealed && ImGui::Button("Paint it for me"))
      context.editor.change([&](Scene& scene) { scene.masks = mask.rules; });
    return false;
  }

 private:
  bool isPair() const {
    const Question& question = *context.state.lesson.open->present().question;
    const Stage stage = std::get<CellsOf>(std::get<CellQuestion>(question.kind).of.what).stage;
    return stage == Stage::probs || stage == Stage::scores || stage == Stage::rawScores;
  }

  void toggle(std::size_t index, bool isOneOfMany) const {
    StepWork& work = workOf(context);
    const auto place = std::find(work.chosen.begin(), work.chosen.end(), index);
    const bool wasChosen = place != work.chosen.end();
    if (!isOneOfMany) work.chosen = {index};
    if (isOneOfMany && wasChosen) work.chosen.erase(place);
    if (isOneOfMany && !wasChosen) work.chosen.push_back(index);
    std::sort(work.chosen.begin(), work.chosen.end());
    work.verdict.reset();
  }

  void drawOption(const ChoiceQuestion& choice, std::size_t index, std::size_t place,
                  bool isOneOfMany) const {
    const Theme& theme = context.theme;
    const StepWork& work = workOf(context);
    const float line = ImGui::GetFontSize(), indent = 1.5f * line, pad = 3 * theme.unit;
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const RichTextLayout text = layOutRichText(theme, choice.options[index].text, width - indent);
    const std::string name = "##option " + std::to_string(place + 1);
    if (ImGui::Selectable(name.c_str(), false, 0, {width, text.size.y + 2 * pad})) toggle(index, isOneOfMany);
    const bool isChosen = std::find(work.chosen.begin(), work.chosen.end(), index) != work.chosen.end();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 centre(at.x + 0.55f * line, at.y + pad + 0.5f * line);
    const float r = 0.36f * line;
    const ImU32 ink = ImGui::GetColorU32(isChosen ? theme.accent : theme.faint);
    if (isOneOfMany)
      list.AddRect({centre.x - r, centre.y - r}, {centre.x + r, centre.y + r}, ink, 2, 0, 1.5f * theme.unit);
    else
      list.AddCircle(centre, r, ink, 24, 1.5f * theme.unit);
    if (isChosen && isOneOfMany)
      list.AddRectFilled({centre.x - 0.55f * r, centre.y - 0.55f * r},
                         {centre.x + 0.55f * r, centre.y + 0.55f * r}, ink);
    if (isChosen && !isOneOfMany) list.AddCircleFilled(centre, 0.55f * r, ink, 24);
    paintRichText(theme, text, {at.x + indent, at.y + pad}, ImGui::GetColorU32(theme.text));
  }
};

void drawButtons(ViewContext& context, const Question& question, bool isEntered) {
  LessonState& lesson = context.state.lesson;
  const StepWork& work = workOf(context);
  if (ImGui::Button("Check") || isEntered) checkAnswer(lesson, context.scene, context.state.notation);
  const std::size_t left = question.hints.size() - work.hints;
  const float padding = 2 * ImGui::GetStyle().FramePadding.x;
  if (left > 0) {
    const std::string label = work.hints == 0 ? "Hint" : "Another hint";
    flowTo(ImGui::CalcTextSize(label.c_str()).x + padding);
    if (ImGui::Button((label + "##hint").c_str())) giveHint(lesson);
    nameRect("hint", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  }
  if (!work.isOpen()) return;
  flowTo(ImGui::CalcTextSize("Show the answer").x + padding);
  if (ImGui::Button("Show the answer")) revealAnswer(lesson, context.state.notation);
}

/// How it is found, once it was found or shown.
void drawReveal(ViewContext& context, const Question& question) {
  const StepWork& work = workOf(context);
  if (work.isOpen()) return;
  if (work.isRevealed && !work.verdict) {
    const ImVec4& colour = context.theme.accent;
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted("The answer");
    ImGui::PopStyleColor();
    if (const auto* choice = std::get_if<ChoiceQuestion>(&question.kind))
      for (const Option& option : choice->options)
        if (option.right) richText(context.theme, "✓ " + option.text, context.theme.text);
  }
  richText(context.theme, question.reveal, context.theme.text);
}

}  // namespace

void drawHiding(ViewContext& context) {
  if (context.state.presenter.isOn || !hasNumbersToHide(*context.state.lesson.open)) return;
  tick("Hide these numbers in the maps", context.state.lesson.hidesAsked);
}

void drawLessonQuestion(ViewContext& context) {
  const Question& question = *context.state.lesson.open->present().question;
  const Theme& theme = context.theme;
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
  richText(theme, question.ask, theme.text);
  ImGui::Spacing();
  const bool isEntered = std::visit(DrawControls{context}, question.kind);
  ImGui::Spacing();
  drawButtons(context, question, isEntered);
  drawHiding(context);
  const StepWork& work = workOf(context);
  for (std::size_t i = 0; i < work.hints; ++i)
    richText(theme, "Hint " + std::to_string(i + 1) + ": " + question.hints[i], theme.faint);
  if (work.verdict) {
    const bool isRight = work.verdict->right;
    drawVerdict(context, isRight, isRight ? "" : work.verdict->says);
  }
  drawReveal(context, question);
}

}  // namespace attn
