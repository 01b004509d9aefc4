#pragma once
#include "app/session/folders.h"
#include "app/theme.h"

namespace attn {

/// What the desktop is set to, as far as its settings files tell: GTK_THEME, GTK's settings.ini, KDE's
/// kdeglobals. Light where nothing is known. No other program is asked.
ThemeKind systemTheme(const Environment& environment);

}  // namespace attn
