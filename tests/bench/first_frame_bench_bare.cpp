// A window of Dear ImGui and GLFW with one line of text, and nothing else: what first_frame_bench measures
// against. Prints how many nanoseconds after the given time its first frame was on the screen.
#define GLFW_INCLUDE_NONE  // OpenGL comes from epoxy
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <epoxy/gl.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

// Dear ImGui is built with these hooks, which a bare program has no use for.
void ImGuiTestEngineHook_ItemAdd(ImGuiContext*, ImGuiID, const ImRect&, const ImGuiLastItemData*) {}
void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID, const char*, ImGuiItemStatusFlags) {}
void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}
const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) {
  return nullptr;
}

namespace {

constexpr int kWidth = 1280, kHeight = 720;

GLFWwindow* openWindow() {
  if (!glfwInit()) return nullptr;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  GLFWwindow* window = glfwCreateWindow(kWidth, kHeight, "bare", nullptr, nullptr);
  if (!window) return nullptr;
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  return window;
}

/// With a size, since Dear ImGui hides a window that has yet to find its own for one frame.
void drawFrame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({kWidth, kHeight});
  ImGui::Begin("bare");
  ImGui::TextUnformatted("The quick brown fox");
  ImGui::End();
  ImGui::Render();
  glViewport(0, 0, kWidth, kHeight);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace

int main(int count, char** words) {
  GLFWwindow* window = openWindow();
  if (count != 2 || !window) return 1;
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplGlfw_InitForOpenGL(window, true);
  ImGui_ImplOpenGL3_Init("#version 330 core");
  drawFrame();
  glfwSwapBuffers(window);
  glFinish();
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  std::printf("%lld\n", std::chrono::nanoseconds(time).count() - std::atoll(words[1]));
  std::fflush(stdout);
  std::_Exit(0);
}
