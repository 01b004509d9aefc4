#pragma once
#include <string>

namespace attn {

class Application;

/// Opens a window and runs until the person closes it. Sleeps while nothing happens. Throws Error where no
/// window can be opened.
void runWindow(Application& app);

/// Whether a window can be hoped for: a display is named.
bool hasDisplay();

}  // namespace attn
