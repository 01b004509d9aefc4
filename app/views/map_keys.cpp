#include "app/views/map_keys.h"

#include <imgui_internal.h>
#include <implot.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "app/views/map_cells.h"
#include "app/views/map_pointer.h"
#include "app/views/map_zoom.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

constexpr Index kFar = Index{1} << 30;  // to the end, however many there are
constexpr Index kPage = 10;

constexpr ImGuiKey kMoving[] = {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow,
                                ImGuiKey_Home,      ImGuiKey_End,        ImGuiKey_PageUp,  ImGuiKey_PageDown};
constexpr ImGuiKey kChoosing[] = {ImGuiKey_Enter, ImGuiKey_KeypadEnter, ImGuiKey_Space};

bool isPressed(ImGuiKey key) {
  return ImGui::IsKeyPressed(key, true);
}

bool hasKeyboard(ImGuiID item) {
  return GImGui->NavWindow && GImGui->NavId == item;
}

/// After a click elsewhere in the panel nothing shows where the keyboard is: then it is the map's.
bool isForPanel(const Map& map) {
  const ImGuiContext& g = *GImGui;
  const ImGuiWindow* panel = ImGui::GetCurrentWindow()->RootWindow;
  return isMainMap(map) && g.NavDisableHighlight && g.NavWindow && g.NavWindow->RootWindow == panel;
}

/// Keeps Dear ImGui's own way of moving between items off these keys, from the next frame on.
void claim(std::span<const ImGuiKey> keys, ImGuiID item) {
  for (const ImGuiKey key : keys) ImGui::SetKeyOwner(key, item);
}

/// The pair that the keyboard or the pointer was on in another map.
void enter(const MapFrame& frame, MapCursor& cursor) {
  if (cursor.map == frame.key) return;
  const auto start = [&](Map::Axis axis) {
    const Index chosen = axis == Map::Axis::queries ? frame.context.state.selection.query : 0;
    return hoveredOn(cursor.last, axis).value_or(chosen);
  };
  cursor.map = frame.key;
  cursor.row = start(frame.map.rowsAre), cursor.col = start(frame.map.columns);
}

void clampTo(const Map& map, MapCursor& cursor) {
  cursor.row = std::clamp<Index>(cursor.row, 0, map.rows - 1);
  cursor.col = std::clamp<Index>(cursor.col, 0, map.cols - 1);
}

struct Step {
  Index across = 0, down = 0;
};

/// Ctrl goes to the end; what else it does with these keys is for all maps or heads.
Step stepByKeys(bool isPresenting) {
  const ImGuiIO& io = ImGui::GetIO();
  const Index stride = io.KeyCtrl ? kFar : 1;
  Step step;
  if (io.KeyAlt || io.KeyShift) return step;
  if (isPressed(ImGuiKey_RightArrow)) step.across += stride;
  if (isPressed(ImGuiKey_LeftArrow)) step.across -= stride;
  if (isPressed(ImGuiKey_DownArrow)) step.down += stride;
  if (isPressed(ImGuiKey_UpArrow)) step.down -= stride;
  if (io.KeyCtrl) return step;
  if (isPressed(ImGuiKey_Home)) step.across = -kFar;
  if (isPressed(ImGuiKey_End)) step.across = kFar;
  if (isPresenting) return step;  // a clicker's keys are not the map's
  if (isPressed(ImGuiKey_PageDown)) step.down += kPage;
  if (isPressed(ImGuiKey_PageUp)) step.down -= kPage;
  return step;
}

/// The cursor's place as it lies on the screen.
Index& acrossOf(const MapFrame& frame, MapCursor& cursor) {
  return frame.options.isTransposed ? cursor.row : cursor.col;
}
Index& downOf(const MapFrame& frame, MapCursor& cursor) {
  return frame.options.isTransposed ? cursor.col : cursor.row;
}

