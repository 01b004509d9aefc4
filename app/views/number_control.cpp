#include "app/views/number_control.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace attn {
namespace {

bool hasComma() {
  return ImGui::GetIO().PlatformLocaleDecimalPoint == ',';
}

std::string written(double value, const char* format) {
  char text[96];
  std::snprintf(text, sizeof text, format, value);
  std::string words = text;
  std::replace(words.begin(), words.end(), '.', ',');
  return words;
}

bool apply(std::string typed, double& value, const NumberBounds& clamp) {
  std::replace(typed.begin(), typed.end(), ',', '.');
  const double before = value;
  ImGui::DataTypeApplyFromText(typed.c_str(), ImGuiDataType_Double, &value, "%.17g");
  if (clamp.low < clamp.high) value = std::clamp(value, clamp.low, clamp.high);
  return value != before;
}

/// The text field that a control becomes, with a comma for every point in it.
bool typedWithComma(const char* label, ImGuiID id, double& value, const char* format, NumberBounds clamp) {
  ImGuiWindow& window = *ImGui::GetCurrentWindow();
  const ImGuiStyle& style = ImGui::GetStyle();
  const ImVec2 words = ImGui::CalcTextSize(label, nullptr, true);
  const ImVec2 at = window.DC.CursorPos;
  const ImRect frame(at, {at.x + ImGui::CalcItemWidth(), at.y + words.y + 2 * style.FramePadding.y});
  ImRect whole = frame;
  if (words.x > 0) whole.Max.x += style.ItemInnerSpacing.x + words.x;
  ImGui::ItemSize(whole, style.FramePadding.y);
  if (!ImGui::ItemAdd(whole, id, &frame, ImGuiItemFlags_Inputable)) return false;
  if (ImGuiInputTextState* state = ImGui::GetInputTextState(id))
    std::replace(state->TextW.begin(), state->TextW.end(), ImWchar{'.'}, ImWchar{','});
  char plain[32], buffer[32];
  const char* number = ImParseFormatTrimDecorations(format, plain, sizeof plain);
  std::snprintf(buffer, sizeof buffer, "%s", written(value, number).c_str());
  const auto flags =
      ImGuiInputTextFlags_AutoSelectAll | static_cast<ImGuiInputTextFlags>(ImGuiInputTextFlags_NoMarkEdited);
  const ImGuiLastItemData item = ImGui::GetCurrentContext()->LastItemData;
  const ImVec2 after = window.DC.CursorPos;
  const bool isTyped = ImGui::TempInputText(frame, id, label, buffer, sizeof buffer, flags);
  window.DC.CursorPos = after;
  ImGui::GetCurrentContext()->LastItemData = item;
  if (!isTyped || !apply(buffer, value, clamp)) return false;
  ImGui::MarkItemEdited(id);
  return true;
}

/// What `draw` draws, with its own words out of sight and those with a comma in their place.
template <class Draw>
bool withMark(const char* label, double& value, const char* format, NumberBounds clamp, const Draw& draw) {
  if (!hasComma()) return draw();
  const ImGuiID id = ImGui::GetID(label);
  if (ImGui::TempInputIsActive(id)) return typedWithComma(label, id, value, format, clamp);
  const ImVec2 at = ImGui::GetCursorScreenPos(), padding = ImGui::GetStyle().FramePadding;
  const float width = ImGui::CalcItemWidth();
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0, 0, 0, 0));
  const bool isChanged = draw();
  ImGui::PopStyleColor();
  if (ImGui::TempInputIsActive(id) || !ImGui::IsItemVisible()) return isChanged;
  const ImVec2 end(at.x + width, at.y + ImGui::GetFontSize() + 2 * padding.y);
  const std::string number = written(value, format);
  ImGui::RenderTextClipped(at, end, number.c_str(), nullptr, nullptr, {0.5f, 0.5f});
  ImGui::RenderText({end.x + ImGui::GetStyle().ItemInnerSpacing.x, at.y + padding.y}, label);
  return isChanged;
}

NumberBounds clampOf(NumberBounds bounds, ImGuiSliderFlags flags) {
  return flags & ImGuiSliderFlags_AlwaysClamp ? bounds : NumberBounds{};
}

}  // namespace

bool dragNumber(const char* label, double& value, float speed, const char* format, NumberBounds bounds,
                ImGuiSliderFlags flags) {
  const bool isBounded = bounds.low < bounds.high;
  return withMark(label, value, format, clampOf(bounds, flags), [&] {
    return ImGui::DragScalar(label, ImGuiDataType_Double, &value, speed, isBounded ? &bounds.low : nullptr,
                             isBounded ? &bounds.high : nullptr, format, flags);
  });
}

bool slideNumber(const char* label, double& value, NumberBounds bounds, const char* format,
                 ImGuiSliderFlags flags) {
  return withMark(label, value, format, clampOf(bounds, flags), [&] {
    return ImGui::SliderScalar(label, ImGuiDataType_Double, &value, &bounds.low, &bounds.high, format, flags);
  });
}

bool typeNumber(const char* label, float& value, const char* format) {
  if (!hasComma()) return ImGui::InputFloat(label, &value, 0, 0, format);
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%s", written(static_cast<double>(value), format).c_str());
  double typed = static_cast<double>(value);
  if (!ImGui::InputText(label, buffer, sizeof buffer, ImGuiInputTextFlags_AutoSelectAll)) return false;
  if (!apply(buffer, typed, {})) return false;
  value = static_cast<float>(typed);
  return true;
}

void useDecimalComma(bool isWanted) {
  ImGui::GetIO().PlatformLocaleDecimalPoint = isWanted ? ',' : '.';
}

}  // namespace attn
