#include "app/views/compare.h"

#include <imgui.h>

#include <cmath>
#include <limits>

#include "app/comparison.h"
#include "app/item_registry.h"
#include "app/views/labels.h"
#include "app/views/number_control.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/edits/blend.h"
#include "core/measures/difference.h"

namespace attn {
namespace {

void chooseShowing(Showing& showing) {
  const auto choice = [&](const char* label, Showing one, const char* meaning) {
    if (ImGui::RadioButton(label, showing == one)) showing = one;
    ImGui::SetItemTooltip("%s", meaning);
    ImGui::SameLine();
  };
  choice("A", Showing::pinned, "Maps show the state that was pinned");
  choice("B", Showing::present, "Maps show the present state");
  choice("B − A", Showing::difference, "Maps show what changed from the pinned state to the present one");
}

void drawSlider(ViewContext& context, const Comparison& comparison) {
  CompareState& state = context.state.compare;
  const float font = ImGui::GetFontSize();
  const bool isBlocked = !comparison.obstacle().empty();
  ImGui::BeginDisabled(isBlocked);
  ImGui::SetNextItemWidth(11 * font);
  slideNumber("##position", state.position, {0, 1},
              state.position == 1 ? "drag towards A" : "%.2f from A to B", ImGuiSliderFlags_AlwaysClamp);
  ImGui::EndDisabled();
  if (!isBlocked)
    ImGui::SetItemTooltip(
        "What lies between A and B, number by number, and all that follows from it.\n"
        "It only looks: the scene stays B, until something is changed or the in-between is kept.");
  ImGui::SameLine();
  ImGui::BeginDisabled(!context.editor.isLooking());
  if (ImGui::Button("Keep")) context.editor.keepLooked();
  ImGui::SetItemTooltip("What is seen becomes the present state, in one step");
  ImGui::EndDisabled();
  ImGui::SameLine();
}

/// What differs between A and B is the answer of a lesson that asks for the mistake.
bool isMistakeToBeFound(const LessonState& lesson) {
  return lesson.open && !lesson.isElsewhere && lesson.open->present().wrong &&
         lesson.open->present().question && lesson.open->presentWork().isOpen();
}

std::string note(const ViewContext& context, const Comparison& comparison) {
  if (!context.pinned) return "A is being computed…";
  if (isMistakeToBeFound(context.state.lesson)) return "";
  if (!comparison.obstacle().empty()) return comparison.obstacle() + ": nothing lies between";
  if (!comparison.switching().empty()) return "switching in the middle: " + comparison.switching();
  return "";
}

}  // namespace

void drawCompareBar(ViewContext& context, const Comparison& comparison) {
  CompareState& state = context.state.compare;
  const std::string title = state.pinned->title.empty() ? "untitled" : state.pinned->title;
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(context.theme.accent, "A pinned: %s", elided(title, 14 * ImGui::GetFontSize()).c_str());
  ImGui::SameLine(0, 1.2f * ImGui::GetFontSize());
  chooseShowing(state.showing);
  ImGui::SameLine(0, 1.2f * ImGui::GetFontSize());
  drawSlider(context, comparison);
  if (ImGui::Button("Unpin")) state.pinned.reset();
  ImGui::SetItemTooltip("Forgets A");
  ImGui::SameLine();
  const std::string text = note(context, comparison);
  ImGui::TextDisabled("%s", elided(text, ImGui::GetContentRegionAvail().x).c_str());
  if (text.empty()) return;
  nameRect("note", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  ImGui::SetItemTooltip("%s", text.c_str());
}

const char* showingText(const ViewContext& context) {
  return context.showing == Showing::pinned ? "A" : showsDifference(context) ? "B − A" : "";
}

bool showsDifference(const ViewContext& context) {
  return context.showing == Showing::difference;
}

void hintNoDifference(const ViewContext& context) {
  if (!showsDifference(context) || !context.pinned) return;
  const std::string counts = shapeDifference(context.pinned->results.shapes, context.results.shapes);
  const std::string why =
      counts.empty() ? "A and B do not both have these numbers" : counts + ": there is no difference to show";
  hint(why.c_str());
}

float pinnedNumber(const ViewContext& context, const float* number) {
  const float* found =
      context.pinned ? sameNumber(context.present->results, number, context.pinned->results) : nullptr;
  return found ? *found : std::numeric_limits<float>::quiet_NaN();
}

std::string operandsText(const ViewContext& context, const float* difference) {
  if (!showsDifference(context) || !context.pinned) return "";
  const float* a = sameNumber(context.results, difference, context.pinned->results);
  const float* b = sameNumber(context.results, difference, context.present->results);
  if (!a || !b) return "";
  const std::string minus = *a < 0 ? " − (" : " − ";
  const auto text = [&](float x) { return numberText(context.state.notation, static_cast<double>(x), 4); };
  return text(*b) + minus + text(*a) + (*a < 0 ? ")" : "");
}

}  // namespace attn
