#include "app/views/output.h"

#include <imgui.h>

#include "app/views/map.h"
#include "app/views/map_options.h"
#include "app/views/view.h"

namespace attn {

void drawOutput(ViewContext& context) {
  mapCaption(context, "weights · V");
  const StackOf<float>& output = context.results.headOut;
  if (output.empty()) return;
  Map map = mapOf(context, output);
  map.columns = Map::Axis::dimensions;
  map.meaning = "The values of all keys in {column}, each by its weight for {row}, added up.";
  drawMap(context, map);
}

void wantOutput(const ViewState&, Wanted&) {}

}  // namespace attn
