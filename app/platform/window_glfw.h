#pragma once
#include <functional>

#include "core/error.h"

namespace attn {

class Application;

/// There is no display, or none that answers: what() says why.
struct NoDisplay : Error {
  using Error::Error;
};

/// Opens a window and runs until the person closes it. Sleeps while nothing happens. Throws NoDisplay
/// where there is no place for a window, Error where it cannot be opened. `afterFrame` is called when a frame
/// is on the screen.
void runWindow(Application& app, const std::function<void()>& afterFrame = nullptr);

}  // namespace attn
