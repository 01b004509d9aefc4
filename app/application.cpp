#include "app/application.h"

#include <imgui.h>
#include <imgui_internal.h>
#include <implot.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/help/hints.h"
#include "app/help/tooltips.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_player.h"
#include "app/platform/system_theme.h"
#include "app/presenter/presenter.h"
#include "app/session_keeper.h"
#include "app/views/head_actions.h"
#include "app/views/number_control.h"
#include "app/views/view.h"
#include "app/views/writing.h"

namespace attn {
namespace {

/// With other letters, what the windows held before says nothing about how much room they need: text that
/// wraps would keep the width that it had.
void forgetContentSizes() {
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    window->DC.CursorMaxPos = window->DC.IdealMaxPos = window->DC.CursorStartPos;
}

}  // namespace

Application::Application(SharedScene scene, Desktop desktop)
    : desktop_(std::move(desktop)),
      editor_(std::move(scene)),
      documents_(editor_, desktop_.environment("HOME").value_or("")),
      commands_(allCommands()) {
  IMGUI_CHECKVERSION();
  imgui_ = ImGui::CreateContext(&noFonts_);
  implot_ = ImPlot::CreateContext();
  makeCurrent();
  attachItems(&items_);
  documents_.setOthers([this](const std::filesystem::path& file) {
    return isLessonFile(file) && (openLessonFile(*this, file), true);
  });
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = io.LogFilename = nullptr;  // what is kept between starts is ours to keep
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
}

Application::~Application() {
  makeCurrent();
  attachItems(nullptr);
  ImPlot::DestroyContext(implot_);
  ImGui::DestroyContext(imgui_);
}

void Application::makeCurrent() const {
  ImGui::SetCurrentContext(imgui_);
  ImPlot::SetCurrentContext(implot_);
}

void Application::remember(const Folders& folders) {
  session_ = std::make_unique<SessionKeeper>(folders, documents_, state_);
  if (!folders.data.empty()) state_.lesson.folder = folders.data / "lessons";
}

bool Application::expectsNews() const {
  const bool hasLessonFile = state_.lesson.open && state_.lesson.open->file;
  return hasLessonFile || (session_ && session_->expectsWarning());
}

void Application::finish() {
  if (session_) session_->finish();
}

bool Application::prepare() {
  if (state_.appearance.followsSystem && !isStyled_) followSystemTheme();
  const Appearance& wanted = state_.appearance;
  const float scale = wantedScale();
  const bool isScaled = !isStyled_ || theme_.scale != scale, isStrong = state_.presenter.isOn;
  if (isScaled || theme_.kind != wanted.theme || theme_.isStrong != isStrong)
    applyStyle(theme_, wanted.theme, scale, isStrong);
  if (isScaled) forgetContentSizes();
  isStyled_ = true;
  return renewFonts(isScaled);
}

/// The letters of another scale have to be there at once; those that a text has brought along come as soon as
/// they are drawn.
bool Application::renewFonts(bool isScaled) {
  gatherLetters();
  if (!isScaled && !fontMaker_.isBusy() && letters_ != fonts_->letters)
    fontMaker_.start(theme_.scale, letters_);
  if (!isScaled && !fontMaker_.isReady()) return false;
  fonts_ = fontMaker_.take(theme_.scale, letters_);
  useFonts(*fonts_, theme_);
  return true;
}

/// From all texts that people bring along.
void Application::gatherLetters() {
  if (lettered_ != editor_.shared()) {
    lettered_ = editor_.shared();
    addLetters(lettered_->title, letters_);
    for (const auto* labels : {&lettered_->queryLabels, &lettered_->keyLabels})
      for (const std::string& label : *labels) addLetters(asWritten(label), letters_);
  }
  addLetters(state_.inputs.text.text.data(), letters_);
  addLetters(state_.inputs.sentence.data(), letters_);
  addLetters(state_.status, letters_);
  for (const std::string* text : {&state_.palette.search, &state_.helpSearch}) addLetters(*text, letters_);
  for (const std::string& file : documents_.recent()) addLetters(file, letters_);
  addLetters(documents_.document().name(), letters_);
  addLessonLetters(state_.lesson, letters_);
  if (!documents_.dialog().isOpen()) return;
  addLetters(documents_.dialog().typed(), letters_);
  for (const FolderEntry& entry : documents_.dialog().entries()) addLetters(entry.name, letters_);
}

void Application::expectScreenScale(float scale) {
  gatherLetters();
  fontMaker_.start(state_.appearance.scale * scale, letters_);
}

/// While presenting, the body type is a thirtieth of the window's height, without the room that its lines have
/// above and below, and the lines of the small type are as high as that; more where the person's own scale
/// asks for it. In steps: new letters are drawn for each.
float Application::wantedScale() const {
  constexpr float kBodyType = 16, kLetters = 0.82f, kLines = 30, kSteps = 20;
  const float scale = state_.appearance.scale * screenScale_, height = ImGui::GetIO().DisplaySize.y;
  if (!state_.presenter.isOn || !only_.empty() || !(height > 0)) return scale;
  return std::max(scale, std::ceil(kSteps * height / (kLines * kLetters * kBodyType)) / kSteps);
}

void Application::followSystemTheme() {
  state_.appearance.followsSystem = true;
  state_.appearance.theme = systemTheme(desktop_.environment);
}

/// Asks for what the visible panels draw, for the scene as it is now.
void Application::evaluate() {
  Wanted wanted = Wanted::outputOnly();
  wanted.measures = false;
  const std::vector<std::string> inSight =
      only_.empty() ? panelsInSight(state_.layout) : std::vector<std::string>{only_};
  const std::vector<std::string> presented =
      state_.presenter.hasAudience ? panelsInSight(state_.presenter.kept) : std::vector<std::string>{};
  for (const View& view : allViews()) {
    const bool isVisible = std::find(inSight.begin(), inSight.end(), view.title) != inSight.end() ||
                           std::find(presented.begin(), presented.end(), view.title) != presented.end();
    if (isVisible && view.want) view.want(state_, wanted);
    // The audience's window shares what the labs of the person's have computed.
    if (isVisible && view.follow && !isCopy_) view.follow(state_, editor_.scene());
  }
  evaluations_.request(editor_.shared(), wanted);
  comparison_.request(state_.compare, wanted);
}

void Application::settle() {
  documents_.settle();
  evaluate();
  evaluations_.settle();
  comparison_.settle();
  state_.labs.settle();
  gatherLetters();
  if (fonts_ && !fontMaker_.isBusy() && letters_ != fonts_->letters) fontMaker_.start(theme_.scale, letters_);
  fontMaker_.settle();
}

void Application::imitate(const Application& other, float factor) {
  isCopy_ = true;
  state_ = other.state_;
  state_.compare.position = 1;  // the scene is what the other one shows
  comparison_.adopt(other.comparison_);
  state_.story = {.caption = other.state_.story.caption};
  screenScale_ = other.screenScale_ * factor;
  if (const auto& shown = other.evaluations_.current()) {
    editor_.open(shown->scene);
    evaluations_.adopt(shown);
  }
}

void Application::takeDropped(const std::vector<std::filesystem::path>& files) {
  if (files.empty()) return;
  const auto lesson = std::find_if(files.begin(), files.end(), isLessonFile);
  if (lesson != files.end()) return void(openLessonFile(*this, *lesson));
  const auto isScene = [](const std::filesystem::path& file) {
    return file.extension() == ".json" || file.extension() == ".npz";
  };
  const auto scene = std::find_if(files.begin(), files.end(), isScene);
  documents_.open(scene == files.end() ? files.front() : *scene);  // which then says what is wrong with it
}

std::string Application::documentTitle() const {
  const bool isNew = documents_.document().file().empty();
  const std::string name = isNew ? editor_.scene().title : documents_.document().name();
  return (name.empty() ? "untitled" : name) + (documents_.isModified() ? " •" : "");
}

ViewContext Application::viewContext() {
  const std::shared_ptr<const Evaluation>& evaluation = evaluations_.current();
  return {editor_.scene(),
          evaluation,
          *evaluation->scene,
          evaluation->results,
          state_,
          editor_,
          theme_,
          heatmaps_,
          Showing::present,
          evaluation,
          comparison_.pinned(state_.compare)};
}

void Application::takeReports() {
  if (documents_.generation() != generation_) {
    generation_ = documents_.generation();
    state_.selection = {};
    state_.presenter.slide.reset();
    state_.presenter.revealed.clear();
  }
  for (const std::string& line : {session_ ? session_->takeWarning() : "", documents_.takeReport()})
    if (!line.empty()) report(line);
}

void Application::frame() {
  items_.turnPage();
  if (!only_.empty()) state_.formulaBar.isShown = false;  // there is no bar above a single panel
  heatmaps_.beginFrame();
  useDecimalComma(state_.notation.decimalComma);
  followPresenterKeys(*this);
  runShortcuts(*this);
  documents_.poll();
  if (!isCopy_) followLessons(*this);
  evaluations_.poll();
  comparison_.poll();
  state_.labs.poll();
  comparison_.follow(editor_, state_.compare);
  followStory();
  takeReports();
  evaluate();
  state_.hover = std::exchange(state_.nextHover, {});
  if (const auto& current = evaluations_.current()) {
    const Shapes& shapes = current->results.shapes;
    chooseNext(state_, shapes.heads, evaluations_.isBusy());
    state_.selection.head = std::clamp<Index>(state_.selection.head, 0, shapes.heads - 1);
    state_.selection.query = std::clamp<Index>(state_.selection.query, 0, shapes.queries - 1);
  }
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  if (only_.empty() && !state_.presenter.isOn) {
    drawMenuBar();
    drawFormulaBar(state_, editor_.scene(), theme_);
    drawComparison();
    drawStatusBar();
    drawStory();
  }
  const ImVec2 room = {viewport.WorkSize.x, viewport.WorkSize.y - slideStripHeight(*this)};
  drawPanels(viewport.WorkPos, room);
  requestFrame(viewport.WorkPos, room);
  drawLessonPointer(*this);
  drawHelp();
  drawPalette(*this);
  documents_.draw(theme_);
  if (session_ && !documents_.isBusy()) session_->draw(theme_);
  drawPresenter(*this);
  followHints(*this);
  drawTooltip(*this);
  if (!ImGui::IsAnyItemActive()) editor_.endGesture();
  if (session_) session_->frame(ImGui::GetTime());
}

}  // namespace attn
