#pragma once
#include <imgui.h>

#include <string>

#include "app/formula/notation.h"
#include "core/scene.h"

namespace attn {

/// The token's label, or q0, q1, … where the scene has none: its letters from left to right on the screen.
std::string queryLabel(const Notation& notation, const Scene& scene, Index query);
/// The token's label, or k0, k1, … where the scene has none.
std::string keyLabel(const Notation& notation, const Scene& scene, Index key);
/// The same as they are typed.
std::string typedQueryLabel(const Notation& notation, const Scene& scene, Index query);
std::string typedKeyLabel(const Notation& notation, const Scene& scene, Index key);
/// "0", or "1" where counting starts there.
std::string dimensionLabel(const Notation& notation, Index dimension);

/// A number in few characters, with a real minus: "−1.25", "3.1·10⁵", "∞", "NaN". The notation's digits go
/// before those that are asked for.
std::string numberText(const Notation& notation, double value, int digits = 2);
/// The fewest digits that give this very float again.
std::string exactText(const Notation& notation, float value);
/// In about four characters: "0.44", "12.7", "1520", and ".004" for what would be a power of ten.
std::string briefText(const Notation& notation, double value);
/// Whether it can be written with so many digits behind the point, without a power of ten.
bool isPlain(double value, int digits = 2);

/// A number beside an axis, where round ones stand: "−5", "0.25", "2·10⁵", "10⁻⁶".
std::string tickText(const Notation& notation, double value);
/// "3.1e+05" as "3.1·10⁵", "1e-06" as "10⁻⁶"; what has no exponent stays as it is.
std::string withPower(const std::string& number);
/// "10⁻³"
std::string powerText(int power);
/// For ImPlot::SetupAxisFormat: tickText, and the same in seconds. `notation` points to one.
int writeTick(double value, char* text, int size, void* notation);
int writeSeconds(double value, char* text, int size, void* notation);
/// What axes are given, which takes no const.
void* tickData(const Notation& notation);

/// Writes upwards from the foot, which is the middle of the text's width: the text is laid out level, then
/// its corners are turned.
void addTextUpwards(ImDrawList& list, ImVec2 foot, ImU32 colour, const std::string& text);

/// At most this wide in the current font, with "…" where something was left out.
std::string elided(const std::string& text, float width);

}  // namespace attn
