#include "app/views/explain.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/item_registry.h"
#include "app/lessons/lesson_answers.h"
#include "app/views/explain_page.h"
#include "app/views/explain_words.h"
#include "app/views/formula_view.h"
#include "app/views/labels.h"
#include "app/views/view.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

using Words = ExplainPage::Words;

/// Whether the derivation sums a whole column of dScaledScores: it is quick where these are kept.
bool sumsColumn(Stage stage) {
  return stage == Stage::dK || stage == Stage::dX || stage == Stage::dOther || stage == Stage::dWk;
}

bool isReady(const Evaluation& evaluation, const Cell& cell) {
  const Results& results = evaluation.results;
  if (results.probs.empty() || (sumsColumn(cell.stage) && results.d.scaledScores.empty())) return false;
  return cell.stage < Stage::dOut || results.d.out.size() > 0;
}

/// The cell, or the nearest that the scene still has; a stage that it no longer has gives way to the weights.
Cell usableCell(const Scene& scene, Cell cell) {
  if (stageShape(scene, cell.stage).heads == 0) cell.stage = Stage::probs;
  const StageShape shape = stageShape(scene, cell.stage);
  cell.head = std::clamp<Index>(cell.head, 0, shape.heads - 1);
  cell.row = std::clamp<Index>(cell.row, 0, shape.rows - 1);
  cell.col = std::clamp<Index>(cell.col, 0, shape.cols - 1);
  return cell;
}

/// Made again only for other numbers, another cell or another width.
const ExplainPage& keptPage(ViewContext& context, float width) {
  ExplainState& state = context.state.explain;
  const ExplainPage::Key key{context.evaluation->serial,
                             usableCell(context.shown, state.cell),
                             context.state.notation,
                             state.isComplete,
                             width,
                             context.theme.scale};
  if (!state.page || !(state.page->key == key))
    state.page = std::make_shared<const ExplainPage>(
        layOutPage(context.theme, context.shown, printExplanation(*context.evaluation, context.state), key));
  state.steps = state.page->steps;
  return *state.page;
}

bool isUnfolded(const ExplainState& state, int step) {
  return !state.shown || step <= *state.shown;
}

void follow(ViewContext& context, const ExplainPage& page, int part) {
  if (part == PrintedDerivation::kLeftOut)
    context.state.explain.isComplete = true;
  else
    explainCell(context.state, page.printed.targets[static_cast<std::size_t>(part - 1)]);
}

// Above the derivation: the way back, the cell and its number, and what can be done.

bool smallButton(const char* label, bool isEnabled, const char* tooltip) {
  ImGui::BeginDisabled(!isEnabled);
  const bool isClicked = ImGui::SmallButton(label);
  ImGui::EndDisabled();
  ImGui::SetItemTooltip("%s", tooltip);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  return isClicked;
}

void drawTitle(ViewContext& context, const ExplainPage& page) {
  ExplainState& state = context.state.explain;
  if (smallButton("←", !state.history.empty(), "Back to the cell before (Alt+←)"))
    explainBefore(context.state);
  const bool isDone = !state.shown || *state.shown >= page.steps;
  const std::string result = isDone ? page.printed.sections.back().lines.back().result.text : "?";
  const std::string words = cellWords(context.state.notation, context.shown, page.key.cell);
  ImGui::PushFont(context.theme.heading);
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize((" = " + result).c_str()).x;
  ImGui::TextUnformatted((elided(words, room) + " = " + result).c_str());
  ImGui::PopFont();
  ImGui::SetItemTooltip("%s = %s", words.c_str(), result.c_str());
}

void drawTools(ViewContext& context, const ExplainPage& page) {
  ExplainState& state = context.state.explain;
  if (smallButton("◀", !state.shown || *state.shown > 1, "Fold the last step away (Page up)"))
    stepBack(context.state);
  if (smallButton("▶", !state.shown || *state.shown < page.steps, "Unfold step by step (Page down)"))
    stepForward(context.state);
  if (state.shown) {
    ImGui::TextDisabled("%d / %d", *state.shown, page.steps);
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    if (smallButton("all", true, "The whole derivation at once")) state.shown.reset();
  }
  if ((page.printed.hasLeftOut || state.isComplete) &&
      smallButton(state.isComplete ? "brief" : "every term", true,
                  "Long sums and rows of like steps with nothing left out, or with their ends only"))
    state.isComplete = !state.isComplete;
  if (smallButton("copy", true, "Copy the derivation as text")) {
    ImGui::SetClipboardText(textOf(page.printed).c_str());
    context.state.status = "The derivation copied as text";
  }
  if (smallButton("LaTeX", true, "Copy the derivation as LaTeX")) {
    ImGui::SetClipboardText(latexOf(page.printed).c_str());
    context.state.status = "The derivation copied as LaTeX";
  }
  ImGui::NewLine();
}

// The derivation.

