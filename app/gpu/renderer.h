#pragma once
#include "app/image.h"

namespace attn {

class Application;

/// Draws frames of the application into the current framebuffer, whichever window or picture that is.
class Renderer {
 public:
  /// Needs a current context. Throws Error where that is below OpenGL 3.3 and OpenGL ES 3.0.
  explicit Renderer(Application& app);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// Before ImGui::NewFrame(): fonts as the application wants them.
  void prepare();
  /// After ImGui::Render(): draws into a framebuffer of this many pixels.
  void render(int width, int height);

 private:
  Application& app_;
};

/// What the current framebuffer holds.
Image readPixels(int width, int height);

}  // namespace attn
