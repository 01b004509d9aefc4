#pragma once
#include <string>

#include "core/scene.h"

namespace attn {

/// The token's label, or q0, q1, … where the scene has none.
std::string queryLabel(const Scene& scene, Index query);
/// The token's label, or k0, k1, … where the scene has none.
std::string keyLabel(const Scene& scene, Index key);

/// A number in few characters, with a real minus: "−1.25", "3.1e+05", "∞", "NaN".
std::string numberText(double value, int digits = 2);

/// At most this wide in the current font, with "…" where something was left out.
std::string elided(const std::string& text, float width);

}  // namespace attn
