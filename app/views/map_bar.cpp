#include "app/views/map_bar.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/item_registry.h"
#include "app/views/labels.h"
#include "app/views/map_range.h"

namespace attn {
namespace {

/// Ticks of a linear bar are multiples of the power of ten that stands beside it.
std::string barTickText(const Notation& notation, float value, const ColourScale& scale, int exponent) {
  const double power = std::log10(std::abs(static_cast<double>(value)));
  if (scale.isLogarithmic && value != 0 && std::abs(power) > 2.5)
    return (value < 0 ? "−" : "") + powerText(static_cast<int>(std::lround(power)));
  return tickText(notation,
                  scale.isLogarithmic ? value : static_cast<double>(value) * std::pow(10.0, -exponent));
}

bool hasSigns(const MapFrame& frame) {
  return frame.hidesPairs() || frame.facts.extent.notNumbers > 0 || frame.facts.extent.infinities > 0;
}

float stripHeight(const MapFrame& frame) {
  return std::round(9 * frame.context.theme.unit);
}

void drawStrip(const MapFrame& frame, ImVec2 min, ImVec2 max) {
  constexpr int kPieces = 64;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ColormapTable table = tableOf(frame.picture.colormap);
  const auto colour = [&](int k) {
    const Rgb c = colourAt(table, static_cast<float>(k) / kPieces);
    return IM_COL32(c.r, c.g, c.b, 255);
  };
  for (int i = 0; i < kPieces; ++i) {
    const auto place = [&](int k) { return min.x + (max.x - min.x) * static_cast<float>(k) / kPieces; };
    list.AddRectFilledMultiColor({place(i), min.y}, {place(i + 1), max.y}, colour(i), colour(i + 1),
                                 colour(i + 1), colour(i));
  }
  list.AddRect(min, max, ImGui::GetColorU32(frame.context.theme.border));
}

void drawTicks(const MapFrame& frame, float left, float right, float top) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Theme& theme = frame.context.theme;
  const ColourScale scale = frame.picture.scale();
  const float font = ImGui::GetFontSize();
  const std::vector<float> ticks = barTicks(scale, static_cast<int>((right - left) / (3.2f * font)));
  const ImU32 ink = ImGui::GetColorU32(theme.faint);
  const float length = std::round(3 * theme.unit);
  for (const float tick : ticks) {
    const float x = std::round(left + (right - left) * std::clamp(shareOf(scale, tick), 0.0f, 1.0f));
    const std::string text = barTickText(frame.context.state.notation, tick, scale, frame.exponent);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    list.AddLine({x, top}, {x, top + length}, ink, std::max(1.0f, theme.unit));
    const float at = std::clamp(x - width / 2, left, std::max(left, right - width));
    list.AddText({std::round(at), top + length}, ink, text.c_str());
  }
}

/// A small square as the shader hatches such cells, and a word.
float drawSign(const MapFrame& frame, ImVec2 at, const ImVec4& colour, bool isRising, bool isFalling,
               const std::string& word) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float font = ImGui::GetFontSize(), unit = frame.context.theme.unit;
  const float side = std::round(font * 0.75f), top = at.y + std::round(font * 0.15f);
  const ImVec2 min(at.x, top), max(at.x + side, top + side);
  const ImU32 ink = ImGui::GetColorU32(colour);
  list.PushClipRect(min, max, true);
  for (float shift = -side; shift <= side; shift += std::max(2.0f, std::round(4 * unit))) {
    if (isRising) list.AddLine({min.x + shift, max.y}, {max.x + shift, min.y}, ink, std::max(1.0f, unit));
    if (isFalling) list.AddLine({min.x + shift, min.y}, {max.x + shift, max.y}, ink, std::max(1.0f, unit));
  }
  list.PopClipRect();
  list.AddRect(min, max, ink);
  const float begin = at.x + side + 5 * unit;
  list.AddText({begin, at.y}, ink, word.c_str());
  return begin + ImGui::CalcTextSize(word.c_str()).x + 14 * unit;
}

void drawSigns(const MapFrame& frame, ImVec2 at) {
  const Theme& theme = frame.context.theme;
  if (frame.hidesPairs()) at.x = drawSign(frame, at, theme.faint, true, false, "masked");
  if (frame.facts.extent.notNumbers > 0)
    at.x = drawSign(frame, at, theme.warning, true, true,
                    std::to_string(frame.facts.extent.notNumbers) + " NaN");
  if (frame.facts.extent.infinities > 0)
    drawSign(frame, at, theme.warning, false, true,
             std::to_string(frame.facts.extent.infinities) + " infinite");
}

}  // namespace

float colourBarHeight(const MapFrame& frame) {
  const float unit = frame.context.theme.unit, font = frame.context.theme.small->FontSize;
  return std::ceil(stripHeight(frame) + font + 14 * unit + (hasSigns(frame) ? font + 4 * unit : 0));
}

void drawColourBar(const MapFrame& frame, float width) {
  const Theme& theme = frame.context.theme;
  ImGui::PushFont(theme.small);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool isScaled = frame.exponent != 0 && !frame.picture.isLogarithmic;
  const std::string factor = isScaled ? "×" + powerText(frame.exponent) : "";
  const float aside = isScaled ? ImGui::CalcTextSize(factor.c_str()).x + 8 * theme.unit : 0;
  const float top = at.y + std::round(9 * theme.unit), bottom = top + stripHeight(frame);
  const float right = at.x + std::max(24 * theme.unit, width - aside);
  drawStrip(frame, {at.x, top}, {right, bottom});
  drawTicks(frame, at.x, right, bottom);
  nameRect("colour bar", {at.x, top}, {right, bottom});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (isScaled)
    list.AddText({right + 8 * theme.unit, std::round((top + bottom - ImGui::GetFontSize()) / 2)},
                 ImGui::GetColorU32(theme.faint), factor.c_str());
  if (hasSigns(frame)) drawSigns(frame, {at.x, bottom + ImGui::GetFontSize() + 7 * theme.unit});
  ImGui::Dummy({width, colourBarHeight(frame) - 2});
  ImGui::PopFont();
}

}  // namespace attn
