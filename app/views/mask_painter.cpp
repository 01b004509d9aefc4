#include "app/views/mask_painter.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/item_registry.h"
#include "app/views/labels.h"
#include "app/views/mask_grid.h"
#include "app/views/mask_names.h"
#include "app/views/mask_stroke.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/edits/mask_rules.h"

namespace attn {
namespace {

const char* wholeHowTo(const ViewContext& context) {
  return context.state.notation.queriesAreColumns
             ? "Click or drag: hide or show. Ctrl: rectangle. Shift: column. Ctrl+Shift: row."
             : "Click or drag: hide or show. Ctrl: rectangle. Shift: row. Ctrl+Shift: column.";
}
constexpr const char* kHowToBriefly = "Click or drag: hide or show.";

constexpr float kVisible = 0.3f;  // a light blue of the diverging map, on light and dark paper alike

bool sameVisibility(const MaskPicture& a, const MaskPicture& b) {
  if (a.shapes != b.shapes) return false;
  if (a.visibility.ranges() != b.visibility.ranges()) return false;
  const Index size = a.shapes.queries * a.shapes.keys;
  for (Index h = 0; h < a.shapes.heads; ++h) {
    const std::uint8_t *x = a.visibility.cellsOf(h), *y = b.visibility.cellsOf(h);
    if (!x != !y || (x && !std::equal(x, x + size, y))) return false;
    if (h + 1 < a.shapes.heads && x == a.visibility.cellsOf(h + 1) && y == b.visibility.cellsOf(h + 1)) break;
  }
  return true;
}

/// Looked at again for another scene, made again only where that hides other pairs: dragging a number uploads
/// nothing here.
const MaskPicture& pictureOf(ViewContext& context) {
  MaskState& state = context.state.mask;
  if (state.picture && state.pictured == context.editor.shared()) return *state.picture;
  auto picture = std::make_shared<MaskPicture>();
  state.pictured = context.editor.shared();
  picture->shapes = shapesOf(*state.pictured);
  picture->visibility.build(*state.pictured, picture->shapes);
  if (state.picture && sameVisibility(*state.picture, *picture)) return *state.picture;
  picture->values = Matrix::Constant(picture->shapes.queries, picture->shapes.keys, kVisible);
  picture->serial = state.picture ? state.picture->serial + 1 : 1;
  state.picture = std::move(picture);
  return *state.picture;
}

Index headOf(const ViewContext& context, const MaskPicture& mask) {
  return std::min(context.state.selection.head, mask.shapes.heads - 1);
}

/// The queries of the chosen head that see no key; counted once for a picture and a head.
const std::vector<Index>& blindRows(ViewContext& context, const MaskPicture& mask) {
  MaskState::BlindRows& blind = context.state.mask.blind;
  const Index head = headOf(context, mask);
  if (blind.serial == mask.serial && blind.head == head) return blind.rows;
  blind = {mask.serial, head, {}};
  for (Index i = 0; i < mask.shapes.queries; ++i)
    if (mask.visibility.countOf(head, i) == 0) blind.rows.push_back(i);
  return blind.rows;
}

void drawCells(ViewContext& context, const MaskPicture& mask, const MaskGrid& grid) {
  HeatmapPicture picture;
  picture.owner = context.state.mask.picture;
  picture.values = mask.values.data();
  picture.rows = mask.shapes.queries, picture.cols = mask.shapes.keys;
  // Another head may hide other pairs: it counts as another picture.
  const Index head = headOf(context, mask);
  picture.serial = mask.serial * static_cast<std::uint64_t>(kMostHeads) + static_cast<std::uint64_t>(head);
  picture.visibility = &mask.visibility;
  picture.head = head;
  picture.min = grid.placeOf({0, 0}), picture.max = grid.placeOf({mask.shapes.queries, mask.shapes.keys});
  picture.clipMin = grid.min, picture.clipMax = grid.max();
  picture.isFinite = true;
  picture.isTransposed = grid.isTurned;
  picture.colormap = context.theme.kind == ThemeKind::dark ? Colormap::dusk : Colormap::blueRed;
  picture.paper = context.theme.panel, picture.ink = context.theme.faint,
  picture.alarm = context.theme.warning;
  picture.hatchWidth = std::round(6 * context.theme.unit);
  context.heatmaps.draw(*ImGui::GetWindowDrawList(), ImGui::GetItemID(), picture);
}

void drawLines(const ViewContext& context, const MaskGrid& grid) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = ImGui::GetColorU32(context.theme.border);
  list.AddRect(grid.min, grid.max(), ink);
  if (std::min(grid.cell.x, grid.cell.y) < 5 * context.theme.unit) return;
  const Pair first = grid.cellAt(grid.min), last = grid.cellAt(grid.max());
  const auto corner = [&](Index place) { return grid.placeOf({place, place}); };
  for (Index j = grid.column(first) + 1; j <= grid.column(last); ++j) {
    const float x = std::round(corner(j).x);
    list.AddLine({x, grid.min.y}, {x, grid.max().y}, ink);
  }
  for (Index i = grid.row(first) + 1; i <= grid.row(last); ++i) {
    const float y = std::round(corner(i).y);
    list.AddLine({grid.min.x, y}, {grid.max().x, y}, ink);
  }
}

/// A frame around cells, both corners inside; what lies outside the painter is clipped.
void frameCells(const ViewContext& context, const MaskGrid& grid, Pair a, Pair b, const ImVec4& colour) {
  const ImVec2 min = grid.placeOf({std::min(a.query, b.query), std::min(a.key, b.key)});
  const ImVec2 max = grid.placeOf({std::max(a.query, b.query) + 1, std::max(a.key, b.key) + 1});
  const float least = 3 * context.theme.unit;  // a cell smaller than that would not be seen
  ImGui::GetWindowDrawList()->AddRect(min, {std::max(max.x, min.x + least), std::max(max.y, min.y + least)},
                                      ImGui::GetColorU32(colour), 0, 0,
                                      std::max(1.0f, std::round(1.5f * context.theme.unit)));
}

/// A sign beside every query that sees no key, at the right or beneath; where lines are thin, the signs would
/// touch.
void drawBlindMarks(const ViewContext& context, const std::vector<Index>& rows, const MaskGrid& grid) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushFont(context.theme.small);
  const float font = ImGui::GetFontSize(), gap = 3 * context.theme.unit;
  float free = (grid.isTurned ? grid.min.x : grid.min.y) - font;
  for (const Index i : rows) {
    const ImVec2 corner = grid.placeOf({i, 0});
    const float middle = grid.isTurned ? corner.x + grid.cell.x / 2 : corner.y + grid.cell.y / 2;
    const float place = std::round(middle - font / 2);
    if (place < free || place + font / 2 > (grid.isTurned ? grid.max().x : grid.max().y)) continue;
    const ImVec2 at = grid.isTurned ? ImVec2(place, grid.max().y) : ImVec2(grid.max().x + gap, place);
    list.AddText(at, ImGui::GetColorU32(context.theme.warning), "∅");
    nameRect("no key[" + std::to_string(i) + "]", at, {at.x + font, at.y + font});
    free = place + font;
  }
  ImGui::PopFont();
}