/// True when a key moved the cursor or zoomed.
bool moveAndZoom(const MapFrame& frame, MapZoom& zoom, MapCursor& cursor) {
  const Step step = stepByKeys(frame.context.state.presenter.isOn);
  const float larger = typedZoom();
  if (step.across == 0 && step.down == 0 && larger == 1) return false;
  enter(frame, cursor);
  Index &across = acrossOf(frame, cursor), &down = downOf(frame, cursor);
  across += step.across, down += step.down;
  clampTo(frame.map, cursor);
  if (larger == 0)
    zoom = wholeOf(frame);
  else if (larger != 1)
    zoomAbout(zoom, static_cast<double>(across) + 0.5, static_cast<double>(down) + 0.5, 1 / larger);
  scrollTo(zoom, across, down);
  return true;
}

/// Comes and goes with the keyboard. True when it has just come: the key that brought it is not the map's.
bool followFocus(const MapFrame& frame, MapCursor& cursor, ImGuiID item) {
  if (isMainMap(frame.map) && frame.context.state.panels.hasCome) takeKeyboard(item);
  const bool isHere = hasKeyboard(item);
  if (!isHere && cursor.plot == item) cursor.plot = 0;
  if (!isHere || cursor.plot == item) return false;
  cursor.plot = item;
  cursor.isLeft = false;
  enter(frame, cursor);
  return true;
}

/// Enter chooses, or takes the cursor up again; Escape leaves it.
void useCell(const MapFrame& frame, MapCursor& cursor) {
  const bool isChosen = std::any_of(std::begin(kChoosing), std::end(kChoosing),
                                    [](ImGuiKey key) { return ImGui::IsKeyPressed(key, false); });
  if (isChosen && !cursor.isLeft) chooseQuery(frame, cursor.row, cursor.col);
  if (isChosen) cursor.isLeft = false, keyboardTakesOver();
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) cursor.isLeft = true;
}

ImVec2 placeOf(Index across, Index down) {
  return ImPlot::PlotToPixels(static_cast<double>(across), static_cast<double>(down));
}

}  // namespace

bool isMainMap(const Map& map) {
  return std::string_view(map.label) == "map";
}

bool followMapKeys(MapFrame& frame, MapZoom& zoom, ImGuiID item) {
  MapCursor& cursor = frame.context.state.maps.cursor;
  const bool hasCome = followFocus(frame, cursor, item), isHere = cursor.plot == item;
  if (cursor.map == frame.key) clampTo(frame.map, cursor);
  if (!isHere && !isForPanel(frame.map)) return false;
  if (GImGui->ActiveId != 0 || ImGui::GetIO().WantTextInput) return false;
  const bool hasArrows = !(isHere && cursor.isLeft);
  if (hasArrows) claim(kMoving, item);
  if (isHere) claim(kChoosing, item);
  if (isHere && hasArrows) ImGui::SetKeyOwner(ImGuiKey_Escape, item);
  if (hasCome) return false;
  if (hasArrows && moveAndZoom(frame, zoom, cursor)) {
    keyboardTakesOver();
    if (!isHere) takeKeyboard(item);
  }
  if (!isHere) return false;
  useCell(frame, cursor);
  return ImGui::IsKeyPressed(ImGuiKey_Menu, false);
}

void drawMapCursor(const MapFrame& frame, ImGuiID item) {
  const MapCursor& cursor = frame.context.state.maps.cursor;
  if (cursor.plot != item || GImGui->NavDisableHighlight) return;
  const ImVec2 corner = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  if (cursor.isLeft) return ImGui::RenderNavHighlight({corner, {corner.x + size.x, corner.y + size.y}}, item);
  const Index across = frame.options.isTransposed ? cursor.row : cursor.col;
  const Index down = frame.options.isTransposed ? cursor.col : cursor.row;
  const ImVec2 min = placeOf(across, down), max = placeOf(across + 1, down + 1);
  ImPlot::PushPlotClipRect(4 * frame.context.theme.unit);
  outlineCursor(frame, *ImPlot::GetPlotDrawList(), min, max);
  ImPlot::PopPlotClipRect();
  if (isMouseAtRest()) pointAt(frame, cursor.row, cursor.col, min, max);
}

}  // namespace attn
