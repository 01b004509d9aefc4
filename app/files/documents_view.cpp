// The questions and signs about files, as they look.
#include <imgui.h>

#include "app/files/documents.h"
#include "app/theme.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

constexpr auto kModal =
    ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove;
constexpr const char* kQuestion = "Unsaved changes";
constexpr const char* kLoading = "Opening";

bool beginModal(const char* title) {
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  return ImGui::BeginPopupModal(title, nullptr, kModal);
}

}  // namespace

void Documents::draw(const Theme& theme) {
  drawQuestion(theme);
  drawLoading();
  const bool wasOpen = dialog_.isOpen();
  dialog_.draw(theme);
  if (wasOpen && !dialog_.isOpen()) answerCancel();  // no name, no save: all stays as it is
  if (pending_ && !dialog_.isOpen() && !ImGui::IsPopupOpen(kQuestion)) ImGui::OpenPopup(kQuestion);
}

void Documents::drawQuestion(const Theme& theme) {
  if (!beginModal(kQuestion)) return;
  ImGui::Text("%s has changes that are not saved.", document_.name().c_str());
  ImGui::TextColored(theme.faint, "They are lost if you go on without saving.");
  ImGui::Spacing();
  const bool saves = ImGui::Button(document_.file().empty() ? "Save as…" : "Save");
  startHere();
  ImGui::SameLine();
  const bool discards = ImGui::Button("Discard changes");
  ImGui::SameLine();
  const bool cancels = ImGui::Button("Cancel") || ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  if (saves || discards || cancels || !isAsking()) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  if (saves)
    answerSave();
  else if (discards)
    answerDiscard();
  else if (cancels)
    answerCancel();
}

/// Keeps edits away from a scene that is about to be replaced, and lets the person change their mind.
void Documents::drawLoading() {
  if (loader_.isBusy() && !ImGui::IsPopupOpen(kLoading)) ImGui::OpenPopup(kLoading);
  if (!beginModal(kLoading)) return;
  ImGui::Text("Reading %s …", loader_.file().filename().string().c_str());
  const bool cancels = ImGui::Button("Cancel") || ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  if (cancels) loader_.cancel();
  if (!loader_.isBusy()) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace attn
