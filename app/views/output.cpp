#include "app/views/output.h"

#include <imgui.h>

#include "app/views/map.h"
#include "app/views/view.h"

namespace attn {

void drawOutput(ViewContext& context) {
  const StackOf<float>& output = context.results.headOut;
  const Index head = context.state.selection.head;
  if (output.empty()) return;
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("weights · V of head %d", static_cast<int>(head) + 1);
  drawMap(context, {.label = "map",
                    .values = output.head(head),
                    .rows = output.rows(),
                    .cols = output.cols(),
                    .head = head,
                    .columns = Map::Columns::dimensions});
}

void wantOutput(const ViewState&, Wanted&) {}

}  // namespace attn
