#include "app/views/mask_names.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/item_registry.h"
#include "app/views/labels.h"
#include "app/views/map_labels.h"
#include "app/views/mask_grid.h"
#include "app/views/view.h"

namespace attn {
namespace {

/// What is pointed at is named before all others.
std::vector<Index> markedIn(const std::optional<Index>& hovered) {
  return hovered ? std::vector<Index>{*hovered} : std::vector<Index>{};
}

std::string nameOf(const ViewContext& context, bool isQuery, Index token) {
  return isQuery ? queryLabel(context.state.notation, context.scene, token)
                 : keyLabel(context.state.notation, context.scene, token);
}

ImU32 inkOf(const ViewContext& context, const PlacedLabel& label) {
  return ImGui::GetColorU32(label.isMarked ? context.theme.accent : context.theme.text);
}

void drawRows(const ViewContext& context, const MaskGrid& grid) {
  const float font = ImGui::GetFontSize(), gap = 4 * context.theme.unit;
  const double first = grid.first.y, last = first + static_cast<double>(grid.size.y / grid.cell.y);
  for (const PlacedLabel& label :
       placeLabels(first, last, grid.min.y, grid.max().y, grid.down(), font, grid.max().y + gap / 2,
                   markedIn(grid.isTurned ? context.state.hover.key : context.state.hover.query))) {
    const std::string name = elided(nameOf(context, !grid.isTurned, label.index), grid.place.names - gap);
    const float width = ImGui::CalcTextSize(name.c_str()).x;
    ImGui::GetWindowDrawList()->AddText({grid.min.x - gap - width, std::round(label.centre - font / 2)},
                                        inkOf(context, label), name.c_str());
  }
}

void drawColumns(const ViewContext& context, const MaskGrid& grid) {
  const float font = ImGui::GetFontSize(), unit = context.theme.unit,
              foot = std::round(grid.min.y - 3 * unit);
  const double first = grid.first.x, last = first + static_cast<double>(grid.size.x / grid.cell.x);
  const float needed = grid.place.isUpright ? font : grid.cell.x;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const PlacedLabel& label :
       placeLabels(first, last, grid.min.x, grid.max().x, grid.across(), needed, grid.max().x + font / 2,
                   markedIn(grid.isTurned ? context.state.hover.query : context.state.hover.key))) {
    const std::string name = nameOf(context, grid.isTurned, label.index);
    const float width = ImGui::CalcTextSize(name.c_str()).x;
    if (grid.place.isUpright)
      addTextUpwards(list, {std::round(label.centre), foot}, inkOf(context, label), name);
    else
      list.AddText({std::round(label.centre - width / 2), foot - font}, inkOf(context, label), name.c_str());
    nameRect("key name[" + std::to_string(label.index) + "]",
             {label.centre - font / 2, foot - grid.place.heads}, {label.centre + font / 2, foot});
  }
}

}  // namespace

void drawMaskNames(const ViewContext& context, const MaskGrid& grid) {
  ImGui::PushFont(context.theme.small);
  if (grid.place.names > 0) drawRows(context, grid);
  if (grid.place.heads > 0) drawColumns(context, grid);
  ImGui::PopFont();
}

}  // namespace attn
