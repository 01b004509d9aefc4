#include "app/views/weights.h"

#include <imgui.h>

#include "app/views/map.h"
#include "app/views/view.h"

namespace attn {

void drawWeights(ViewContext& context) {
  ImGui::Checkbox("log colour", &context.state.maps.isLogarithmic);
  ImGui::SetItemTooltip("Colour by the logarithm: small weights become visible");
  const StackOf<float>& weights = context.results.probs;
  const Index head = context.state.selection.head;
  if (weights.empty()) return;
  drawMap(context, {.label = "map",
                    .values = weights.head(head),
                    .rows = weights.rows(),
                    .cols = weights.cols(),
                    .head = head,
                    .isSigned = false,
                    .isMasked = true,
                    .isWeights = true});
}

void wantWeights(const ViewState&, Wanted& wanted) {
  wanted.probs = true;
}

}  // namespace attn
