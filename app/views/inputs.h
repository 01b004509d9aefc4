#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "core/edits/inputs.h"

namespace attn {

struct ViewContext;
struct ViewState;

struct CellPlace {
  Index row = 0, col = 0;
  bool operator==(const CellPlace&) const = default;
};

/// A rectangle of cells.
struct CellBlock {
  Index row = 0, col = 0, rows = 1, cols = 1;
  bool contains(CellPlace cell) const {
    return cell.row >= row && cell.row < row + rows && cell.col >= col && cell.col < col + cols;
  }
  bool operator==(const CellBlock&) const = default;
};

/// What a held button does. A drag sideways scrubs numbers, up or down it selects.
enum class Grip { none, pressed, scrub, select, selectRows, selectCols, moveRow, cancelled };

/// A text that is being typed over a cell or over a row's label.
struct CellText {
  enum class Place { none, cell, label };
  Place place = Place::none;
  std::array<char, 256> text{};
  bool wasTyped = false;     // it began with a key: the arrows leave the cell, as in a spreadsheet
  bool isUntouched = false;  // the old text, all of it chosen: the next character replaces it
  bool hasKeyboard = false;  // the text field has taken over
  float left = 0, top = 0, right = 0, bottom = 0;  // on the screen, in the last frame

  bool isOpen() const { return place != Place::none; }
  void set(std::string_view words);
  void append(std::string_view words);
};

/// Numbers under a drag: where they came from and how far it has gone.
struct Scrub {
  CellBlock block;
  Matrix before;
  double pixels = 0;   // with those of a fine drag counted as a tenth
  float step = 0.02f;  // what a pixel is worth
  bool hasChanged = false;
};

struct InputsState {
  InputName grid = InputName::q;  // which matrix of the chosen head has the cursor
  CellPlace anchor, cursor;       // opposite corners of the selection
  bool hasCursor = false;         // the keyboard was last here
  bool isFocused = false;         // the keyboard is here
  bool wantsFocus = false;        // from the next frame on
  bool scrollsToCursor = false;
  bool editsBothSides = true;  // queries and keys that are the same tokens change together
  Grip grip = Grip::none;
  float pressX = 0, pressY = 0;
  enum class Click { nothing, collapse, extend };
  Click click = Click::nothing;  // what a press without a drag does to the selection
  Index movedRow = 0, movedTo = 0;
  Scrub scrub;
  CellText text;
  Fill draft;  // of the fill popup
  float constant = 0;
  bool opensFill = false, opensMenu = false, opensLabel = false, opensTokens = false;
  std::array<char, 4096> sentence{};  // of the tokens popup
  std::uint32_t folded = 0;           // one bit an InputName

  bool isFolded(InputName name) const { return folded >> static_cast<unsigned>(name) & 1U; }
};

void drawInputs(ViewContext& context);

}  // namespace attn
