#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/comparison.h"
#include "app/editor.h"
#include "app/evaluation.h"
#include "app/files/documents.h"
#include "app/fonts.h"
#include "app/gpu/heatmap.h"
#include "app/item_registry.h"
#include "app/pictures.h"
#include "app/session/folders.h"
#include "app/theme.h"
#include "app/view_state.h"

struct ImGuiContext;
struct ImPlotContext;

namespace attn {

struct PanelRect;
struct View;
struct ViewContext;
class SessionKeeper;

/// What the application asks of the system it runs on. Tests put their own in.
struct Desktop {
  Environment environment = processEnvironment();
  /// Shows a file or folder in the program that the person uses for it. One line where that failed.
  std::function<std::string(const std::filesystem::path&)> open;
};

/// The whole program but for the window it is in: editor, evaluation, what is looked at, and Dear ImGui's
/// context. A platform calls, for each frame: prepare(); newFrameInOrder(); frame(); ImGui::Render().
class Application {
 public:
  explicit Application(SharedScene scene, Desktop desktop = {});
  ~Application();
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  /// Keeps settings and unsaved work in these folders, and takes up what the last start left there.
  void remember(const Folders& folders);
  /// A clean exit: settings are written, and there is nothing to restore.
  void finish();

  /// Brings theme, scale and fonts to what the state says. True when the font atlas is a new one, whose
  /// texture the platform then has to make. Once a frame, before ImGui::NewFrame().
  bool prepare();
  /// Draws everything.
  void frame();
  /// Whether the next frame will differ without any input: something is still on its way.
  bool isAnimating() const {
    return evaluations_.isBusy() || comparison_.isBusy() || documents_.isLoading() || fontMaker_.isBusy() ||
           state_.story.isPlaying || recording_ || state_.labs.isBusy() || expectsTooltip();
  }
  /// Whether there may soon be something to say: worth a look now and then, but no hurry.
  bool expectsNews() const;
  /// Waits for the file that is being read, and for the evaluation of the scene as it then is, with what the
  /// open panels want.
  void settle();
  /// Makes this application's Dear ImGui context the current one.
  void makeCurrent() const;

  /// The scale of the screen, which comes on top of the person's own.
  void setScreenScale(float scale) { screenScale_ = scale; }
  float screenScale() const { return screenScale_; }
  /// Begins to draw the letters for a screen of this scale, beside whatever comes before the first frame.
  void expectScreenScale(float scale);
  /// Shows only this panel, without menu and status bar: for pictures. Empty: the whole window.
  void showOnly(std::string panel) { only_ = std::move(panel); }
  /// Looks at the same evaluation in the same way as another application, enlarged: for pictures.
  void imitate(const Application& other, float factor);
  /// Makes items() tell where everything lies: for tests and lessons.
  void recordItems(bool isOn) { items_.setComplete(isOn); }
  /// Makes them tell where this one lies.
  void watchItem(const std::string& path) { items_.watch(path); }
  const ItemRegistry& items() const { return items_; }

  void requestPicture(std::string panel, int factor);
  /// The picture that the platform has to take of the frame it has just drawn, once.
  std::optional<PictureRequest> takePictureRequest();
  /// Writes the picture and says where it is.
  void keepPicture(const Image& image, const PictureRequest& request);
  /// The last picture that was kept; empty where there is none.
  const std::filesystem::path& lastPicture() const { return lastPicture_; }
  /// Shows a file or folder in the desktop's own way, or says why that does not work.
  void openOnDesktop(const std::filesystem::path& path);
  std::filesystem::path folderOfPictures() const;
  std::vector<std::filesystem::path> foldersForPictures() const;

  /// Puts the panel's numbers on the clipboard.
  void copyPanel(const std::string& panel);

  /// Light or dark, as the desktop is set, from now on.
  void followSystemTheme();

  /// Opens the first scene of the files that were dropped on the window, after the question about unsaved
  /// changes.
  void takeDropped(const std::vector<std::filesystem::path>& files);

  /// "cat.json •", with the dot while there are unsaved changes.
  std::string documentTitle() const;
  void quit() { documents_.quit(); }
  bool isQuitting() const { return documents_.isQuitting(); }

  /// Frees what the graphics card holds, while its context is still there.
  void releaseGraphics() { heatmaps_.release(); }
  /// A line at the bottom of the window until the next one.
  void report(const std::string& line) { state_.status = line; }

  Editor& editor() { return editor_; }
  const Editor& editor() const { return editor_; }
  Documents& documents() { return documents_; }
  const Documents& documents() const { return documents_; }
  ViewState& state() { return state_; }
  const ViewState& state() const { return state_; }
  Evaluations& evaluations() { return evaluations_; }
  const Evaluations& evaluations() const { return evaluations_; }
  /// Records the story that is open, of a panel or (empty) of all panels.
  void record(std::string panel);
  void cancelRecording();
  bool isRecording() const { return recording_ != nullptr; }

  const Comparison& comparison() const { return comparison_; }
  const Heatmaps& heatmaps() const { return heatmaps_; }
  const Theme& theme() const { return theme_; }
  const std::vector<Command>& commands() const { return commands_; }
  /// Null where nothing is remembered.
  SessionKeeper* session() { return session_.get(); }

  /// The ticks that show and hide panels, the recent files and the examples, within the menu that is open.
  void drawPanelMenu();
  void drawRecentMenu();
  void drawExampleMenu();

 private:
  void evaluate();
  void gatherLetters();
  bool renewFonts(bool isScaled);
  void takeReports();
  void drawMenuBar();
  void drawStatusBar();
  void drawStatusLine();
  void drawSplitters(const Arrangement& arrangement);
  void drawPanels(ImVec2 min, ImVec2 size);
  void drawPanel(ViewContext& context, const PanelRect& rect);
  void drawPanelTitle(const PanelRect& rect, const char* tag);
  void drawTabs(const PanelRect& rect, ImVec2 at, float width);
  void drawPanelPopup(const PanelRect& rect);
  void drawWaiting(ImVec2 min, ImVec2 size) const;
  void drawHelp();
  bool expectsTooltip() const;
  float wantedScale() const;
  ViewContext viewContext();
  ViewContext contextFor(const View& view, const ViewContext& present);
  void drawComparison();
  void drawStory();
  void followStory();
  void recordNext();
  void requestFrame(ImVec2 min, ImVec2 size);
  void keepFrame(const Image& image);

  Desktop desktop_;
  ImGuiContext* imgui_ = nullptr;
  ImPlotContext* implot_ = nullptr;
  ItemRegistry items_;
  ImFontAtlas noFonts_;  // until the first frame
  FontMaker fontMaker_;
  std::unique_ptr<Fonts> fonts_;
  Letters letters_;       // of scenes, and of what is typed
  SharedScene lettered_;  // whose letters are among these
  Theme theme_;
  float screenScale_ = 1;
  bool isStyled_ = false;
  bool isCopy_ = false;  // it imitates another one

  Editor editor_;
  Documents documents_;
  Evaluations evaluations_;
  Comparison comparison_;
  StoryPlayer player_;
  std::unique_ptr<Recording> recording_;
  ViewState state_;
  Heatmaps heatmaps_;
  std::unique_ptr<SessionKeeper> session_;
  std::vector<Command> commands_;
  std::optional<PictureRequest> picture_;
  std::filesystem::path lastPicture_;
  std::string only_;
  int generation_ = 0;  // of the documents: another one is another scene to look at
};

}  // namespace attn
