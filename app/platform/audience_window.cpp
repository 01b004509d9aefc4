#include "app/platform/audience_window.h"

#include <epoxy/gl.h>
// GLFW after epoxy, which brings OpenGL's declarations.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <optional>

#include "app/application.h"
#include "app/gpu/renderer.h"
#include "app/presenter/presenter.h"
#include "core/error.h"

namespace attn {
namespace {

using Window = std::unique_ptr<GLFWwindow, decltype(&glfwDestroyWindow)>;

bool holds(GLFWmonitor* monitor, int x, int y) {
  int left = 0, top = 0;
  glfwGetMonitorPos(monitor, &left, &top);
  const GLFWvidmode* mode = glfwGetVideoMode(monitor);
  return mode && x >= left && y >= top && x < left + mode->width && y < top + mode->height;
}

template <class Fits>
GLFWmonitor* findMonitor(const Fits& fits) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor** found = std::find_if(monitors, monitors + count, fits);
  return found == monitors + count ? nullptr : *found;
}

/// A monitor that the lecturer's window is not on; null where there is none.
GLFWmonitor* otherMonitor(GLFWwindow* lecturer) {
  int x = 0, y = 0, width = 0, height = 0;
  glfwGetWindowPos(lecturer, &x, &y);
  glfwGetWindowSize(lecturer, &width, &height);
  return findMonitor([&](GLFWmonitor* monitor) { return !holds(monitor, x + width / 2, y + height / 2); });
}

/// The keyboard stays with the lecturer; keys that come here all the same, as of a clicker, are passed on.
Window makeWindow(GLFWwindow* lecturer) {
  constexpr int kWidth = 1280, kHeight = 720;
  GLFWmonitor* monitor = otherMonitor(lecturer);
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  glfwWindowHint(GLFW_FOCUSED, GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);
  glfwWindowHint(GLFW_REFRESH_RATE, mode ? mode->refreshRate : GLFW_DONT_CARE);
  Window window(glfwCreateWindow(mode ? mode->width : kWidth, mode ? mode->height : kHeight,
                                 "attnscope – for the audience", mode ? monitor : nullptr, nullptr),
                glfwDestroyWindow);
  if (!window) throw Error("the second window could not be opened");
  glfwSetKeyCallback(window.get(), ImGui_ImplGlfw_KeyCallback);
  return window;
}

/// Makes the lecturer's window the current one again, whatever happens in between.
struct KeepCurrent {
  const Application& app;
  GLFWwindow* window;
  ~KeepCurrent() {
    glfwMakeContextCurrent(window);
    app.makeCurrent();
  }
};

}  // namespace

GLFWmonitor* monitorAt(int x, int y) {
  GLFWmonitor* found = findMonitor([&](GLFWmonitor* monitor) { return holds(monitor, x, y); });
  return found ? found : glfwGetPrimaryMonitor();
}

struct AudienceWindow::Parts {
  Window window{nullptr, glfwDestroyWindow};
  Application copy;
  std::optional<Renderer> renderer;

  explicit Parts(const Application& lecturer) : copy(lecturer.editor().shared()) {}
};

AudienceWindow::AudienceWindow(const Application& lecturer, GLFWwindow* lecturerWindow)
    : lecturer_(lecturer), lecturerWindow_(lecturerWindow) {
  const KeepCurrent guard{lecturer_, lecturerWindow_};
  Window window = makeWindow(lecturerWindow_);
  parts_ = std::make_unique<Parts>(lecturer_);
  parts_->window = std::move(window);
  glfwMakeContextCurrent(parts_->window.get());
  glfwSwapInterval(0);  // the lecturer's window keeps the pace
  parts_->renderer.emplace(parts_->copy);
}

AudienceWindow::~AudienceWindow() {
  const KeepCurrent guard{lecturer_, lecturerWindow_};
  glfwMakeContextCurrent(parts_->window.get());
  parts_->copy.makeCurrent();
  parts_->renderer.reset();
  glfwMakeContextCurrent(nullptr);
  parts_.reset();
}

void AudienceWindow::frame() {
  const float time = ImGui::GetIO().DeltaTime;
  const KeepCurrent guard{lecturer_, lecturerWindow_};
  GLFWwindow* window = parts_->window.get();
  Application& copy = parts_->copy;
  int width = 0, height = 0;
  glfwGetFramebufferSize(window, &width, &height);
  if (width == 0 || height == 0) return;
  glfwMakeContextCurrent(window);
  copy.makeCurrent();
  copy.imitate(lecturer_, 1);
  showToAudience(copy.state());
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DeltaTime = time;
  double x = -FLT_MAX, y = -FLT_MAX;
  const bool isHere = glfwGetWindowAttrib(window, GLFW_HOVERED) != 0;
  if (isHere) glfwGetCursorPos(window, &x, &y);
  io.AddMousePosEvent(static_cast<float>(x), static_cast<float>(y));
  const bool hasDot = copy.state().presenter.hasLaser || copy.state().presenter.isBlack;
  glfwSetInputMode(window, GLFW_CURSOR, hasDot ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL);
  parts_->renderer->prepare();
  ImGui::NewFrame();
  copy.frame();
  ImGui::Render();
  parts_->renderer->render(width, height);
  glfwSwapBuffers(window);
}

bool AudienceWindow::isClosed() const {
  return glfwWindowShouldClose(parts_->window.get()) != 0;
}

}  // namespace attn
