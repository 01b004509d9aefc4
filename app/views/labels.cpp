#include "app/views/labels.h"

#include <imgui.h>

#include <cmath>
#include <cstdio>

namespace attn {
namespace {

std::string labelOf(const std::vector<std::string>& labels, Index i, char letter) {
  const auto place = static_cast<std::size_t>(i);
  return place < labels.size() && !labels[place].empty() ? labels[place] : letter + std::to_string(i);
}

}  // namespace

std::string queryLabel(const Scene& scene, Index query) {
  return labelOf(scene.queryLabels, query, 'q');
}
std::string keyLabel(const Scene& scene, Index key) {
  return labelOf(scene.keyLabels, key, 'k');
}

std::string numberText(double value, int digits) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  const double size = std::abs(value);
  const bool isPlain = size < 1e5 && (size >= 0.5 * std::pow(10.0, -digits) || size == 0);
  char text[64];
  std::snprintf(text, sizeof text, isPlain ? "%.*f" : "%.*e", isPlain ? digits : 1, size);
  return (value < 0 ? "−" : "") + std::string(text);
}

std::string elided(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  std::string kept = text;
  while (!kept.empty() && ImGui::CalcTextSize((kept + "…").c_str()).x > width) {
    while (!kept.empty() && (kept.back() & 0xc0) == 0x80) kept.pop_back();  // the rest of a UTF-8 character
    if (!kept.empty()) kept.pop_back();
  }
  return kept + "…";
}

}  // namespace attn
