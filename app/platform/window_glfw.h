#pragma once
#include <functional>
#include <string>

namespace attn {

class Application;

/// Opens a window and runs until the person closes it. Sleeps while nothing happens. Throws Error where no
/// window can be opened. `afterFrame` is called when a frame is on the screen.
void runWindow(Application& app, const std::function<void()>& afterFrame = nullptr);

/// One line on why no window can be opened here; empty where a display answers.
std::string displayTrouble();

}  // namespace attn
