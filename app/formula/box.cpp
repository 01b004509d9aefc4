#include "app/formula/box.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace attn {
namespace {

void move(FormulaPoint& point, float dx, float dy) {
  point.x += dx;
  point.y += dy;
}

void move(FormulaRect& rect, float dx, float dy) {
  rect.x += dx;
  rect.y += dy;
}

void move(DrawCommand& command, float dx, float dy) {
  move(command.rect, dx, dy);
  if (auto* run = std::get_if<GlyphRun>(&command.shape)) move(run->baseline, dx, dy);
  if (auto* rule = std::get_if<FilledRule>(&command.shape)) move(rule->rect, dx, dy);
  if (auto* line = std::get_if<Polyline>(&command.shape))
    for (FormulaPoint& point : line->points) move(point, dx, dy);
}

FormulaRect around(const Polyline& line) {
  const auto byX = [](FormulaPoint a, FormulaPoint b) { return a.x < b.x; };
  const auto byY = [](FormulaPoint a, FormulaPoint b) { return a.y < b.y; };
  const auto [left, right] = std::minmax_element(line.points.begin(), line.points.end(), byX);
  const auto [top, bottom] = std::minmax_element(line.points.begin(), line.points.end(), byY);
  const float half = line.thickness / 2;
  return {left->x - half, top->y - half, right->x - left->x + line.thickness,
          bottom->y - top->y + line.thickness};
}

/// A quarter turn and back, as a parenthesis bends: x from `flat` at the ends to `round` in the middle.
std::vector<FormulaPoint> arc(float ends, float middle, float top, float bottom) {
  constexpr int kSteps = 16;
  std::vector<FormulaPoint> points;
  for (int i = 0; i <= kSteps; ++i) {
    const float t = static_cast<float>(i) / kSteps;
    const float bend = std::sin(std::numbers::pi_v<float> * t);
    points.push_back({ends + (middle - ends) * bend, top + (bottom - top) * t});
  }
  return points;
}

/// { from top to bottom, the tip at `tip`.
std::vector<FormulaPoint> brace(float ends, float tip, float top, float bottom) {
  const float stem = (ends + tip) / 2, middle = (top + bottom) / 2;
  const float corner = std::min(std::abs(ends - tip), (bottom - top) / 8);
  return {{ends, top},   {stem, top + corner},    {stem, middle - corner},
          {tip, middle}, {stem, middle + corner}, {stem, bottom - corner},
          {ends, bottom}};
}

}  // namespace

void Box::place(Box other, float dx, float dy) {
  for (DrawCommand& command : other.commands) move(command, dx, dy);
  std::move(other.commands.begin(), other.commands.end(), std::back_inserter(commands));
  const int offset = static_cast<int>(boxes.size());
  for (LaidBox& box : other.boxes) {
    move(box.rect, dx, dy);
    box.baseline += dy;
    box.parent = box.parent < 0 ? (offset > 0 ? 0 : -1) : box.parent + offset;
    boxes.push_back(box);
  }
}

void Box::draw(GlyphRun run, const RunSize& size) {
  const FormulaRect rect = {run.baseline.x, run.baseline.y - size.ascent, size.advance,
                            size.ascent + size.descent};
  commands.push_back({std::move(run), rect, -1});
}

void Box::draw(FormulaRect rule) {
  commands.push_back({FilledRule{rule}, rule, -1});
}

void Box::draw(Polyline line) {
  const FormulaRect rect = around(line);
  commands.push_back({std::move(line), rect, -1});
}

Box stretchedFence(const std::string& sign, float ascent, float descent, float size) {
  const float thickness = kLine * size, half = thickness / 2;
  const float gap = 0.08f * size, reach = 0.2f * size;
  const float left = gap + half, right = gap + reach - half;
  const float top = -ascent + half, bottom = descent - half;
  Box box;
  box.width = reach + 2 * gap;
  box.ascent = ascent;
  box.descent = descent;
  const auto draw = [&](std::vector<FormulaPoint> points) {
    box.draw(Polyline{std::move(points), thickness});
  };
  if (sign == "(") draw(arc(right, left, top, bottom));
  if (sign == ")") draw(arc(left, right, top, bottom));
  if (sign == "[") draw({{right, top}, {left, top}, {left, bottom}, {right, bottom}});
  if (sign == "]") draw({{left, top}, {right, top}, {right, bottom}, {left, bottom}});
  if (sign == "{") draw(brace(right, left, top, bottom));
  if (sign == "}") draw(brace(left, right, top, bottom));
  if (sign == "|") draw({{(left + right) / 2, top}, {(left + right) / 2, bottom}});
  if (sign == "‖") draw({{left, top}, {left, bottom}}), draw({{right, top}, {right, bottom}});
  return box;
}

Box rootSign(float width, float ascent, float descent, float size) {
  const float thickness = kLine * size, half = thickness / 2, gap = 0.1f * size;
  const float signWidth = 0.55f * size;
  Box box;
  box.ascent = std::max(ascent, 0.5f * size) + gap + thickness;
  box.descent = std::max(descent, half);
  box.width = signWidth + width + gap;
  const float top = -box.ascent + half, bottom = box.descent - half;
  const float middle = bottom - std::min(0.45f * size, 0.6f * (bottom - top));
  box.draw(Polyline{{{half, middle + 0.08f * size},
                     {0.15f * size, middle},
                     {0.3f * size, bottom},
                     {signWidth - half, top},
                     {box.width - half, top}},
                    thickness});
  return box;
}

}  // namespace attn
