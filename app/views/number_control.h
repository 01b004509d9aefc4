#pragma once
#include <imgui.h>

namespace attn {

/// Numbers that are dragged, slid or typed: ImGui's own controls, with a comma for the point where
/// ImGui::GetIO().PlatformLocaleDecimalPoint is one, also while they are typed. Either mark can be typed.
/// `format` is one number of printf's with words around it: "≥ %.3f". True when the value changed.

struct NumberBounds {
  double low = 0, high = 0;  // none where both are the same
};

bool dragNumber(const char* label, double& value, float speed, const char* format = "%.3g",
                NumberBounds bounds = {}, ImGuiSliderFlags flags = 0);
bool slideNumber(const char* label, double& value, NumberBounds bounds, const char* format = "%.2f",
                 ImGuiSliderFlags flags = 0);
/// A field to type in, and nothing else.
bool typeNumber(const char* label, float& value, const char* format = "%.6g");

/// The mark that they write from now on.
void useDecimalComma(bool isWanted);

}  // namespace attn
