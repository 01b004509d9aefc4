#include "app/gpu/renderer.h"

#include <backends/imgui_impl_opengl3.h>
#include <epoxy/gl.h>
#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/application.h"
#include "core/error.h"

namespace attn {
namespace {

void expectVersion() {
  const bool isDesktop = epoxy_is_desktop_gl();
  const int found = epoxy_gl_version(), needed = isDesktop ? 33 : 30;
  if (found >= needed) return;
  const auto text = [](int version) {
    return std::to_string(version / 10) + "." + std::to_string(version % 10);
  };
  throw Error("the graphics driver offers OpenGL " + text(found) + ", expected at least " + text(needed));
}

}  // namespace

Renderer::Renderer(Application& app) : app_(app) {
  expectVersion();
  ImGui_ImplOpenGL3_Init(epoxy_is_desktop_gl() ? "#version 330 core" : "#version 300 es");
}

Renderer::~Renderer() {
  app_.releaseGraphics();
  ImGui_ImplOpenGL3_Shutdown();
}

void Renderer::prepare() {
  if (app_.prepare()) ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_NewFrame();
  if (!ImGui::GetIO().Fonts->TexID) ImGui_ImplOpenGL3_CreateFontsTexture();
}

void Renderer::render(int width, int height) {
  const ImVec4& background = app_.theme().background;
  glViewport(0, 0, width, height);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(background.x, background.y, background.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

Image readPixels(int width, int height) {
  Image image{
      width, height,
      std::vector<std::uint8_t>(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))};
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  const std::ptrdiff_t row = 4 * static_cast<std::ptrdiff_t>(width);
  for (int y = 0; y < height / 2; ++y)  // OpenGL counts rows from below
    std::swap_ranges(image.rgba.begin() + y * row, image.rgba.begin() + (y + 1) * row,
                     image.rgba.begin() + (height - 1 - y) * row);
  return image;
}

}  // namespace attn
