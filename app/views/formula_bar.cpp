#include "app/views/formula_bar.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "app/formula/latex.h"
#include "app/formula/pipeline.h"
#include "app/view_state.h"
#include "app/views/formula_view.h"

namespace attn {
namespace {

constexpr float kLetters = 16, kSmallest = 12;  // in units

struct StageText {
  PipelineStage stage;
  const char *name, *panel, *tooltip;
};

constexpr StageText kTexts[] = {
    {PipelineStage::source, "source", "Inputs", "Where Q, K and V come from"},
    {PipelineStage::qkNorm, "qk-norm", "Scale",
     "QK-norm: queries and keys are brought to length 1, then enlarged by this"},
    {PipelineStage::score, "score", "Scores", "The products of queries and keys: raw scores"},
    {PipelineStage::scale, "scale", "Scores", "What the scores are divided by: scaled scores"},
    {PipelineStage::cap, "cap", "Scale", "The soft cap: no score gets beyond it"},
    {PipelineStage::bias, "bias", "Scores", "What is added to the scores"},
    {PipelineStage::mask, "mask", "Mask", "Who may look at whom: −∞ where not"},
    {PipelineStage::normalise, "normaliser", "Weights", "Makes weights of the scores, row by row"},
    {PipelineStage::mix, "mix", "Output", "The values, each by its weight"},
    {PipelineStage::output, "output", "Output", "The heads side by side, and W_O"}};

const StageText& textOf(PipelineStage stage) {
  return *std::find_if(std::begin(kTexts), std::end(kTexts),
                       [&](const StageText& t) { return t.stage == stage; });
}

/// As large as it fits; where even small letters do not, without where Q, K and V come from.
FormulaLayout fittedLayout(const Theme& theme, const Scene& scene, const Notation& notation, float room) {
  const std::string whole = pipelineLatex(scene, notation), brief = whole.substr(0, whole.find(",\\qquad "));
  FormulaLayout layout;
  for (const std::string& latex : {whole, brief}) {
    const Formula formula = parseLatex(latex);
    layout = formulaLayout(theme, formula, kLetters);
    if (layout.width <= room) break;
    const float smaller = std::max(kSmallest, kLetters * 0.99f * room / layout.width);
    layout = formulaLayout(theme, formula, smaller);
    if (layout.width <= room) break;
  }
  return layout;
}

/// One part of the formula as a button. True while the mouse or the keyboard is on it.
bool drawPart(ViewState& state, const Theme& theme, const LaidBox& box, ImVec2 origin,
              const std::string& name) {
  const auto stage = static_cast<PipelineStage>(box.part);
  const float margin = 2 * theme.unit;
  const ImVec2 min(origin.x + box.rect.x - margin, origin.y + box.rect.y - margin);
  ImGui::SetCursorScreenPos(min);
  if (ImGui::InvisibleButton(name.c_str(), {std::max(4.0f, box.rect.width + 2 * margin),
                                            std::max(4.0f, box.rect.height + 2 * margin)}))
    selectStage(state, stage);
  const bool isFocused = ImGui::IsItemFocused() && !GImGui->NavDisableHighlight;
  if (!ImGui::IsItemHovered() && !isFocused) return false;
  state.formulaBar.litPanel = textOf(stage).panel;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImGui::SetItemTooltip("%s\nClick to go to %s", textOf(stage).tooltip, textOf(stage).panel);
  ImGui::GetWindowDrawList()->AddRectFilled(min, ImGui::GetItemRectMax(),
                                            ImGui::GetColorU32(ImGuiCol_HeaderHovered), 4 * theme.unit);
  return true;
}

void drawParts(ViewState& state, const Theme& theme, const FormulaLayout& layout, ImVec2 origin) {
  std::set<int> named;
  int hot = -1;
  for (const LaidBox& box : layout.boxes) {
    if (box.part < 0) continue;
    const std::string name = textOf(static_cast<PipelineStage>(box.part)).name;
    const bool isFirst = named.insert(box.part).second;
    ImGui::PushID(static_cast<int>(&box - layout.boxes.data()));
    if (drawPart(state, theme, box, origin, isFirst ? name : name + " again")) hot = box.part;
    ImGui::PopID();
  }
  const int chosen = state.formulaBar.chosen;
  const int marked = std::exchange(state.scale.markedStage, -1);  // by the switch that is pointed at
  paintFormula(theme, *ImGui::GetWindowDrawList(), origin, layout, [&](int part) {
    const bool isMarked = part >= 0 && (part == hot || part == chosen || part == marked);
    return ImGui::GetColorU32(isMarked ? theme.accent : theme.text);
  });
}

}  // namespace

void drawFormulaBar(ViewState& state, const Scene& scene, const Theme& theme) {
  state.formulaBar.litPanel.clear();
  if (!state.formulaBar.isShown) return;
  ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float margin = 16 * theme.unit;
  const FormulaLayout layout = fittedLayout(theme, scene, state.notation, viewport->Size.x - 2 * margin);
  const float height = std::ceil(layout.height() + 6 * theme.unit);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.background);
  constexpr auto kFlags = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoScrollWithMouse;
  if (ImGui::BeginViewportSideBar("Formula", viewport, ImGuiDir_Up, height, kFlags)) {
    const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const ImVec2 origin(std::round(corner.x + std::max(margin, (size.x - layout.width) / 2)),
                        std::round(corner.y + (size.y - layout.height()) / 2));
    drawParts(state, theme, layout, origin);
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
}

void selectStage(ViewState& state, PipelineStage stage) {
  MapsState& maps = state.maps;
  if (stage == PipelineStage::score) maps.scores = ScoreStage::raw;
  if (stage == PipelineStage::scale) maps.scores = ScoreStage::scaled;
  if (stage == PipelineStage::bias) maps.scores = ScoreStage::masked;
  if (stage == PipelineStage::mix) maps.showsHeadOutput = true;
  if (stage == PipelineStage::output) maps.showsHeadOutput = false;
  state.formulaBar.chosen = static_cast<int>(stage);
  const std::string panel = textOf(stage).panel;
  state.layout.bringToFront(panel);
  state.panels.focused = state.panels.toFocus = panel;
}

}  // namespace attn
