#include "app/application.h"

#include <imgui.h>
#include <implot.h>

#include <algorithm>
#include <utility>

#include "app/files.h"
#include "app/views/head_actions.h"
#include "app/views/view.h"
#include "core/error.h"

namespace attn {

Application::Application(SharedScene scene) : editor_(std::move(scene)), commands_(allCommands()) {
  IMGUI_CHECKVERSION();
  imgui_ = ImGui::CreateContext();
  implot_ = ImPlot::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = io.LogFilename = nullptr;  // what is kept between starts is ours to keep
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
}

Application::~Application() {
  ImGui::SetCurrentContext(imgui_);
  attachItems(nullptr);
  ImPlot::DestroyContext(implot_);
  ImGui::DestroyContext(imgui_);
}

void Application::recordItems(bool isOn) {
  attachItems(isOn ? &items_ : nullptr);
}

bool Application::prepare() {
  const Appearance& wanted = state_.appearance;
  const float scale = wanted.scale * screenScale_;
  const bool isScaled = !isStyled_ || theme_.scale != scale;
  if (isScaled || theme_.kind != wanted.theme) applyStyle(theme_, wanted.theme, scale);
  if (isScaled) buildFonts(theme_);
  isStyled_ = true;
  return isScaled;
}

/// Asks for what the visible panels draw, for the scene as it is now.
void Application::evaluate() {
  Wanted wanted = Wanted::outputOnly();
  wanted.measures = false;
  for (const View& view : allViews()) {
    const bool isCovered = !state_.layout.maximised.empty() && state_.layout.maximised != view.title;
    const bool isVisible =
        only_.empty() ? !isCovered && !state_.layout.isHidden(view.title) : only_ == view.title;
    if (isVisible && view.want) view.want(state_, wanted);
  }
  evaluations_.request(editor_.shared(), wanted);
}

void Application::settle() {
  evaluate();
  evaluations_.settle();
}

void Application::open(const std::filesystem::path& file) {
  editor_.open(openScene(file));
  file_ = file;
  state_.selection = {};
}

void Application::openDefaultScene() {
  editor_.open(defaultScene());
  file_.clear();
  state_.selection = {};
}

void Application::save() {
  try {
    saveScene(editor_.scene(), file_);
    editor_.markSaved();
    report("Saved " + file_.string());
  } catch (const Error& error) {
    report(error.what());
  }
}

ViewContext Application::viewContext() {
  const std::shared_ptr<const Evaluation>& evaluation = evaluations_.current();
  return {editor_.scene(), evaluation, *evaluation->scene, evaluation->results, state_,
          editor_,         theme_,     heatmaps_};
}

void Application::frame() {
  items_.turnPage();
  heatmaps_.beginFrame();
  runShortcuts(*this);
  evaluations_.poll();
  evaluate();
  if (!evaluations_.current()) evaluations_.settle();  // the first frame has something to show
  state_.hover = std::exchange(state_.nextHover, {});
  if (const auto& current = evaluations_.current()) {
    const Shapes& shapes = current->results.shapes;
    chooseNext(state_, shapes.heads, evaluations_.isBusy());
    state_.selection.head = std::clamp<Index>(state_.selection.head, 0, shapes.heads - 1);
    state_.selection.query = std::clamp<Index>(state_.selection.query, 0, shapes.queries - 1);
  }
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::GetBackgroundDrawList()->AddRectFilled(
      viewport.Pos, {viewport.Pos.x + viewport.Size.x, viewport.Pos.y + viewport.Size.y},
      ImGui::GetColorU32(theme_.background));
  if (only_.empty()) {
    drawMenuBar();
    drawStatusBar();
  }
  drawPanels(viewport.WorkPos, viewport.WorkSize);
  drawHelp();
  if (!ImGui::IsAnyItemActive()) editor_.endGesture();
}

}  // namespace attn
