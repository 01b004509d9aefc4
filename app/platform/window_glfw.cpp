#include "app/platform/window_glfw.h"

#include <epoxy/gl.h>
// GLFW after epoxy, which brings OpenGL's declarations.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include <cstdlib>
#include <memory>

#include "app/application.h"
#include "app/gpu/renderer.h"
#include "core/error.h"

namespace attn {
namespace {

constexpr int kFramesAfterEvent = 4;  // what an event sets off is on the screen after so many
constexpr double kCursorBlink = 0.4;  // seconds between frames while a text cursor blinks

/// GLFW, for as long as it lives.
class Library {
 public:
  Library() {
    if (!glfwInit()) throw Error("cannot open a window: " + lastError());
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

Window makeWindow() {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  Window window(glfwCreateWindow(1280, 720, "attnscope", nullptr, nullptr), glfwDestroyWindow);
  if (!window) throw Error("cannot open a window with OpenGL 3.3: " + Library::lastError());
  glfwMakeContextCurrent(window.get());
  glfwSwapInterval(1);
  return window;
}

void onDrop(GLFWwindow* window, int count, const char** paths) {
  auto& app = *static_cast<Application*>(glfwGetWindowUserPointer(window));
  if (count < 1) return;
  try {
    app.open(paths[0]);
  } catch (const Error& error) {
    app.state().status = error.what();
  }
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
  ImGui::NewFrame();
  app.frame();
  ImGui::Render();
  renderer.render(width, height);
  glfwSwapBuffers(window);
}

/// Waits until there is something to draw.
void waitForEvents(const Application& app, int& framesLeft) {
  if (app.isAnimating() || framesLeft > 0) {
    glfwPollEvents();
    --framesLeft;
  } else {
    if (ImGui::GetIO().WantTextInput)
      glfwWaitEventsTimeout(kCursorBlink);
    else
      glfwWaitEvents();
    framesLeft = kFramesAfterEvent;
  }
}

}  // namespace

bool hasDisplay() {
  const auto isSet = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
  };
  return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY");
}

void runWindow(Application& app) {
  const Library library;
  const Window window = makeWindow();
  glfwSetWindowUserPointer(window.get(), &app);
  glfwSetDropCallback(window.get(), onDrop);
  Renderer renderer(app);
  ImGui_ImplGlfw_InitForOpenGL(window.get(), true);
  app.evaluations().setWake(glfwPostEmptyEvent);
  int framesLeft = kFramesAfterEvent;
  while (!glfwWindowShouldClose(window.get()) && !app.isQuitting()) {
    drawFrame(app, window.get(), renderer);
    waitForEvents(app, framesLeft);
  }
  app.evaluations().setWake(nullptr);
  ImGui_ImplGlfw_Shutdown();
}

}  // namespace attn
