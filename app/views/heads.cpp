#include "app/views/heads.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/presenter/hidden_values.h"
#include "app/views/compare.h"
#include "app/views/head_actions.h"
#include "app/views/labels.h"
#include "app/views/map.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/measures/over_heads.h"

namespace attn {
namespace {

constexpr const char* kDragged = "head";

std::string headName(Index head) {
  return "Head " + std::to_string(head + 1);
}

Map weightsMap(const ViewContext& context, const char* label, const float* values, Index head) {
  const StackOf<float>& weights = context.results.probs;
  return {.label = label,
          .values = values,
          .rows = weights.rows(),
          .cols = weights.cols(),
          .head = head,
          .isSigned = showsDifference(context),
          .isMasked = true,
          .isWeights = !showsDifference(context),
          .stage = Stage::probs};
}

/// Whether a pair that one head sees is seen by all.
bool hasOneMask(const Scene& scene) {
  const auto differs = [](const MaskRule& rule) {
    const auto* painted = std::get_if<PaintedRule>(&rule);
    return painted && painted->mayAttend.size() > 1;
  };
  return scene.bias.size() <= 1 && std::none_of(scene.masks.begin(), scene.masks.end(), differs);
}

/// The map of this name, made by `make` whenever the evaluation is another one.
template <class Make>
const float* madeOnce(ViewContext& context, const std::string& label, const Make& make) {
  HeadsTogether& together = context.state.heads.together[label];
  if (together.serial != context.evaluation->serial || together.values.empty()) {
    make(together.values);
    together.serial = context.evaluation->serial;
  }
  return together.values.data();
}

/// Room for the words beside a map, and how large the map can then be. Many maps have only a short word, and
/// that beneath them.
struct Cards {
  Index perRow = 1;
  float side = 0, words = 0, width = 0, height = 0;
  bool isBrief = false;
};

/// What the cards may fill without a bar to scroll by.
ImVec2 roomForCards() {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  return {room.x, room.y - 1};
}

float wordsHeight(const ViewContext& context) {
  const float lines = context.shown.alibi ? 3 : 2;
  return ImGui::GetTextLineHeight() + lines * context.theme.small->FontSize;
}

Cards layOutCards(const ViewContext& context, Index perRow, Index rows) {
  const ImVec2 room = roomForCards(), gap = ImGui::GetStyle().ItemSpacing;
  const auto count = [](Index n) { return static_cast<float>(n); };
  Cards cards;
  cards.perRow = perRow;
  cards.words = std::min(4.9f * ImGui::GetFontSize(), room.x * 0.55f);
  cards.width = std::floor((room.x - gap.x * count(perRow - 1)) / count(perRow));
  const float across = cards.width - cards.words - gap.x / 2, down = std::floor(room.y / count(rows)) - gap.y;
  cards.side = std::max(16 * context.theme.unit, std::min(across, down));
  cards.height = std::max(cards.side, wordsHeight(context)) + gap.y;
  return cards;
}

/// Many maps with a short word beneath each: the largest with which all are in sight.
Cards layOutBriefly(const ViewContext& context, Index count) {
  const ImVec2 room = roomForCards();
  const float gap = std::round(6 * context.theme.unit), word = context.theme.small->FontSize + gap / 2;
  Cards best;
  for (Index perRow = 2; perRow <= count; ++perRow) {
    const auto across = static_cast<float>(perRow), rows = static_cast<float>((count + perRow - 1) / perRow);
    const float side = std::floor(std::min(room.x / across - gap, room.y / rows - word));
    if (side > best.side) best = {perRow, side, 0, side, side + word, true};
  }
  return best;
}

/// The largest maps with which all heads are in sight, with words beside them if these are not too small
/// then; where all would be too small, maps of a handy size that scroll.
Cards layOutCards(const ViewContext& context, Index count) {
  const float font = ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemSpacing.x;
  const ImVec2 room = roomForCards();
  const auto most = std::max<Index>(1, static_cast<Index>((room.x + gap) / (7.4f * font + gap)));
  Cards best;
  for (Index perRow = 1; perRow <= std::min(count, most); ++perRow) {
    const Index rows = (count + perRow - 1) / perRow;
    const Cards cards = layOutCards(context, perRow, rows);
    if (static_cast<float>(rows) * cards.height <= room.y && cards.side > best.side) best = cards;
  }
  if (best.side >= 2.5f * font) return best;
  if (const Cards brief = layOutBriefly(context, count); brief.side >= 1.7f * font) return brief;
  Cards cards = layOutCards(context, most, 1);
  cards.side = std::min(cards.side, 4.5f * font);
  cards.height = std::max(cards.side, wordsHeight(context)) + ImGui::GetStyle().ItemSpacing.y;
  return cards;
}

void drawSummary(const ViewContext& context, Index head) {
  const HeadSummary summary = summaryOf(context.results, head);
  ImGui::PushFont(context.theme.small);
  const auto valueOf = [&](Index which, double value) {
    return shownValue(context.state, "Heads", head, which, numberText(context.state.notation, value));
  };
  ImGui::TextDisabled("H %s", valueOf(0, summary.entropyShare).c_str());
  ImGui::SetItemTooltip("Entropy of the rows on average, as a share of the largest possible");
  ImGui::TextDisabled("top %s", valueOf(1, summary.largestWeight).c_str());
  ImGui::SetItemTooltip("Largest weight of the rows on average");
  if (context.shown.alibi)
    ImGui::TextDisabled("m %s",
                        numberText(context.state.notation,
                                   alibiSlope(context.shown.alibi, head, context.results.shapes.heads), 3)
                            .c_str());
  ImGui::PopFont();
}

/// How many rows are saturated, after the head's name.
void drawSaturated(const ViewContext& context, Index head) {
  const auto count = static_cast<int>(summaryOf(context.results, head).saturated);
  if (count == 0) return;
  ImGui::SameLine(0, 4 * context.theme.unit);
  const std::string text = shownValue(context.state, "Heads/saturated", head, 0, std::to_string(count));
  ImGui::TextColored(context.theme.warning, "▲%s", text.c_str());
  ImGui::SetItemTooltip("Saturated rows of this head: %s", text.c_str());
}

void drawHeadMenu(ViewContext& context, Index head) {
  ViewState& state = context.state;
  Editor& editor = context.editor;
  if (!ImGui::BeginPopupContextItem()) return;
  const Index last = shapesOf(context.scene).heads - 1;
  if (ImGui::MenuItem("Solo", nullptr, state.heads.isSolo && state.selection.head == head)) {
    state.heads.isSolo = !(state.heads.isSolo && state.selection.head == head);
    chooseHead(state, head);
  }
  const std::string compare = "Compare with head " + std::to_string(state.selection.head + 1);
  if (ImGui::MenuItem(compare.c_str(), "Ctrl+click", state.heads.compared == head,
                      head != state.selection.head))
    compareWith(state, head);
  ImGui::Separator();
  if (ImGui::MenuItem("Add head after")) addHeadAfter(editor, state, head);
  if (ImGui::MenuItem("Duplicate head")) duplicateHeadAt(editor, state, head);
  if (ImGui::MenuItem("Remove head", nullptr, false, last > 0)) removeHeadAt(editor, state, head);
  if (ImGui::MenuItem("Move earlier", nullptr, false, head > 0)) moveHeadTo(editor, state, head, head - 1);
  if (ImGui::MenuItem("Move later", nullptr, false, head < last)) moveHeadTo(editor, state, head, head + 1);
  ImGui::EndPopup();
}

/// A map that is dragged onto another one takes its place.
void dragHead(ViewContext& context, Index head) {
  if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceNoPreviewTooltip)) {
    ImGui::SetDragDropPayload(kDragged, &head, sizeof head);
    ImGui::EndDragDropSource();
  }
  if (!ImGui::BeginDragDropTarget()) return;
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(kDragged)) {
    const Index from = *static_cast<const Index*>(payload->Data);
    moveHeadTo(context.editor, context.state, from, head);
  }
  ImGui::EndDragDropTarget();
}

