#pragma once
#include <imgui.h>

#include "app/formula/formula.h"
#include "app/formula/layout.h"

namespace attn {

struct Theme;

struct FormulaStyle {
  float size = 20;      // of the letters, in units
  float mostWidth = 0;  // a wider formula is made smaller, as far as it can be read; 0: never
  ImVec4 colour;
  int markedPart = -1;  // drawn in the accent colour
};

/// Draws a formula as an item of the current window and returns the part under the pointer, −1 where there is
/// none.
int drawFormula(const Theme& theme, const char* name, const Formula& formula, const FormulaStyle& style);

/// How much room it takes.
ImVec2 formulaSize(const Theme& theme, const Formula& formula, const FormulaStyle& style);

/// For views that place formulas themselves: the layout with letters of so many units, and its drawing with
/// the parts in the colours that `inkOf` gives.
FormulaLayout formulaLayout(const Theme& theme, const Formula& formula, float size);
void paintCommand(const Theme& theme, ImDrawList& list, ImVec2 at, const DrawCommand& command, ImU32 ink);

template <class InkOf>
void paintFormula(const Theme& theme, ImDrawList& list, ImVec2 at, const FormulaLayout& layout,
                  const InkOf& inkOf) {
  for (const DrawCommand& command : layout.commands)
    paintCommand(theme, list, at, command, inkOf(command.part));
}

}  // namespace attn
