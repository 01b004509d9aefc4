#pragma once
#include <imgui.h>

#include <optional>

#include "app/views/line_heads.h"

namespace attn {

/// Where tokens and lines lie, in pixels of the screen.
struct LineRoom {
  Index queries = 0, keys = 0;
  float top = 0, rowHeight = 0;
  float left = 0, right = 0;           // outer edges of the two columns of tokens
  float queryWidth = 0, keyWidth = 0;  // of the columns
  float numbers = 0;                   // room right of the keys for the weights of one query
  float thinnest = 1, thickest = 1;    // lines
  float clipTop = 0, clipBottom = 0;
  ImFont* font = nullptr;

  float middleOf(Index token) const { return top + (static_cast<float>(token) + 0.5f) * rowHeight; }
  ImVec2 startOf(Index query) const { return {left + queryWidth, middleOf(query)}; }
  ImVec2 endOf(Index key) const { return {right - numbers - keyWidth, middleOf(key)}; }
};

/// In the window that is open, which scrolls where the tokens have no room in the height. With numbers there
/// is a column for the weights of one query.
LineRoom lineRoom(const ViewContext& context, float height, bool hasNumbers);

/// Every token as an item: pointing at it goes to all panels, a click keeps its lines and chooses the query.
void followTokens(ViewContext& context, const LineRoom& room);

/// Their words; behind those on the other side of the one in focus, how much it has to do with them.
void drawTokens(ViewContext& context, const LineRoom& room, const std::vector<LineLayer>& layers,
                const std::optional<LineEnd>& focus, float strongest);

}  // namespace attn
