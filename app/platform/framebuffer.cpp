#include "app/platform/framebuffer.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <string>

#include "core/error.h"

namespace attn {

Framebuffer::Framebuffer(int width, int height) {
  GLint largest = 0, viewport[2] = {};
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  largest = std::min({largest, viewport[0], viewport[1]});
  if (width > largest || height > largest)
    throw Error("the picture would have " + std::to_string(width) + " × " + std::to_string(height) +
                " pixels, expected at most " + std::to_string(largest) + " each way");
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before_);
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glGenRenderbuffers(1, &colour_);
  glBindRenderbuffer(GL_RENDERBUFFER, colour_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return;
  glDeleteRenderbuffers(1, &colour_);
  glDeleteFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before_));
  throw Error("OpenGL offers no framebuffer of " + std::to_string(width) + " × " + std::to_string(height) +
              " pixels");
}

Framebuffer::~Framebuffer() {
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before_));
  glDeleteRenderbuffers(1, &colour_);
  glDeleteFramebuffers(1, &framebuffer_);
}

}  // namespace attn
