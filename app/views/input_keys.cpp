#include <imgui_internal.h>

#include <string>

#include "app/views/input_actions.h"
#include "app/views/input_hands.h"
#include "app/views/view.h"

namespace attn {
namespace {

bool isPressed(ImGuiKey key) {
  return ImGui::IsKeyPressed(key, true);
}

bool isEnter() {
  return isPressed(ImGuiKey_Enter) || isPressed(ImGuiKey_KeypadEnter);
}

/// Keeps ImGui's own way of moving between items off these keys, from the next frame on.
void claimKeys() {
  const ImGuiID owner = ImGui::GetID("grid keys");
  for (const ImGuiKey key : {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow,
                             ImGuiKey_Tab, ImGuiKey_Enter, ImGuiKey_KeypadEnter, ImGuiKey_Escape,
                             ImGuiKey_Space, ImGuiKey_Home, ImGuiKey_End, ImGuiKey_PageUp, ImGuiKey_PageDown})
    ImGui::SetKeyOwner(key, owner);
  // Alt alone opens the menu bar, Alt with an arrow changes a number.
  if (ImGui::GetIO().KeyAlt && (ImGui::IsKeyDown(ImGuiKey_UpArrow) || ImGui::IsKeyDown(ImGuiKey_DownArrow)))
    ImGui::SetKeyOwner(ImGuiMod_Alt, owner);
}

struct Step {
  Index rows = 0, cols = 0;
};

Step arrowStep() {
  Step step;
  step.rows = (isPressed(ImGuiKey_DownArrow) ? 1 : 0) - (isPressed(ImGuiKey_UpArrow) ? 1 : 0);
  step.cols = (isPressed(ImGuiKey_RightArrow) ? 1 : 0) - (isPressed(ImGuiKey_LeftArrow) ? 1 : 0);
  return step;
}

/// On to the next cell in reading order, or back; at the end of a matrix into the next one.
void stepByTab(ViewContext& context, bool isBack) {
  const Scene& scene = context.scene;
  InputsState& state = context.state.inputs;
  const InputOf<float>* input = findInput(scene, activeInput(context.state));
  if (!input) return;
  const Index last = input->values.cols() - 1;
  if (state.cursor.col != (isBack ? 0 : last))
    return moveCursor(scene, context.state, 0, isBack ? -1 : 1, false);
  moveCursor(scene, context.state, isBack ? -1 : 1, 0, false);
  input = findInput(scene, activeInput(context.state));
  state.cursor.col = isBack ? input->values.cols() - 1 : 0;
  state.anchor = state.cursor;
}

constexpr Index kFar = Index{1} << 30;  // to the end, however many there are
constexpr Index kPage = 10;

void moveByKeys(ViewContext& context) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool extends = io.KeyShift;
  const auto move = [&](Index rows, Index cols) {
    moveCursor(context.scene, context.state, rows, cols, extends);
  };
  const Step step = arrowStep();
  const Index stride = io.KeyCtrl ? kFar : 1;
  if (!io.KeyAlt && (step.rows || step.cols)) move(step.rows * stride, step.cols * stride);
  if (isPressed(ImGuiKey_Home)) move(io.KeyCtrl ? -kFar : 0, -kFar);
  if (isPressed(ImGuiKey_End)) move(io.KeyCtrl ? kFar : 0, kFar);
  if (!io.KeyCtrl && isPressed(ImGuiKey_PageUp)) move(-kPage, 0);
  if (!io.KeyCtrl && isPressed(ImGuiKey_PageDown)) move(kPage, 0);
  if (isPressed(ImGuiKey_Tab) && !io.KeyCtrl) stepByTab(context, io.KeyShift);
  if (isEnter() && !io.KeyCtrl) moveCursor(context.scene, context.state, io.KeyShift ? -1 : 1, 0, false);
}

void changeByKeys(ViewContext& context) {
  const ImGuiIO& io = ImGui::GetIO();
  InputsState& state = context.state.inputs;
  const Step step = arrowStep();
  if (io.KeyAlt && !io.KeyShift && step.rows != 0)
    nudge(context.editor, context.state, static_cast<double>(-step.rows) * (io.KeyCtrl ? 1 : 0.1));
  if (isPressed(ImGuiKey_F2)) openText(context, CellText::Place::cell);
  if (isPressed(ImGuiKey_Backspace)) {
    openText(context, CellText::Place::cell, "0");
    state.text.set("");
  }
  if (isPressed(ImGuiKey_Menu)) state.opensMenu = true;
  if (!isPressed(ImGuiKey_Escape)) return;
  if (state.anchor == state.cursor)
    state.hasCursor = false;  // the keyboard is ImGui's again: Tab leaves the grid
  else
    state.anchor = state.cursor;
}

/// The characters of this frame that can begin a text.
std::string typedText() {
  const ImGuiIO& io = ImGui::GetIO();
  std::string text;
  if (io.KeyCtrl && !io.KeyAlt) return text;
  for (const ImWchar c : io.InputQueueCharacters) {
    char bytes[5] = "";
    if (c >= 32 && c != 127) text += ImTextCharToUtf8(bytes, c);
  }
  return text;
}

void moveAfterCommit(ViewContext& context, Step step) {
  if (step.rows || step.cols) moveCursor(context.scene, context.state, step.rows, step.cols, false);
}

void followTextKeys(ViewContext& context) {
  const ImGuiIO& io = ImGui::GetIO();
  CellText& text = context.state.inputs.text;
  claimKeys();
  if (!text.hasKeyboard) text.append(typedText());  // typed before the field could take it
  const ImVec2 mouse = io.MousePos;
  const bool isOutside =
      mouse.x < text.left || mouse.x > text.right || mouse.y < text.top || mouse.y > text.bottom;
  const bool isLabel = text.place == CellText::Place::label;
  if (isPressed(ImGuiKey_Escape)) return cancelText(context);
  if (isEnter()) {
    commitText(context, io.KeyCtrl);
    if (!io.KeyCtrl) moveAfterCommit(context, {io.KeyShift ? -1 : 1, 0});
  } else if (isPressed(ImGuiKey_Tab)) {
    commitText(context);
    if (!isLabel) return stepByTab(context, io.KeyShift);
    const InputName grid = context.state.inputs.grid;
    moveAfterCommit(context, {io.KeyShift ? -1 : 1, 0});
    if (context.state.inputs.grid == grid) openText(context, CellText::Place::label);
  } else if (isPressed(ImGuiKey_UpArrow) || isPressed(ImGuiKey_DownArrow)) {
    commitText(context);
    moveAfterCommit(context, {isPressed(ImGuiKey_UpArrow) ? -1 : 1, 0});
  } else if (text.wasTyped && !isLabel && arrowStep().cols != 0) {
    commitText(context);
    moveAfterCommit(context, {0, arrowStep().cols});
  } else if (text.hasKeyboard && isOutside && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    commitText(context);
  }
}

}  // namespace

void followGridKeys(ViewContext& context) {
  InputsState& state = context.state.inputs;
  if (state.text.isOpen()) return followTextKeys(context);
  if (!state.isFocused || !state.hasCursor) return;
  claimKeys();
  if (state.grip != Grip::none) {
    if (state.grip == Grip::scrub && isPressed(ImGuiKey_Escape)) cancelScrub(context);
    return;
  }
  const std::string typed = typedText();
  if (!typed.empty() && typed.front() != ' ') return openText(context, CellText::Place::cell, typed);
  moveByKeys(context);
  changeByKeys(context);
}

}  // namespace attn
