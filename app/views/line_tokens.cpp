#include "app/views/line_tokens.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/presenter/hidden_values.h"
#include "app/views/labels.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

std::string labelOf(const ViewContext& context, const LineEnd& end) {
  return end.isKey ? keyLabel(context.state.notation, context.shown, end.token)
                   : queryLabel(context.state.notation, context.shown, end.token);
}

float widthOf(const ViewContext& context, ImFont* font, bool isKey, Index count) {
  float width = 0;
  for (Index token = 0; token < count; ++token)
    width = std::max(
        width, font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, labelOf(context, {isKey, token}).c_str()).x);
  return width;
}

/// A click on what is kept lets it go again.
void keep(ViewContext& context, const LineEnd& end) {
  std::optional<LineEnd>& kept = context.state.lines.kept;
  kept = kept == end ? std::nullopt : std::optional(end);
  if (!end.isKey) context.state.selection.query = end.token;
}

void pointAt(ViewState& state, const LineEnd& end) {
  for (Hover* hover : {&state.nextHover, &state.maps.cursor.last})
    (end.isKey ? hover->key : hover->query) = end.token;
}

void followToken(ViewContext& context, const LineRoom& room, const LineEnd& end) {
  ViewState& state = context.state;
  const float x = end.isKey ? room.endOf(0).x : room.left;
  ImGui::SetCursorScreenPos({x, room.top + static_cast<float>(end.token) * room.rowHeight});
  const std::string name = (end.isKey ? "k " : "q ") + std::to_string(end.token);
  const float width = end.isKey ? room.keyWidth + room.numbers : room.queryWidth;
  if (ImGui::InvisibleButton(name.c_str(), {width, room.rowHeight})) keep(context, end);
  ImGui::RenderNavHighlight({ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}, ImGui::GetItemID());
  if (state.panels.hasCome && !end.isKey && end.token == state.selection.query)
    takeKeyboard(ImGui::GetItemID());
  if (isMouseAtRest() ? ImGui::IsItemFocused() : ImGui::IsItemHovered()) pointAt(state, end);
}

/// How much of the other's weight in this matrix; 0 for what is no number.
float shareOf(const LineLayer& layer, const LineRoom& room, const LineEnd& focus, Index other,
              float strongest) {
  const Index query = focus.isKey ? other : focus.token, key = focus.isKey ? focus.token : other;
  const float weight = std::abs(layer.values[query * room.keys + key]);
  return std::isfinite(weight) ? std::min(1.0f, weight / strongest) : 0;
}

/// A strip of each head's colour behind the word, as opaque as the weight is large.
void tint(const LineRoom& room, const std::vector<LineLayer>& layers, const LineEnd& focus,
          const LineEnd& end, float strongest) {
  const float x = end.isKey ? room.endOf(0).x : room.left,
              width = end.isKey ? room.keyWidth : room.queryWidth;
  const float strip = width / static_cast<float>(layers.size());
  const float top = room.middleOf(end.token) - room.rowHeight / 2;
  for (std::size_t m = 0; m < layers.size(); ++m) {
    const Index query = focus.isKey ? end.token : focus.token, key = focus.isKey ? focus.token : end.token;
    ImVec4 colour = layers[m].colourOf(layers[m].values[query * room.keys + key]);
    colour.w = 0.55f * shareOf(layers[m], room, focus, end.token, strongest);
    if (colour.w < 0.01f) continue;
    const float from = x + strip * static_cast<float>(m);
    ImGui::GetWindowDrawList()->AddRectFilled({from, top}, {from + strip, top + room.rowHeight},
                                              ImGui::GetColorU32(colour));
  }
}

void write(const ViewContext& context, const LineRoom& room, const LineEnd& end, bool isMarked) {
  const float size = room.font->FontSize, pad = 5 * context.theme.unit;
  const float width = (end.isKey ? room.keyWidth : room.queryWidth) - 2 * pad + 1;
  ImGui::PushFont(room.font);
  const std::string text = elided(labelOf(context, end), width);
  ImGui::PopFont();
  const float extent = room.font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x;
  const float x = end.isKey ? room.endOf(0).x + pad : room.left + room.queryWidth - pad - extent;
  const ImVec2 at(std::round(x), std::round(std::max(room.top, room.middleOf(end.token) - size / 2)));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (isMarked && size > room.rowHeight)  // over its neighbours
    list.AddRectFilled({at.x - pad, at.y}, {at.x + extent + pad, at.y + size},
                       ImGui::GetColorU32(context.theme.panel));
  list.AddText(room.font, size, at, ImGui::GetColorU32(isMarked ? context.theme.accent : context.theme.text),
               text.c_str());
}

