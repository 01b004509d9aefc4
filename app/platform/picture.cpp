#include "app/platform/picture.h"

#include <imgui.h>
#include <imgui_internal.h>
#include <implot.h>
#include <implot_internal.h>

#include <cmath>
#include <string>

#include "app/application.h"
#include "app/gpu/renderer.h"
#include "app/platform/framebuffer.h"
#include "core/error.h"

namespace attn {
namespace {

constexpr int kFrames = 4;  // sizes of windows that depend on their content settle within these
constexpr float kFrameTime = 1.0f / 60;

/// Makes an application current again, whatever happens in between.
struct KeepCurrent {
  const Application& app;
  ~KeepCurrent() { app.makeCurrent(); }
};

/// In pixels of the framebuffer, before enlargement.
ImVec2 sizeOf(const Application& app, const std::string& panel) {
  const ImGuiIO& io = ImGui::GetIO();
  ImVec2 size = io.DisplaySize;
  const ImGuiWindow* window = panel.empty() ? nullptr : ImGui::FindWindowByName(panel.c_str());
  const float margin = 2 * std::round(6 * app.theme().unit);
  if (window) size = {window->Size.x + margin, window->Size.y + margin};
  return {size.x * io.DisplayFramebufferScale.x, size.y * io.DisplayFramebufferScale.y};
}

/// Maps keep the part that the person has zoomed to.
void copyZoom(const ImPlotContext& from, ImPlotContext& to) {
  for (int i = 0; i < from.Plots.GetBufSize(); ++i) {
    const ImPlotPlot* plot = const_cast<ImPlotContext&>(from).Plots.GetByIndex(i);
    ImPlotPlot* copy = plot ? to.Plots.GetByKey(plot->ID) : nullptr;
    if (!copy) continue;
    for (int axis = 0; axis < ImAxis_COUNT; ++axis) copy->Axes[axis].Range = plot->Axes[axis].Range;
  }
}

void drawFrame(Application& app, Renderer& renderer, int width, int height) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DeltaTime = kFrameTime;
  renderer.prepare();
  ImGui::NewFrame();
  app.frame();
  ImGui::Render();
  renderer.render(width, height);
}

}  // namespace

Image drawPicture(Application& app, const PictureRequest& request) {
  const auto factor = static_cast<float>(request.factor);
  const ImVec2 size = sizeOf(app, request.panel);
  const int width = static_cast<int>(std::lround(size.x * factor));
  const int height = static_cast<int>(std::lround(size.y * factor));
  const float density = ImGui::GetIO().DisplayFramebufferScale.x;
  const ImPlotContext& zoomed = *ImPlot::GetCurrentContext();
  const KeepCurrent guard{app};
  const Framebuffer target(width, height);
  Application copy(app.editor().shared());
  copy.imitate(app, factor * density);
  copy.showOnly(request.panel);
  Renderer renderer(copy);
  for (int i = 0; i < kFrames; ++i) {
    drawFrame(copy, renderer, width, height);
    if (i == 0) copyZoom(zoomed, *ImPlot::GetCurrentContext());
  }
  return readPixels(width, height);
}

void servePicture(Application& app, int width, int height) {
  const std::optional<PictureRequest> request = app.takePictureRequest();
  if (!request) return;
  try {
    const bool isOnScreen = request->panel.empty() && request->factor == 1;
    app.keepPicture(isOnScreen ? readPixels(width, height) : drawPicture(app, *request), *request);
  } catch (const Error& error) {
    app.report(std::string("No picture was saved: ") + error.what());
  }
}

}  // namespace attn