void frameCard(const ViewContext& context, ImVec2 corner, float side, const ImVec4& colour) {
  ImGui::GetWindowDrawList()->AddRect(corner, {corner.x + side, corner.y + side}, ImGui::GetColorU32(colour),
                                      0, 0, 2 * context.theme.unit);
}

/// The short word of a map, in the middle beneath it.
void writeBeneath(const ViewContext& context, const Cards& cards, ImVec2 corner, const std::string& word,
                  const ImVec4& colour) {
  ImGui::PushFont(context.theme.small);
  const float width = ImGui::CalcTextSize(word.c_str()).x;
  ImGui::SetCursorScreenPos({corner.x + std::round((cards.side - width) / 2), corner.y + cards.side});
  ImGui::TextColored(colour, "%s", word.c_str());
  ImGui::PopFont();
}

void drawHeadCard(ViewContext& context, const Cards& cards, Index head) {
  ViewState& state = context.state;
  const std::string label = headName(head);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const Map map = weightsMap(context, label.c_str(), context.results.probs.head(head), head);
  if (drawThumbnail(context, map, cards.side, cards.side)) {
    if (ImGui::GetIO().KeyCtrl)
      compareWith(state, head);
    else
      chooseHead(state, head);
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) state.heads.isSolo = true;
  drawHeadMenu(context, head);
  dragHead(context, head);
  const bool isChosen = head == state.selection.head && state.heads.choice == HeadChoice::one;
  const bool isCompared = state.heads.compared == head;
  if (isChosen) frameCard(context, corner, cards.side, context.theme.accent);
  if (isCompared) frameCard(context, corner, cards.side, context.theme.series[1]);
  if (ImGui::IsItemFocused() && !isChosen) frameCard(context, corner, cards.side, context.theme.faint);
  const ImVec4& ink = isChosen     ? context.theme.accent
                      : isCompared ? context.theme.series[1]
                                   : context.theme.text;
  if (cards.isBrief) {
    const bool isSaturated = summaryOf(context.results, head).saturated > 0;
    return writeBeneath(context, cards, corner, std::to_string(head + 1) + (isSaturated ? " ▲" : ""), ink);
  }
  ImGui::SetCursorScreenPos({corner.x + cards.side + ImGui::GetStyle().ItemSpacing.x / 2, corner.y});
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::TextColored(ink, "%s", label.c_str());
  drawSaturated(context, head);
  drawSummary(context, head);
  ImGui::PopStyleVar();
  ImGui::EndGroup();
}

