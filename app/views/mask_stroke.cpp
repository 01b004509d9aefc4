#include "app/views/mask_stroke.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/views/labels.h"
#include "app/views/mask_grid.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/edits/mask_rules.h"

namespace attn {
namespace {

using Brush = MaskState::Brush;
using Stroke = MaskState::Stroke;

Brush brushOf(const ImGuiIO& io) {
  if (io.KeyShift) return io.KeyCtrl ? Brush::column : Brush::row;
  return io.KeyCtrl ? Brush::rectangle : Brush::cell;
}

bool isPainted(const MaskRule& rule) {
  return std::holds_alternative<PaintedRule>(rule);
}

/// What is in the way of showing a pair: all that hides it but for paint, which the stroke has just taken
/// off.
std::string obstacleText(const Notation& notation, const Scene& scene, Index head, Pair pair) {
  HiddenBy hidden = hiddenBy(scene, head, pair.query, pair.key);
  if (hidden.isVisible()) return "";
  return queryLabel(notation, scene, pair.query) + " → " + keyLabel(notation, scene, pair.key) +
         " stays hidden by " + reasonText(scene, head, pair) + ": edit or remove that to show the pair";
}

/// Paints an area as the stroke says. Showing what nobody has painted needs no paint.
void paintArea(ViewContext& context, const PairArea& area, Pair at) {
  MaskState& state = context.state.mask;
  const bool isShown = state.stroke == Stroke::show;
  const Index head = context.state.selection.head;
  const auto only = state.onlyThisHead ? std::optional(head) : std::nullopt;
  const auto& masks = context.editor.scene().masks;
  if (!isShown || std::any_of(masks.begin(), masks.end(), isPainted))
    context.editor.change([&](Scene& scene) { paint(scene, area, isShown, only); });
  state.message = isShown ? obstacleText(context.state.notation, context.editor.scene(), head, at) : "";
}

void paintTo(ViewContext& context, Pair pair) {
  const MaskState& state = context.state.mask;
  const Scene& scene = context.scene;
  if (state.brush == Brush::row) return paintArea(context, wholeRow(scene, pair.query), pair);
  if (state.brush == Brush::column) return paintArea(context, wholeColumn(scene, pair.key), pair);
  if (state.brush == Brush::rectangle)
    return paintArea(context, rectangle(state.first.query, state.first.key, pair.query, pair.key), pair);
  // A fast pointer skips cells: the line from the last one to this one is painted.
  const Index down = pair.query - state.last.query, right = pair.key - state.last.key;
  const Index steps = std::max<Index>(1, std::max(std::abs(down), std::abs(right)));
  const auto part = [&](Index whole, Index step) {
    return static_cast<Index>(std::lround(static_cast<double>(whole * step) / static_cast<double>(steps)));
  };
  for (Index step = state.last == pair ? 0 : 1; step <= steps; ++step)
    paintArea(context, onePair(state.last.query + part(down, step), state.last.key + part(right, step)),
              pair);
}

void begin(ViewContext& context, const MaskPicture& mask, Pair pair, Brush brush) {
  MaskState& state = context.state.mask;
  const Index head = context.state.selection.head;
  state.stroke = mask.visibility.sees(head, pair.query, pair.key) ? Stroke::hide : Stroke::show;
  state.brush = brush;
  state.first = state.last = state.cursor = pair;
  state.anchor.reset();
  state.message.clear();
}

void moveCursor(MaskState& state, const MaskGrid& grid) {
  const Pair before = state.cursor;
  const auto step = [](Index& place, ImGuiKey back, ImGuiKey on, Index count) {
    const Index far = ImGui::GetIO().KeyCtrl ? std::max<Index>(1, count / 8) : 1;
    if (ImGui::IsKeyPressed(back)) place -= far;
    if (ImGui::IsKeyPressed(on)) place += far;
    place = std::clamp<Index>(place, 0, count - 1);
  };
  Index& row = grid.isTurned ? state.cursor.key : state.cursor.query;
  Index& column = grid.isTurned ? state.cursor.query : state.cursor.key;
  step(row, ImGuiKey_UpArrow, ImGuiKey_DownArrow, grid.down());
  step(column, ImGuiKey_LeftArrow, ImGuiKey_RightArrow, grid.across());
  if (state.cursor == before) return;
  state.isTyping = true;
  keyboardTakesOver();
  state.message.clear();
  scrollTo(state, grid, state.cursor);
}

void zoomWithKeys(MaskState& state, const MaskGrid& grid) {
  const float larger = typedZoom();
  const ImVec2 corner = grid.placeOf(state.cursor);
  if (larger == 0)
    state.zoom = 1;
  else if (larger != 1)
    zoomAbout(state, grid, {corner.x + grid.cell.x / 2, corner.y + grid.cell.y / 2}, larger);
}

}  // namespace

std::string reasonText(const Scene& scene, Index head, Pair pair) {
  const HiddenBy hidden = hiddenBy(scene, head, pair.query, pair.key);
  std::vector<std::string> reasons;
  for (const std::size_t rule : hidden.rules) {
    const std::string text = ruleText(scene.masks[rule], shapesOf(scene));
    reasons.push_back(isPainted(scene.masks[rule]) ? "paint" : text);
  }
  if (hidden.bias) reasons.push_back("a bias of −∞");
  std::string text;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const bool isLast = i + 1 == reasons.size();
    text += (i == 0 ? "" : isLast ? " and " : ", ") + reasons[i];
  }
  return text;
}

