#include "app/views/labels.h"

#include <imgui.h>

#include <charconv>
#include <cmath>
#include <cstdio>

#include "app/views/writing.h"

namespace attn {
namespace {

std::string labelOf(const Notation& notation, const std::vector<std::string>& labels, Index i, char letter) {
  const auto place = static_cast<std::size_t>(i);
  const bool hasLabel = place < labels.size() && !labels[place].empty();
  return hasLabel ? labels[place] : letter + std::to_string(notation.counted(i));
}

std::string timesPower(double size, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*e", digits - 1, size);
  return withPower(text);
}

}  // namespace

std::string typedQueryLabel(const Notation& notation, const Scene& scene, Index query) {
  return labelOf(notation, scene.queryLabels, query, 'q');
}
std::string typedKeyLabel(const Notation& notation, const Scene& scene, Index key) {
  return labelOf(notation, scene.keyLabels, key, 'k');
}
std::string queryLabel(const Notation& notation, const Scene& scene, Index query) {
  return asWritten(typedQueryLabel(notation, scene, query));
}
std::string keyLabel(const Notation& notation, const Scene& scene, Index key) {
  return asWritten(typedKeyLabel(notation, scene, key));
}
std::string dimensionLabel(const Notation& notation, Index dimension) {
  return std::to_string(notation.counted(dimension));
}

bool isPlain(double value, int digits) {
  const double size = std::abs(value);
  return size < 1e5 && (size >= 0.5 * std::pow(10.0, -digits) || size == 0);
}

std::string numberText(const Notation& notation, double value, int digits) {
  if (notation.digits >= 0) digits = notation.digits;
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  const std::string sign = value < 0 ? "−" : "";
  if (!isPlain(value, digits)) return sign + withMark(timesPower(std::abs(value), 2), notation);
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, std::abs(value));
  return sign + withMark(text, notation);
}

std::string briefText(const Notation& notation, double value) {
  const double size = std::abs(value);
  if (isPlain(value) || !(size < 1)) return numberText(notation, value, size < 9.995 ? 2 : size < 99.95);
  if (!isPlain(value, 3)) return numberText(notation, 0);
  std::string text = numberText(notation, value, 3);
  if (text.starts_with("0.") || text.starts_with("0,")) text.erase(0, 1);
  return text;
}

std::string exactText(const Notation& notation, float value) {
  if (!std::isfinite(value)) return numberText(notation, static_cast<double>(value));
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, std::abs(value)).ptr;
  return (std::signbit(value) ? "−" : "") + withMark(withPower(std::string(text, end)), notation);
}

std::string tickText(const Notation& notation, double value) {
  if (!std::isfinite(value)) return numberText(notation, value);
  const double size = std::abs(value);
  char text[64];
  std::snprintf(text, sizeof text, "%.5g", size);  // has an exponent from 10⁵ on, and below 10⁻⁴
  return (value < 0 ? "−" : "") + withMark(withPower(text), notation);
}

std::string withPower(const std::string& number) {
  const std::size_t mark = number.find('e');
  if (mark == std::string::npos) return number;
  const std::string factor = number.substr(0, mark), power = powerText(std::stoi(number.substr(mark + 1)));
  return factor == "1" ? power : factor + "·" + power;
}

std::string powerText(int power) {
  const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = power < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(power))) text += digits[digit - '0'];
  return text;
}

int writeTick(double value, char* text, int size, void* notation) {
  return std::snprintf(text, static_cast<std::size_t>(size), "%s",
                       tickText(*static_cast<const Notation*>(notation), value).c_str());
}

int writeSeconds(double value, char* text, int size, void* notation) {
  return std::snprintf(text, static_cast<std::size_t>(size), "%s s",
                       tickText(*static_cast<const Notation*>(notation), value).c_str());
}

void* tickData(const Notation& notation) {
  return const_cast<Notation*>(&notation);
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

void addTextUpwards(ImDrawList& list, ImVec2 foot, ImU32 colour, const std::string& text) {
  // Within the clip rectangle: letters beyond it would be left out.
  const ImVec2 from = list.GetClipRectMin();
  const int first = list.VtxBuffer.Size;
  list.AddText(from, colour, text.c_str());
  const float height = ImGui::GetFontSize();
  for (int i = first; i < list.VtxBuffer.Size; ++i) {
    ImVec2& place = list.VtxBuffer[i].pos;
    place = {foot.x + (place.y - from.y) - std::floor(height / 2), foot.y - (place.x - from.x)};
  }
}

}  // namespace attn
