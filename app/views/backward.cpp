#include "app/views/backward.h"

#include <imgui.h>

#include "app/views/labels.h"
#include "app/views/map.h"
#include "app/views/map_options.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

/// queries × keys
void drawPairs(ViewContext& context, const StackOf<float>& gradient, Stage stage, const char* meaning) {
  Map map = mapOf(context, gradient);
  map.isMasked = true;
  map.stage = stage;
  map.meaning = meaning;
  drawMap(context, map);
}

/// tokens × dimensions
void drawTokens(ViewContext& context, const StackOf<float>& gradient, Map::Axis tokens, Stage stage,
                const char* meaning) {
  Map map = mapOf(context, gradient);
  map.rowsAre = tokens;
  map.columns = Map::Axis::dimensions;
  map.stage = stage;
  map.meaning = meaning;
  drawMap(context, map);
}

void drawMatrix(ViewContext& context, const Matrix& gradient, Map::Axis tokens, Stage stage,
                const char* meaning) {
  drawMap(context, {.label = "map",
                    .values = gradient.data(),
                    .rows = gradient.rows(),
                    .cols = gradient.cols(),
                    .columns = Map::Axis::dimensions,
                    .rowsAre = tokens,
                    .meaning = meaning,
                    .stage = stage});
}

}  // namespace

void drawWeightGradients(ViewContext& context) {
  mapCaption(context, "∂loss / ∂weight");
  drawPairs(context, context.results.d.probs, Stage::dProbs,
            "How fast the loss grows with the weight of {column} for {row}.");
}

void drawScoreGradients(ViewContext& context) {
  mapCaption(context, "∂loss / ∂score");
  drawPairs(context, context.results.d.scores, Stage::dScores,
            "How fast the loss grows with the score of {column} for {row}.");
}

void drawQueryGradients(ViewContext& context) {
  mapCaption(context, "∂loss / ∂q");
  drawTokens(context, context.results.d.q, Map::Axis::queries, Stage::dQ,
             "How fast the loss grows with {column} of the query of {row}.");
}

void drawKeyGradients(ViewContext& context) {
  mapCaption(context, "∂loss / ∂k");
  drawTokens(context, context.results.d.k, Map::Axis::keys, Stage::dK,
             "How fast the loss grows with {column} of the key of {row}.");
}

void drawValueGradients(ViewContext& context) {
  mapCaption(context, "∂loss / ∂v");
  drawTokens(context, context.results.d.v, Map::Axis::keys, Stage::dV,
             "How fast the loss grows with {column} of the value of {row}.");
}

void drawSequenceGradients(ViewContext& context) {
  if (context.shown.source.kind == SourceOf<float>::Kind::given)
    return hint("This scene gives Q, K and V themselves. Once they are projections of X, dX is here.");
  const GradientsOf<float>& d = context.results.d;
  bool& isOfOther = context.state.maps.showsOtherSequence;
  const bool hasOther = d.other.size() > 0;
  if (hasOther) {
    if (ImGui::RadioButton("dX", !isOfOther)) isOfOther = false;
    ImGui::SameLine();
    if (ImGui::RadioButton("dY", isOfOther)) isOfOther = true;
    drawGear(context);
  } else {
    ImGui::AlignTextToFramePadding();
    const float room = ImGui::GetContentRegionAvail().x - 2 * ImGui::GetFrameHeight();
    ImGui::TextDisabled("%s", elided("∂loss / ∂x, through all heads", room).c_str());
    drawGear(context);
  }
  if (hasOther && isOfOther)
    drawMatrix(context, d.other, Map::Axis::keys, Stage::dOther,
               "How fast the loss grows with {column} of {row}.");
  else
    drawMatrix(context, d.x, Map::Axis::queries, Stage::dX,
               "How fast the loss grows with {column} of {row}.");
}

void wantWeightGradients(const ViewState&, Wanted& wanted) {
  wanted.backward = wanted.dProbs = true;
}

void wantScoreGradients(const ViewState&, Wanted& wanted) {
  wanted.backward = wanted.dScores = true;
}

void wantInputGradients(const ViewState&, Wanted& wanted) {
  wanted.backward = true;
}

}  // namespace attn
