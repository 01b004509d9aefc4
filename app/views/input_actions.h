#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/editor.h"
#include "app/views/inputs.h"
#include "core/edits/dimensions.h"
#include "core/edits/tokens.h"
#include "core/io/block_text.h"

namespace attn {

struct ViewState;

/// What can be done to the numbers of the scene, without a word about how it is drawn. Menus, keys and
/// commands all end here. What the scene refuses leaves one line with the editor.

/// The matrices that the panel shows for a head, from top to bottom.
std::vector<InputRef> shownInputs(const Scene& scene, Index head);
/// "Q", "W_K", "Y" for the second sequence, "B" for the bias.
const char* inputTitle(InputName name);

/// The matrix that has the cursor. After a change of the scene the cursor may lie outside: this brings it
/// back.
InputRef activeInput(const ViewState& state);
void clampCursor(const Scene& scene, ViewState& state);
CellBlock selectedBlock(const InputsState& state);
void selectCell(InputsState& state, InputName grid, CellPlace cell);
void selectAll(const Scene& scene, ViewState& state);

/// Moves the cursor; at the first and last row it goes on to the neighbouring matrix. With `extends` the
/// selection grows instead, within its matrix.
void moveCursor(const Scene& scene, ViewState& state, Index rows, Index cols, bool extends);

/// What a row or a column stands for: a token, or a dimension.
struct LineMeaning {
  std::optional<Tokens> tokens;
  Dimension dimension = Dimension::key;
  Index period = 0;  // rows of W_O: the value dimensions once for each head
};
enum class Line { row, column };
LineMeaning meaningOf(const Scene& scene, const InputsState& state, InputName grid, Line line);

void addLine(Editor& editor, ViewState& state, Line line, bool isAfter);
void duplicateLine(Editor& editor, ViewState& state, Line line);
/// All rows (columns) of the selection.
void removeLines(Editor& editor, ViewState& state, Line line);
/// To the place `to`; the cursor goes along.
void moveLine(Editor& editor, ViewState& state, Line line, Index from, Index to);
/// By one place up or down, left or right.
void shiftLine(Editor& editor, ViewState& state, Line line, Index by);

/// Empty where there is nothing to copy.
std::string copySelection(const Scene& scene, ViewState& state, BlockFormat format);
/// A block that divides the selection evenly is repeated over it. The selection becomes what was pasted.
void pasteText(Editor& editor, ViewState& state, const std::string& text);
void setSelection(Editor& editor, const ViewState& state, float value);
/// The number in a text, into the cursor's cell or the whole selection.
void typeNumber(Editor& editor, const ViewState& state, const std::string& text, bool isForAll);
/// The number of the cursor's cell, as it would be typed: with a decimal comma where that is wanted.
std::string cursorText(const Scene& scene, const ViewState& state);
/// Adds to the selected numbers.
void nudge(Editor& editor, const ViewState& state, double by);

/// Which tokens the rows of a matrix are; none for weights.
std::optional<Tokens> rowTokens(const Scene& scene, InputName grid);
/// The words of a sentence become tokens: rows are added or removed at the end until there are as many.
void setSentence(Editor& editor, ViewState& state, const std::string& sentence);
void renameRow(Editor& editor, const ViewState& state, const std::string& label);

/// A bias of zeros on all heads, or none.
void toggleBias(Editor& editor);

}  // namespace attn
