#include "app/theme.h"

#include <implot.h>

#include <cmath>
#include <iterator>

#include "app/embedded.h"

namespace attn {
namespace {

ImVec4 colour(unsigned rgb, float alpha = 1) {
  const auto part = [&](int shift) { return static_cast<float>((rgb >> shift) & 0xff) / 255.0f; };
  return {part(16), part(8), part(0), alpha};
}

ImVec4 mix(const ImVec4& a, const ImVec4& b, float share) {
  return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.z + (b.z - a.z) * share, 1};
}

/// Okabe and Ito's colours, which differ in lightness too.
void chooseSeries(Theme& theme) {
  const unsigned light[] = {0x0072b2, 0xd55e00, 0x009e73, 0xb8578f, 0xb07d00, 0x3a87b8};
  const unsigned dark[] = {0x56b4e9, 0xe69f00, 0x2fc79b, 0xd98abc, 0xe0d24a, 0xe8743b};
  for (int i = 0; i < 6; ++i) theme.series[i] = colour(theme.kind == ThemeKind::light ? light[i] : dark[i]);
}

void chooseColours(Theme& theme) {
  const bool isLight = theme.kind == ThemeKind::light;
  theme.background = colour(isLight ? 0xeceef1 : 0x14171b);
  theme.panel = colour(isLight ? 0xffffff : 0x1d2126);
  theme.border = colour(isLight ? 0xd5d9df : 0x31373f);
  theme.text = colour(isLight ? 0x1b2027 : 0xdfe3e8);
  theme.faint = colour(isLight ? 0x5f6874 : 0x949daa);
  theme.accent = colour(isLight ? 0x1f6fb5 : 0x5aa7e6);
  theme.warning = colour(isLight ? 0xb8460b : 0xf0955a);
  theme.positive = colour(isLight ? 0xb2182b : 0xe0695c);
  theme.negative = colour(isLight ? 0x2166ac : 0x5d9fdc);
  chooseSeries(theme);
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
  colours[ImGuiCol_FrameBg] = tint(0.06f);
  colours[ImGuiCol_FrameBgHovered] = tint(0.10f);
  colours[ImGuiCol_FrameBgActive] = tint(0.14f);
  colours[ImGuiCol_Button] = tint(0.07f);
  colours[ImGuiCol_ButtonHovered] = tint(0.12f);
  colours[ImGuiCol_ButtonActive] = tint(0.18f);
  colours[ImGuiCol_Header] = accent(0.16f);
  colours[ImGuiCol_HeaderHovered] = accent(0.24f);
  colours[ImGuiCol_HeaderActive] = accent(0.34f);
  colours[ImGuiCol_CheckMark] = colours[ImGuiCol_SliderGrab] = theme.accent;
  colours[ImGuiCol_SliderGrabActive] = theme.accent;
  colours[ImGuiCol_TextSelectedBg] = accent(0.35f);
  colours[ImGuiCol_NavHighlight] = theme.accent;
  colours[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
  colours[ImGuiCol_ScrollbarGrab] = tint(0.16f);
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

ImFont* addFont(std::string_view name, float size, const ImWchar* ranges, bool isMerged) {
  const std::string_view bytes = embedded(name);
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.MergeMode = isMerged;
  config.OversampleH = 2;
  config.PixelSnapH = false;
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<char*>(bytes.data()),
                                                    static_cast<int>(bytes.size()), size, &config, ranges);
}

/// Only what formulas are made of: letters, Greek, operators.
void buildFormulaFonts(Theme& theme) {
  static constexpr ImWchar kLetters[] = {0x20, 0x7e, 0xb0, 0xd7, 0x391, 0x3d6, 0};
  static constexpr ImWchar kSigns[] = {0x2016, 0x2016, 0x2026, 0x2026, 0x2032, 0x2032, 0x2190, 0x2193,
                                       0x2200, 0x2265, 0x22a4, 0x22a5, 0x22c5, 0x22ef, 0};
  for (std::size_t i = 0; i < std::size(Theme::kFormulaSizes); ++i) {
    const float size = std::round(Theme::kFormulaSizes[i] * theme.scale), signs = std::round(size * 0.9f);
    theme.formula[i] = addFont("fonts/Inter-Regular.otf", size, kLetters, false);
    addFont("fonts/DejaVuSans.ttf", signs, kSigns, true);
    theme.formulaItalic[i] = addFont("fonts/Inter-Italic.otf", size, kLetters, false);
    addFont("fonts/DejaVuSans.ttf", signs, kSigns, true);
  }
}

}  // namespace

void applyStyle(Theme& theme, ThemeKind kind, float scale) {
  theme.kind = kind;
  theme.scale = theme.unit = scale;
  chooseColours(theme);
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

void buildFonts(Theme& theme) {
  // Latin, Greek, Cyrillic and punctuation from Inter; arrows, operators and letter-like signs from DejaVu.
  static constexpr ImWchar kWords[] = {0x20, 0x24f, 0x370, 0x3ff, 0x400, 0x52f, 0x2010, 0x2027, 0};
  static constexpr ImWchar kSigns[] = {0x1d00, 0x1dbf, 0x2030, 0x209f, 0x2100, 0x22ff, 0x2300,
                                       0x23ff, 0x2500, 0x26ff, 0x27c0, 0x27ef, 0};
  static constexpr ImWchar kNumbers[] = {0x20,   0x24f,  0x370,  0x3ff,  0x2010, 0x2027,
                                         0x2070, 0x209f, 0x2200, 0x22ff, 0};
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  const auto size = [&](float pixels) { return std::round(pixels * theme.scale); };
  theme.words = addFont("fonts/Inter-Regular.otf", size(16), kWords, false);
  addFont("fonts/DejaVuSans.ttf", size(14), kSigns, true);
  theme.heading = addFont("fonts/Inter-SemiBold.otf", size(16), kWords, false);
  addFont("fonts/DejaVuSans.ttf", size(14), kSigns, true);
  theme.numbers = addFont("fonts/DejaVuSansMono.ttf", size(13), kNumbers, false);
  theme.small = addFont("fonts/Inter-Regular.otf", size(14), kWords, false);
  addFont("fonts/DejaVuSans.ttf", size(12), kSigns, true);
  buildFormulaFonts(theme);
  theme.cells = addFont("fonts/Inter-Regular.otf", size(12.5f), kWords, false);
  addFont("fonts/DejaVuSans.ttf", size(11), kSigns, true);
  atlas.Build();
}

}  // namespace attn
