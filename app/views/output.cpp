#include "app/views/output.h"

#include <imgui.h>

#include "app/views/map.h"
#include "app/views/map_options.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

/// Where all heads are joined by W_O, the output can be seen before and after it.
void chooseStage(ViewContext& context) {
  bool& isOfHead = context.state.maps.showsHeadOutput;
  beginHeadLine();
  if (tickOne("head", isOfHead)) isOfHead = true;
  ImGui::SetItemTooltip("weights · V of the chosen head, before W_O");
  ImGui::SameLine();
  if (tickOne("after W_O", !isOfHead)) isOfHead = false;
  ImGui::SetItemTooltip("the outputs of all heads side by side, times W_O");
  drawGear(context);
}

}  // namespace

bool showsProjectedOutput(const ViewContext& context) {
  return context.shown.source.wo.has_value() && !context.state.maps.showsHeadOutput;
}

void drawOutput(ViewContext& context) {
  if (context.shown.source.wo)
    chooseStage(context);
  else
    mapCaption(context, "weights · V");
  const StackOf<float>& output = context.results.headOut;
  if (showsProjectedOutput(context)) {
    const Matrix& out = context.results.out;
    drawMap(context, {.label = "map",
                      .values = out.data(),
                      .rows = out.rows(),
                      .cols = out.cols(),
                      .columns = Map::Axis::dimensions,
                      .meaning = "{column} of what attention gives {row}: all heads side by side, times W_O.",
                      .stage = Stage::out});
    return;
  }
  Map map = mapOf(context, output);
  map.columns = Map::Axis::dimensions;
  map.stage = Stage::headOut;
  map.meaning = "The values of all keys in {column}, each by its weight for {row}, added up.";
  drawMap(context, map);
}

void wantOutput(const ViewState&, Wanted&) {}

}  // namespace attn
