#include "app/platform/window_offscreen.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <imgui.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "app/application.h"
#include "app/gpu/renderer.h"
#include "app/input_order.h"
#include "app/platform/framebuffer.h"
#include "app/platform/picture.h"
#include "core/error.h"

namespace attn {
namespace {

constexpr float kFrameTime = 1.0f / 60;

void expect(bool holds, const char* what) {
  if (!holds) throw Error(std::string("cannot draw without a display: EGL offers no ") + what);
}

/// Pictures are drawn in software: the same on every machine, and also where the card's OpenGL is too old.
void chooseSoftware() {
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  unsetenv("MESA_GL_VERSION_OVERRIDE");
}

EGLDisplay openDisplay() {
  chooseSoftware();
  const EGLDisplay display =
      eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  expect(display != EGL_NO_DISPLAY, "surfaceless platform");
  expect(eglInitialize(display, nullptr, nullptr), "driver for its surfaceless platform");
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
  std::optional<Framebuffer> framebuffer;
  std::optional<Renderer> renderer;

  ~Context() {
    renderer.reset();
    framebuffer.reset();
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
  }
};

OffscreenWindow::OffscreenWindow(Application& app, int width, int height)
    : app_(app), width_(width), height_(height), context_(std::make_unique<Context>()) {
  context_->framebuffer.emplace(width, height);
  context_->renderer.emplace(app);
}

OffscreenWindow::~OffscreenWindow() = default;

void OffscreenWindow::frame() {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
  io.DeltaTime = kFrameTime;
  context_->renderer->prepare();
  newFrameInOrder();
  app_.frame();
  ImGui::Render();
  context_->renderer->render(width_, height_);
  servePicture(app_, width_, height_);
}

Image OffscreenWindow::picture() const {
  return readPixels(width_, height_);
}

}  // namespace attn
