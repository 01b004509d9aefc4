#pragma once
#include <imgui.h>

namespace attn {

enum class ThemeKind { light, dark };

/// The colours that views may use beside ImGui's own, and the fonts. Sizes in views are multiples of
/// ImGui::GetFontSize() or of `unit`, so that the whole interface scales.
struct Theme {
  ThemeKind kind = ThemeKind::light;
  bool isStrong = false;  // high contrast, for an audience
  float scale = 1;
  float unit = 1;  // one pixel at scale 1

  ImVec4 background;          // behind and between the panels
  ImVec4 panel;               // of a panel
  ImVec4 border;              // around a panel, rules in tables
  ImVec4 text, faint;         // words, and words of lesser weight
  ImVec4 accent;              // what is chosen
  ImVec4 warning;             // saturated rows, refusals
  ImVec4 positive, negative;  // tints of signed numbers
  ImVec4 series[6];           // lines and bars, told apart by people who do not see all colours

  ImFont* words = nullptr;    // Inter, with DejaVu's mathematical signs
  ImFont* heading = nullptr;  // Inter semi-bold
  ImFont* numbers = nullptr;  // DejaVu Sans Mono: columns of digits stand under each other
  ImFont* small = nullptr;    // axis labels
  ImFont* cells = nullptr;    // numbers in the cells of maps that have little room
  ImFont* large = nullptr;    // numbers in cells that have much; it has no other letters

  /// Letters of formulas, large to small, each drawn at the size that scripts and fractions ask for.
  static constexpr float kFormulaSizes[] = {20, 16, 14, 11};
  ImFont* formula[4] = {};
  ImFont* formulaItalic[4] = {};
};

/// Colours and ImGui's (and ImPlot's) style; fonts stay as they are.
void applyStyle(Theme& theme, ThemeKind kind, float scale, bool isStrong = false);

}  // namespace attn
