#include "app/views/map_heads.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/views/map_cells.h"
#include "app/views/map_pointer.h"

namespace attn {
namespace {

/// The number of columns that makes the pictures largest.
int columnsFor(Index heads, ImVec2 room, float caption, float gap) {
  int best = 1;
  float largest = 0;
  for (int columns = 1; columns <= static_cast<int>(heads); ++columns) {
    const auto rows = static_cast<float>((heads + columns - 1) / columns);
    const float width = room.x / static_cast<float>(columns) - gap, height = room.y / rows - caption - gap;
    const float side = std::min(width, height);
    if (side > largest) largest = side, best = columns;
  }
  return best;
}

void drawHead(const MapFrame& whole, Index head, ImVec2 size) {
  ViewContext& context = whole.context;
  const std::string label = "Head " + std::to_string(head + 1);
  Map map = whole.map;
  map.label = label.c_str();
  map.values = map.stack->head(head);
  map.head = head, map.heads = 1, map.version = 0;
  const bool isChosen = head == context.state.selection.head;
  ImGui::BeginGroup();
  const ImVec2 min = ImGui::GetCursorScreenPos(), max(min.x + size.x, min.y + size.y);
  if (drawThumbnail(context, map, size.x, size.y)) context.state.selection.head = head;
  if (isChosen)
    ImGui::GetWindowDrawList()->AddRect({min.x - 2, min.y - 2}, {max.x + 2, max.y + 2},
                                        ImGui::GetColorU32(context.theme.accent), 0, 0,
                                        std::max(2.0f, 2 * context.theme.unit));
  ImGui::PushFont(context.theme.small);
  ImGui::TextColored(isChosen ? context.theme.accent : context.theme.text, "%s", label.c_str());
  ImGui::PopFont();
  ImGui::EndGroup();
}

}  // namespace

void drawAllHeads(MapFrame& frame, ImVec2 room) {
  const Index heads = frame.map.stack->heads();
  const float gap = std::round(10 * frame.context.theme.unit);
  const float caption = frame.context.theme.small->FontSize + ImGui::GetStyle().ItemSpacing.y;
  const int columns = columnsFor(heads, room, caption, gap);
  const auto rows = static_cast<float>((heads + columns - 1) / columns);
  const float least = 24 * frame.context.theme.unit;
  const ImVec2 cell(std::floor(room.x / static_cast<float>(columns)), std::floor(room.y / rows));
  const float aspect = static_cast<float>(frame.across.count) / static_cast<float>(frame.down.count);
  const float height =
      std::max(least, std::min(cell.y - caption - gap, (cell.x - gap) / std::min(aspect, 1.5f)));
  const ImVec2 size(std::max(least, std::min(cell.x - gap, height * std::max(aspect, 0.6f))), height);
  if (!ImGui::BeginChild("heads", room, false, ImGuiWindowFlags_NavFlattened)) return ImGui::EndChild();
  const ImVec2 corner = ImGui::GetCursorPos();
  for (Index head = 0; head < heads; ++head) {
    const auto across = static_cast<float>(head % columns), down = static_cast<float>(head / columns);
    ImGui::SetCursorPos(
        {corner.x + 3 + across * (size.x + gap), corner.y + 3 + down * (size.y + caption + gap)});
    drawHead(frame, head, {std::floor(size.x), std::floor(size.y)});
  }
  ImGui::EndChild();
}

}  // namespace attn
