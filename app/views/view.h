#pragma once
#include <memory>
#include <span>
#include <string>

#include "app/editor.h"
#include "app/evaluation.h"
#include "app/gpu/heatmap.h"
#include "app/theme.h"
#include "app/view_state.h"

namespace attn {

/// All that a view may look at and touch.
struct ViewContext {
  const Scene& scene;  // as edited: what widgets show. May be a moment ahead of the evaluation
  std::shared_ptr<const Evaluation> evaluation;  // a scene and its results, of one moment: what pictures show
  const Scene& shown;                            // the evaluation's scene
  const Results& results;                        // the evaluation's results
  ViewState& state;
  Editor& editor;
  const Theme& theme;
  Heatmaps& heatmaps;
  Showing showing = Showing::present;  // what the evaluation is: B, A, or B − A
  std::shared_ptr<const Evaluation> present,
      pinned{};  // B; A, null where nothing is pinned or it is on its way
};

/// A panel: the application opens and closes its window, `draw` fills it.
struct View {
  const char* title;
  void (*draw)(ViewContext& context);
  void (*want)(const ViewState& state, Wanted& wanted);       // what it draws; asked while it is visible
  std::string (*text)(const ViewContext& context) = nullptr;  // its numbers, for the clipboard; null: none
  bool isCompared = false;  // shows A or B − A in place of the present where that is chosen
  void (*follow)(ViewState& state, const Scene& scene) = nullptr;  // begins what it computes; while visible
  bool isLab = false;                                              // has a menu of its own
};

/// All panels, in the order of the View menu. app/views/views.cpp is the table.
std::span<const View> allViews();

}  // namespace attn
