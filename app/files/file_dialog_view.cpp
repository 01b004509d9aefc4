// How the file dialog looks, and how its keys work: Tab completes, arrows choose, Enter accepts, Alt+Up goes
// up.
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/files/file_dialog.h"
#include "app/theme.h"

namespace attn {
namespace fs = std::filesystem;

namespace {

const char* titleOf(FileDialog::Purpose purpose) {
  return purpose == FileDialog::Purpose::open ? "Open a scene" : "Save the scene as";
}

}  // namespace

void FileDialog::draw(const Theme& theme) {
  const char* title = titleOf(purpose_);
  if (std::exchange(isNew_, false)) ImGui::OpenPopup(title);
  if (!ImGui::IsPopupOpen(title)) return;
  const ImGuiViewport& screen = *ImGui::GetMainViewport();
  const float line = ImGui::GetFontSize();
  const ImVec2 room(screen.WorkSize.x - 2 * line, screen.WorkSize.y - 2 * line);
  ImGui::SetNextWindowPos(screen.GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(
      {std::max(1.0f, std::min(46 * line, room.x)), std::max(1.0f, std::min(32 * line, room.y))});
  constexpr auto kFlags =
      ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove;
  bool staysOpen = true;
  if (!ImGui::BeginPopupModal(title, &staysOpen, kFlags)) {
    if (isOpen_) cancel();
    return;
  }
  drawPlaces();
  const float foot = 4 * ImGui::GetFrameHeightWithSpacing();
  drawList(theme, std::max(line, ImGui::GetContentRegionAvail().y - foot));
  drawPath();
  drawFoot(theme);
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false) || !staysOpen) cancel();
  if (!isOpen_) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

/// The way to the folder as buttons, so that one press goes to any folder above.
void FileDialog::drawPlaces() {
  if (ImGui::Button("Home") && !home_.empty()) enter(home_);
  ImGui::SameLine();
  const bool isUp = ImGui::GetIO().KeyAlt && ImGui::IsKeyPressed(ImGuiKey_UpArrow, false);
  if (ImGui::Button("Up") || isUp) enter(folder_.parent_path());
  ImGui::SetItemTooltip("To the folder above (Alt+Up)");
  std::vector<fs::path> places;
  for (fs::path place = folder_; place.has_relative_path(); place = place.parent_path())
    places.push_back(place);
  places.push_back("/");
  constexpr std::size_t kMostPlaces = 6;
  places.resize(std::min(places.size(), kMostPlaces));
  std::reverse(places.begin(), places.end());
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::string name = places[i].has_filename() ? places[i].filename().string() : "/";
    const float width = ImGui::CalcTextSize(name.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    const bool fits = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width < right;
    if (fits) ImGui::SameLine();
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Button(name.c_str())) enter(fs::path(places[i]));
    ImGui::PopID();
  }
}

void FileDialog::drawList(const Theme& theme, float height) {
  constexpr auto kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersOuter | ImGuiTableFlags_RowBg |
                          ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("##files", 3, kFlags, {0, height})) return;
  const float line = ImGui::GetFontSize();
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("Name", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("Size", ImGuiTableColumnFlags_WidthFixed, 5 * line);
  ImGui::TableSetupColumn("Changed", ImGuiTableColumnFlags_WidthFixed, 9 * line);
  ImGui::TableHeadersRow();
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(entries_.size()));
  if (scrollsToChoice_ && chosen_ >= 0) clipper.IncludeItemByIndex(chosen_);
  bool isStale = false;  // the list is another one after a folder was entered
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd && !isStale; ++i) {
      const fs::path before = folder_;
      drawEntry(static_cast<std::size_t>(i));
      isStale = !isOpen_ || folder_ != before;
    }
  if (entries_.empty()) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(theme.faint, rules_.showsAllFiles ? "nothing here" : "no scenes here");
  }
  ImGui::EndTable();
}

void FileDialog::drawEntry(std::size_t index) {
  const FolderEntry entry = entries_[index];  // a copy: entering a folder replaces the list
  const bool isChosen = static_cast<int>(index) == chosen_;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const std::string label = entry.name + (entry.isFolder ? "/" : "");
  constexpr auto kFlags = ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick |
                          ImGuiSelectableFlags_DontClosePopups;
  const bool isPressed = ImGui::Selectable(label.c_str(), isChosen, kFlags);
  if (isChosen && std::exchange(scrollsToChoice_, false)) ImGui::SetScrollHereY();
  ImGui::TableNextColumn();
  if (!entry.isFolder) ImGui::TextDisabled("%s", bytesText(entry.bytes).c_str());
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", timeText(entry.time).c_str());
  if (!isPressed) return;
  choose(index);
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) accept();
}

void FileDialog::drawPath() {
  const auto onKey = [](ImGuiInputTextCallbackData* data) {
    FileDialog& dialog = *static_cast<FileDialog*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
      dialog.typed_.assign(data->Buf, static_cast<std::size_t>(data->BufTextLen));
      dialog.complete();
    } else if (!ImGui::GetIO().KeyAlt) {
      dialog.moveChoice(data->EventKey == ImGuiKey_UpArrow ? -1 : 1);
    }
    const std::string typed = dialog.typed_;
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, typed.c_str());
    return 0;
  };
  constexpr auto kFlags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion |
                          ImGuiInputTextFlags_CallbackHistory;
  if (std::exchange(wantsFocus_, false)) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  char buffer[4096] = {};
  typed_.copy(buffer, sizeof buffer - 1);
  const bool isAccepted = ImGui::InputTextWithHint("##path", "a name or a path; Tab completes", buffer,
                                                   sizeof buffer, kFlags, onKey, this);
  if (typed_ != buffer) setTyped(buffer);
  if (isAccepted) accept();
}

void FileDialog::drawFoot(const Theme& theme) {
  if (ImGui::Checkbox("all files", &rules_.showsAllFiles)) refresh();
  ImGui::SameLine();
  if (ImGui::Checkbox("hidden files", &rules_.showsHidden)) refresh();
  if (!toReplace_.empty())
    ImGui::TextColored(theme.warning, "%s exists. Replace it?", toReplace_.filename().string().c_str());
  else
    ImGui::TextColored(theme.warning, "%s", error_.c_str());
  const char* verb = purpose_ == Purpose::open ? "Open" : toReplace_.empty() ? "Save" : "Replace";
  if (isOpen_ && ImGui::Button(verb)) accept();
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) cancel();
}

}  // namespace attn
