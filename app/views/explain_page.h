#pragma once
#include <string>
#include <vector>

#include "app/formula/derivation.h"
#include "app/formula/layout.h"

namespace attn {

struct Theme;

/// A derivation laid out in a column, from (0, 0) downwards, in pixels. What is unfolded in the course of it
/// has its step, counted from 1.
struct ExplainPage {
  /// What it was made of: another of these is another page.
  struct Key {
    std::uint64_t serial = 0;
    Cell cell;
    Notation notation;
    bool isComplete = false;
    float width = 0, scale = 0;
    bool operator==(const Key&) const = default;
  };
  struct Piece {
    FormulaLayout layout;
    float x = 0, y = 0;  // of its top left corner
    int step = 0;
    bool isResult = false, isAlarm = false;
  };
  struct Words {
    enum class Kind { heading, note, alarm, folded };
    Kind kind = Kind::note;
    std::string text;
    float x = 0, y = 0, width = 0, height = 0;
    int step = 0;
  };
  /// An operand that leads to its cell, or to all that was left out, where it is printed.
  struct Link {
    std::size_t piece = 0;
    int part = 0;
    FormulaRect rect;  // on the page
    int step = 0;
  };

  Key key;
  PrintedDerivation printed;
  std::vector<Piece> pieces;
  std::vector<Words> words;
  std::vector<Link> links;  // as they are read
  float height = 0;
  int steps = 0;
};

ExplainPage layOutPage(const Theme& theme, const Scene& scene, PrintedDerivation printed,
                       const ExplainPage::Key& key);

}  // namespace attn
