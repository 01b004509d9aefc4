#include "app/views/head_actions.h"

#include <algorithm>

#include "app/view_state.h"
#include "core/edits/heads.h"

namespace attn {
namespace {

Index countOf(const Editor& editor) {
  return shapesOf(editor.scene()).heads;
}

/// Where the compared head is after an edit: `place` gives the new place of an old one, or −1.
template <class Place>
void followCompared(ViewState& state, const Place& place) {
  auto& compared = state.heads.compared;
  if (!compared) return;
  const Index now = place(*compared);
  compared = now < 0 ? std::nullopt : std::optional(now);
}

}  // namespace

void chooseHead(ViewState& state, Index head) {
  state.selection.head = head;
  state.heads.choice = HeadChoice::one;
  if (state.heads.compared == head) state.heads.compared.reset();
}

void chooseNext(ViewState& state, Index heads, bool isBusy) {
  auto& next = state.heads.next;
  if (next && *next < heads) chooseHead(state, *next);
  if (next && (*next < heads || !isBusy)) next.reset();
}

void addHeadAfter(Editor& editor, ViewState& state, Index head) {
  const Index at = std::min(head + 1, countOf(editor));
  if (!editor.change([=](Scene& scene) { addHead(scene, at); })) return;
  followCompared(state, [=](Index old) { return old >= at ? old + 1 : old; });
  state.heads.next = at;
}

void duplicateHeadAt(Editor& editor, ViewState& state, Index head) {
  if (!editor.change([=](Scene& scene) { duplicateHead(scene, head); })) return;
  followCompared(state, [=](Index old) { return old > head ? old + 1 : old; });
  state.heads.next = head + 1;
}

void removeHeadAt(Editor& editor, ViewState& state, Index head) {
  if (!editor.change([=](Scene& scene) { removeHead(scene, head); })) return;
  followCompared(state, [=](Index old) { return old == head ? Index{-1} : old > head ? old - 1 : old; });
  const Index chosen = state.selection.head;
  chooseHead(state, std::clamp<Index>(chosen > head ? chosen - 1 : chosen, 0, countOf(editor) - 1));
}

void moveHeadTo(Editor& editor, ViewState& state, Index from, Index to) {
  if (from == to || !editor.change([=](Scene& scene) { moveHead(scene, from, to); })) return;
  const auto moved = [=](Index old) {
    if (old == from) return to;
    if (from < to && old > from && old <= to) return old - 1;
    return to < from && old >= to && old < from ? old + 1 : old;
  };
  followCompared(state, moved);
  state.selection.head = moved(state.selection.head);
}

void compareWith(ViewState& state, Index head) {
  const bool isOff = state.heads.compared == head || state.selection.head == head;
  state.heads.compared = isOff ? std::nullopt : std::optional(head);
  if (!isOff) state.heads.choice = HeadChoice::one;
}

HeadSummary summaryOf(const Results& results, Index head) {
  HeadSummary summary;
  const MeasuresOf<float>& measures = results.measures;
  if (head >= measures.entropyShare.heads()) return summary;
  summary.rows = measures.entropyShare.rows();
  for (Index row = 0; row < summary.rows; ++row) {
    summary.entropyShare += static_cast<double>(measures.entropyShare.at(head, row, 0));
    summary.largestWeight += static_cast<double>(measures.largestWeight.at(head, row, 0));
    summary.saturated += results.saturatedRows.at(head, row, 0);
  }
  summary.entropyShare /= static_cast<double>(summary.rows);
  summary.largestWeight /= static_cast<double>(summary.rows);
  return summary;
}

}  // namespace attn
