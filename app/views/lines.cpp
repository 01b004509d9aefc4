#include "app/views/lines.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/presenter/hidden_values.h"
#include "app/views/compare.h"
#include "app/views/labels.h"
#include "app/views/line_heads.h"
#include "app/views/line_tokens.h"
#include "app/views/map_range.h"
#include "app/views/widgets.h"
#include "core/measures/extent.h"

namespace attn {
namespace {

constexpr std::size_t kMostLines = 4000;  // what a frame can draw in a millisecond or two
constexpr float kFaintest = 0.015f;       // a line of this opacity is not seen

Extent extentOfAll(const std::vector<LineLayer>& layers, Index count) {
  Extent extent;
  for (const LineLayer& layer : layers) extent = joined(extent, extentOf(layer.values, count));
  return extent;
}

const FoundLines& findLines(ViewContext& context, const std::vector<LineLayer>& layers) {
  FoundLines& lines = context.state.lines.lines;
  const StackOf<float>& weights = context.results.probs;
  std::vector<const float*> matrices;
  for (const LineLayer& layer : layers) matrices.push_back(layer.values);
  const float least = context.state.lines.least;
  if (lines.serial == context.evaluation->serial && lines.matrices == matrices && lines.least == least)
    return lines;
  const Extent extent = extentOfAll(layers, weights.rows() * weights.cols());
  lines = {context.evaluation->serial, matrices, least, 1, {}};
  lines.strongest = automaticRange(extent, true, false, false).high;
  lines.found = strongestPairs(matrices, weights.rows(), weights.cols(),
                               std::max(least, kFaintest * lines.strongest), kMostLines);
  return lines;
}

void drawLine(const LineRoom& room, const WeightedPair& pair, ImVec4 colour, float strongest) {
  const float share = std::min(1.0f, std::abs(pair.weight) / strongest);
  const ImVec2 from = room.startOf(pair.query), to = room.endOf(pair.key);
  if (std::max(from.y, to.y) < room.clipTop || std::min(from.y, to.y) > room.clipBottom) return;
  colour.w = 0.08f + 0.92f * share;
  ImGui::GetWindowDrawList()->AddLine(from, to, ImGui::GetColorU32(colour),
                                      room.thinnest + (room.thickest - room.thinnest) * share);
}

void drawAll(const LineRoom& room, const std::vector<LineLayer>& layers, const FoundLines& lines) {
  for (const WeightedPair& pair : lines.found.pairs)
    drawLine(room, pair, layers[pair.matrix].colourOf(pair.weight), lines.strongest);
}

/// The lines of one token, all of them however many there are in the whole.
void drawOf(const LineRoom& room, const std::vector<LineLayer>& layers, const FoundLines& lines,
            const LineEnd& end) {
  const float least = std::max(lines.least, kFaintest * lines.strongest);
  for (std::size_t m = 0; m < layers.size(); ++m)
    for (Index other = 0; other < (end.isKey ? room.queries : room.keys); ++other) {
      const Index query = end.isKey ? other : end.token, key = end.isKey ? end.token : other;
      const float weight = layers[m].values[query * room.keys + key];
      if (std::isfinite(weight) && weight != 0 && std::abs(weight) >= least)
        drawLine(room, {m, query, key, weight}, layers[m].colourOf(weight), lines.strongest);
    }
}

/// What lines are shown of: what is pointed at here or in any other panel, else what was clicked.
std::optional<LineEnd> endInFocus(const ViewContext& context, const LineRoom& room) {
  const Hover& hover = context.state.hover;
  std::optional<LineEnd> end = context.state.lines.kept;
  if (hover.key) end = LineEnd{true, *hover.key};
  if (hover.query) end = LineEnd{false, *hover.query};
  if (end && end->token >= (end->isKey ? room.keys : room.queries)) end.reset();
  return end;
}

std::string footnote(const ViewContext& context, const FoundLines& lines) {
  std::string text;
  if (lines.strongest < 1)
    text = "full strength at " +
           shownValue(context.state, "Lines", 0, 0,
                      numberText(context.state.notation, static_cast<double>(lines.strongest)));
  const auto drawn = static_cast<Index>(lines.found.pairs.size());
  if (drawn < lines.found.outOf)
    text += (text.empty() ? "" : " · ") + std::string("the strongest ") + std::to_string(drawn) + " of " +
            std::to_string(lines.found.outOf) + " lines; pointing at a token shows all of its own";
  return text;
}

}  // namespace

void drawLines(ViewContext& context) {
  const StackOf<float>& weights = context.results.probs;
  if (weights.empty()) return hintNoDifference(context);
  const std::vector<LineLayer> layers = lineLayers(context);
  chooseLines(context, layers);
  const FoundLines& lines = findLines(context, layers);
  const std::string note = footnote(context, lines);
  const float width = ImGui::GetContentRegionAvail().x;
  const float foot = note.empty() ? 0
                                  : ImGui::CalcTextSize(note.c_str(), nullptr, false, width).y +
                                        ImGui::GetStyle().ItemSpacing.y;
  const float height = ImGui::GetContentRegionAvail().y - foot;
  if (height < ImGui::GetFontSize()) return;
  if (ImGui::BeginChild("tokens", {0, height}, false, ImGuiWindowFlags_NavFlattened)) {
    LineRoom room = lineRoom(context, height, layers.size() == 1);
    followTokens(context, room);
    const std::optional<LineEnd> focus = endInFocus(context, room);
    drawTokens(context, room, layers, focus, lines.strongest);
    if (focus)
      drawOf(room, layers, lines, *focus);
    else
      drawAll(room, layers, lines);
  }
  ImGui::EndChild();
  if (!note.empty()) hint(note.c_str());
}

void wantLines(const ViewState&, Wanted& wanted) {
  wanted.probs = true;
}

}  // namespace attn
