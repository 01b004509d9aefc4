#include "app/platform/window_glfw.h"

#include <epoxy/gl.h>
// GLFW after epoxy, which brings OpenGL's declarations.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/application.h"
#include "app/gpu/renderer.h"
#include "app/input_order.h"
#include "app/platform/audience_window.h"
#include "app/platform/picture.h"
#include "app/presenter/presenter.h"
#include "core/error.h"

namespace attn {
namespace {

constexpr int kFramesAfterEvent = 4;    // what an event sets off is on the screen after so many
constexpr double kSignTurn = 1.0 / 30;  // seconds between frames while something is under way
constexpr double kCursorBlink = 0.4;    // seconds between frames while a text cursor blinks
constexpr double kLookForNews = 1.0;    // seconds between frames while something may have to be said

/// GLFW, for as long as it lives.
class Library {
 public:
  Library() {
    const auto isSet = [](const char* name) {
      const char* value = std::getenv(name);
      return value && *value;
    };
    if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY")) throw NoDisplay("there is no display");
    if (!glfwInit()) throw NoDisplay(lastError());
  }
  ~Library() { glfwTerminate(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  static std::string lastError() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text ? text : "no reason given";
  }
};

using Window = std::unique_ptr<GLFWwindow, decltype(&glfwDestroyWindow)>;

float scaleOfScreen() {
  float scale = 1, ignored = 1;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) glfwGetMonitorContentScale(monitor, &scale, &ignored);
  return scale;
}

/// As large as it was last time, or as the screen leaves room for.
WindowSize fitting(WindowSize wanted) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (!monitor) return wanted;
  int x = 0, y = 0, width = 0, height = 0;
  glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
  const float scale = scaleOfScreen();
  const auto limit = [&](int extent, int most) {
    return most > 0 ? std::min(extent, static_cast<int>(static_cast<float>(most) / std::max(scale, 0.1f)))
                    : extent;
  };
  return {std::max(1, limit(wanted.width, width)), std::max(1, limit(wanted.height, height))};
}

Window tryWindow(WindowSize size, int contextApi) {
  glfwWindowHint(GLFW_CONTEXT_CREATION_API, contextApi);
  return {glfwCreateWindow(size.width, size.height, "attnscope", nullptr, nullptr), glfwDestroyWindow};
}

/// By EGL, which opens in half the time that GLX takes; by what GLFW would choose where there is none.
Window makeWindow(WindowSize wanted) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  const WindowSize size = fitting(wanted);
  Window window = tryWindow(size, GLFW_EGL_CONTEXT_API);
  if (!window) window = tryWindow(size, GLFW_NATIVE_CONTEXT_API);
  if (!window)
    throw Error(
        "cannot open a window with OpenGL 3.3: " + Library::lastError() +
        "; LIBGL_ALWAYS_SOFTWARE=1 may help, and `attnscope shot` and `attnscope eval` need no window");
  glfwMakeContextCurrent(window.get());
  glfwSwapInterval(1);
  return window;
}

Application& applicationOf(GLFWwindow* window) {
  return *static_cast<Application*>(glfwGetWindowUserPointer(window));
}

void onDrop(GLFWwindow* window, int count, const char** paths) {
  applicationOf(window).takeDropped({paths, paths + std::max(0, count)});
}

/// Closing is a wish: there may be changes to save first.
void onClose(GLFWwindow* window) {
  glfwSetWindowShouldClose(window, GLFW_FALSE);
  applicationOf(window).quit();
}

void drawFrame(Application& app, GLFWwindow* window, Renderer& renderer) {
  float scale = 1, ignored = 1;
  glfwGetWindowContentScale(window, &scale, &ignored);
  int width = 0, height = 0, logicalWidth = 0, logicalHeight = 0;
  glfwGetFramebufferSize(window, &width, &height);
  glfwGetWindowSize(window, &logicalWidth, &logicalHeight);
  if (width == 0 || height == 0) return;
  // Where the framebuffer is larger than the window, Dear ImGui scales already.
  app.setScreenScale(scale * static_cast<float>(logicalWidth) / static_cast<float>(width));
  renderer.prepare();
  ImGui_ImplGlfw_NewFrame();
  newFrameInOrder();
  app.frame();
  ImGui::Render();
  renderer.render(width, height);
  servePicture(app, width, height);
  glfwSwapBuffers(window);
  const float logical = std::max(app.screenScale(), 0.1f);
  const auto plain = [&](int pixels) {
    return static_cast<int>(std::lround(static_cast<float>(pixels) / logical));
  };
  if (!app.state().presenter.isOn) app.state().window = {plain(logicalWidth), plain(logicalHeight)};
}

