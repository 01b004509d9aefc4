#include "app/presenter/hidden_values.h"

#include "app/lessons/lesson_answers.h"
#include "app/view_state.h"

namespace attn {

bool isValueHidden(const ViewState& state, const std::string& of, Index row, Index col) {
  const PresenterState& presenter = state.presenter;
  if (isAskedFor(state, of, row, col)) return true;
  return presenter.isOn && presenter.hidesValues && !presenter.revealed.contains({of, row, col});
}

bool areColoursHidden(const ViewState& state) {
  return state.presenter.isOn && state.presenter.hidesValues && state.presenter.hidesColours;
}

std::string shownValue(const ViewState& state, const std::string& of, Index row, Index col,
                       std::string text) {
  return isValueHidden(state, of, row, col) ? "?" : text;
}

void pointAtValue(ViewState& state, const std::string& of, Index row, Index col) {
  if (state.presenter.isActive()) state.presenter.nextPointed = ValueKey{of, row, col};
}

void foldHidden(ViewState& state) {
  if (state.presenter.hidesValues && !state.explain.shown) state.explain.shown = 1;
}

void revealValues(ViewState& state) {
  PresenterState& presenter = state.presenter;
  if (!presenter.pointed) {
    presenter.hidesValues = false;
    state.explain.shown.reset();
    return presenter.revealed.clear();
  }
  if (presenter.revealed.erase(*presenter.pointed) == 0) presenter.revealed.insert(*presenter.pointed);
}

}  // namespace attn
