#pragma once
#include <string>

namespace attn {

class Application;

/// Opens a window and runs until the person closes it. Sleeps while nothing happens. Throws Error where no
/// window can be opened.
void runWindow(Application& app);

/// One line on why no window can be opened here; empty where a display answers.
std::string displayTrouble();

}  // namespace attn
