#pragma once
#include <optional>
#include <string>

#include "app/comparison.h"
#include "app/formula/notation.h"
#include "app/help/hints_state.h"
#include "app/layout.h"
#include "app/lessons/lesson_state.h"
#include "app/palette/palette.h"
#include "app/presenter/presenter_state.h"
#include "app/story_player.h"
#include "app/theme.h"
#include "app/views/explain.h"
#include "app/views/formula_bar.h"
#include "app/views/gradients.h"
#include "app/views/heads.h"
#include "app/views/hover.h"
#include "app/views/inputs.h"
#include "app/views/labs.h"
#include "app/views/lines.h"
#include "app/views/map.h"
#include "app/views/mask.h"
#include "app/views/saturation.h"
#include "app/views/scale.h"
#include "core/matrix.h"

namespace attn {

struct Selection {
  Index head = 0;
  Index query = 0;
};

struct Appearance {
  ThemeKind theme = ThemeKind::light;
  float scale = 1;             // what Ctrl + and Ctrl − change; the screen's own scale comes on top
  bool followsSystem = false;  // the theme is what the desktop says
};

/// The size of the window, without the screen's scale.
struct WindowSize {
  int width = 1600, height = 900;
};

/// Which panel the keyboard is in.
struct PanelsState {
  std::string focused;
  std::string toFocus;     // gets the keyboard in the next frame
  bool hasCome = false;    // the panel that is being drawn has just got it
  bool opensMenu = false;  // of the focused one, in the next frame
};

/// What is looked at: saved with the session, never undone. What only one panel knows is in that panel's
/// header.
struct ViewState {
  Selection selection;
  Hover hover, nextHover;  // views read the one and write the other: all panels show one moment
  Appearance appearance;
  Notation notation;
  Layout layout = defaultLayout();
  WindowSize window;
  PanelsState panels;
  bool isHelpOpen = false;
  std::string helpSearch;
  PaletteState palette;
  HintsState hints;
  PresenterState presenter;
  std::string status;  // a line at the bottom until the next one

  CompareState compare;
  StoryState story;
  LessonState lesson;
  InputsState inputs;
  HeadsState heads;
  MapsState maps;
  LinesState lines;
  MaskState mask;
  ScaleState scale;
  SaturationState saturation;
  GradientsState gradients;
  ExplainState explain;
  FormulaBarState formulaBar;
  LabsState labs;
};

}  // namespace attn
