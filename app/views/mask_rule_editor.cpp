#include "app/views/mask_rule_editor.h"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/item_registry.h"
#include "app/views/labels.h"
#include "app/views/story_bar.h"
#include "app/views/view.h"
#include "app/views/widgets.h"
#include "core/edits/mask_rules.h"

namespace attn {
namespace {

constexpr int kRowsInSight = 10;

/// One function a kind of rule. Each writes a whole new rule in the place of the old one.
struct RuleEditor {
  ViewContext& context;
  std::size_t index;

  void replace(const MaskRule& rule) const {
    context.editor.change([&](Scene& scene) { replaceRule(scene, index, rule); });
  }

  /// True when another alignment was chosen.
  static bool chooseAlignment(Alignment& alignment) {
    const Alignment before = alignment;
    if (ImGui::RadioButton("top-left: query i sees key i", alignment == Alignment::topLeft))
      alignment = Alignment::topLeft;
    if (ImGui::RadioButton("bottom-right: the last query sees the last key",
                           alignment == Alignment::bottomRight))
      alignment = Alignment::bottomRight;
    return alignment != before;
  }

  /// A count that is dragged or typed. True when it changed.
  static bool editCount(const char* label, Index& count, Index least, Index most) {
    const auto low = static_cast<std::int64_t>(least), high = static_cast<std::int64_t>(most);
    auto value = static_cast<std::int64_t>(count);
    ImGui::SetNextItemWidth(6 * ImGui::GetFontSize());
    if (!ImGui::DragScalar(label, ImGuiDataType_S64, &value, 0.1f, &low, &high, "%lld",
                           ImGuiSliderFlags_AlwaysClamp))
      return false;
    count = static_cast<Index>(value);
    return true;
  }

  void offerLength() const { offerStory(context, {.kind = StoryTarget::Kind::ruleLength, .rule = index}); }

  /// A list of one line a token, which scrolls when it is long.
  template <class DrawLine>
  static void forTokens(const char* name, Index count, int columns, const DrawLine& drawLine) {
    const float lines = static_cast<float>(std::min<Index>(count, kRowsInSight) + (columns > 1));
    const ImVec2 size((columns == 1 ? 12 : 18) * ImGui::GetFontSize(),
                      lines * (ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().CellPadding.y));
    if (!ImGui::BeginTable(name, columns, ImGuiTableFlags_ScrollY | ImGuiTableFlags_NoSavedSettings, size))
      return;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(count));
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        ImGui::TableNextRow();
        ImGui::PushID(i);
        drawLine(static_cast<Index>(i));
        ImGui::PopID();
      }
    ImGui::EndTable();
  }

  void operator()(CausalRule rule) const {
    hint("No query sees a later key.");
    if (chooseAlignment(rule.alignment)) replace(rule);
  }

  void operator()(PaddingLengthRule rule) const {
    hint("Keys from this place on are padding.");
    const Index keys = shapesOf(context.scene).keys;
    if (editCount("keys that count", rule.length, 0, keys)) replace(rule);
    offerLength();
    if (!ImGui::Button("Tick keys instead")) return;
    PaddingFlagsRule flags;
    for (Index j = 0; j < keys; ++j) flags.isPadding.push_back(j >= rule.length);
    replace(flags);
  }

  void operator()(PaddingFlagsRule rule) const {
    hint("No query sees a key that is ticked.");
    forTokens("##keys", static_cast<Index>(rule.isPadding.size()), 1, [&](Index j) {
      const auto place = static_cast<std::size_t>(j);
      ImGui::TableNextColumn();
      bool isPadding = rule.isPadding[place];
      const std::string label = keyLabel(context.state.notation, context.scene, j) + "##key";
      const bool isTicked = ImGui::Checkbox(label.c_str(), &isPadding);
      nameRect("padding[" + std::to_string(j) + "]", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
      if (!isTicked) return;
      rule.isPadding[place] = isPadding;
      replace(rule);
    });
  }

  void operator()(WindowRule rule) const {
    const Shapes shapes = shapesOf(context.scene);
    hint("A query sees keys less than this far away: 1 leaves the diagonal.");
    if (editCount("width", rule.width, 1, std::max(shapes.queries, shapes.keys))) replace(rule);
    offerLength();
  }

  void operator()(PrefixRule rule) const {
    hint("Every query sees the prefix; the rest is causal.");
    const bool isLength = editCount("length", rule.length, 0, shapesOf(context.scene).keys);
    offerLength();
    const bool isAlignment = chooseAlignment(rule.alignment);
    if (isLength || isAlignment) replace(rule);
  }

  /// A number that says which document a token belongs to. True when it changed.
  static bool editDocument(const std::string& token, const std::string& name, int& document) {
    ImGui::TableNextColumn();
    ImGui::SetNextItemWidth(4 * ImGui::GetFontSize());
    const bool isChanged = ImGui::DragInt(("##" + name).c_str(), &document, 0.05f);
    ImGui::SameLine();
    ImGui::TextUnformatted(token.c_str());
    return isChanged;
  }

  void operator()(DocumentsRule rule) const {
    const Shapes shapes = shapesOf(context.scene);
    // One sequence has one list: who moves a token to another document means it as query and as key.
    bool& areApart = context.state.mask.documentsApart;
    const bool isOne = rule.ofQuery == rule.ofKey && !areApart;
    hint(isOne ? "A token sees tokens with the same number." : "A query sees keys with the same number.");
    bool isChanged = false;
    forTokens("##documents", isOne ? shapes.queries : std::max(shapes.queries, shapes.keys), isOne ? 1 : 2,
              [&](Index i) {
                const auto place = static_cast<std::size_t>(i);
                const std::string at = "[" + std::to_string(i) + "]";
                if (i < shapes.queries)
                  isChanged |= editDocument(queryLabel(context.state.notation, context.scene, i),
                                            "query" + at, rule.ofQuery[place]);
                else
                  ImGui::TableNextColumn();
                if (!isOne && i < shapes.keys)
                  isChanged |= editDocument(keyLabel(context.state.notation, context.scene, i), "key" + at,
                                            rule.ofKey[place]);
              });
    if (isOne) rule.ofKey = rule.ofQuery;
    if (isChanged) replace(rule);
    if (rule.ofQuery == rule.ofKey) ImGui::Checkbox("queries and keys apart", &areApart);
  }

  void operator()(PaintedRule rule) const {
    hint("Paint pairs below: what is hatched is hidden.");
    if (ImGui::Button("Show all")) {
      for (Bytes& cells : rule.mayAttend) cells.setOnes();
      replace(rule);
    }
    ImGui::SameLine();
    if (ImGui::Button("Invert")) {
      for (Bytes& cells : rule.mayAttend) cells = (cells.array() == 0).cast<std::uint8_t>().matrix();
      replace(rule);
    }
    if (rule.mayAttend.size() == 1) return;
    if (ImGui::Button("Chosen head's for all heads")) {
      const auto head = static_cast<std::size_t>(context.state.selection.head);
      replace(PaintedRule{{rule.mayAttend[std::min(head, rule.mayAttend.size() - 1)]}});
    }
  }
};

}  // namespace

void drawRuleEditor(ViewContext& context, std::size_t index) {
  ImGui::PushTextWrapPos(22 * ImGui::GetFontSize());
  std::visit(RuleEditor{context, index}, context.scene.masks[index]);
  ImGui::PopTextWrapPos();
}

}  // namespace attn
