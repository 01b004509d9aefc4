#include "app/views/scores.h"

#include <imgui.h>

#include "app/views/map.h"
#include "app/views/view.h"

namespace attn {
namespace {

const StackOf<float>& stageOf(const ViewContext& context) {
  switch (context.state.maps.scores) {
    case ScoreStage::raw:
      return context.results.rawScores;
    case ScoreStage::scaled:
      return context.results.scaledScores;
    case ScoreStage::masked:
      break;
  }
  return context.results.scores;
}

void chooseStage(ScoreStage& stage) {
  const auto choice = [&](const char* label, ScoreStage one, const char* meaning) {
    if (ImGui::RadioButton(label, stage == one)) stage = one;
    ImGui::SetItemTooltip("%s", meaning);
  };
  choice("raw", ScoreStage::raw, "q·k, as the product gives it");
  ImGui::SameLine();
  choice("scaled", ScoreStage::scaled, "divided by the divisor and the temperature");
  ImGui::SameLine();
  choice("masked", ScoreStage::masked, "after cap, bias and mask: what is normalised");
}

}  // namespace

void drawScores(ViewContext& context) {
  chooseStage(context.state.maps.scores);
  const StackOf<float>& scores = stageOf(context);
  const Index head = context.state.selection.head;
  if (scores.empty()) return;
  drawMap(context, {.label = "map",
                    .values = scores.head(head),
                    .rows = scores.rows(),
                    .cols = scores.cols(),
                    .head = head,
                    .isMasked = context.state.maps.scores == ScoreStage::masked});
}

void wantScores(const ViewState& state, Wanted& wanted) {
  wanted.rawScores |= state.maps.scores == ScoreStage::raw;
  wanted.scaledScores |= state.maps.scores == ScoreStage::scaled;
  wanted.scores |= state.maps.scores == ScoreStage::masked;
}

}  // namespace attn