/// Says on the window's frame which scene it is.
void updateTitle(const Application& app, GLFWwindow* window, std::string& shown) {
  const std::string title = app.documentTitle() + " – attnscope";
  if (title == shown) return;
  shown = title;
  glfwSetWindowTitle(window, shown.c_str());
}

/// Waits until there is something to draw. While something is under way its sign turns, at a pace that leaves
/// the processor to the work itself.
class Waiting {
 public:
  void untilNextFrame(const Application& app) {
    // Dear ImGui takes events one by one, a frame each, where they follow each other closely.
    if (framesLeft_ > 0 || hasWaitingEvents()) {
      glfwPollEvents();
      framesLeft_ = std::max(0, framesLeft_ - 1);
    } else if (app.isAnimating()) {
      glfwWaitEventsTimeout(kSignTurn);
      wasAnimating_ = true;
    } else {
      if (std::exchange(wasAnimating_, false))
        glfwPollEvents();
      else if (ImGui::GetIO().WantTextInput)
        glfwWaitEventsTimeout(kCursorBlink);
      else if (app.expectsNews())
        glfwWaitEventsTimeout(kLookForNews);
      else
        glfwWaitEvents();
      framesLeft_ = kFramesAfterEvent;
    }
  }

 private:
  int framesLeft_ = kFramesAfterEvent;
  bool wasAnimating_ = false;
};

/// The whole screen while this window presents, and then the place that it had.
class FullScreen {
 public:
  void follow(const Application& app, GLFWwindow* window) {
    const bool isWanted = app.state().presenter.isOn;
    if (isWanted == isOn_) return;
    isOn_ = isWanted;
    if (!isWanted) return glfwSetWindowMonitor(window, nullptr, x_, y_, width_, height_, GLFW_DONT_CARE);
    glfwGetWindowPos(window, &x_, &y_);
    glfwGetWindowSize(window, &width_, &height_);
    GLFWmonitor* monitor = monitorAt(x_ + width_ / 2, y_ + height_ / 2);
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (mode) glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  }

 private:
  bool isOn_ = false;
  int x_ = 0, y_ = 0, width_ = 0, height_ = 0;
};

/// Opens, draws and closes the window for the audience, as the lecturer wishes.
void followAudience(Application& app, GLFWwindow* window, std::optional<AudienceWindow>& audience) {
  if (audience && audience->isClosed()) setAudience(app, false);
  if (!app.state().presenter.hasAudience) return audience.reset();
  try {
    if (!audience) audience.emplace(app, window);
    audience->frame();
  } catch (const Error& error) {
    audience.reset();
    setAudience(app, false);
    app.report(error.what());
  }
}

}  // namespace

void runWindow(Application& app, const std::function<void()>& afterFrame) {
  const Library library;
  app.expectScreenScale(scaleOfScreen());
  const Window window = makeWindow(app.state().window);
  glfwSetWindowUserPointer(window.get(), &app);
  glfwSetDropCallback(window.get(), onDrop);
  glfwSetWindowCloseCallback(window.get(), onClose);
  Renderer renderer(app);
  ImGui_ImplGlfw_InitForOpenGL(window.get(), true);
  app.evaluations().setWake(glfwPostEmptyEvent);
  Waiting waiting;
  std::string title;
  std::optional<AudienceWindow> audience;
  FullScreen fullScreen;
  while (!app.isQuitting()) {
    drawFrame(app, window.get(), renderer);
    updateTitle(app, window.get(), title);
    followAudience(app, window.get(), audience);
    fullScreen.follow(app, window.get());
    if (afterFrame) afterFrame();
    waiting.untilNextFrame(app);
  }
  audience.reset();
  app.finish();
  app.evaluations().setWake(nullptr);
  ImGui_ImplGlfw_Shutdown();
}

}  // namespace attn