void writeWeight(const ViewContext& context, const LineRoom& room, float weight, Index query, Index key) {
  ImFont* font = context.theme.small;
  // Hidden and revealed as the same number in the map.
  const std::string text = shownValue(context.state, "Weights/map", query, key,
                                      numberText(context.state.notation, static_cast<double>(weight)));
  const float extent = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.c_str()).x;
  ImGui::GetWindowDrawList()->AddText(
      font, font->FontSize,
      {std::round(room.right - extent), std::round(room.middleOf(key) - font->FontSize / 2)},
      ImGui::GetColorU32(std::isfinite(weight) ? context.theme.faint : context.theme.warning), text.c_str());
}

void markChosen(const ViewContext& context, const LineRoom& room) {
  const float width = 3 * context.theme.unit;
  const ImVec2 at = room.startOf(context.state.selection.query);
  const float half = std::max(room.rowHeight, width) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled({at.x - width, at.y - half}, {at.x, at.y + half},
                                            ImGui::GetColorU32(context.theme.accent));
}

void drawSide(ViewContext& context, const LineRoom& room, bool isKey, Index count) {
  const Hover& hover = context.state.hover;
  const std::optional<Index> marked = isKey ? hover.key : hover.query;
  const auto step = std::max<Index>(1, static_cast<Index>(std::ceil(room.font->FontSize / room.rowHeight)));
  for (Index token = 0; token < count; token += step)
    if (std::abs(room.middleOf(token) - (room.clipTop + room.clipBottom) / 2) <
        (room.clipBottom - room.clipTop) / 2 + room.rowHeight)
      write(context, room, {isKey, token}, false);
  if (marked && *marked < count) write(context, room, {isKey, *marked}, true);
}

}  // namespace

LineRoom lineRoom(const ViewContext& context, float height, bool hasNumbers) {
  const Theme& theme = context.theme;
  const StackOf<float>& weights = context.results.probs;
  LineRoom room{.queries = weights.rows(), .keys = weights.cols()};
  const auto count = static_cast<float>(std::max(room.queries, room.keys));
  const float share = (height - 2) / count, least = theme.small->FontSize + 2 * theme.unit;
  room.rowHeight = std::min(share, 3.2f * ImGui::GetTextLineHeight());
  if (!context.state.lines.isWhole) room.rowHeight = std::max(room.rowHeight, least);
  room.font = room.rowHeight < 1.1f * theme.words->FontSize ? theme.small : theme.words;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, pad = 10 * theme.unit;
  const float rest = std::max(0.0f, height - 2 - count * room.rowHeight);
  room.top = at.y + std::floor(rest / 2), room.left = at.x, room.right = at.x + width;
  const auto columnOf = [&](bool isKey, Index tokens) {
    return std::min(widthOf(context, room.font, isKey, tokens) + pad, 0.3f * width);
  };
  room.queryWidth = columnOf(false, room.queries), room.keyWidth = columnOf(true, room.keys);
  const float numbers = theme.small->CalcTextSizeA(theme.small->FontSize, FLT_MAX, 0, "0.000").x + pad / 2;
  room.numbers = hasNumbers && width > room.queryWidth + room.keyWidth + 3 * numbers ? numbers : 0;
  room.thinnest = 0.8f * theme.unit;
  room.thickest = std::clamp(0.4f * room.rowHeight, 2 * theme.unit, 9 * theme.unit);
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  room.clipTop = window->InnerClipRect.Min.y, room.clipBottom = window->InnerClipRect.Max.y;
  return room;
}

void followTokens(ViewContext& context, const LineRoom& room) {
  const ImVec2 start(room.left, room.top);
  ImGui::SetCursorScreenPos(start);
  const Index rows = std::max(room.queries, room.keys);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows), room.rowHeight);
  if (context.state.selection.query < rows)  // gets the keyboard wherever it is
    clipper.IncludeItemByIndex(static_cast<int>(context.state.selection.query));
  while (clipper.Step())
    for (int token = clipper.DisplayStart; token < clipper.DisplayEnd; ++token) {
      if (token < room.queries) followToken(context, room, {false, token});
      if (token < room.keys) followToken(context, room, {true, token});
    }
  clipper.End();
  ImGui::SetCursorScreenPos({start.x, start.y + std::floor(static_cast<float>(rows) * room.rowHeight) - 1});
  ImGui::Dummy({1, 1});
  ImGui::PopStyleVar();
}

void drawTokens(ViewContext& context, const LineRoom& room, const std::vector<LineLayer>& layers,
                const std::optional<LineEnd>& focus, float strongest) {
  if (focus)
    for (Index other = 0; other < (focus->isKey ? room.queries : room.keys); ++other)
      tint(room, layers, *focus, {!focus->isKey, other}, strongest);
  markChosen(context, room);
  drawSide(context, room, false, room.queries);
  drawSide(context, room, true, room.keys);
  const bool hasNumbers =
      focus && !focus->isKey && room.numbers > 0 && room.rowHeight >= context.theme.small->FontSize;
  if (!hasNumbers) return;
  for (Index key = 0; key < room.keys; ++key)
    writeWeight(context, room, layers[0].values[focus->token * room.keys + key], focus->token, key);
}

}  // namespace attn
