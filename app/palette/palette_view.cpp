#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

#include "app/application.h"
#include "app/palette/palette.h"
#include "app/views/labels.h"

namespace attn {
namespace {

constexpr const char* kName = "palette";
constexpr std::size_t kMostUsed = 8;
constexpr int kPage = 8;  // lines that Page up and Page down go

void gather(Application& app) {
  PaletteState& palette = app.state().palette;
  palette.entries.clear();
  for (const PaletteProvider add : paletteProviders()) add(app, palette.entries);
  palette.search.clear();
}

void search(PaletteState& palette) {
  palette.hits = rankEntries(palette.entries, palette.search, palette.used);
  palette.chosen = 0;
  palette.scrolls = true;
}

/// Up and down stay with the text field, which would else lose the keyboard to the list.
int keepArrows(ImGuiInputTextCallbackData*) {
  return 0;
}

/// True when Enter was pressed.
bool drawSearch(PaletteState& palette) {
  char text[256] = {};
  palette.search.copy(text, sizeof text - 1);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  constexpr auto kFlags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory;
  const bool isEntered = ImGui::InputTextWithHint("##palette search", "type a few letters of what you want",
                                                  text, sizeof text, kFlags, keepArrows);
  if (text != palette.search) {
    palette.search = text;
    search(palette);
  }
  return isEntered;
}

void moveByKeys(PaletteState& palette) {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key); };
  const int by = pressed(ImGuiKey_DownArrow)  ? 1
                 : pressed(ImGuiKey_UpArrow)  ? -1
                 : pressed(ImGuiKey_PageDown) ? kPage
                 : pressed(ImGuiKey_PageUp)   ? -kPage
                                              : 0;
  if (by == 0 || palette.hits.empty()) return;
  const auto count = static_cast<int>(palette.hits.size()), from = static_cast<int>(palette.chosen);
  // One step beyond an end goes to the other one.
  const int to = by == 1 && from == count - 1 ? 0 : by == -1 && from == 0 ? count - 1 : from + by;
  palette.chosen = static_cast<std::size_t>(std::clamp(to, 0, count - 1));
  palette.scrolls = true;
}

/// The text with its matched letters in the colour of what is chosen. Returns where it ends.
float drawMatched(const Theme& theme, ImVec2 at, const std::string& text,
                  const std::vector<TextRange>& ranges, ImU32 ink) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 mark = ImGui::GetColorU32(theme.accent);
  const auto draw = [&](std::size_t begin, std::size_t end, bool isMarked) {
    if (begin >= end) return;
    const char *first = text.data() + begin, *last = text.data() + end;
    const float width = ImGui::CalcTextSize(first, last).x;
    list.AddText(at, isMarked ? mark : ink, first, last);
    const float foot = at.y + ImGui::GetFontSize() + theme.unit;  // not by colour alone
    if (isMarked) list.AddRectFilled({at.x, foot}, {at.x + width, foot + std::max(1.0f, theme.unit)}, mark);
    at.x += width;
  };
  std::size_t from = 0;
  for (const TextRange& range : ranges) {
    draw(from, range.begin, false);
    draw(range.begin, range.end, true);
    from = range.end;
  }
  draw(from, text.size(), false);
  return at.x;
}

void drawLine(const Theme& theme, const PaletteEntry& entry, const PaletteHit& hit, ImVec2 at, float width) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float font = ImGui::GetFontSize(), names = 7.5f * font;
  const ImU32 faint = ImGui::GetColorU32(theme.faint);
  list.AddText(at, faint, elided(entry.group, names - font).c_str());
  const ImU32 ink = entry.isReady ? ImGui::GetColorU32(theme.text) : faint;
  const float keys = ImGui::CalcTextSize(entry.keys.c_str()).x;
  const float right = at.x + width - keys;
  float end = drawMatched(theme, {at.x + names, at.y}, entry.text, hit.ranges, ink) + font;
  list.AddText({right, at.y}, faint, entry.keys.c_str());
  const std::string aside = entry.isReady            ? entry.detail
                            : entry.obstacle.empty() ? "not now"
                                                     : entry.obstacle;
  const float room = right - font - end;
  if (room < 4 * font || aside.empty()) return;
  ImGui::PushFont(theme.small);
  list.AddText({end, at.y + (font - ImGui::GetFontSize())},
               ImGui::GetColorU32(entry.isReady ? theme.faint : theme.warning), elided(aside, room).c_str());
  ImGui::PopFont();
}

