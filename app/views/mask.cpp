#include "app/views/mask.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/views/labels.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

struct RuleName {
  std::string operator()(const CausalRule& rule) const {
    return rule.alignment == Alignment::topLeft ? "causal" : "causal, bottom right";
  }
  std::string operator()(const PaddingLengthRule& rule) const {
    return "padding from " + std::to_string(rule.length);
  }
  std::string operator()(const PaddingFlagsRule&) const { return "padding"; }
  std::string operator()(const WindowRule& rule) const { return "window of " + std::to_string(rule.width); }
  std::string operator()(const PrefixRule& rule) const { return "prefix of " + std::to_string(rule.length); }
  std::string operator()(const DocumentsRule&) const { return "documents"; }
  std::string operator()(const PaintedRule&) const { return "painted"; }
};

void addRule(ViewContext& context, const MaskRule& rule) {
  context.editor.change([&](Scene& scene) { scene.masks.push_back(rule); });
}

void drawRules(ViewContext& context) {
  for (std::size_t i = 0; i < context.scene.masks.size(); ++i) {
    const std::string name = std::visit(RuleName{}, context.scene.masks[i]);
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::SmallButton((name + " ×").c_str()))
      context.editor.change(
          [=](Scene& scene) { scene.masks.erase(scene.masks.begin() + static_cast<Index>(i)); });
    ImGui::SetItemTooltip("Click to take this rule away");
    ImGui::PopID();
  }
  if (ImGui::SmallButton("+ causal")) addRule(context, CausalRule{});
  ImGui::SameLine();
  if (ImGui::SmallButton("+ window")) addRule(context, WindowRule{2});
}

/// The painted matrix of the scene, made when it is not there: everything may attend.
Bytes& paintedCells(Scene& scene) {
  for (MaskRule& rule : scene.masks)
    if (auto* painted = std::get_if<PaintedRule>(&rule)) return painted->mayAttend.front();
  const Shapes shapes = shapesOf(scene);
  scene.masks.push_back(PaintedRule{{Bytes::Constant(shapes.queries, shapes.keys, 1)}});
  return std::get<PaintedRule>(scene.masks.back()).mayAttend.front();
}

void paint(ViewContext& context, Index query, Index key) {
  MaskState& state = context.state.mask;
  const Index head = context.state.selection.head;
  const bool isVisible = context.evaluation->visibility.sees(head, query, key);
  if (ImGui::IsItemActivated()) state.stroke = isVisible ? MaskState::Stroke::hide : MaskState::Stroke::show;
  const std::uint8_t wanted = state.stroke == MaskState::Stroke::show;
  if (wanted != isVisible)
    context.editor.change([=](Scene& scene) { paintedCells(scene)(query, key) = wanted; });
}

void drawPainter(ViewContext& context) {
  const Shapes& shapes = context.results.shapes;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float cell = std::floor(
      std::min(room.x / static_cast<float>(shapes.keys), room.y / static_cast<float>(shapes.queries)));
  if (cell < 2) return hint("The painter needs a larger panel or fewer tokens.");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("painter",
                         {cell * static_cast<float>(shapes.keys), cell * static_cast<float>(shapes.queries)});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Index head = context.state.selection.head;
  for (Index i = 0; i < shapes.queries; ++i)
    for (Index j = 0; j < shapes.keys; ++j) {
      const ImVec2 min(at.x + cell * static_cast<float>(j), at.y + cell * static_cast<float>(i));
      const ImVec2 max(min.x + cell - 1, min.y + cell - 1);
      if (context.evaluation->visibility.sees(head, i, j)) {
        list.AddRectFilled(min, max, ImGui::GetColorU32(ImGuiCol_Header));
      } else {
        list.AddRect(min, max, ImGui::GetColorU32(context.theme.border));
        list.AddLine({min.x, max.y}, {max.x, min.y}, ImGui::GetColorU32(context.theme.faint));
      }
    }
  if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const auto key = static_cast<Index>(std::floor((mouse.x - at.x) / cell));
  const auto query = static_cast<Index>(std::floor((mouse.y - at.y) / cell));
  if (query < 0 || key < 0 || query >= shapes.queries || key >= shapes.keys) return;
  context.state.nextHover.query = query, context.state.nextHover.key = key;
  if (ImGui::IsItemActive()) paint(context, query, key);
}

}  // namespace

void drawMask(ViewContext& context) {
  drawRules(context);
  if (shapesOf(context.scene) == context.results.shapes) drawPainter(context);
}

}  // namespace attn