std::optional<Pair> strokeWithMouse(ViewContext& context, const MaskPicture& mask, const MaskGrid& grid) {
  MaskState& state = context.state.mask;
  const bool isHovered = ImGui::IsItemHovered(), isActive = ImGui::IsItemActive();
  if (!isActive && state.stroke != Stroke::none) {
    if (state.brush == Brush::rectangle) paintTo(context, state.last);
    state.stroke = Stroke::none;
  }
  if (!isHovered && !isActive) return std::nullopt;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  if (moved.x != 0 || moved.y != 0 || isActive) state.isTyping = false;
  if (state.isTyping) return std::nullopt;
  const Pair pair = grid.cellAt(ImGui::GetMousePos());
  context.state.nextHover.query = pair.query, context.state.nextHover.key = pair.key;
  if (ImGui::IsItemActivated() && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    begin(context, mask, pair, brushOf(ImGui::GetIO()));
  else if (state.stroke == Stroke::none && pair != state.last)
    state.message.clear();
  const bool isNew = ImGui::IsItemActivated() || pair != state.last;
  if (state.stroke != Stroke::none && state.brush != Brush::rectangle && isNew) paintTo(context, pair);
  if (state.stroke != Stroke::none) state.last = pair;
  return pair;
}

void strokeWithKeys(ViewContext& context, const MaskPicture& mask, const MaskGrid& grid) {
  MaskState& state = context.state.mask;
  for (const ImGuiKey key : {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow})
    ImGui::SetKeyOwner(key, ImGui::GetItemID());
  const auto clampTo = [&](Pair& pair) {
    pair.query = std::clamp<Index>(pair.query, 0, grid.shapes.queries - 1);
    pair.key = std::clamp<Index>(pair.key, 0, grid.shapes.keys - 1);
  };
  clampTo(state.cursor);
  if (state.anchor) clampTo(*state.anchor);
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  moveCursor(state, grid);
  zoomWithKeys(state, grid);
  if (state.isTyping && isMouseAtRest())
    context.state.nextHover.query = state.cursor.query, context.state.nextHover.key = state.cursor.key;
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) state.anchor.reset();
  if (!ImGui::IsKeyPressed(ImGuiKey_Space, false)) return;
  state.isTyping = true;
  const Brush brush = brushOf(ImGui::GetIO());
  if (brush == Brush::rectangle && !state.anchor) {
    state.anchor = state.cursor;
    return;
  }
  const Pair from = state.anchor.value_or(state.cursor), to = state.cursor;
  begin(context, mask, from, from == to ? brush : Brush::rectangle);
  paintTo(context, to);
  state.cursor = state.last = to;
  state.stroke = Stroke::none;
}

}  // namespace attn