void paintLinkMark(const ViewContext& context, const FormulaRect& rect, ImVec2 origin, bool isStrong) {
  const float unit = context.theme.unit, y = std::round(origin.y + rect.bottom() + unit);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = ImGui::GetColorU32(context.theme.accent);
  if (isStrong)
    list.AddRect({origin.x + rect.x - 3 * unit, origin.y + rect.y - 3 * unit},
                 {origin.x + rect.right() + 3 * unit, y + 2 * unit}, ink, 3 * unit, 0, 2 * unit);
  else
    list.AddRectFilled({origin.x + rect.x, y}, {origin.x + rect.right(), y + std::max(1.0f, unit)}, ink);
}

void paintPieces(const ViewContext& context, const ExplainPage& page, ImVec2 origin, std::size_t hotPiece,
                 int hotPart) {
  const Theme& theme = context.theme;
  const ExplainState& state = context.state.explain;
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowSize().y;
  for (std::size_t n = 0; n < page.pieces.size(); ++n) {
    const ExplainPage::Piece& piece = page.pieces[n];
    const float y = origin.y + piece.y;
    if (!isUnfolded(state, piece.step) || y > bottom || y + piece.layout.height() < top) continue;
    const bool isNewest = state.shown && piece.step == *state.shown;
    const ImVec4& plain = piece.isAlarm ? theme.warning : isNewest ? theme.accent : theme.text;
    paintFormula(theme, *ImGui::GetWindowDrawList(), {origin.x + piece.x, y}, piece.layout, [&](int part) {
      return ImGui::GetColorU32(n == hotPiece && part >= 0 && part == hotPart ? theme.accent : plain);
    });
  }
}

/// True when steps that were folded for their likeness are asked for.
bool paintWords(const ViewContext& context, const ExplainPage& page, ImVec2 origin, bool isPointedAt) {
  const Theme& theme = context.theme;
  bool isAsked = false;
  for (const Words& words : page.words) {
    if (!isUnfolded(context.state.explain, words.step)) continue;
    const bool isHeading = words.kind == Words::Kind::heading, isFolded = words.kind == Words::Kind::folded;
    ImFont* font = isHeading ? theme.heading : theme.small;
    const ImVec2 at(origin.x + words.x, origin.y + words.y);
    const bool isHot =
        isFolded && isPointedAt && ImGui::IsMouseHoveringRect(at, {at.x + words.width, at.y + words.height});
    const ImVec4& ink = words.kind == Words::Kind::alarm ? theme.warning
                        : isHot                          ? theme.accent
                        : isHeading                      ? theme.text
                                                         : theme.faint;
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, at, ImGui::GetColorU32(ink), words.text.c_str(),
                                        nullptr, words.width);
    if (isHot) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    isAsked |= isHot && ImGui::IsMouseReleased(ImGuiMouseButton_Left);
  }
  return isAsked;
}

/// The link under the mouse, −1 where there is none.
int linkAt(const ExplainState& state, const ExplainPage& page, FormulaPoint place, float reach) {
  for (std::size_t n = 0; n < page.links.size(); ++n) {
    const FormulaRect& r = page.links[n].rect;
    const FormulaRect wide{r.x - reach, r.y - reach, r.width + 2 * reach, r.height + 2 * reach};
    if (isUnfolded(state, page.links[n].step) && wide.contains(place)) return static_cast<int>(n);
  }
  return -1;
}

void tellOfLink(const ViewContext& context, const ExplainPage& page, const ExplainPage::Link& link) {
  if (link.part == PrintedDerivation::kLeftOut) return ImGui::SetTooltip("Click to see every term");
  const Cell& target = page.printed.targets[static_cast<std::size_t>(link.part - 1)];
  ImGui::SetTooltip("%s\nClick to see where it comes from",
                    cellWords(context.state.notation, context.shown, target).c_str());
}

/// Left and right go from operand to operand, Enter explains it, Backspace goes back; Page up and down step.
void followKeys(ViewContext& context, const ExplainPage& page, ImGuiID item) {
  if (context.state.panels.hasCome) takeKeyboard(item);
  const ImGuiContext& g = *GImGui;
  const ImGuiWindow* panel = ImGui::GetCurrentWindow()->RootWindow;
  const bool isHere = g.NavWindow && g.NavWindow->RootWindow == panel;
  if (!isHere || g.ActiveId != 0 || ImGui::GetIO().WantTextInput || ImGui::GetIO().KeyCtrl) return;
  ExplainState& state = context.state.explain;
  const auto isPressed = [&](ImGuiKey key) {
    ImGui::SetKeyOwner(key, item);
    return ImGui::IsKeyPressed(key, true);
  };
  if (ImGui::GetIO().KeyAlt || ImGui::GetIO().KeyShift) return;
  if (isPressed(ImGuiKey_PageDown)) stepForward(context.state);
  if (isPressed(ImGuiKey_PageUp)) stepBack(context.state);
  if (g.NavId != item || g.NavDisableHighlight) return;
  const int count = static_cast<int>(page.links.size());
  const auto move = [&](int by) {
    int next = state.link + by;
    while (next >= 0 && next < count && !isUnfolded(state, page.links[static_cast<std::size_t>(next)].step))
      next += by;
    if (next >= 0 && next < count) state.link = next;
  };
  if (isPressed(ImGuiKey_RightArrow)) move(1);
  if (isPressed(ImGuiKey_LeftArrow)) move(-1);
  if (isPressed(ImGuiKey_Backspace)) explainBefore(context.state);
  const bool hasLink = state.link >= 0 && state.link < count;
  if (isPressed(ImGuiKey_Enter) && hasLink)
    follow(context, page, page.links[static_cast<std::size_t>(state.link)].part);
}