/// Returns whether one was clicked.
bool drawHits(PaletteState& palette, const Theme& theme) {
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  const bool hasMoved = moved.x != 0 || moved.y != 0;
  bool isClicked = false;
  const float line = ImGui::GetTextLineHeight() + 6 * theme.unit;
  for (std::size_t i = 0; i < palette.hits.size(); ++i) {
    const PaletteHit& hit = palette.hits[i];
    const PaletteEntry& entry = palette.entries[hit.entry];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(static_cast<int>(hit.entry));
    ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);
    if (ImGui::Selectable(("##" + entry.text).c_str(), i == palette.chosen,
                          ImGuiSelectableFlags_DontClosePopups, {0, line}))
      isClicked = true, palette.chosen = i;
    ImGui::PopItemFlag();
    ImGui::PopID();
    if (ImGui::IsItemHovered() && hasMoved) palette.chosen = i;
    if (i == palette.chosen && palette.scrolls) ImGui::SetScrollHereY(0.5f);
    if (ImGui::IsItemVisible())
      drawLine(theme, entry, hit, {at.x + 6 * theme.unit, at.y + 3 * theme.unit}, width - 12 * theme.unit);
  }
  palette.scrolls = false;
  if (palette.hits.empty()) ImGui::TextDisabled("Nothing has these letters in this order.");
  return isClicked;
}

void placeWindow(const Theme& theme, std::size_t lines) {
  const ImGuiViewport& screen = *ImGui::GetMainViewport();
  const float font = theme.words->FontSize, line = font + 6 * theme.unit + ImGui::GetStyle().ItemSpacing.y;
  const float width = std::min(46 * font, screen.WorkSize.x - 2 * font);
  const float wanted = line * static_cast<float>(std::clamp<std::size_t>(lines, 1, 13)) + 4 * font;
  const float top = screen.WorkPos.y + std::round(0.06f * screen.WorkSize.y);
  ImGui::SetNextWindowPos({screen.WorkPos.x + (screen.WorkSize.x - width) / 2, top});
  ImGui::SetNextWindowSize(
      {std::max(1.0f, width),
       std::max(1.0f, std::min(wanted, screen.WorkSize.y - (top - screen.WorkPos.y) - font))});
}

/// What was chosen, once the palette is closed.
void finish(Application& app, const PaletteEntry& entry) {
  PaletteState& palette = app.state().palette;
  std::erase(palette.used, entry.text);
  palette.used.insert(palette.used.begin(), entry.text);
  if (palette.used.size() > kMostUsed) palette.used.pop_back();
  entry.run(app);
}

}  // namespace

void togglePalette(Application& app) {
  PaletteState& palette = app.state().palette;
  palette.opens = !palette.isOpen;
  palette.isOpen = palette.opens;
}

void drawPalette(Application& app) {
  PaletteState& palette = app.state().palette;
  if (std::exchange(palette.opens, false)) {
    gather(app);
    search(palette);
    ImGui::OpenPopup(kName);
  }
  if (!ImGui::IsPopupOpen(kName)) return void(palette.isOpen = false);
  placeWindow(app.theme(), palette.hits.size());
  constexpr auto kFlags = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoScrollbar;
  if (!ImGui::BeginPopup(kName, kFlags)) return;
  bool isChosen = drawSearch(palette);
  moveByKeys(palette);
  ImGui::BeginChild("hits", {0, 0}, false, ImGuiWindowFlags_NavFlattened);
  isChosen |= drawHits(palette, app.theme());
  ImGui::EndChild();
  const bool hasHit = palette.chosen < palette.hits.size();
  const PaletteEntry entry =
      isChosen && hasHit ? palette.entries[palette.hits[palette.chosen].entry] : PaletteEntry{};
  const bool runs = entry.run && entry.isReady;
  if (runs || !palette.isOpen || ImGui::IsKeyPressed(ImGuiKey_Escape, false)) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  if (isChosen && hasHit && !entry.isReady)
    app.report(entry.text + ": " + (entry.obstacle.empty() ? "not now" : entry.obstacle));
  if (runs) finish(app, entry);
}

}  // namespace attn
