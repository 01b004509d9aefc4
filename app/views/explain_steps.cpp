#include "app/view_state.h"
#include "app/views/explain.h"

namespace attn {
namespace {

/// A person who unfolds one derivation after the other sees none of them before it is unfolded.
void goTo(ExplainState& state, const Cell& cell) {
  state.cell = cell;
  state.link = -1;
  if (state.shown) state.shown = 1;
}

void bringToFront(ViewState& state) {
  Layout& layout = state.layout;
  const bool isCovered = !layout.maximised.empty() && layout.maximised != "Explain";
  if (!layout.isHidden("Explain") && !isCovered) layout.bringToFront("Explain");
}

}  // namespace

void explainCell(ViewState& state, const Cell& cell) {
  bringToFront(state);
  if (cell == state.explain.cell) return;
  state.explain.history.push_back(state.explain.cell);
  goTo(state.explain, cell);
}

void explainAlone(ViewState& state, const Cell& cell) {
  state.explain.shown.reset();
  state.explain.history.clear();
  goTo(state.explain, cell);
}

void explainPointed(ViewState& state) {
  if (!state.explain.pointed) return;
  ++state.explain.clicks;
  explainCell(state, *state.explain.pointed);
}

bool explainBefore(ViewState& state) {
  std::vector<Cell>& history = state.explain.history;
  if (history.empty()) return false;
  goTo(state.explain, history.back());
  history.pop_back();
  return true;
}

bool stepForward(ViewState& state) {
  ExplainState& explain = state.explain;
  if (explain.shown && *explain.shown >= explain.steps) return false;
  explain.shown = explain.shown.value_or(0) + 1;
  explain.scrollsToNewest = true;
  return true;
}

bool stepBack(ViewState& state) {
  ExplainState& explain = state.explain;
  const int shown = explain.shown.value_or(explain.steps);
  if (shown <= 1) return false;
  explain.shown = shown - 1;
  explain.scrollsToNewest = true;
  return true;
}

}  // namespace attn
