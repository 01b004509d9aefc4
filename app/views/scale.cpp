#include "app/views/scale.h"

#include <imgui.h>

#include <algorithm>
#include <iterator>

#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

void drawDivisor(ViewContext& context) {
  const char* const names[] = {"1", "√d_k", "d_k", "number"};
  Scale scale = context.scene.scale;
  int rule = static_cast<int>(scale.rule);
  if (ImGui::Combo("Divisor", &rule, names, static_cast<int>(std::size(names))))
    context.editor.change([=](Scene& s) { s.scale.rule = static_cast<Scale::Rule>(rule); });
  if (scale.rule == Scale::Rule::number) {
    auto number = static_cast<float>(scale.number);
    if (ImGui::DragFloat("Number", &number, 0.02f, 1e-3f, 1e6f))
      context.editor.change([=](Scene& s) { s.scale.number = number; });
  }
  auto temperature = static_cast<float>(scale.temperature);
  if (ImGui::SliderFloat("Temperature", &temperature, 0.1f, 10, "%.2f", ImGuiSliderFlags_Logarithmic))
    context.editor.change([=](Scene& s) { s.scale.temperature = temperature; });
}

/// A number that can be there or not: a box to tick, and the number beside it.
template <class Set>
void drawOptional(const char* label, const std::optional<double>& value, double initial, const Set& set) {
  bool isOn = value.has_value();
  if (ImGui::Checkbox(label, &isOn)) set(isOn ? std::optional(initial) : std::nullopt);
  if (!value) return;
  ImGui::SameLine();
  auto number = static_cast<float>(*value);
  ImGui::SetNextItemWidth(-FLT_MIN);
  ImGui::PushID(label);
  if (ImGui::DragFloat("##value", &number, 0.05f, 1e-3f, 1e6f, "%.2f", ImGuiSliderFlags_AlwaysClamp))
    set(std::optional<double>(number));
  ImGui::PopID();
}

void drawNormaliser(ViewContext& context) {
  const char* const names[] = {"softmax", "softmax with a sink", "sparsemax", "1.5-entmax", "sigmoid"};
  const Normaliser& normaliser = context.scene.normaliser;
  int kind = static_cast<int>(normaliser.kind);
  if (ImGui::Combo("Normaliser", &kind, names, static_cast<int>(std::size(names))))
    context.editor.change([=](Scene& s) { s.normaliser.kind = static_cast<Normaliser::Kind>(kind); });
  if (normaliser.kind != Normaliser::Kind::sink && normaliser.kind != Normaliser::Kind::sigmoid) return;
  auto logit = static_cast<float>(normaliser.logit);
  if (ImGui::DragFloat("Logit", &logit, 0.02f))
    context.editor.change([=](Scene& s) { s.normaliser.logit = logit; });
}

}  // namespace

void drawScale(ViewContext& context) {
  ImGui::PushItemWidth(-6.5f * ImGui::GetFontSize());
  drawDivisor(context);
  drawNormaliser(context);
  ImGui::PopItemWidth();
  drawOptional("QK-norm", context.scene.scale.qkNormGain, 10, [&](std::optional<double> gain) {
    context.editor.change([=](Scene& s) { s.scale.qkNormGain = gain; });
  });
  drawOptional("Cap", context.scene.cap, 5,
               [&](std::optional<double> cap) { context.editor.change([=](Scene& s) { s.cap = cap; }); });
}

}  // namespace attn
