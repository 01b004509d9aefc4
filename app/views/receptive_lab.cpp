#include "app/views/receptive_lab.h"

#include <imgui.h>
#include <implot.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/item_registry.h"
#include "app/views/lab_widgets.h"
#include "app/views/labels.h"
#include "app/views/labs.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/error.h"
#include "core/labs/receptive.h"

namespace attn {
namespace {

using Targets = ReceptiveLab::Targets;
constexpr const char* kLab = "Receptive field lab";

/// Made again for other parameters, or another evaluation.
struct ReceptiveMemory : LabMemory {
  std::optional<ReceptiveLab> made;
  std::uint64_t serial = 0;
  HardAttention attention;
  Index node = 0;
  Field field;
  std::vector<double> means;
  std::string trouble;
  int page = 0;

  void follow(const ViewContext& context) {
    const ReceptiveLab& lab = context.scene.labs.receptive;
    const bool isOfScene = lab.targets == Targets::scene;
    if (made == lab && (!isOfScene || serial == context.evaluation->serial)) return;
    made = lab, serial = context.evaluation->serial, trouble.clear();
    try {
      if (isOfScene && context.results.probs.empty()) throw Error("The weights are on their way…");
      attention = isOfScene ? attentionOf(context.results.probs, lab.layers) : drawnAttention(lab);
    } catch (const Error& error) {
      trouble = error.what();
      return;
    }
    node = std::min(lab.node, attention.tokens - 1);
    field = fieldOf(attention, node);
    means = meanSizes(attention);
  }
};

void change(ViewContext& context, const ReceptiveLab& lab) {
  context.editor.change([&](Scene& scene) { scene.labs.receptive = lab; });
}

void drawReadouts(ViewContext& context, const ReceptiveMemory& memory) {
  const HardAttention& attention = memory.attention;
  const Index most = mostSeen(attention.heads, attention.layers), seen = memory.field.size(attention.layers);
  ImGui::Dummy({0, 0.2f * ImGui::GetFontSize()});
  labReadout(context, kLab, 0, "without overlap (k + 1)ⁿ",
             std::to_string(attention.heads + 1) + "^" + std::to_string(attention.layers) + " = " +
                 std::to_string(most),
             "k heads bring one more token each, and the residual keeps what was there");
  labReadout(context, kLab, 1, "it sees",
             std::to_string(seen) + " of " + std::to_string(attention.tokens) + " tokens",
             "How many inputs have a path to the node");
  labReadout(context, kLab, 2, "mean of all nodes",
             numberText(context.state.notation, memory.means.back(), 2),
             "The same for every node of the top layer");
}

void drawControls(ViewContext& context, ReceptiveMemory& memory) {
  ReceptiveLab lab = context.scene.labs.receptive;
  bool isChanged = false;
  const char* const names[] = {"targets drawn at random", "strongest weights of the scene"};
  for (int i = 0; i < 2; ++i)
    if (tickOne(names[i], static_cast<int>(lab.targets) == i))
      lab.targets = static_cast<Targets>(i), isChanged = true;
  isChanged |= labSlider("layers n", lab.layers, 1, 8);
  Index tokens = memory.trouble.empty() && memory.attention.tokens > 0 ? memory.attention.tokens : lab.tokens;
  if (lab.targets == Targets::drawn) {
    isChanged |= labSlider("heads k", lab.heads, 1, 8);
    isChanged |= labSlider("tokens", lab.tokens, 2, 64);
    tokens = lab.tokens;
  }
  lab.node = std::min(lab.node, lab.tokens - 1);
  const Index first = context.state.notation.first;
  Index node = std::min(lab.node, tokens - 1) + first;
  if (labSlider("node", node, first, std::min(tokens, lab.tokens) - 1 + first))
    lab.node = node - first, isChanged = true;
  if (lab.targets == Targets::drawn) {
    isChanged |= tick("causal", lab.isCausal);
    isChanged |= labSeed(lab.seed);
  }
  if (isChanged) change(context, lab);
  memory.follow(context);
  if (!memory.trouble.empty()) return hint(memory.trouble.c_str());
  drawReadouts(context, memory);
  if (sendButton()) sendToWindow(context, sceneOf(memory.attention, memory.attention.layers - 1));
}

struct Places {
  ImVec2 min, max;
  Index tokens = 1, layers = 1;
  ImVec2 of(Index level, Index token) const {
    const float across = (static_cast<float>(token) + 0.5f) / static_cast<float>(tokens);
    const float down = static_cast<float>(level) / static_cast<float>(layers);
    return {min.x + across * (max.x - min.x), min.y + down * (max.y - min.y)};
  }
  float radius(float largest) const {
    return std::clamp(0.3f * (max.x - min.x) / static_cast<float>(tokens), 2.0f, largest);
  }
};

/// The ways from a node that is seen to what it looks at: the residual straight down, heads aslant.
void drawPaths(const ViewContext& context, const ReceptiveMemory& memory, const Places& places, Index level) {
  const HardAttention& attention = memory.attention;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 straight = ImGui::GetColorU32(context.theme.faint);
  for (Index token = 0; token < attention.tokens; ++token) {
    if (!memory.field.sees[static_cast<std::size_t>(level)][static_cast<std::size_t>(token)]) continue;
    list.AddLine(places.of(level, token), places.of(level + 1, token), straight, 1.2f * context.theme.unit);
    for (Index head = 0; head < attention.heads; ++head) {
      const Index target = attention.target(attention.layers - 1 - level, head, token);
      list.AddLine(places.of(level, token), places.of(level + 1, target),
                   ImGui::GetColorU32(context.theme.series[3 + head % 3]), 2 * context.theme.unit);
    }
  }
}

void drawNodes(ViewContext& context, const ReceptiveMemory& memory, const Places& places, Index level) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float radius = places.radius(0.55f * ImGui::GetFontSize());
  for (Index token = 0; token < memory.attention.tokens; ++token) {
    const ImVec2 at = places.of(level, token);
    if (memory.field.sees[static_cast<std::size_t>(level)][static_cast<std::size_t>(token)]) {
      list.AddCircleFilled(at, radius, ImGui::GetColorU32(context.theme.accent));
    } else {
      list.AddCircleFilled(at, radius, ImGui::GetColorU32(context.theme.panel));
      list.AddCircle(at, radius, ImGui::GetColorU32(context.theme.border), 0, 1.5f * context.theme.unit);
    }
    if (level > 0) continue;
    ImGui::SetCursorScreenPos({at.x - radius, at.y - radius});
    ImGui::PushID(static_cast<int>(token));
    if (ImGui::InvisibleButton("node", {2 * radius, 2 * radius})) {
      ReceptiveLab lab = context.scene.labs.receptive;
      lab.node = std::min(token, lab.tokens - 1);
      change(context, lab);
    }
    nameRect("node " + std::to_string(token), {at.x - radius, at.y - radius}, {at.x + radius, at.y + radius});
    ImGui::PopID();
  }
}

/// Layers from the node at the top down to the inputs; at the right how many are seen there.
void drawTree(ViewContext& context, const ReceptiveMemory& memory, ImVec2 size) {
  if (!beginFigure(context, kLab, 0, "what the node sees, layer by layer", size)) return;
  const HardAttention& attention = memory.attention;
  const float font = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const Places places{{at.x, at.y + font},
                      {at.x + room.x - 5.5f * font, at.y + room.y - font},
                      attention.tokens,
                      attention.layers};
  for (Index level = 0; level < attention.layers; ++level) drawPaths(context, memory, places, level);
  for (Index level = 0; level <= attention.layers; ++level) {
    drawNodes(context, memory, places, level);
    const std::string text = std::to_string(memory.field.size(level)) + " of " +
                             std::to_string(std::min(mostSeen(attention.heads, level), attention.tokens));
    ImGui::GetWindowDrawList()->AddText({places.max.x + 0.6f * font, places.of(level, 0).y - font / 2},
                                        ImGui::GetColorU32(context.theme.text), text.c_str());
  }
  endFigure();
}

void drawSizes(ViewContext& context, const ReceptiveMemory& memory, ImVec2 size) {
  const auto drawLegend = [&] {
    legendEntry(context, 1, "(k + 1)ⁿ, without overlap");
    legendEntry(context, 0, "this node");
    legendEntry(context, 2, "mean of all nodes");
  };
  if (!beginChart(context, kLab, 1, "tokens seen, by the number of layers", size, drawLegend)) return;
  const HardAttention& attention = memory.attention;
  std::vector<double> layers, most, seen;
  for (Index level = 0; level <= attention.layers; ++level) {
    layers.push_back(static_cast<double>(level));
    most.push_back(static_cast<double>(mostSeen(attention.heads, level)));
    seen.push_back(static_cast<double>(memory.field.size(level)));
  }
  const auto tokens = static_cast<double>(attention.tokens);
  setUpAxes(context, {-0.1, layers.back() + 0.1}, {0.9, 2 * std::max(tokens, most.back()), true});
  ImPlot::SetupAxisTicks(ImAxis_X1, layers.data(), static_cast<int>(layers.size()));
  ImPlot::SetNextLineStyle(context.theme.faint, 1.2f * context.theme.unit);
  ImPlot::PlotInfLines("##tokens", &tokens, 1, ImPlotInfLinesFlags_Horizontal);
  const int count = static_cast<int>(layers.size());
  const auto plot = [&](const char* id, const std::vector<double>& y, int series) {
    ImPlot::SetNextLineStyle(context.theme.series[series], 2.2f * context.theme.unit);
    ImPlot::SetNextMarkerStyle(seriesMarker(series), 4.5f * context.theme.unit, context.theme.series[series],
                               0);
    ImPlot::PlotLine(id, layers.data(), y.data(), count);
  };
  plot("(k + 1)ⁿ", most, 1);
  plot("this node", seen, 0);
  plot("mean", memory.means, 2);
  nameInChart(context, "all tokens", 0, tokens, {2.6f, -0.7f});
  endChart();
}

void drawPicture(ViewContext& context, ReceptiveMemory& memory) {
  if (!memory.trouble.empty()) return;
  const char* const names[] = {"tree", "sizes"};
  drawCharts(context, names, memory.page, [&](int number, ImVec2 size) {
    if (number == 0)
      drawTree(context, memory, size);
    else
      drawSizes(context, memory, size);
  });
}

}  // namespace

void drawReceptiveLab(ViewContext& context) {
  auto& memory = context.state.labs.of<ReceptiveMemory>(LabName::receptive);
  memory.follow(context);
  drawLab(
      context, [&] { drawControls(context, memory); }, [&] { drawPicture(context, memory); });
}

void wantReceptiveLab(const ViewState&, Wanted& wanted) {
  wanted.probs = true;
}

}  // namespace attn
