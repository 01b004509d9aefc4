#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/explain/explain.h"

namespace attn {

struct Evaluation;
struct ExplainPage;
struct Notation;
struct PrintedDerivation;
struct ViewContext;
struct ViewState;
struct Wanted;

struct ExplainState {
  Cell cell{Stage::probs, 0, 0, 0};
  std::optional<Cell> pointed;  // in a map, by mouse or keyboard: what a click explains
  int clicks = 0;               // on cells of maps, or Enter there
  std::vector<Cell> history;    // where the way back leads, the last one first to be left
  std::optional<int> shown;     // how many steps are unfolded; none: all
  int steps = 0;                // that there are, in what was drawn last
  bool isComplete = false;      // long sums and rows of steps with nothing left out
  int link = -1;                // the operand that the keyboard is on, counted as they are read
  bool scrollsToNewest = false;
  std::shared_ptr<const ExplainPage> page;  // what was laid out last
};

void drawExplain(ViewContext& context);
void wantExplain(const ViewState& state, Wanted& wanted);
/// The derivation as text, for the clipboard.
std::string explanationText(const ViewContext& context);

/// What is printed of the cell that is explained: nothing where the results do not reach so far.
PrintedDerivation printExplanation(const Evaluation& evaluation, const ViewState& state);

/// Explains another cell; the way back leads to the one before. The panel comes to the front, unless it is
/// hidden or another one fills the window.
void explainCell(ViewState& state, const Cell& cell);
/// The same without a way back, all of it unfolded: what a slide shows.
void explainAlone(ViewState& state, const Cell& cell);
/// The same for the cell that the mouse or the keyboard is on, where there is one.
void explainPointed(ViewState& state);
/// Back to the cell before. False where there is none.
bool explainBefore(ViewState& state);

/// Unfolds the next step of the derivation, or folds the last one away. False where there is none: whoever
/// steps through several things then goes on to the next.
bool stepForward(ViewState& state);
bool stepBack(ViewState& state);

}  // namespace attn