/// All heads as one, small. Beyond some millions of weights that would hold up the frame: then it is a plain
/// button, and only the map that shows it makes it.
bool drawTogetherThumbnail(ViewContext& context, HeadChoice choice, const char* label, float side) {
  constexpr Index kMostWeights = Index{1} << 23;
  const StackOf<float>& weights = context.results.probs;
  if (weights.size() > kMostWeights) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const bool isClicked = ImGui::InvisibleButton(label, {side, side});
    ImGui::GetWindowDrawList()->AddRectFilled(corner, {corner.x + side, corner.y + side},
                                              ImGui::GetColorU32(ImGuiCol_Button));
    return isClicked;
  }
  const float* values = madeOnce(context, label, [&](StackOf<float>& made) {
    takeTogether(weights, choice == HeadChoice::average ? OverHeads::average : OverHeads::maximum, made);
  });
  Map map = weightsMap(context, label, values, 0);
  map.isMasked = hasOneMask(context.shown);
  return drawThumbnail(context, map, side, side);
}

/// A card that can be chosen like a head.
void drawTogetherCard(ViewContext& context, const Cards& cards, HeadChoice choice) {
  const bool isAverage = choice == HeadChoice::average;
  const char* label = isAverage ? "Average" : "Maximum";
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  HeadsState& state = context.state.heads;
  if (drawTogetherThumbnail(context, choice, label, cards.side))
    state.choice = state.choice == choice ? HeadChoice::one : choice;
  ImGui::SetItemTooltip("The maps show the %s over all heads", isAverage ? "average" : "maximum");
  const bool isChosen = state.choice == choice;
  if (isChosen) frameCard(context, corner, cards.side, context.theme.accent);
  if (cards.isBrief)
    return writeBeneath(context, cards, corner, isAverage ? "avg" : "max",
                        isChosen ? context.theme.accent : context.theme.text);
  ImGui::SetCursorScreenPos({corner.x + cards.side + ImGui::GetStyle().ItemSpacing.x / 2, corner.y});
  ImGui::TextColored(isChosen ? context.theme.accent : context.theme.text, "%s", label);
}

void drawCards(ViewContext& context) {
  const Index heads = context.results.probs.heads();
  const Index count = heads + (heads > 1 ? 2 : 0);
  const Cards cards = layOutCards(context, count);
  const float height = cards.height;
  const float gap = cards.isBrief ? std::round(6 * context.theme.unit) : ImGui::GetStyle().ItemSpacing.x;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const Index rows = (count + cards.perRow - 1) / cards.perRow;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows), height);
  while (clipper.Step())
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
      for (Index col = 0; col < cards.perRow; ++col) {
        const Index card = row * cards.perRow + col;
        if (card >= count) break;
        ImGui::SetCursorScreenPos({start.x + static_cast<float>(col) * (cards.width + gap),
                                   start.y + static_cast<float>(row) * height});
        if (card < heads)
          drawHeadCard(context, cards, card);
        else
          drawTogetherCard(context, cards, card == heads ? HeadChoice::average : HeadChoice::maximum);
      }
  clipper.End();
  ImGui::SetCursorScreenPos({start.x, start.y + static_cast<float>(rows) * height});
  ImGui::Dummy({1, 1});
}

