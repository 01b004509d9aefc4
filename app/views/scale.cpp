#include "app/views/scale.h"

#include <imgui.h>

#include <algorithm>
#include <functional>
#include <string>

#include "app/formula/latex.h"
#include "app/formula/pipeline.h"
#include "app/views/formula_view.h"
#include "app/views/number_control.h"
#include "app/views/story_bar.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

using Number = std::optional<double>;

constexpr int kNone = -1;

float labelWidth() {
  return 5.6f * ImGui::GetFontSize();
}

/// One switch: its controls at the left; its formula beside them where there is room, else beneath. In a low
/// panel only while the switch is on, and boxes that are not ticked share a line. Pointing at it marks its
/// part of the whole formula.
struct SwitchRow {
  ViewContext& context;
  bool isWide, isTall, isLarge;
  int& marked;
  bool hasOpenLine = false;  // the switch before is off

  float controls() const { return isWide ? 17 * ImGui::GetFontSize() : ImGui::GetContentRegionAvail().x; }

  void operator()(const char* name, PipelineStage stage, bool isOn, const Formula& formula,
                  const std::function<void()>& drawControls) {
    const Theme& theme = context.theme;
    const bool isBrief = !isWide && !isTall && !isOn;
    if (isBrief && hasOpenLine) flowTo(4 * ImGui::GetFontSize());
    hasOpenLine = !isOn;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float left = ImGui::GetCursorPosX(), width = controls(), indent = labelWidth();
    ImGui::BeginGroup();
    ImGui::PushItemWidth(std::max(2.6f * ImGui::GetFontSize(), width - indent - 6 * theme.unit));
    drawControls();
    ImGui::PopItemWidth();
    ImGui::EndGroup();
    const FormulaStyle style{
        isLarge ? 17.0f : 14.0f,
        ImGui::GetWindowContentRegionMax().x - left - (isWide ? width + 24 * theme.unit : 0),
        isOn ? theme.text : theme.faint};
    if (isWide) {
      ImGui::SameLine(left + width + 20 * theme.unit);
      drawFormula(theme, name, formula, style);
    } else if (!isBrief) {
      drawFormula(theme, name, formula, style);
    }
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    const ImVec2 end(isBrief ? ImGui::GetItemRectMax().x : right, ImGui::GetCursorScreenPos().y);
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
        ImGui::IsMouseHoveringRect(at, end))
      marked = static_cast<int>(stage);
    if (isWide) ImGui::Dummy({0, 2 * theme.unit});
  }
};

void drawDivisor(ViewContext& context) {
  const char* const names[] = {"1", "√d_k", "d_k", "number"};
  const Scale& scale = context.scene.scale;
  int rule = static_cast<int>(scale.rule);
  if (choice("Divisor", rule, names))
    context.editor.change([=](Scene& s) { s.scale.rule = static_cast<Scale::Rule>(rule); });
  if (scale.rule == Scale::Rule::number) {
    double number = scale.number;
    if (dragNumber("Number", number, 0.02f))
      context.editor.change([=](Scene& s) { s.scale.number = number; });
    offerStory(context, {.kind = StoryTarget::Kind::divisor});
  }
  double temperature = scale.temperature;
  if (slideNumber("Temperature", temperature, {0.1, 10}, "%.2f", ImGuiSliderFlags_Logarithmic))
    context.editor.change([=](Scene& s) { s.scale.temperature = temperature; });
  offerStory(context, {.kind = StoryTarget::Kind::temperature});
}

/// A number that can be there or not: a box to tick, and the number beside it.
void drawOptional(const char* label, const Number& value, double initial, const char* what,
                  const std::function<void(Number)>& set) {
  const float left = ImGui::GetCursorPosX();
  bool isOn = value.has_value();
  if (tick(label, isOn)) set(isOn ? Number(initial) : std::nullopt);
  if (!value) return;
  ImGui::SameLine(left + labelWidth() + ImGui::GetFontSize());
  double number = *value;
  ImGui::SetNextItemWidth(4 * ImGui::GetFontSize());
  if (dragNumber(what, number, 0.05f)) set(number);
}

void drawAlibi(ViewContext& context) {
  const float left = ImGui::GetCursorPosX();
  const auto& alibi = context.scene.alibi;
  bool isOn = alibi.has_value();
  if (tick("ALiBi", isOn))
    context.editor.change([=](Scene& s) { s.alibi = isOn ? std::optional(Alibi{}) : std::nullopt; });
  if (!alibi) return;
  const Index heads = shapesOf(context.scene).heads;
  const Index head = std::min(context.state.selection.head, heads - 1);
  double slope = alibiSlope(alibi, head, heads);
  ImGui::SameLine(left + labelWidth() + ImGui::GetFontSize());
  ImGui::SetNextItemWidth(4 * ImGui::GetFontSize());
  if (dragNumber("slope", slope, 0.005f))
    context.editor.change([=](Scene& s) {
      std::vector<double> slopes;
      for (Index h = 0; h < heads; ++h) slopes.push_back(h == head ? slope : alibiSlope(s.alibi, h, heads));
      s.alibi = Alibi{slopes};
    });
  offerStory(context, {.kind = StoryTarget::Kind::slope, .input = {InputName::q, head}});
  ImGui::SetItemTooltip("m of head %d", static_cast<int>(head + 1));
  if (alibi->slopes.empty()) return;
  if (ImGui::SmallButton("default slopes")) context.editor.change([](Scene& s) { s.alibi = Alibi{}; });
}

