#include "app/views/line_heads.h"

#include <algorithm>
#include <cmath>

#include "app/views/compare.h"
#include "app/views/map.h"
#include "app/views/number_control.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

const ImVec4& headColour(const Theme& theme, Index head) {
  return theme.series[static_cast<std::size_t>(head) % std::size(theme.series)];
}

bool showsAll(const ViewContext& context) {
  return context.state.lines.showsAllHeads && context.results.probs.heads() > 1;
}

/// A click switches a head off and on; a double click, or Ctrl, leaves it alone.
void useSwatch(LinesState& lines, Index head, Index heads) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool isAlone = io.KeyCtrl || (io.MouseReleased[0] && io.MouseClickedLastCount[0] == 2);
  if (!isAlone) {
    if (!lines.hiddenHeads.erase(head)) lines.hiddenHeads.insert(head);
    return;
  }
  lines.hiddenHeads.clear();
  for (Index other = 0; other < heads; ++other)
    if (other != head) lines.hiddenHeads.insert(other);
}

void drawSwatch(ViewContext& context, Index head, ImVec2 size) {
  const Theme& theme = context.theme;
  LinesState& lines = context.state.lines;
  const std::string label = "line head " + std::to_string(head + 1);
  const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + size.x, at.y + size.y);
  if (ImGui::InvisibleButton(label.c_str(), size)) useSwatch(lines, head, context.results.probs.heads());
  const bool isOn = !lines.hiddenHeads.contains(head);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec4 colour = headColour(theme, head);
  if (isOn)
    list.AddRectFilled(at, end, ImGui::GetColorU32(colour), 3 * theme.unit);
  else
    list.AddRect(at, end, ImGui::GetColorU32(colour), 3 * theme.unit, 0, theme.unit);
  const std::string number = std::to_string(head + 1);
  const ImVec2 extent = theme.small->CalcTextSizeA(theme.small->FontSize, FLT_MAX, 0, number.c_str());
  if (extent.x <= size.x)
    list.AddText(theme.small, theme.small->FontSize,
                 {std::round(at.x + (size.x - extent.x) / 2), std::round(at.y + (size.y - extent.y) / 2)},
                 ImGui::GetColorU32(isOn ? theme.panel : theme.text), number.c_str());
  ImGui::SetItemTooltip(
      "Head %s: a click hides or shows its lines, a double click or Ctrl+click shows it alone",
      number.c_str());
}

/// As many beside each other as there is room for; many heads get small ones.
void drawSwatches(ViewContext& context) {
  const Index heads = context.results.probs.heads();
  const float font = ImGui::GetFontSize(), gap = 3 * context.theme.unit;
  const float room = ImGui::GetContentRegionAvail().x;
  const float width = std::clamp(room / static_cast<float>(heads) - gap, 0.8f * font, 1.5f * font);
  const auto perRow = std::max<Index>(1, static_cast<Index>((room + gap) / (width + gap)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
  for (Index head = 0; head < heads; ++head) {
    if (head % perRow != 0) ImGui::SameLine();
    drawSwatch(context, head, {width, std::round(1.15f * font)});
  }
  ImGui::PopStyleVar();
}

bool needsScrolling(const ViewContext& context) {
  const Shapes& shapes = context.results.shapes;
  const auto count = static_cast<float>(std::max(shapes.queries, shapes.keys));
  return count * context.theme.small->FontSize >
         ImGui::GetContentRegionAvail().y - 3 * ImGui::GetFrameHeight();
}

std::vector<LineLayer> layersOf(ViewContext& context) {
  const StackOf<float>& weights = context.results.probs;
  std::vector<LineLayer> layers;
  if (weights.empty()) return layers;
  if (!showsAll(context)) {
    const Map map = mapOf(context, weights);
    const bool isOne = map.heads == 1;
    layers.push_back({map.values, isOne ? headColour(context.theme, map.head) : context.theme.accent,
                      isOne ? "head " + std::to_string(map.head + 1)
                      : context.state.heads.choice == HeadChoice::average ? "average of all heads"
                                                                          : "maximum of all heads"});
    return layers;
  }
  for (Index head = 0; head < weights.heads(); ++head)
    if (!context.state.lines.hiddenHeads.contains(head))
      layers.push_back(
          {weights.head(head), headColour(context.theme, head), "head " + std::to_string(head + 1)});
  return layers;
}

}  // namespace

std::vector<LineLayer> lineLayers(ViewContext& context) {
  std::vector<LineLayer> layers = layersOf(context);
  if (showsDifference(context))
    for (LineLayer& layer : layers)
      layer.isSigned = true, layer.colour = context.theme.positive, layer.fallen = context.theme.negative;
  return layers;
}

void chooseLines(ViewContext& context, const std::vector<LineLayer>& layers) {
  LinesState& lines = context.state.lines;
  if (context.results.probs.heads() > 1) {
    ImGui::Checkbox("all heads", &lines.showsAllHeads);
    ImGui::SetItemTooltip("A colour for each head; else the lines of what the maps show");
    ImGui::SameLine();
  }
  if (needsScrolling(context)) {
    ImGui::Checkbox("fit", &lines.isWhole);
    ImGui::SetItemTooltip("All tokens in the room that there is, without scrolling");
    ImGui::SameLine();
  }
  ImGui::SetNextItemWidth(std::max(4 * ImGui::GetFontSize(), ImGui::GetContentRegionAvail().x));
  auto least = static_cast<double>(lines.least);
  if (slideNumber("##least", least, {0, 1}, "from %.2f", ImGuiSliderFlags_AlwaysClamp))
    lines.least = static_cast<float>(least);
  ImGui::SetItemTooltip("Weights below this have no line");
  if (showsAll(context))
    drawSwatches(context);
  else if (context.results.probs.heads() > 1 && !layers.empty())
    ImGui::TextColored(layers.front().colour, "%s", layers.front().name.c_str());
}

}  // namespace attn
