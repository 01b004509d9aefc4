#pragma once

namespace attn {

/// A place to draw that nobody sees. Binds itself when it is made, and what was bound before when it goes.
class Framebuffer {
 public:
  /// Throws Error where OpenGL offers no framebuffer of this size.
  Framebuffer(int width, int height);
  ~Framebuffer();
  Framebuffer(const Framebuffer&) = delete;
  Framebuffer& operator=(const Framebuffer&) = delete;

 private:
  int before_ = 0;
  unsigned framebuffer_ = 0, colour_ = 0;
};

}  // namespace attn