void drawLarge(ViewContext& context, const char* label, Index head, const ImVec4& colour) {
  ImGui::TextColored(colour, "%s", headName(head).c_str());
  ImGui::SameLine();
  const HeadSummary summary = summaryOf(context.results, head);
  const std::string entropy = "H " + numberText(context.state.notation, summary.entropyShare);
  const std::string both = entropy + " · top " + numberText(context.state.notation, summary.largestWeight);
  const float room = ImGui::GetContentRegionAvail().x;
  const bool hasRoom = ImGui::CalcTextSize(both.c_str()).x <= room;
  ImGui::TextDisabled("%s", hasRoom ? both.c_str() : elided(entropy, room).c_str());
  drawMap(context, weightsMap(context, label, context.results.probs.head(head), head));
}

void drawDifference(ViewContext& context, Index a, Index b) {
  const StackOf<float>& weights = context.results.probs;
  const std::string label = "difference " + std::to_string(a + 1) + " − " + std::to_string(b + 1);
  std::erase_if(context.state.heads.together, [&](const auto& made) {
    return made.first.starts_with("difference") && made.first != label;
  });
  const float* values = madeOnce(context, label, [&](StackOf<float>& made) {
    made.resize(1, weights.rows(), weights.cols());
    const Index count = weights.rows() * weights.cols();
    std::transform(weights.head(a), weights.head(a) + count, weights.head(b), made.data(), std::minus<>{});
  });
  ImGui::TextDisabled("head %d − head %d", static_cast<int>(a + 1), static_cast<int>(b + 1));
  Map map = weightsMap(context, label.c_str(), values, a);
  map.isSigned = true, map.isWeights = false;
  map.stage.reset();
  map.isMasked = hasOneMask(context.shown);
  drawMap(context, map);
}

/// Two heads beside each other, or below in a narrow panel.
void drawPair(ViewContext& context, Index a, Index b) {
  const ImVec2 room = ImGui::GetContentRegionAvail(), gap = ImGui::GetStyle().ItemSpacing;
  const bool isWide = room.x > room.y;
  const ImVec2 half = isWide ? ImVec2((room.x - gap.x) / 2, 0) : ImVec2(0, (room.y - gap.y) / 2);
  if (ImGui::BeginChild("chosen head", half, false, kPart))
    drawLarge(context, "chosen", a, context.theme.accent);
  ImGui::EndChild();
  if (isWide) ImGui::SameLine();
  if (ImGui::BeginChild("compared head", half, false, kPart))
    drawLarge(context, "compared", b, context.theme.series[1]);
  ImGui::EndChild();
}

/// What can be done with all heads, and the way back from solo and comparison.
void drawBar(ViewContext& context, Index heads) {
  ViewState& state = context.state;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(5 * context.theme.unit, context.theme.unit));
  if (state.heads.compared || state.heads.isSolo) {
    if (ImGui::Button("all")) state.heads.compared.reset(), state.heads.isSolo = false;
    ImGui::SetItemTooltip("Back to all heads");
    ImGui::SameLine();
    if (state.heads.compared) {
      tick("A − B", state.heads.showsDifference);
      ImGui::SetItemTooltip("One map: the weights of the first head less those of the second");
    }
    const bool isLarge = state.layout.maximised == "Heads";
    const char* label = isLarge ? "smaller" : "larger";
    flowTo(ImGui::CalcTextSize(label).x + 10 * context.theme.unit);
    if (ImGui::Button(label)) state.layout.toggleMaximised("Heads");
    ImGui::SetItemTooltip(isLarge ? "Back among the other panels" : "These maps in the whole window");
  } else {
    if (ImGui::Button("+ head")) addHeadAfter(context.editor, state, shapesOf(context.scene).heads - 1);
    ImGui::SetItemTooltip("One more head, filled with noise");
    if (heads > 1) {
      flowTo(ImGui::CalcTextSize("solo").x + 10 * context.theme.unit);
      if (ImGui::Button("solo")) state.heads.isSolo = true;
    }
  }
  ImGui::PopStyleVar();
}

}  // namespace

void drawHeads(ViewContext& context) {
  const StackOf<float>& weights = context.results.probs;
  HeadsState& state = context.state.heads;
  if (weights.empty()) return hintNoDifference(context);
  const Index heads = weights.heads(), chosen = std::min(context.state.selection.head, heads - 1);
  if (state.compared && (*state.compared >= heads || *state.compared == chosen)) state.compared.reset();
  drawBar(context, heads);
  if (state.compared && state.showsDifference)
    drawDifference(context, chosen, *state.compared);
  else if (state.compared)
    drawPair(context, chosen, *state.compared);
  else if (state.isSolo)
    drawLarge(context, "solo", chosen, context.theme.accent);
  else
    drawCards(context);
}

void wantHeads(const ViewState&, Wanted& wanted) {
  wanted.probs = wanted.measures = true;
}

}  // namespace attn
