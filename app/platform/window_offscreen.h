#pragma once
#include <memory>

#include "app/image.h"

namespace attn {

class Application;

/// A window that nobody sees, on EGL without any display: for pictures and for tests.
class OffscreenWindow {
 public:
  /// Throws Error where EGL offers no OpenGL 3.3.
  OffscreenWindow(Application& app, int width, int height);
  ~OffscreenWindow();

  /// One frame, as in any window.
  void frame();
  /// What the last frame drew.
  Image picture() const;

 private:
  struct Context;
  Application& app_;
  int width_, height_;
  std::unique_ptr<Context> context_;
};

}  // namespace attn
