#pragma once
#include <imgui.h>

#include <span>
#include <string>

namespace attn {

struct Theme;

/// A part of a panel that has its own room but not its own keyboard: arrow keys go in and out.
constexpr auto kPart = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NavFlattened;

/// A heading within a panel.
void sectionLabel(const Theme& theme, const char* text);

/// How high each of `count` rows of a table of bars is, within its padding: they share the room, from the
/// height of a line up to a good two.
float barHeight(float room, std::size_t count);

/// A level bar that fills `share` (0 to 1) of the width, with a mark at `mark` if that is not negative.
void levelBar(const Theme& theme, float share, ImVec2 size, const ImVec4& colour, float mark = -1);

/// Stays on the current line if an item of this width fits there, `gap` behind the last one.
void flowTo(float width, float gap);
void flowTo(float width);

/// What a level bar, the last item, was in the pinned state: a thin one beneath it. Nothing for a NaN.
void pinnedBar(const Theme& theme, float share);

/// Gives the keyboard to the item before, when its window has just opened: Enter or Space uses it.
void startHere();

/// Shows where the keyboard is, and lets the mouse point at nothing until it is moved.
void keyboardTakesOver();
/// Gives the keyboard to an item of the current window: in sight after a key, out of sight after a click.
void takeKeyboard(ImGuiID item);
/// Whether the keyboard was used after the mouse.
bool isMouseAtRest();

/// What + and − ask for, on whatever keys they lie: how many times as large to look. 0 for the whole, which
/// the key 0 asks for; 1 for nothing. Ctrl with them scales the interface.
float typedZoom();

/// A word with a ring that turns: something is on its way.
void progressSign(const Theme& theme, const char* word);

/// A number in the font of numbers, flush right in the width and in the middle of the height.
void numberCell(const Theme& theme, const std::string& text, ImVec2 size);

/// The name of a row of bars, which can be chosen; the whole line is its item. What is written may be any
/// text, also one that begins with "##", which Dear ImGui would not show.
bool barName(const std::string& id, const std::string& text, bool isChosen, float height);

/// A list to choose from, by the number of the item. True when another one was chosen.
bool choice(const char* label, int& chosen, std::span<const char* const> names);

/// A box to tick, and one of several to choose, no higher than their words. True when clicked.
bool tick(const char* label, bool& isOn);
bool tickOne(const char* label, bool isOn);

/// Begins a line that is as high as one of buttons, whatever comes on it.
void beginHeadLine();

/// Pages to switch between, side by side as far as there is room, the chosen one underlined. True when
/// another one was chosen.
bool pages(const Theme& theme, int& chosen, std::span<const char* const> names);

/// Text that takes what is left of the line, wrapped, in the lesser colour.
void hint(const char* text);

}  // namespace attn
