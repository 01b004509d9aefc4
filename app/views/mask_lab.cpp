#include "app/views/mask_lab.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/item_registry.h"
#include "app/views/lab_widgets.h"
#include "app/views/labels.h"
#include "app/views/labs.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/labs/mask_cases.h"

namespace attn {
namespace {

using Stack = MaskLab::Stack;
using Module = MaskLab::Module;
constexpr const char* kLab = "Mask lab";
constexpr const char* kModuleNames[] = {"encoder self-attention", "decoder self-attention",
                                        "cross-attention"};

struct MaskMemory : LabMemory {
  int page = 1;
};

void change(ViewContext& context, const MaskLab& lab) {
  context.editor.change([&](Scene& scene) { scene.labs.mask = lab; });
}

/// Where a word is one pair: "1 pair", "6 pairs".
std::string pairsText(Index count) {
  return std::to_string(count) + (count == 1 ? " pair" : " pairs");
}

/// Whether the padding mask is needed, and why.
std::string verdictOf(const MaskLab& lab, Module module) {
  const Index leaks = leaksOfBatch(lab, module);
  const bool isCausal = module == Module::decoderSelf;
  if (leaks > 0)
    return "Key padding mask: needed. Without it words of the batch would see padding, in " +
           pairsText(leaks) + ".";
  if (isCausal && !lab.padsLeft)
    return "Key padding mask: not needed. Padding at the right comes after every word, and the causal mask "
           "hides "
           "what comes after.";
  return "Key padding mask: not needed, as no sentence here is padded.";
}

bool drawLengths(ViewContext& context, const char* title, const char* letter,
                 std::array<Index, MaskLab::kSentences>& lengths) {
  ImGui::TextColored(context.theme.faint, "%s", title);
  bool isChanged = false;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::string name = letter + std::to_string(i + 1);
    isChanged |= labSlider(name.c_str(), lengths[i], 1, 8);
  }
  return isChanged;
}

void drawControls(ViewContext& context) {
  MaskLab lab = context.scene.labs.mask;
  bool isChanged = false;
  const char* const stacks[] = {"encoder, as in BERT", "decoder, as in GPT", "encoder–decoder, as in T5"};
  for (int stack = 0; stack < 3; ++stack)
    if (tickOne(stacks[stack], static_cast<int>(lab.stack) == stack))
      lab.stack = static_cast<Stack>(stack), isChanged = true;
  if (!hasModule(lab.stack, lab.module)) lab.module = modulesOf(lab.stack).back();
  isChanged |= tick("padding at the left", lab.padsLeft);
  isChanged |= tick("key padding mask in use", lab.usesPadding);
  Index sentence = lab.sentence + 1;
  if (labSlider("sentence", sentence, 1, static_cast<Index>(MaskLab::kSentences)))
    lab.sentence = sentence - 1, isChanged = true;
  if (lab.stack != Stack::decoder)
    isChanged |= drawLengths(context, "words of the source", "source ", lab.source);
  if (lab.stack != Stack::encoder)
    isChanged |= drawLengths(context, "words of the target", "target ", lab.target);
  if (isChanged) change(context, lab);
  const MaskLab& shown = context.scene.labs.mask;
  const MaskCase chosen = caseOf(shown, shown.module, shown.sentence);
  labReadout(context, kLab, 0, "words that would see padding", pairsText(chosen.leaks()),
             "Pairs of a word and a padding key that the other masks leave visible, in this sentence");
  if (sendButton()) sendToWindow(context, sceneOf(shown));
}

/// One block of a stack; an attention can be chosen, and says which masks it has.
bool block(ViewContext& context, const char* name, const std::string& masks, bool isChosen, float width) {
  const float font = ImGui::GetFontSize(), height = (masks.empty() ? 1.6f : 2.7f) * font;
  const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + width, at.y + height);
  bool isPressed = false;
  if (masks.empty())
    ImGui::Dummy({width, height});
  else
    isPressed = ImGui::InvisibleButton(name, {width, height});
  const bool isLit = !masks.empty() && (ImGui::IsItemHovered() || ImGui::IsItemFocused());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, end, ImGui::GetColorU32(isChosen ? ImGuiCol_HeaderActive : ImGuiCol_FrameBg),
                     4 * context.theme.unit);
  list.AddRect(at, end, ImGui::GetColorU32(isChosen || isLit ? context.theme.accent : context.theme.border),
               4 * context.theme.unit, 0, (isChosen ? 2.5f : 1.0f) * context.theme.unit);
  const auto centred = [&](const std::string& text, float y, const ImVec4& colour) {
    const std::string shown = elided(text, width - 0.6f * font);
    list.AddText({at.x + (width - ImGui::CalcTextSize(shown.c_str()).x) / 2, y}, ImGui::GetColorU32(colour),
                 shown.c_str());
  };
  centred(name, at.y + 0.25f * font, masks.empty() ? context.theme.faint : context.theme.text);
  if (!masks.empty()) centred(masks, at.y + 1.35f * font, context.theme.accent);
  return isPressed;
}

