#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/editor.h"
#include "app/evaluation.h"
#include "app/gpu/heatmap.h"
#include "app/item_registry.h"
#include "app/theme.h"
#include "app/view_state.h"

struct ImGuiContext;
struct ImPlotContext;

namespace attn {

struct PanelRect;
struct ViewContext;

/// The whole program but for the window it is in: editor, evaluation, what is looked at, and Dear ImGui's
/// context. A platform calls, for each frame: prepare(); ImGui::NewFrame(); frame(); ImGui::Render().
class Application {
 public:
  explicit Application(SharedScene scene);
  ~Application();
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  /// Brings theme, scale and fonts to what the state says. True when the font atlas is a new one, whose
  /// texture the platform then has to make. Once a frame, before ImGui::NewFrame().
  bool prepare();
  /// Draws everything.
  void frame();
  /// Whether the next frame will differ without any input: something is still on its way.
  bool isAnimating() const { return evaluations_.isBusy(); }
  /// Waits for the evaluation of the scene as it is, with what the open panels want.
  void settle();

  /// The scale of the screen, which comes on top of the person's own.
  void setScreenScale(float scale) { screenScale_ = scale; }
  /// Shows only this panel, without menu and status bar: for pictures. Empty: the whole window.
  void showOnly(std::string panel) { only_ = std::move(panel); }
  /// Makes items() tell where everything lies: for tests and lessons.
  void recordItems(bool isOn);
  const ItemRegistry& items() const { return items_; }

  void open(const std::filesystem::path& file);
  void openDefaultScene();
  void save();
  const std::filesystem::path& file() const { return file_; }
  void quit() { isQuitting_ = true; }
  bool isQuitting() const { return isQuitting_; }

  /// Frees what the graphics card holds, while its context is still there.
  void releaseGraphics() { heatmaps_.release(); }

  Editor& editor() { return editor_; }
  const Editor& editor() const { return editor_; }
  ViewState& state() { return state_; }
  const ViewState& state() const { return state_; }
  Evaluations& evaluations() { return evaluations_; }
  const Heatmaps& heatmaps() const { return heatmaps_; }
  const Theme& theme() const { return theme_; }
  const std::vector<Command>& commands() const { return commands_; }

  /// The ticks that show and hide panels, within the menu that is open.
  void drawPanelMenu();

 private:
  void evaluate();
  void drawMenuBar();
  void drawStatusBar();
  void drawSplitters(const Arrangement& arrangement);
  void drawPanels(ImVec2 min, ImVec2 size);
  void drawPanel(ViewContext& context, const PanelRect& rect);
  void drawPanelTitle(const std::string& title);
  void drawHelp();
  ViewContext viewContext();
  void report(const std::string& line) { state_.status = line; }

  ImGuiContext* imgui_ = nullptr;
  ImPlotContext* implot_ = nullptr;
  ItemRegistry items_;
  Theme theme_;
  float screenScale_ = 1;
  bool isStyled_ = false;

  Editor editor_;
  Evaluations evaluations_;
  ViewState state_;
  Heatmaps heatmaps_;
  std::vector<Command> commands_;
  std::filesystem::path file_;
  std::string only_;
  bool isQuitting_ = false;
};

}  // namespace attn
