// What helps to see what a step is about.
#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/views/explain.h"
#include "app/views/labels.h"
#include "app/views/lesson.h"
#include "app/views/rich_text_view.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/error.h"
#include "core/precise_scene.h"

namespace attn {
namespace {

/// More than that is not counted between two frames.
bool isSmallEnough(const Scene& scene) {
  constexpr Index kMostWeights = Index{1} << 17;
  const Shapes shapes = shapesOf(scene);
  return shapes.heads * shapes.queries * shapes.keys <= kMostWeights;
}

/// The two numbers of each meter, of the scene as it is at the moment. Counted once for each scene.
const LessonState::Counted& countedNow(ViewContext& context) {
  LessonState& lesson = context.state.lesson;
  const std::shared_ptr<const Scene>& scene = context.editor.shared();
  if (lesson.counted && lesson.counted->scene == scene && lesson.counted->step == lesson.open->step)
    return *lesson.counted;
  auto counted = std::make_shared<LessonState::Counted>();
  counted->scene = scene;
  counted->step = lesson.open->step;
  lesson.counted = counted;
  if (!isSmallEnough(*scene)) return *counted;
  try {
    const Moment moment(widen(*scene));
    const auto one = [&](const Wish& what) {
      const std::vector<double> numbers = numbersOf(what, moment);
      return numbers.empty() ? 0.0 : numbers.front();
    };
    for (const Meter& meter : lesson.open->present().meters) {
      const auto* than = std::get_if<Quantity>(&meter.fact.than);
      counted->numbers.emplace_back(one(meter.fact.of.what),
                                    than ? one(than->what) : std::get<double>(meter.fact.than));
    }
  } catch (const Error&) {
    counted->numbers.clear();  // the scene has other stages by now
  }
  return *counted;
}

void drawBar(ViewContext& context, const std::string& text, double value, double most, const ImVec4& colour) {
  const Theme& theme = context.theme;
  richText(theme, text, theme.text);
  const float width = ImGui::GetContentRegionAvail().x, number = 5 * ImGui::GetFontSize(),
              height = ImGui::GetFontSize();
  levelBar(theme, most > 0 ? static_cast<float>(value / most) : 0, {std::max(1.0f, width - number), height},
           colour);
  ImGui::SameLine(0, 0);
  numberCell(theme, numberText(context.state.notation, value, 4), {number, height});
}

/// How the two compare: a sign and a word.
std::string relationText(const Fact& fact, double a, double b) {
  if (fact.relation == Fact::Relation::about)
    return std::abs(a - b) <= fact.tolerance ? "= the same" : "≠ not the same";
  if (fact.relation == Fact::Relation::above)
    return a > b ? "> the first is above the second" : "≤ the first is not above the second";
  return a < b ? "< the first is below the second" : "≥ the first is not below the second";
}

/// Where a number is asked for, they would give it away.
bool mayShowMeters(const LessonState& lesson) {
  const LessonStep& step = lesson.open->present();
  const bool isNumber = step.question && std::holds_alternative<NumbersQuestion>(step.question->kind);
  return !lesson.isElsewhere && !(isNumber && lesson.open->presentWork().isOpen());
}

void drawMeters(ViewContext& context, const LessonStep& step) {
  const LessonState::Counted& counted = countedNow(context);
  for (std::size_t i = 0; i < std::min(counted.numbers.size(), step.meters.size()); ++i) {
    const auto [a, b] = counted.numbers[i];
    const double most = std::max(std::abs(a), std::abs(b));
    ImGui::Spacing();
    drawBar(context, step.meters[i].text, a, most, context.theme.series[0]);
    drawBar(context, step.meters[i].thanText, b, most, context.theme.series[4]);
    ImGui::TextDisabled("%s", relationText(step.meters[i].fact, a, b).c_str());
  }
  hint("Counted anew with every change of the scene.");
}

/// Marks the pair of the cell in all panels.
void markCell(ViewContext& context, Stage stage, const Cell& cell) {
  const bool isPair = stage == Stage::rawScores || stage == Stage::scaledScores || stage == Stage::scores ||
                      stage == Stage::probs;
  context.state.nextHover.query = cell.row;
  if (isPair)
    context.state.nextHover.key = cell.col;
  else
    context.state.nextHover.dimension = cell.col;
}

void drawLine(const ViewContext& context, int depth, const std::string& code, const std::string& now) {
  ImGui::PushFont(context.theme.numbers);
  ImGui::Text("%s%s", std::string(static_cast<std::size_t>(2 * depth), ' ').c_str(), code.c_str());
  if (!now.empty()) {
    ImGui::SameLine(0, ImGui::GetFontSize());
    ImGui::TextColored(context.theme.accent, "%s", now.c_str());
  }
  ImGui::PopFont();
}

/// Two loops over the cells of a stage, and where they are; Explain shows the sum of that cell.
void drawLoop(ViewContext& context, Stage stage) {
  OpenLesson& open = *context.state.lesson.open;
  const StageShape shape = stageShape(context.scene, stage);
  const Index count = shape.rows * shape.cols;
  if (count == 0) return;
  open.loop = std::clamp<Index>(open.loop, 0, count - 1);
  const Notation& notation = context.state.notation;
  const auto number = [&](Index i) { return std::to_string(notation.counted(i)); };
  const auto range = [&](Index end) { return number(0) + " … " + number(end - 1); };
  const Cell cell{stage, std::min(context.state.selection.head, shape.heads - 1), open.loop / shape.cols,
                  open.loop % shape.cols};
  ImGui::Spacing();
  drawLine(context, 0, "for i = " + range(shape.rows), "i = " + number(cell.row));
  drawLine(context, 1, "for j = " + range(shape.cols), "j = " + number(cell.col));
  drawLine(context, 2, std::string(stageSymbol(stage)) + "[i, j] = …", "");
  const Index before = open.loop;
  ImGui::BeginDisabled(open.loop == 0);
  if (ImGui::Button("Cell before")) --open.loop;
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(open.loop + 1 == count);
  if (ImGui::Button("Next cell")) ++open.loop;
  ImGui::EndDisabled();
  flowTo(ImGui::CalcTextSize("99 of 99").x, ImGui::GetFontSize());
  ImGui::TextDisabled("%d of %d", static_cast<int>(open.loop + 1), static_cast<int>(count));
  markCell(context, stage, cell);
  if (open.loop == before) return;
  explainCell(context.state, {stage, cell.head, open.loop / shape.cols, open.loop % shape.cols});
}

/// The mistake is A, what is right is B.
void drawMistake(ViewContext& context) {
  CompareState& compare = context.state.compare;
  if (!compare.pinned || context.state.presenter.isOn) return;
  constexpr const char* kNames[] = {"A: with the mistake", "B: as it should be", "B − A"};
  constexpr Showing kShown[] = {Showing::pinned, Showing::present, Showing::difference};
  int chosen =
      static_cast<int>(std::find(std::begin(kShown), std::end(kShown), compare.showing) - std::begin(kShown));
  ImGui::Spacing();
  ImGui::TextDisabled("Maps show");
  if (pages(context.theme, chosen, kNames)) compare.showing = kShown[chosen];
}

}  // namespace

void drawLessonAids(ViewContext& context) {
  const LessonStep& step = context.state.lesson.open->present();
  if (!step.meters.empty() && mayShowMeters(context.state.lesson)) drawMeters(context, step);
  if (step.loop && !context.state.lesson.isElsewhere) drawLoop(context, *step.loop);
  if (step.wrong) drawMistake(context);
}

}  // namespace attn
