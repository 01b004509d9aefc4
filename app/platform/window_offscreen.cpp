#include "app/platform/window_offscreen.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <imgui.h>

#include <optional>
#include <string>

#include "app/application.h"
#include "app/gpu/renderer.h"
#include "core/error.h"

namespace attn {
namespace {

constexpr float kFrameTime = 1.0f / 60;

void expect(bool holds, const char* what) {
  if (!holds) throw Error(std::string("cannot draw without a display: EGL offers no ") + what);
}

EGLDisplay openDisplay() {
  const EGLDisplay display =
      eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  expect(display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr), "surfaceless platform");
  return display;
}

EGLContext openContext(EGLDisplay display) {
  expect(eglBindAPI(EGL_OPENGL_API), "OpenGL");
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) config = nullptr;
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                            3,
                            EGL_CONTEXT_MINOR_VERSION,
                            3,
                            EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                            EGL_NONE};
  const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  expect(context != EGL_NO_CONTEXT, "OpenGL 3.3");
  expect(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context), "context without a surface");
  return context;
}

}  // namespace

struct OffscreenWindow::Context {
  EGLDisplay display = openDisplay();
  EGLContext context = openContext(display);
  GLuint framebuffer = 0, colour = 0;
  std::optional<Renderer> renderer;

  ~Context() {
    renderer.reset();
    glDeleteRenderbuffers(1, &colour);
    glDeleteFramebuffers(1, &framebuffer);
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
  }
};

OffscreenWindow::OffscreenWindow(Application& app, int width, int height)
    : app_(app), width_(width), height_(height), context_(std::make_unique<Context>()) {
  glGenFramebuffers(1, &context_->framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer);
  glGenRenderbuffers(1, &context_->colour);
  glBindRenderbuffer(GL_RENDERBUFFER, context_->colour);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, context_->colour);
  expect(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "framebuffer of this size");
  context_->renderer.emplace(app);
}

OffscreenWindow::~OffscreenWindow() = default;

void OffscreenWindow::frame() {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
  io.DeltaTime = kFrameTime;
  context_->renderer->prepare();
  ImGui::NewFrame();
  app_.frame();
  ImGui::Render();
  context_->renderer->render(width_, height_);
}

Image OffscreenWindow::picture() const {
  return readPixels(width_, height_);
}

}  // namespace attn
