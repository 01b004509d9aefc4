#pragma once
#include <string>

#include "app/editor.h"
#include "core/results.h"

namespace attn {

struct ViewState;

/// What can be done to heads. The chosen head and the one it is compared with follow.
void chooseHead(ViewState& state, Index head);
/// Chooses a head that was added, once it is among the results: panels index these by the chosen head.
void chooseNext(ViewState& state, Index heads, bool isBusy);
void addHeadAfter(Editor& editor, ViewState& state, Index head);
void duplicateHeadAt(Editor& editor, ViewState& state, Index head);
void removeHeadAt(Editor& editor, ViewState& state, Index head);
void moveHeadTo(Editor& editor, ViewState& state, Index from, Index to);
/// With this head, or with none if it already is, or is the chosen one.
void compareWith(ViewState& state, Index head);

/// What the rows of a head are like on average.
struct HeadSummary {
  double entropyShare = 0;  // of the largest entropy that is possible
  double largestWeight = 0;
  Index saturated = 0, rows = 0;
};
HeadSummary summaryOf(const Results& results, Index head);

}  // namespace attn
