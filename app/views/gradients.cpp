#include "app/views/gradients.h"

#include <imgui.h>

#include <algorithm>

#include "app/views/gradients_pages.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

using Page = GradientsState::Page;

void drawPage(ViewContext& context, Page page) {
  switch (page) {
    case Page::all:
      return drawAllNorms(context);
    case Page::heads:
      return drawHeadNorms(context);
    case Page::rows:
      return drawRowNorms(context);
    case Page::edits:
      return drawNormStrip(context);
    case Page::upstream:
      return drawUpstream(context);
  }
}

void drawChild(ViewContext& context, const char* name, ImVec2 size, Page page) {
  ImGui::BeginChild(name, size, false, kPart);
  drawPage(context, page);
  ImGui::EndChild();
}

/// The bars, beneath them the strip of edits where the panel is high enough for both.
void drawWithStrip(ViewContext& context, Page page) {
  const float height = ImGui::GetContentRegionAvail().y, font = ImGui::GetFontSize();
  const bool hasStrip = height > 17 * font && page != Page::edits && page != Page::upstream;
  if (!hasStrip) return drawPage(context, page);
  const float strip = std::max(6.5f * font, height * 0.4f);
  drawChild(context, "bars", {0, height - strip - ImGui::GetStyle().ItemSpacing.y}, page);
  drawChild(context, "strip", {0, 0}, Page::edits);
}

void drawPages(ViewContext& context, Page chosen) {
  const float width = ImGui::GetContentRegionAvail().x, font = ImGui::GetFontSize();
  if (width < 40 * font) return drawWithStrip(context, chosen);
  ImGui::BeginChild("left", {width * 0.45f, 0}, false, kPart);
  drawWithStrip(context, chosen == Page::upstream ? Page::all : chosen);
  ImGui::EndChild();
  ImGui::SameLine(0, font);
  const Page beside = chosen == Page::upstream ? Page::upstream
                      : chosen == Page::rows   ? Page::all
                                               : Page::rows;
  drawChild(context, "right", {0, 0}, beside);
}

}  // namespace

void drawGradients(ViewContext& context) {
  GradientsState& state = context.state.gradients;
  if (!context.editor.isLooking())
    state.history.record(context.evaluation->scene, context.results, ImGui::GetTime());
  const char* const names[] = {"all", "heads", "rows", "edits", "upstream"};
  int page = static_cast<int>(state.page);
  if (pages(context.theme, page, names)) state.page = static_cast<Page>(page);
  if (!context.results.made.backward) return hint("The way back is being computed…");
  drawPages(context, state.page);
}

void wantGradients(const ViewState&, Wanted& wanted) {
  wanted.backward = wanted.measures = true;  // norms are measures: nobody else may be asking for them
  wanted.dProbs = wanted.dScores = true;
}

}  // namespace attn