std::string masksText(const MaskLab& lab, Module module) {
  std::string text = module == Module::decoderSelf ? "causal" : "";
  if (leaksOfBatch(lab, module) > 0) text += std::string(text.empty() ? "" : " + ") + "key padding";
  return text.empty() ? "no mask" : text;
}

void drawStackOf(ViewContext& context, const char* title, const std::vector<Module>& modules, float width) {
  MaskLab lab = context.scene.labs.mask;
  ImGui::BeginGroup();
  ImGui::TextColored(context.theme.faint, "%s", title);
  for (const Module module : modules) {
    const bool isChosen = lab.module == module;
    if (block(context, kModuleNames[static_cast<int>(module)], masksText(lab, module), isChosen, width) &&
        !isChosen) {
      lab.module = module;
      change(context, lab);
    }
  }
  block(context, "feed-forward", "", false, width);
  ImGui::EndGroup();
}

/// A row of the batch: its words in boxes, padding pale and struck through. A click chooses the sentence.
void drawSentence(ViewContext& context, const char* side, Index sentence,
                  const std::vector<std::string>& words,
                  const std::array<Index, MaskLab::kSentences>& lengths, float width) {
  MaskLab lab = context.scene.labs.mask;
  const float font = ImGui::GetFontSize(), height = 1.5f * font;
  const float box = std::min(4.6f * font, width / static_cast<float>(words.size()));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string name = std::string(side) + " sentence " + std::to_string(sentence + 1);
  const float whole = box * static_cast<float>(words.size());
  if (ImGui::InvisibleButton(name.c_str(), {whole, height}) && lab.sentence != sentence) {
    lab.sentence = sentence;
    change(context, lab);
  }
  const bool isLit = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto count = static_cast<Index>(words.size()), real = lengths[static_cast<std::size_t>(sentence)];
  for (Index i = 0; i < count; ++i) {
    const bool isPadding = lab.padsLeft ? i < count - real : i >= real;
    const ImVec2 min(at.x + box * static_cast<float>(i), at.y), max(min.x + box - 2, min.y + height);
    list.AddRectFilled(min, max, ImGui::GetColorU32(isPadding ? ImGuiCol_FrameBg : ImGuiCol_Header));
    if (isPadding)
      list.AddLine({min.x, max.y}, {max.x, min.y}, ImGui::GetColorU32(context.theme.border),
                   context.theme.unit);
    const std::string word = isPadding ? "pad" : elided(words[static_cast<std::size_t>(i)], box - 4);
    list.AddText({min.x + (box - ImGui::CalcTextSize(word.c_str()).x) / 2, min.y + 0.2f * font},
                 ImGui::GetColorU32(isPadding ? context.theme.faint : context.theme.text), word.c_str());
  }
  if (lab.sentence == sentence || isLit)
    list.AddRect({at.x - 1, at.y - 1}, {at.x + whole, at.y + height + 1},
                 ImGui::GetColorU32(context.theme.accent), 0, 0,
                 (lab.sentence == sentence ? 2.2f : 1.0f) * context.theme.unit);
}

