#include "app/views/mask_rules.h"

#include <imgui.h>

#include <string>

#include "app/views/chip.h"
#include "app/views/mask_rule_editor.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/edits/mask_rules.h"
#include "core/edits/new_rule.h"

namespace attn {
namespace {

/// A button that opens a menu. True while the menu is open; then ends with EndPopup.
bool beginMenuButton(const Theme& theme, const char* label, const char* popup) {
  ImGui::PushFont(theme.small);
  flowTo(ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x);
  const bool isClicked = ImGui::SmallButton(label);
  ImGui::PopFont();
  if (isClicked) ImGui::OpenPopup(popup);
  return ImGui::BeginPopup(popup);
}

void drawAddMenu(ViewContext& context) {
  if (!beginMenuButton(context.theme, "+ rule", "add rule")) return;
  for (const RuleKind kind : kRuleKinds)
    if (ImGui::MenuItem(kindText(kind)))
      context.editor.change([&](Scene& scene) { addRule(scene, newRule(kind, scene)); });
  ImGui::EndPopup();
}

void drawPresetMenu(ViewContext& context) {
  if (!beginMenuButton(context.theme, "preset", "presets")) return;
  for (const MaskPreset preset : kMaskPresets)
    if (ImGui::MenuItem(presetText(preset).c_str()))
      context.editor.change([=](Scene& scene) { applyPreset(scene, preset); });
  ImGui::EndPopup();
}

void drawChip(ViewContext& context, std::size_t index) {
  const std::string name = "rule[" + std::to_string(index) + "]";
  const std::string text = ruleText(context.scene.masks[index], shapesOf(context.scene));
  const std::string popup = "edit " + name;
  const ChipClick click = chip(context.theme, name, text);
  if (click.isOpened) ImGui::OpenPopup(popup.c_str());
  if (ImGui::BeginPopup(popup.c_str())) {
    drawRuleEditor(context, index);
    ImGui::EndPopup();
  }
  if (click.isRemoved) context.editor.change([=](Scene& scene) { removeRule(scene, index); });
}

}  // namespace

void drawRuleMenus(ViewContext& context) {
  drawAddMenu(context);
  drawPresetMenu(context);
  if (shapesOf(context.scene).heads > 1) {
    const char* label = "this head only";
    ImGui::PushFont(context.theme.small);
    flowTo(ImGui::CalcTextSize(label).x + ImGui::GetFontSize() + ImGui::GetStyle().ItemInnerSpacing.x);
    tick(label, context.state.mask.onlyThisHead);
    ImGui::PopFont();
    ImGui::SetItemTooltip("Paint for the chosen head; the others keep what they have");
  }
}

void drawRuleChips(ViewContext& context) {
  for (std::size_t i = 0; i < context.scene.masks.size(); ++i) drawChip(context, i);
}

float chipRowsHeight(const Theme& theme, float most) {
  const float chip = theme.small->FontSize + ImGui::GetStyle().FramePadding.y;
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  return std::max(1.0f, std::floor((most + gap) / (chip + gap))) * (chip + gap) - gap;
}

}  // namespace attn
