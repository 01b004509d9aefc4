#include "app/views/scores.h"

#include <imgui.h>

#include <algorithm>
#include <span>

#include "app/item_registry.h"
#include "app/views/map.h"
#include "app/views/map_options.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

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

const char* meaningOf(ScoreStage stage) {
  switch (stage) {
    case ScoreStage::raw:
      return "The product q·k of {row} and {column}, as it is.";
    case ScoreStage::scaled:
      return "The product q·k of {row} and {column}, divided by the scale and the temperature.";
    case ScoreStage::masked:
      break;
  }
  return "The score of {column} for {row} after scale, cap, bias and mask: what is normalised.";
}

Stage explainedAs(ScoreStage stage) {
  return stage == ScoreStage::raw      ? Stage::rawScores
         : stage == ScoreStage::scaled ? Stage::scaledScores
                                       : Stage::scores;
}

/// Whether words with a circle each have room beside each other and the gear, which an audience does not see.
bool haveRoom(const ViewContext& context, std::span<const char* const> words) {
  const ImGuiStyle& style = ImGui::GetStyle();
  float needed = (context.state.presenter.isOn ? 0 : ImGui::GetFrameHeight()) - style.ItemSpacing.x;
  for (const char* word : words)
    needed +=
        ImGui::GetFontSize() + style.ItemInnerSpacing.x + ImGui::CalcTextSize(word).x + style.ItemSpacing.x;
  return needed <= ImGui::GetContentRegionAvail().x;
}

void chooseStage(ViewContext& context) {
  ScoreStage& stage = context.state.maps.scores;
  constexpr const char* kNames[] = {"raw", "scaled", "masked"};
  if (!haveRoom(context, kNames)) {
    int chosen = static_cast<int>(stage);
    ImGui::SetNextItemWidth(std::min(5.5f * ImGui::GetFontSize(),
                                     ImGui::GetContentRegionAvail().x - 1.5f * ImGui::GetFrameHeight()));
    if (attn::choice("##stage", chosen, kNames)) stage = static_cast<ScoreStage>(chosen);
    nameRect("stage", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    ImGui::SetItemTooltip("Which scores: q·k as it is, divided by the scale, or as they are normalised");
    return;
  }
  const auto choice = [&](const char* label, ScoreStage one, const char* meaning) {
    if (tickOne(label, stage == one)) stage = one;
    ImGui::SetItemTooltip("%s", meaning);
  };
  beginHeadLine();
  choice("raw", ScoreStage::raw, "q·k, as the product gives it");
  ImGui::SameLine();
  choice("scaled", ScoreStage::scaled, "divided by the divisor and the temperature");
  ImGui::SameLine();
  choice("masked", ScoreStage::masked, "after cap, bias and mask: what is normalised");
}

void drawStage(ViewContext& context, const StackOf<float>& scores, ScoreStage stage) {
  Map map = mapOf(context, scores);
  map.isMasked = stage == ScoreStage::masked;
  map.meaning = meaningOf(stage);
  map.stage = explainedAs(stage);
  drawMap(context, map);
}

}  // namespace

void drawScores(ViewContext& context) {
  chooseStage(context);
  drawGear(context);
  drawStage(context, stageOf(context), context.state.maps.scores);
}

void wantScores(const ViewState& state, Wanted& wanted) {
  wanted.rawScores |= state.maps.scores == ScoreStage::raw;
  wanted.scaledScores |= state.maps.scores == ScoreStage::scaled;
  wanted.scores |= state.maps.scores == ScoreStage::masked;
}

void drawRawScores(ViewContext& context) {
  mapCaption(context, "Q·Kᵀ");
  drawStage(context, context.results.rawScores, ScoreStage::raw);
}

void wantRawScores(const ViewState&, Wanted& wanted) {
  wanted.rawScores = true;
}

}  // namespace attn