/// All sentences as they lie in memory: as long as the longest.
void drawBatch(ViewContext& context) {
  const MaskLab& lab = context.scene.labs.mask;
  const float width = ImGui::GetContentRegionAvail().x;
  const auto draw = [&](const char* side, bool isSource) {
    ImGui::Dummy({0, 0.2f * ImGui::GetFontSize()});
    ImGui::TextColored(context.theme.faint, "%s, padded to the longest sentence", side);
    for (Index i = 0; i < static_cast<Index>(MaskLab::kSentences); ++i)
      drawSentence(context, side, i, isSource ? sourceWords(lab, i) : targetWords(lab, i),
                   isSource ? lab.source : lab.target, width);
  };
  if (lab.stack != Stack::decoder) draw("source", true);
  if (lab.stack != Stack::encoder) draw("target", false);
}

void drawBlocks(ViewContext& context, ImVec2 size) {
  if (!beginFigure(context, kLab, 0, "the stack: choose an attention", size)) return;
  const MaskLab& lab = context.scene.labs.mask;
  const float font = ImGui::GetFontSize(), room = ImGui::GetContentRegionAvail().x;
  const bool isBoth = lab.stack == Stack::encoderDecoder;
  const float gap = 1.2f * font, width = std::min(14 * font, isBoth ? (room - gap) / 2 : room);
  if (lab.stack != Stack::decoder) drawStackOf(context, "encoder", {Module::encoderSelf}, width);
  if (isBoth) ImGui::SameLine(0, gap);
  if (lab.stack == Stack::decoder) drawStackOf(context, "decoder", {Module::decoderSelf}, width);
  if (isBoth) drawStackOf(context, "decoder", {Module::decoderSelf, Module::cross}, width);
  ImGui::Dummy({0, 0.3f * font});
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(lab.module == Module::decoderSelf
                             ? "Causal mask: applied, so that no word sees what comes after it."
                             : "Causal mask: none, the whole source may be seen.");
  ImGui::TextUnformatted(verdictOf(lab, lab.module).c_str());
  ImGui::PopTextWrapPos();
  drawBatch(context);
  endFigure();
}

constexpr const char* kLegend =
    "Rows are queries, columns keys. Filled: seen. Stroke: hidden. !: a word sees padding. Pale: a query "
    "that is "
    "itself padding, whose output nobody uses.";

struct Cells {
  ImVec2 at;
  float side = 1;
  ImVec2 min(Index query, Index key) const {
    return {at.x + side * static_cast<float>(key), at.y + side * static_cast<float>(query)};
  }
};

/// Seen: filled. Hidden: a stroke. A word that sees padding: a warning with its sign.
void drawPair(const ViewContext& context, const Cells& cells, const MaskCase& of, Index query, Index key) {
  const ImVec2 min = cells.min(query, key), max(min.x + cells.side - 2, min.y + cells.side - 2);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min, max, ImGui::GetColorU32(ImGuiCol_FrameBg));
  if (!of.sees(query, key))
    return list.AddLine({min.x, max.y}, {max.x, min.y}, ImGui::GetColorU32(context.theme.border),
                        context.theme.unit);
  const bool isWord = !of.isQueryPadding(query), isLeak = isWord && of.isKeyPadding(key);
  ImVec4 colour = isLeak ? context.theme.warning : context.theme.accent;
  colour.w = isWord ? 0.75f : 0.25f;
  list.AddRectFilled(min, max, ImGui::GetColorU32(colour));
  if (!isLeak) return;
  const float size = std::min(0.8f * cells.side, 1.5f * ImGui::GetFontSize());
  list.AddText(context.theme.heading, size, {(min.x + max.x) / 2 - 0.16f * size, (min.y + max.y - size) / 2},
               ImGui::GetColorU32(context.theme.panel), "!");
}

/// The chosen attention of the chosen sentence, and the words along its sides.
struct PairsPicture {
  MaskCase of;
  std::vector<std::string> queries, keys;
  float widest = 0, tallest = 0;  // the longest words

