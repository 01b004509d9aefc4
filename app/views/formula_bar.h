#pragma once
#include <string>

#include "core/scene.h"

namespace attn {

enum class PipelineStage;
struct Theme;
struct ViewState;

struct FormulaBarState {
  bool isShown = true;
  int chosen = -1;       // the stage that was selected last, as its number
  std::string litPanel;  // where the part under the pointer, or with the keyboard, is looked at
};

/// The formula of the whole pipeline, in a bar above the panels. Pointing at a part frames the panel that
/// shows its stage; a click goes there.
void drawFormulaBar(ViewState& state, const Scene& scene, const Theme& theme);

/// Brings the panel that shows a stage of the formula to the front, with that stage chosen in it.
void selectStage(ViewState& state, PipelineStage stage);

}  // namespace attn