/// Rows that see no key, in one line; empty when there are none.
std::string blindRowsText(const ViewContext& context, const std::vector<Index>& rows) {
  constexpr std::size_t kNamed = 4;
  if (rows.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size(), kNamed); ++i)
    text += (i ? ", " : "") + queryLabel(context.state.notation, context.scene, rows[i]);
  if (rows.size() > kNamed) text += " and " + std::to_string(rows.size() - kNamed) + " more";
  return text + (rows.size() == 1 ? " sees no key: its weights are all 0" : " see no key: all weights are 0");
}

std::string pairText(const ViewContext& context, const MaskPicture& mask, Pair pair) {
  const Index head = headOf(context, mask);
  std::string text = queryLabel(context.state.notation, context.scene, pair.query) + " → " +
                     keyLabel(context.state.notation, context.scene, pair.key);
  const std::string reason = reasonText(context.scene, head, pair);
  text += reason.empty() ? ": visible" : ": hidden by " + reason;
  if (mask.visibility.countOf(head, pair.query) == 0) text += "; this row sees no key";
  return text;
}

/// How to paint: in a few words where all of them would take the room of the painter.
const char* howTo(const ViewContext& context, ImVec2 room) {
  const ImFont& font = *context.theme.small;
  const char* whole = wholeHowTo(context);
  const float needed = font.CalcTextSizeA(font.FontSize, FLT_MAX, std::max(1.0f, room.x), whole).y;
  return needed > 0.25f * room.y ? kHowToBriefly : whole;
}