/// Keeps what was unfolded last, or the operand that the keyboard is on, in sight.
void scroll(ExplainState& state, const ExplainPage& page, float unit) {
  float top = -1, bottom = -1;
  for (const ExplainPage::Piece& piece : page.pieces)
    if (state.shown && piece.step == *state.shown)
      top = top < 0 ? piece.y : std::min(top, piece.y), bottom = piece.y + piece.layout.height();
  const float view = ImGui::GetWindowHeight(), margin = 24 * unit;
  if (bottom < 0) return;
  if (bottom + margin > ImGui::GetScrollY() + view) ImGui::SetScrollY(bottom + margin - view);
  if (top - margin < ImGui::GetScrollY()) ImGui::SetScrollY(std::max(0.0f, top - margin));
}

void drawDerivation(ViewContext& context, const ExplainPage& page) {
  ExplainState& state = context.state.explain;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const ImVec2 size(page.key.width, std::max(1.0f, page.height));
  const ImGuiID item = ImGui::GetID("derivation");
  ImGui::ItemSize(size);
  if (!ImGui::ItemAdd({origin, {origin.x + size.x, origin.y + size.y}}, item)) return;
  nameRect("derivation", origin, {origin.x + size.x, origin.y + size.y});
  followKeys(context, page, item);
  const bool isPointedAt = ImGui::IsWindowHovered() && !isMouseAtRest();
  const ImVec2 mouse = ImGui::GetMousePos();
  const int hot = isPointedAt
                      ? linkAt(state, page, {mouse.x - origin.x, mouse.y - origin.y}, 2 * context.theme.unit)
                      : -1;
  const ExplainPage::Link none{page.pieces.size(), -1, {}, 0};
  const ExplainPage::Link& link = hot < 0 ? none : page.links[static_cast<std::size_t>(hot)];
  paintPieces(context, page, origin, link.piece, link.part);
  if (paintWords(context, page, origin, isPointedAt)) state.isComplete = true;
  const bool hasKeyboard = GImGui->NavId == item && !GImGui->NavDisableHighlight;
  if (hasKeyboard && state.link >= 0 && state.link < static_cast<int>(page.links.size()))
    paintLinkMark(context, page.links[static_cast<std::size_t>(state.link)].rect, origin, true);
  if (std::exchange(state.scrollsToNewest, false)) scroll(state, page, context.theme.unit);
  for (std::size_t n = 0; n < page.links.size(); ++n) {
    const FormulaRect& r = page.links[n].rect;
    nameRect("operand " + std::to_string(n), {origin.x + r.x, origin.y + r.y},
             {origin.x + r.right(), origin.y + r.bottom()});
  }
  if (hot < 0) return;
  paintLinkMark(context, link.rect, origin, false);
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  tellOfLink(context, page, link);
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) follow(context, page, link.part);
}

}  // namespace

void drawExplain(ViewContext& context) {
  const Cell cell = usableCell(context.shown, context.state.explain.cell);
  if (!isReady(*context.evaluation, cell)) return progressSign(context.theme, "Computing");
  if (givesAnswerAway(context.state, cell))
    return hint("The lesson asks for this. The derivation comes with the answer.");
  const float width = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize;
  if (width < 4 * ImGui::GetFontSize()) return;
  const std::shared_ptr<const ExplainPage> page = (keptPage(context, width), context.state.explain.page);
  drawTitle(context, *page);
  drawTools(context, *page);
  ImGui::Separator();
  if (ImGui::BeginChild("steps", {0, 0}, false, ImGuiWindowFlags_NavFlattened))
    drawDerivation(context, *page);
  ImGui::EndChild();
}

void wantExplain(const ViewState& state, Wanted& wanted) {
  wanted.probs = true;
  wanted.backward |= state.explain.cell.stage >= Stage::dOut;
  wanted.dScaledScores |= sumsColumn(state.explain.cell.stage);
}

PrintedDerivation printExplanation(const Evaluation& evaluation, const ViewState& state) {
  const Cell cell = usableCell(*evaluation.scene, state.explain.cell);
  if (!isReady(evaluation, cell) || givesAnswerAway(state, cell)) return {};
  return printDerivation(*evaluation.scene, explainChain(*evaluation.scene, evaluation.results, cell),
                         state.notation, state.explain.isComplete);
}

std::string explanationText(const ViewContext& context) {
  return textOf(printExplanation(*context.evaluation, context.state));
}

}  // namespace attn
