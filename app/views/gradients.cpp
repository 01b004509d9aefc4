#include "app/views/gradients.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/views/labels.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

constexpr double kSmallest = 1e-6, kLargest = 1e3;  // the ends of the logarithmic bars

float logShare(double norm) {
  if (norm <= 0) return 0;
  return static_cast<float>((std::log10(norm) - std::log10(kSmallest)) /
                            (std::log10(kLargest) - std::log10(kSmallest)));
}

void drawNorm(const ViewContext& context, const char* name, double norm, const ImVec4& colour) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  if (ImGui::TableNextColumn())
    levelBar(context.theme, logShare(norm), ImGui::GetContentRegionAvail().x, colour);
  if (ImGui::TableNextColumn())
    numberCell(context.theme, numberText(norm, 3), ImGui::GetContentRegionAvail().x);
}

double ofHead(const GradientNorms& norms, Index head) {
  const auto place = static_cast<std::size_t>(head);
  return place < norms.ofHead.size() ? norms.ofHead[place] : norms.all;
}

void drawNorms(const ViewContext& context) {
  const AllGradientNorms& norms = context.results.norms;
  const Index head = context.state.selection.head;
  const Theme& theme = context.theme;
  drawNorm(context, "dWeights", ofHead(norms.probs, head), theme.series[5]);
  drawNorm(context, "dScores", ofHead(norms.scores, head), theme.series[5]);
  drawNorm(context, "dQ", ofHead(norms.q, head), theme.series[0]);
  drawNorm(context, "dK", ofHead(norms.k, head), theme.series[1]);
  drawNorm(context, "dV", ofHead(norms.v, head), theme.series[2]);
  if (context.shown.source.kind == SourceOf<float>::Kind::given) return;
  drawNorm(context, "dX", norms.x.all, theme.series[3]);
  drawNorm(context, "dW_Q", ofHead(norms.wq, head), theme.series[0]);
  drawNorm(context, "dW_K", ofHead(norms.wk, head), theme.series[1]);
  drawNorm(context, "dW_V", ofHead(norms.wv, head), theme.series[2]);
  if (context.shown.source.wo) drawNorm(context, "dW_O", norms.wo.all, theme.series[4]);
}

/// What flows into the output: ones everywhere, or in the chosen row's first cell.
void drawUpstream(ViewContext& context) {
  using Kind = UpstreamOf<float>::Kind;
  const Kind kind = context.scene.upstream.kind;
  const Index row = context.state.selection.query;
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("upstream");
  ImGui::SameLine();
  if (ImGui::RadioButton("ones", kind == Kind::ones))
    context.editor.change([](Scene& scene) { scene.upstream.kind = Kind::ones; });
  ImGui::SameLine();
  if (ImGui::RadioButton("one cell", kind == Kind::cell))
    context.editor.change([=](Scene& scene) {
      scene.upstream.kind = Kind::cell;
      scene.upstream.row = row, scene.upstream.col = 0;
    });
}

}  // namespace

void drawGradients(ViewContext& context) {
  drawUpstream(context);
  constexpr auto kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("##norms", 3, kFlags)) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed, 5 * ImGui::GetFontSize());
  ImGui::TableSetupColumn("bar", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("norm", ImGuiTableColumnFlags_WidthFixed, 4.5f * ImGui::GetFontSize());
  drawNorms(context);
  ImGui::EndTable();
}

void wantGradients(const ViewState&, Wanted& wanted) {
  wanted.backward = true;
  wanted.dProbs = wanted.dScores = true;
}

}  // namespace attn
