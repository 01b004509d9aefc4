#include "app/theme.h"

#include <implot.h>

#include <cmath>

namespace attn {
namespace {

ImVec4 colour(unsigned rgb, float alpha = 1) {
  const auto part = [&](int shift) { return static_cast<float>((rgb >> shift) & 0xff) / 255.0f; };
  return {part(16), part(8), part(0), alpha};
}

ImVec4 mix(const ImVec4& a, const ImVec4& b, float share) {
  return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.z + (b.z - a.z) * share, 1};
}

/// Okabe and Ito's colours, which differ in lightness too; the last one stands for their black.
void chooseSeries(Theme& theme) {
  const unsigned light[] = {0x0072b2, 0xd55e00, 0x009e73, 0xb8578f, 0xb07d00, 0x4d5766};
  const unsigned dark[] = {0x56b4e9, 0xe69f00, 0x2fc79b, 0xd98abc, 0xe0d24a, 0xb4bdc9};
  for (int i = 0; i < 6; ++i) theme.series[i] = colour(theme.kind == ThemeKind::light ? light[i] : dark[i]);
}

void chooseColours(Theme& theme) {
  const bool isLight = theme.kind == ThemeKind::light;
  theme.background = colour(isLight ? 0xeceef1 : 0x14171b);
  theme.panel = colour(isLight ? 0xffffff : 0x1d2126);
  theme.border = colour(isLight ? 0xc6ccd4 : 0x3a424c);
  theme.text = colour(isLight ? 0x1b2027 : 0xdfe3e8);
  theme.faint = colour(isLight ? 0x5f6874 : 0x949daa);
  theme.accent = colour(isLight ? 0x1f6fb5 : 0x5aa7e6);
  theme.warning = colour(isLight ? 0xb8460b : 0xf0955a);
  theme.positive = colour(isLight ? 0xb2182b : 0xe0695c);
  theme.negative = colour(isLight ? 0x2166ac : 0x5d9fdc);
  chooseSeries(theme);
}

/// Black on white or white on black, and nothing pale: a projector in a bright room swallows what is.
void strengthen(Theme& theme) {
  const bool isLight = theme.kind == ThemeKind::light;
  theme.background = theme.panel = colour(isLight ? 0xffffff : 0x000000);
  theme.border = colour(isLight ? 0x8a929c : 0x6d7681);
  theme.text = colour(isLight ? 0x000000 : 0xffffff);
  theme.faint = colour(isLight ? 0x363d46 : 0xc9cfd7);
  theme.accent = colour(isLight ? 0x0b4f8a : 0x7cc0f5);
  theme.warning = colour(isLight ? 0x9c3500 : 0xffab70);
}

void setColours(const Theme& theme, ImGuiStyle& style) {
  if (theme.kind == ThemeKind::light)
    ImGui::StyleColorsLight(&style);
  else
    ImGui::StyleColorsDark(&style);
  const auto tint = [&](float share) { return mix(theme.panel, theme.text, share); };
  const auto accent = [&](float share) { return mix(theme.panel, theme.accent, share); };
  ImVec4* colours = style.Colors;
  colours[ImGuiCol_Text] = theme.text;
  colours[ImGuiCol_TextDisabled] = theme.faint;
  colours[ImGuiCol_WindowBg] = colours[ImGuiCol_PopupBg] = theme.panel;
  colours[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
  colours[ImGuiCol_MenuBarBg] = theme.background;
  colours[ImGuiCol_Border] = colours[ImGuiCol_Separator] = theme.border;
  colours[ImGuiCol_TableBorderLight] = colours[ImGuiCol_TableBorderStrong] = theme.border;
  colours[ImGuiCol_TableHeaderBg] = tint(0.08f);
  colours[ImGuiCol_FrameBg] = tint(0.07f);
  colours[ImGuiCol_FrameBgHovered] = tint(0.10f);
  colours[ImGuiCol_FrameBgActive] = tint(0.14f);
  colours[ImGuiCol_Button] = tint(0.07f);
  colours[ImGuiCol_ButtonHovered] = tint(0.12f);
  colours[ImGuiCol_ButtonActive] = tint(0.18f);
  colours[ImGuiCol_Header] = accent(0.16f);
  colours[ImGuiCol_HeaderHovered] = accent(0.24f);
  colours[ImGuiCol_HeaderActive] = accent(0.34f);
  colours[ImGuiCol_CheckMark] = theme.accent;
  colours[ImGuiCol_SliderGrab] = accent(0.42f);  // pale: the slider's number is written over it
  colours[ImGuiCol_SliderGrabActive] = accent(0.6f);
  colours[ImGuiCol_TextSelectedBg] = accent(0.35f);
  colours[ImGuiCol_NavHighlight] = theme.accent;
  colours[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
  colours[ImGuiCol_ScrollbarGrab] = tint(0.16f);
  colours[ImGuiCol_TitleBg] = colours[ImGuiCol_TitleBgActive] = tint(0.08f);
  colours[ImGuiCol_ModalWindowDimBg] = ImVec4(0, 0, 0, 0.35f);
}

void setPlotStyle(const Theme& theme) {
  ImPlotStyle& style = ImPlot::GetStyle();
  style = ImPlotStyle();
  style.PlotPadding = {4 * theme.unit, 4 * theme.unit};
  style.LabelPadding = {4 * theme.unit, 3 * theme.unit};
  style.PlotBorderSize = 0;
  style.MajorTickLen = style.MinorTickLen = {0, 0};
  style.PlotMinSize = {32 * theme.unit, 32 * theme.unit};
  style.Colors[ImPlotCol_FrameBg] = style.Colors[ImPlotCol_PlotBg] = ImVec4(0, 0, 0, 0);
  style.Colors[ImPlotCol_AxisText] = theme.faint;
  style.Colors[ImPlotCol_AxisGrid] = mix(theme.panel, theme.text, 0.12f);
  style.Colors[ImPlotCol_AxisBgHovered] = style.Colors[ImPlotCol_AxisBgActive] = ImVec4(0, 0, 0, 0);
}

}  // namespace

void applyStyle(Theme& theme, ThemeKind kind, float scale, bool isStrong) {
  theme.kind = kind;
  theme.scale = theme.unit = scale;
  theme.isStrong = isStrong;
  chooseColours(theme);
  if (isStrong) strengthen(theme);
  ImGuiStyle style;
  style.WindowPadding = {10, 8};
  style.FramePadding = {7, 3};
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {6, 4};
  style.CellPadding = {4, 2};
  style.WindowRounding = style.PopupRounding = 5;
  style.FrameRounding = style.GrabRounding = 4;
  style.ScrollbarSize = 11;
  style.GrabMinSize = 9;
  style.ScaleAllSizes(scale);
  style.WindowBorderSize = style.PopupBorderSize = style.FrameBorderSize = 1;
  setColours(theme, style);
  ImGui::GetStyle() = style;
  setPlotStyle(theme);
}

}  // namespace attn