  explicit PairsPicture(const MaskLab& lab)
      : of(caseOf(lab, lab.module, lab.sentence)),
        queries(lab.module == Module::encoderSelf ? sourceWords(lab, lab.sentence)
                                                  : targetWords(lab, lab.sentence)),
        keys(lab.module == Module::decoderSelf ? targetWords(lab, lab.sentence)
                                               : sourceWords(lab, lab.sentence)) {
    for (const std::string& word : queries) widest = std::max(widest, ImGui::CalcTextSize(word.c_str()).x);
    for (const std::string& word : keys) tallest = std::max(tallest, ImGui::CalcTextSize(word.c_str()).x);
  }

  /// As large as the room allows, with the legend beneath.
  Cells cellsWithin(ImVec2 at, ImVec2 room) const {
    const float font = ImGui::GetFontSize();
    const float blind = of.blindQueries() > 0 ? 3 * font : 0;  // lines that say so
    const float legend = ImGui::CalcTextSize(kLegend, nullptr, false, room.x).y + blind + 0.3f * font;
    const float side =
        std::min({(room.x - widest - font) / static_cast<float>(of.keys),
                  (room.y - tallest - font - legend) / static_cast<float>(of.queries), 7 * font});
    return {{at.x + widest + 0.6f * font, at.y + tallest + 0.5f * font}, std::floor(side)};
  }
};

void drawWords(const ViewContext& context, const PairsPicture& picture, const Cells& cells) {
  const float font = ImGui::GetFontSize();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto colour = [&](bool isPadding) {
    return ImGui::GetColorU32(isPadding ? context.theme.faint : context.theme.text);
  };
  for (Index key = 0; key < picture.of.keys; ++key)
    addTextUpwards(list, {cells.min(0, key).x + cells.side / 2, cells.at.y - 0.3f * font},
                   colour(picture.of.isKeyPadding(key)), picture.keys[static_cast<std::size_t>(key)]);
  for (Index query = 0; query < picture.of.queries; ++query) {
    const std::string& word = picture.queries[static_cast<std::size_t>(query)];
    list.AddText({cells.at.x - 0.5f * font - ImGui::CalcTextSize(word.c_str()).x,
                  cells.min(query, 0).y + (cells.side - ImGui::GetTextLineHeight()) / 2},
                 colour(picture.of.isQueryPadding(query)), word.c_str());
  }
}

void drawPairs(ViewContext& context, ImVec2 size) {
  const MaskLab& lab = context.scene.labs.mask;
  const std::string title = std::string(kModuleNames[static_cast<int>(lab.module)]) + ", sentence " +
                            std::to_string(lab.sentence + 1) + ": who sees whom";
  if (!beginFigure(context, kLab, 1, title, size)) return;
  const PairsPicture picture(lab);
  const MaskCase& chosen = picture.of;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Cells cells = picture.cellsWithin(at, ImGui::GetContentRegionAvail());
  if (cells.side < 4) return endFigure();
  drawWords(context, picture, cells);
  for (Index query = 0; query < chosen.queries; ++query)
    for (Index key = 0; key < chosen.keys; ++key) drawPair(context, cells, chosen, query, key);
  const ImVec2 end(cells.min(0, chosen.keys).x, cells.min(chosen.queries, 0).y);
  nameRect(chosen.leaksNow() ? "pairs with a leak" : "pairs", cells.at, end);
  ImGui::SetCursorScreenPos({at.x, end.y + 0.3f * ImGui::GetFontSize()});
  ImGui::PushTextWrapPos(0);
  hint(kLegend);
  if (chosen.blindQueries() > 0)
    ImGui::TextWrapped("Padding queries that see no key at all: %d. Their softmax has nothing to divide.",
                       static_cast<int>(chosen.blindQueries()));
  ImGui::PopTextWrapPos();
  endFigure();
}

void drawPicture(ViewContext& context, MaskMemory& memory) {
  const char* const names[] = {"stack", "who sees whom"};
  drawCharts(context, names, memory.page, [&](int number, ImVec2 size) {
    if (number == 0) drawBlocks(context, size);
    if (number == 1) drawPairs(context, size);
  });
}

}  // namespace

void drawMaskLab(ViewContext& context) {
  auto& memory = context.state.labs.of<MaskMemory>(LabName::mask);
  drawLab(
      context, [&] { drawControls(context); }, [&] { drawPicture(context, memory); });
}

}  // namespace attn
