// The text field that opens over a cell or a label.
#include <imgui_internal.h>

#include <algorithm>
#include <cstring>

#include "app/views/input_actions.h"
#include "app/views/input_hands.h"
#include "app/views/labels.h"
#include "app/views/view.h"

namespace attn {
namespace {

constexpr const char* kFieldLabel = "##cell text";

/// Puts the caret behind the characters that were typed before the field had the keyboard.
int placeCaret(ImGuiInputTextCallbackData* data) {
  bool& isNew = *static_cast<bool*>(data->UserData);
  if (!isNew) return 0;
  isNew = false;
  data->CursorPos = data->BufTextLen;
  data->ClearSelection();
  return 0;
}

void close(ViewContext& context) {
  context.state.inputs.text = {};
  context.state.inputs.wantsFocus = true;
  ImGui::ClearActiveID();
}

}  // namespace

void CellText::set(std::string_view words) {
  std::size_t length = std::min(words.size(), text.size() - 1);
  while (length > 0 && length < words.size() && (words[length] & 0xc0) == 0x80) --length;  // whole characters
  std::copy_n(words.begin(), length, text.begin());
  text[length] = '\0';
}

void CellText::append(std::string_view words) {
  if (words.empty()) return;
  set(isUntouched ? std::string(words) : text.data() + std::string(words));
  isUntouched = false;
}

void openText(ViewContext& context, CellText::Place place, std::string_view words) {
  InputsState& state = context.state.inputs;
  const bool isLabel = place == CellText::Place::label;
  if (isLabel && !rowTokens(context.scene, state.grid)) return;
  const auto typedLabel =
      rowTokens(context.scene, state.grid) == Tokens::keys ? typedKeyLabel : typedQueryLabel;
  const std::string old =
      isLabel ? typedLabel(context.state.notation, context.scene, state.cursor.row) : cursorText(context.scene, context.state);
  state.text = {};
  state.text.place = place;
  state.text.wasTyped = !words.empty();
  state.text.isUntouched = words.empty();
  state.text.set(words.empty() ? std::string_view(old) : words);
  state.scrollsToCursor = true;
}

void commitText(ViewContext& context, bool isForAll) {
  const CellText text = context.state.inputs.text;
  close(context);
  if (text.isUntouched && !isForAll) return;
  if (text.place == CellText::Place::label)
    renameRow(context.editor, context.state, text.text.data());
  else
    typeNumber(context.editor, context.state, text.text.data(), isForAll);
}

void cancelText(ViewContext& context) {
  close(context);
}

void drawText(ViewContext& context, const GridFrame& grid) {
  InputsState& state = context.state.inputs;
  CellText& text = state.text;
  if (!text.isOpen() || state.grid != grid.ref.name) return;
  const bool isLabel = text.place == CellText::Place::label;
  const ImVec2 min = isLabel ? grid.labelMin(state.cursor.row) : grid.cellMin(state.cursor);
  const ImVec2 max = isLabel ? grid.labelMax(state.cursor.row) : grid.cellMax(state.cursor);
  ImGui::PushFont(isLabel ? context.theme.words : context.theme.numbers);
  const float padding = (grid.rowHeight - ImGui::GetFontSize()) / 2;
  const float needed = ImGui::CalcTextSize(text.text.data()).x + 14 * context.theme.unit;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(4 * context.theme.unit, padding));
  ImGui::PushStyleColor(ImGuiCol_FrameBg, context.theme.panel);
  ImGui::PushStyleColor(ImGuiCol_Border, context.theme.accent);
  ImGui::SetCursorScreenPos(min);
  ImGui::SetNextItemWidth(std::max(max.x - min.x, needed));
  // Each place has a field of its own: ImGui would give what was typed last to the next one.
  ImGui::PushID(static_cast<int>(state.cursor.row));
  ImGui::PushID(static_cast<int>(state.cursor.col));
  const ImGuiID id = ImGui::GetID(kFieldLabel);
  if (!text.hasKeyboard) {
    ImGui::ActivateItemByID(id);
    ImGui::GetCurrentContext()->NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
  }
  const bool hadKeyboard = text.hasKeyboard;
  bool isNew = !hadKeyboard && !text.isUntouched;
  const std::string before = text.text.data();
  ImGui::InputText(kFieldLabel, text.text.data(), text.text.size(), ImGuiInputTextFlags_CallbackAlways,
                   placeCaret, &isNew);
  ImGui::PopID();
  ImGui::PopID();
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  text.left = from.x, text.top = from.y, text.right = to.x, text.bottom = to.y;
  text.hasKeyboard = ImGui::IsItemActive();
  if (before != text.text.data()) text.isUntouched = false;
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  if (hadKeyboard && !text.hasKeyboard) commitText(context);
}

}  // namespace attn