void drawNormaliser(ViewContext& context) {
  const char* const names[] = {"softmax", "softmax with a sink", "sparsemax", "1.5-entmax", "sigmoid"};
  const Normaliser& normaliser = context.scene.normaliser;
  int kind = static_cast<int>(normaliser.kind);
  if (choice("Normaliser", kind, names))
    context.editor.change([=](Scene& s) { s.normaliser.kind = static_cast<Normaliser::Kind>(kind); });
  if (normaliser.kind != Normaliser::Kind::sink && normaliser.kind != Normaliser::Kind::sigmoid) return;
  double logit = normaliser.logit;
  if (dragNumber("Logit", logit, 0.02f)) context.editor.change([=](Scene& s) { s.normaliser.logit = logit; });
  offerStory(context, {.kind = StoryTarget::Kind::logit});
}

void drawSwitches(ViewContext& context, SwitchRow row) {
  const Scene& scene = context.scene;
  Editor& editor = context.editor;
  const auto stage = [&](PipelineStage s) { return formulaOf(scene, s, context.state.notation); };
  row("scale formula", PipelineStage::scale, true, stage(PipelineStage::scale),
      [&] { drawDivisor(context); });
  row("qk-norm formula", PipelineStage::qkNorm, scene.scale.qkNormGain.has_value(),
      stage(PipelineStage::qkNorm), [&] {
        drawOptional("QK-norm", scene.scale.qkNormGain, 10, "gain",
                     [&](Number gain) { editor.change([=](Scene& s) { s.scale.qkNormGain = gain; }); });
        offerStory(context, {.kind = StoryTarget::Kind::gain});
      });
  row("cap formula", PipelineStage::cap, scene.cap.has_value(), stage(PipelineStage::cap), [&] {
    drawOptional("Cap", scene.cap, 5, "c",
                 [&](Number cap) { editor.change([=](Scene& s) { s.cap = cap; }); });
    offerStory(context, {.kind = StoryTarget::Kind::cap});
  });
  const char* off = context.state.notation.queriesAreColumns ? "s_{ji} - m\\left|i-j\\right|"
                                                             : "s_{ij} - m\\left|i-j\\right|";
  const Formula penalty =
      scene.alibi ? stage(PipelineStage::bias) : parseLatex(off);
  row("alibi formula", PipelineStage::bias, scene.alibi.has_value(), penalty, [&] { drawAlibi(context); });
  row("normaliser formula", PipelineStage::normalise, true, stage(PipelineStage::normalise),
      [&] { drawNormaliser(context); });
}

/// One line of the formula. With every switch on, it is too long for a narrow panel even in small letters:
/// then it scrolls by itself.
void drawLine(ViewContext& context, const char* name, const std::string& latex, const FormulaStyle& style) {
  const Formula formula = parseLatex(latex);
  const ImVec2 size = formulaSize(context.theme, formula, style);
  const float gap = 4 * context.theme.unit;
  const bool isLong = size.x > style.mostWidth;
  const float height = size.y + gap + (isLong ? ImGui::GetStyle().ScrollbarSize : 0);
  ImGui::PushID(name);
  ImGui::BeginChild("line", {0, height}, false,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened);
  drawFormula(context.theme, name, formula, style);
  ImGui::EndChild();
  ImGui::PopID();
}

/// The formula of the whole pipeline; where Q, K and V come from has a line of its own.
void drawWhole(ViewContext& context, const FormulaStyle& style) {
  const std::string latex = pipelineLatex(context.scene, context.state.notation), comma = ",\\qquad ";
  const std::size_t end = latex.find(comma);
  drawLine(context, "formula", latex.substr(0, end), style);
  if (end == std::string::npos) return;
  FormulaStyle small = style;
  small.size *= 0.8f;
  drawLine(context, "source formula", latex.substr(end + comma.size()), small);
}

}  // namespace

void drawScale(ViewContext& context) {
  const Theme& theme = context.theme;
  const bool isWide = ImGui::GetContentRegionAvail().x > 30 * ImGui::GetFontSize();
  int& marked = context.state.scale.markedStage;
  const bool isTight = ImGui::GetContentRegionAvail().x < 8.8f * ImGui::GetFontSize();
  const ImVec2 spacing(ImGui::GetStyle().ItemSpacing.x, (isWide ? 3 : 2) * theme.unit);
  ImGui::PushFont(isTight ? theme.small : theme.words);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, spacing);
  const ViewState& state = context.state;
  const bool hasBar = state.formulaBar.isShown && !state.presenter.isOn;  // which marks its parts too
  const float lines = ImGui::GetContentRegionAvail().y / ImGui::GetFontSize();
  const bool isLarge = isWide || (hasBar && lines > 14), isTall = hasBar && lines > 24;
  if (!hasBar) {
    drawWhole(context, {isWide ? 20.0f : 18.0f, ImGui::GetContentRegionAvail().x, theme.text, marked});
    marked = kNone;
  }
  drawSwitches(context, {context, isWide, isTall, isLarge, marked});
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

}  // namespace attn
