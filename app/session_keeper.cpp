#include "app/session_keeper.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/lessons/lesson_layout.h"
#include "app/theme.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/error.h"

namespace attn {
namespace fs = std::filesystem;

namespace {

constexpr double kSecondsBetweenWrites = 2;
const std::string kOfLesson = " > ";  // "000-1-dot-product > Three dot products"

fs::path inFolder(const fs::path& folder, const char* name) {
  return folder.empty() ? folder : folder / name;
}

std::vector<std::string> knownPanels() {
  std::vector<std::string> titles;
  for (const View& view : allViews()) titles.push_back(view.title);
  return titles;
}

}  // namespace

SessionKeeper::SessionKeeper(const Folders& folders, Documents& documents, ViewState& state)
    : documents_(documents),
      state_(state),
      settings_(inFolder(folders.config, "settings.json")),
      autosave_(inFolder(folders.state, "autosave")) {
  warning_ = settings_.warning();
  apply(settings_.loaded());
  if (!folders.state.empty()) offers_ = findRestoreOffers(folders.state / "autosave");
}

void SessionKeeper::apply(const Settings& settings) {
  Appearance& appearance = state_.appearance;
  appearance.followsSystem = settings.theme == Settings::Theme::system;
  if (!appearance.followsSystem)
    appearance.theme = settings.theme == Settings::Theme::dark ? ThemeKind::dark : ThemeKind::light;
  appearance.scale = static_cast<float>(settings.uiScale);
  state_.window = {settings.windowWidth, settings.windowHeight};
  documents_.recent() = settings.recentFiles;
  state_.notation = {settings.digits, settings.decimalComma, settings.firstToken, settings.queryAsColumn};
  for (const std::string& panel : knownPanels())
    state_.maps.options[panel].isTransposed = settings.queryAsColumn;
  state_.formulaBar.isShown = settings.showsFormula;
  for (const std::string& line : settings.lessonsSolved)
    if (const std::size_t mark = line.find(kOfLesson); mark != std::string::npos)
      state_.lesson.solved[line.substr(0, mark)].insert(line.substr(mark + kOfLesson.size()));
  state_.lesson.last = settings.lessonLast;
  state_.hints.areOn = true;
  state_.hints.done = {settings.hintsDone.begin(), settings.hintsDone.end()};
  if (settings.layout.empty()) return;
  try {
    state_.layout = readLayout(settings.layout, knownPanels());
  } catch (const Error& error) {
    warning_ = error.what();  // the default layout stays
  }
}

Settings SessionKeeper::gather() const {
  Settings settings = settings_.loaded();
  const Appearance& appearance = state_.appearance;
  settings.theme = appearance.followsSystem              ? Settings::Theme::system
                   : appearance.theme == ThemeKind::dark ? Settings::Theme::dark
                                                         : Settings::Theme::light;
  settings.uiScale = std::clamp(static_cast<double>(appearance.scale), 0.5, 4.0);
  settings.queryAsColumn = state_.notation.queriesAreColumns;
  settings.firstToken = state_.notation.first;
  settings.digits = state_.notation.digits;
  settings.decimalComma = state_.notation.decimalComma;
  settings.showsFormula = state_.formulaBar.isShown;
  const Layout& layout = layoutToKeep(state_);
  settings.layout = writeLayout(layout);
  settings.hiddenPanels = layout.hidden;
  settings.recentFiles = documents_.recent();
  settings.lessonsSolved.clear();
  for (const auto& [lesson, steps] : state_.lesson.solved)
    for (const std::string& step : steps) settings.lessonsSolved.push_back(lesson + kOfLesson + step);
  settings.lessonLast = state_.lesson.last;
  settings.hintsDone = {state_.hints.done.begin(), state_.hints.done.end()};
  settings.windowWidth = std::clamp(state_.window.width, 1, 100000);
  settings.windowHeight = std::clamp(state_.window.height, 1, 100000);
  return settings;
}

void SessionKeeper::frame(double seconds) {
  autosave_.watch(documents_.ownScene(), documents_.isOwnModified(), documents_.ownDocument().file());
  std::string trouble = autosave_.takeWarning();
  if (seconds - lastWrite_ >= kSecondsBetweenWrites) {
    lastWrite_ = seconds;
    const std::string failure = settings_.save(gather());
    if (trouble.empty()) trouble = failure;
  }
  if (!trouble.empty()) warning_ = trouble;
}

void SessionKeeper::finish() {
  settings_.save(gather());
  autosave_.finish();
}

void SessionKeeper::restore() {
  RestoreOffer& offer = offers_.front();
  try {
    documents_.restore(offer.scene(), offer.document());
    autosave_.watch(documents_.ownScene(), true, documents_.document().file());
    autosave_.settle();  // the scene has a new file before the old one goes
    offer.discard();
    offers_.clear();
  } catch (const Error& error) {
    warning_ = error.what();
    offers_.erase(offers_.begin());
  }
}

void SessionKeeper::discard() {
  offers_.front().discard();
  offers_.erase(offers_.begin());
}

void SessionKeeper::draw(const Theme& theme) {
  constexpr const char* kTitle = "Restore unsaved work?";
  constexpr auto kFlags =
      ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove;
  if (isAsking() && !ImGui::IsPopupOpen(kTitle)) ImGui::OpenPopup(kTitle);
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(kTitle, nullptr, kFlags)) return;
  if (isAsking()) {
    const RestoreOffer& offer = offers_.front();
    const std::string name =
        offer.document().empty() ? "a scene without a file" : offer.document().filename().string();
    ImGui::Text("The program ended before %s was saved.", name.c_str());
    ImGui::TextColored(theme.faint, "Its last state is of %s.", timeText(offer.time()).c_str());
    ImGui::Spacing();
    const bool restores = ImGui::Button("Restore");
    startHere();
    ImGui::SameLine();
    const bool discards = ImGui::Button("Throw away");
    ImGui::SameLine();
    const bool waits = ImGui::Button("Ask next time") || ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    if (restores)
      restore();
    else if (discards)
      discard();
    else if (waits)
      later();
  }
  if (!isAsking()) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

std::string SessionKeeper::takeWarning() {
  return std::exchange(warning_, "");
}

}  // namespace attn
