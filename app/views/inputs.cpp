#include "app/views/inputs.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/item_registry.h"
#include "app/views/input_actions.h"
#include "app/views/input_hands.h"
#include "app/views/labels.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

std::string fillText(const Notation& notation, const Fill& fill) {
  switch (fill.kind) {
    case Fill::Kind::normal:
      return "N(" + numberText(notation, fill.mean) + notation.separator() +
             numberText(notation, fill.deviation) + "²)";
    case Fill::Kind::uniform:
      return "U(" + numberText(notation, fill.low) + notation.separator() + numberText(notation, fill.high) +
             ")";
    case Fill::Kind::orthonormal:
      return "orthonormal";
    case Fill::Kind::identity:
      return "identity";
    case Fill::Kind::typed:
      break;
  }
  return "";
}

/// Name, shape, how it was filled; a click folds the grid away.
void drawHeading(ViewContext& context, const InputRef& ref, const InputOf<float>& input) {
  InputsState& state = context.state.inputs;
  const Theme& theme = context.theme;
  const std::string title = inputTitle(ref.name);
  const bool isFolded = state.isFolded(ref.name);
  ImGui::PushFont(theme.heading);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(2 * theme.unit, theme.unit));
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0, 0, 0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  if (ImGui::Button((std::string(isFolded ? "▸ " : "▾ ") + title + "##fold" + title).c_str()))
    state.folded ^= 1U << static_cast<unsigned>(ref.name);
  nameRect("fold " + title, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  ImGui::PopStyleVar();
  ImGui::PopFont();
  ImGui::SameLine(0, 4 * theme.unit);
  const std::string fill = fillText(context.state.notation, input.fill);
  const std::string shape = shapeText(input.values.rows(), input.values.cols());
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", (fill.empty() ? shape : shape + " " + fill).c_str());
  ImGui::SameLine();
  if (ImGui::Button(("fill…##" + title).c_str())) {
    selectCell(state, ref.name, {});
    state.opensFill = true;
  }
  ImGui::SetItemTooltip("Noise, identity, orthonormal, uniform or one number");
  nameRect("Fill " + title, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

/// Scrolls as little as it takes to have the cursor between the headers and the far edges.
void scrollToCursor(InputsState& state, const GridFrame& grid) {
  const ImVec2 min = grid.cellMin(state.cursor), max = grid.cellMax(state.cursor);
  const float top = grid.clipMin.y + grid.rowHeight, left = grid.clipMin.x + grid.labelWidth;
  float y = ImGui::GetScrollY(), x = ImGui::GetScrollX();
  if (min.y < top) y += min.y - top;
  if (max.y > grid.clipMax.y) y += max.y - grid.clipMax.y;
  if (min.x < left) x += min.x - left;
  if (max.x > grid.clipMax.x) x += max.x - grid.clipMax.x;
  if (state.cursor.row == 0) y -= 2 * grid.rowHeight;  // with the heading
  ImGui::SetScrollY(std::max(0.0f, y));
  ImGui::SetScrollX(std::max(0.0f, x));
  state.scrollsToCursor = false;
}

void drawGrid(ViewContext& context, const InputRef& ref) {
  const InputOf<float>& input = *findInput(context.scene, ref);
  InputsState& state = context.state.inputs;
  drawHeading(context, ref, input);
  if (state.isFolded(ref.name) || input.values.size() == 0) return;
  const GridFrame grid = layOutGrid(context, ref, input.values);
  const bool isActive = state.grid == ref.name;
  if (isActive && state.text.isOpen()) ImGui::SetNextItemAllowOverlap();
  ImGui::InvisibleButton((std::string("##grid ") + inputTitle(ref.name)).c_str(), grid.size());
  if (isActive && std::exchange(state.wantsFocus, false)) {
    ImGui::FocusWindow(ImGui::GetCurrentWindow());
    takeKeyboard(ImGui::GetItemID());
  }
  const bool isFocused = ImGui::IsItemFocused() && ImGui::IsWindowFocused();
  if (isFocused && !isActive && !state.wantsFocus) selectCell(state, ref.name, {}), state.hasCursor = false;
  state.isFocused |= isFocused;
  if (isFocused && isActive && state.hasCursor)
    context.state.story.touched =
        StoryTarget{StoryTarget::Kind::cell, ref, state.cursor.row, state.cursor.col};
  followGridPointer(context, grid);
  if (!ImGui::IsItemVisible()) return;
  const ImVec2 after = ImGui::GetCursorScreenPos();
  paintGrid(context, grid);
  if (isFocused && !state.hasCursor && !ImGui::GetCurrentContext()->NavDisableHighlight)
    ImGui::GetWindowDrawList()->AddRect(grid.corner(), ImGui::GetItemRectMax(),
                                        ImGui::GetColorU32(context.theme.accent), 3 * context.theme.unit);
  if (isActive && state.scrollsToCursor) scrollToCursor(state, grid);
  drawText(context, grid);
  ImGui::SetCursorScreenPos(after);
}

/// Stays on the line of the last item where so much fits beside it.
void continueLine(float width, float gap) {
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  if (ImGui::GetItemRectMax().x + gap + width <= right) ImGui::SameLine(0, gap);
}

/// Names that jump to the matrices, beside the menu as far as they fit and else below it.
void drawJumps(ViewContext& context) {
  InputsState& state = context.state.inputs;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(5 * context.theme.unit, ImGui::GetStyle().FramePadding.y));
  for (const InputRef& ref : shownInputs(context.scene, context.state.selection.head)) {
    const std::string title = inputTitle(ref.name);
    const float width = ImGui::CalcTextSize(title.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    continueLine(width, 3 * context.theme.unit);
    if (ImGui::Button((title + "##jump").c_str())) {
      state.folded &= ~(1U << static_cast<unsigned>(ref.name));
      selectCell(state, ref.name, {});
      state.scrollsToCursor = state.wantsFocus = true;
    }
    nameRect("go to " + title, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  }
  ImGui::PopStyleVar();
}

/// The cursor stays while a menu is open, and goes when another panel is worked in.
void followFocus(InputsState& state) {
  if (state.wantsFocus) return;
  const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
  if (!focused || focused->RootWindow == ImGui::GetCurrentWindow()->RootWindow) return;
  const bool isMenu = (focused->Flags & (ImGuiWindowFlags_Popup | ImGuiWindowFlags_ChildMenu)) != 0 ||
                      std::string_view(focused->RootWindow->Name) == "##MainMenuBar";
  if (!isMenu) state.hasCursor = false;
}

}  // namespace

void drawInputs(ViewContext& context) {
  InputsState& state = context.state.inputs;
  Index& head = context.state.selection.head;  // of the results, which may be older and have more
  head = std::min(head, shapesOf(context.scene).heads - 1);
  clampCursor(context.scene, context.state);
  drawSourceMenu(context);
  drawJumps(context);
  if (context.state.panels.hasCome) state.hasCursor = state.wantsFocus = state.scrollsToCursor = true;
  constexpr auto kFlags = ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened;
  if (ImGui::BeginChild("grids", {0, 0}, false, kFlags)) {
    followFocus(state);
    followGridKeys(context);
    state.isFocused = false;
    for (const InputRef& ref : shownInputs(context.scene, context.state.selection.head))
      drawGrid(context, ref);
    state.isFocused |= state.text.isOpen();
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) state.grip = Grip::none;
    drawInputPopups(context);
  }
  ImGui::EndChild();
}

}  // namespace attn