/// As many lines as the way to paint takes, and at least two.
float statusHeight(const ViewContext& context, const char* how, ImVec2 room) {
  constexpr float kMostLines = 4;
  const ImFont& font = *context.theme.small;
  const float needed = font.CalcTextSizeA(font.FontSize, FLT_MAX, std::max(1.0f, room.x), how).y;
  return std::ceil(std::clamp(needed, 2 * font.FontSize, kMostLines * font.FontSize) + 0.2f * font.FontSize);
}

/// A few lines: the pair under the pointer, else what went wrong, else how to paint.
void drawStatus(ViewContext& context, const MaskPicture& mask, std::optional<Pair> pair, float height,
                const char* how) {
  const MaskState& state = context.state.mask;
  const std::string blind = blindRowsText(context, blindRows(context, mask));
  std::string text = how;
  bool isWarning = false;
  if (!state.message.empty())
    text = state.message, isWarning = true;
  else if (pair)
    text = pairText(context, mask, *pair);
  else if (!blind.empty())
    text = blind, isWarning = true;
  ImGui::PushFont(context.theme.small);
  ImGui::PushStyleColor(ImGuiCol_Text, isWarning ? context.theme.warning : context.theme.faint);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(1.0f, ImGui::GetContentRegionAvail().x);
  ImGui::PushClipRect(at, {at.x + width, at.y + height}, true);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);  // not where scrolling ends
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopClipRect();
  nameRect("status: " + text, at, {at.x + width, at.y + height});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text == how ? wholeHowTo(context) : text.c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

}  // namespace

void drawMaskPainter(ViewContext& context) {
  const MaskPicture& mask = pictureOf(context);
  if (mask.shapes != shapesOf(context.scene)) return;  // edited in this very frame
  MaskState& state = context.state.mask;
  state.isInUse = false;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const char* how = howTo(context, room);
  const float status = statusHeight(context, how, room);
  const std::optional<MaskGrid> grid = layOutGrid(context, mask.shapes, status);
  if (!grid) return hint("The painter needs a larger panel.");
  ImGui::SetCursorScreenPos(grid->min);
  ImGui::InvisibleButton("painter", grid->size);
  const bool isFocused = ImGui::IsItemFocused();
  state.isInUse = ImGui::IsItemHovered() || ImGui::IsItemActive();
  drawCells(context, mask, *grid);
  ImGui::PushClipRect(grid->min, grid->max(), true);
  drawLines(context, *grid);
  ImGui::PopClipRect();
  ImGui::RenderNavHighlight({grid->min, grid->max()}, ImGui::GetItemID());
  zoomWithMouse(context, *grid);
  const std::optional<Pair> pair = strokeWithMouse(context, mask, *grid);
  if (isFocused) strokeWithKeys(context, mask, *grid);
  ImGui::PushClipRect(grid->min, grid->max(), true);
  if (state.stroke != MaskState::Stroke::none && state.brush == MaskState::Brush::rectangle)
    frameCells(context, *grid, state.first, state.last, context.theme.accent);
  if (isFocused && state.isTyping)
    frameCells(context, *grid, state.anchor.value_or(state.cursor), state.cursor, context.theme.warning);
  if (context.state.hover.query && context.state.hover.key) {
    const Pair hovered{*context.state.hover.query, *context.state.hover.key};
    if (hovered.query < mask.shapes.queries && hovered.key < mask.shapes.keys)
      frameCells(context, *grid, hovered, hovered, context.theme.accent);
  }
  ImGui::PopClipRect();
  drawMaskNames(context, *grid);
  drawBlindMarks(context, blindRows(context, mask), *grid);
  const float marks = grid->isTurned ? context.theme.small->FontSize : 0;
  ImGui::SetCursorScreenPos({grid->place.left, grid->max().y + marks + 3 * context.theme.unit});
  drawStatus(context, mask, isFocused && state.isTyping ? std::optional(state.cursor) : pair, status, how);
}

}  // namespace attn
