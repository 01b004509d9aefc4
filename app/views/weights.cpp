#include "app/views/weights.h"

#include <imgui.h>

#include "app/views/compare.h"
#include "app/views/map.h"
#include "app/views/map_options.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {

void drawWeights(ViewContext& context) {
  beginHeadLine();
  tick("log colour", mapOptions(context).isLogarithmic);
  ImGui::SetItemTooltip("Colour by the logarithm: small weights become visible");
  drawGear(context);
  const StackOf<float>& weights = context.results.probs;
  Map map = mapOf(context, weights);
  map.isSigned = showsDifference(context);
  map.isWeights = !map.isSigned;
  map.isMasked = true;
  map.stage = Stage::probs;
  map.meaning = "How much of the value of {column} goes into the output of {row}.";
  drawMap(context, map);
}

void wantWeights(const ViewState&, Wanted& wanted) {
  wanted.probs = true;
}

}  // namespace attn
