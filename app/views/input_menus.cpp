// What opens over the inputs: where they come from, the menu of cells, the fill, the sentence.
#include <imgui_internal.h>

#include <algorithm>
#include <string>

#include "app/item_registry.h"
#include "app/views/input_actions.h"
#include "app/views/input_hands.h"
#include "app/views/labels.h"
#include "app/views/number_control.h"
#include "app/views/story_bar.h"
#include "app/views/view.h"
#include "core/edits/fills.h"
#include "core/edits/source.h"

namespace attn {
namespace {

using Kind = SourceOf<float>::Kind;

std::string sourceText(const Scene& scene) {
  if (scene.source.kind == Kind::given) return "given";
  return scene.source.other ? "X attends to Y" : "projected";
}

void drawSourceSwitches(ViewContext& context) {
  const Scene& scene = context.scene;
  Editor& editor = context.editor;
  const bool isGiven = scene.source.kind == Kind::given;
  if (ImGui::MenuItem("Q, K, V as given", nullptr, isGiven)) editor.change(useGiven);
  if (ImGui::MenuItem("Projections of X", nullptr, !isGiven)) editor.change(useProjections);
  if (ImGui::MenuItem("Take Q, K, V from the projections", nullptr, false,
                      !scene.source.projected.empty() && isGiven))
    editor.change(takeGivenFromProjections);
  ImGui::Separator();
  const bool isCross = scene.source.other.has_value();
  if (ImGui::MenuItem("Cross-attention: keys and values from Y", nullptr, isCross && !isGiven, !isGiven))
    editor.change([=](Scene& s) { setCrossAttention(s, !isCross); });
  const bool hasOutput = scene.source.wo.has_value();
  if (ImGui::MenuItem("Output projection W_O", nullptr, hasOutput))
    editor.change([=](Scene& s) { hasOutput ? removeOutputProjection(s) : addOutputProjection(s); });
  if (ImGui::MenuItem("Bias on the scores B", nullptr, !scene.bias.empty())) toggleBias(editor);
  ImGui::Separator();
  if (ImGui::MenuItem("Queries and keys change together", nullptr, context.state.inputs.editsBothSides))
    context.state.inputs.editsBothSides = !context.state.inputs.editsBothSides;
  ImGui::SetItemTooltip("As long as they are the same tokens: rows and labels of both are edited at once");
  if (ImGui::MenuItem("Sentence…")) context.state.inputs.opensTokens = true;
}

void drawClipboardItems(ViewContext& context) {
  const auto copy = [&](BlockFormat format) {
    ImGui::SetClipboardText(copySelection(context.scene, context.state, format).c_str());
  };
  if (ImGui::MenuItem("Copy", "Ctrl+C")) copy(BlockFormat::spreadsheet);
  if (ImGui::MenuItem("Copy as NumPy", "Ctrl+Alt+N")) copy(BlockFormat::numpy);
  if (ImGui::MenuItem("Copy as LaTeX", "Ctrl+Alt+L")) copy(BlockFormat::latex);
  const char* clipboard = ImGui::GetClipboardText();
  if (ImGui::MenuItem("Paste", "Ctrl+V", false, clipboard && *clipboard))
    pasteText(context.editor, context.state, clipboard);
  if (ImGui::MenuItem("Set to 0", "Delete")) setSelection(context.editor, context.state, 0);
}

struct LineWords {
  const char *before, *after, *duplicate, *remove, *back, *forth;
};

void drawLineItems(ViewContext& context, Line line, const LineWords& words) {
  Editor& editor = context.editor;
  ViewState& state = context.state;
  if (ImGui::MenuItem(words.before)) addLine(editor, state, line, false);
  if (ImGui::MenuItem(words.after, line == Line::row ? "Insert" : "Shift+Insert"))
    addLine(editor, state, line, true);
  if (ImGui::MenuItem(words.duplicate, line == Line::row ? "Ctrl+D" : "Ctrl+Shift+D"))
    duplicateLine(editor, state, line);
  if (ImGui::MenuItem(words.remove, line == Line::row ? "Ctrl+Delete" : "Ctrl+Shift+Delete"))
    removeLines(editor, state, line);
  if (ImGui::MenuItem(words.back)) shiftLine(editor, state, line, -1);
  if (ImGui::MenuItem(words.forth)) shiftLine(editor, state, line, 1);
}

std::string lineCaption(const ViewContext& context, Line line) {
  const InputsState& state = context.state.inputs;
  const LineMeaning meaning = meaningOf(context.scene, state, state.grid, line);
  const std::string title =
      line == Line::row ? rowTitle(context.state.notation, context.scene, state.grid, state.cursor.row)
                        : columnTitle(context.state.notation, context.scene, state.grid, state.cursor.col);
  constexpr const char* kDimensions[] = {"d_k", "d_v", "width of X", "width of Y", "width of the output"};
  constexpr const char* kTokens[] = {"queries", "keys", "queries and keys"};
  const std::string of = meaning.tokens ? kTokens[static_cast<int>(*meaning.tokens)]
                                        : kDimensions[static_cast<int>(meaning.dimension)];
  return (line == Line::row ? "Row " : "Column ") + title + " · " + of;
}

void drawCellMenu(ViewContext& context) {
  InputsState& state = context.state.inputs;
  if (!ImGui::BeginPopup("cell menu")) return;
  drawClipboardItems(context);
  if (ImGui::MenuItem("Fill…", "Ctrl+F")) state.opensFill = true;
  const StoryTarget cell{StoryTarget::Kind::cell, activeInput(context.state), state.cursor.row,
                         state.cursor.col};
  if (ImGui::MenuItem("Animate…", "Ctrl+Shift+M")) animate(context.editor, context.state.story, cell);
  ImGui::SeparatorText(lineCaption(context, Line::row).c_str());
  const bool hasLabel = rowTokens(context.scene, state.grid).has_value();
  if (hasLabel && ImGui::MenuItem("Rename token", "Ctrl+R")) state.opensLabel = true;
  drawLineItems(
      context, Line::row,
      {"Add row above", "Add row below", "Duplicate row", "Remove rows", "Move row up", "Move row down"});
  ImGui::SeparatorText(lineCaption(context, Line::column).c_str());
  drawLineItems(context, Line::column,
                {"Add column before", "Add column after", "Duplicate column", "Remove columns",
                 "Move column left", "Move column right"});
  ImGui::EndPopup();
}

bool drawFillKinds(Fill& draft) {
  constexpr std::pair<const char*, Fill::Kind> kKinds[] = {{"noise", Fill::Kind::normal},
                                                           {"uniform", Fill::Kind::uniform},
                                                           {"orthonormal", Fill::Kind::orthonormal},
                                                           {"identity", Fill::Kind::identity}};
  bool isChanged = false;
  for (const auto& [label, kind] : kKinds) {
    if (kind != Fill::Kind::normal) ImGui::SameLine();
    if (ImGui::RadioButton(label, draft.kind == kind)) draft.kind = kind, isChanged = true;
  }
  return isChanged;
}

bool drawFillSliders(ViewContext& context, Fill& draft) {
  bool isChanged = false;
  const InputRef ref = activeInput(context.state);
  const auto slide = [&](const char* label, double& value, NumberBounds bounds, StoryTarget::Kind kind) {
    isChanged |= slideNumber(label, value, bounds);
    offerStory(context, {.kind = kind, .input = ref});
  };
  if (draft.kind == Fill::Kind::normal) {
    slide("μ", draft.mean, {-3, 3}, StoryTarget::Kind::mean);
    slide("σ", draft.deviation, {0, 5}, StoryTarget::Kind::deviation);
    draft.deviation = std::max(0.0, draft.deviation);
  }
  if (draft.kind == Fill::Kind::uniform) {
    slide("from", draft.low, {-3, 3}, StoryTarget::Kind::low);
    slide("to", draft.high, {-3, 3}, StoryTarget::Kind::high);
    draft.high = std::max(draft.low, draft.high);
  }
  if (draft.kind == Fill::Kind::identity || draft.kind == Fill::Kind::typed) return isChanged;
  constexpr std::uint64_t kFirst = 1, kLast = 100;
  isChanged |= ImGui::SliderScalar("seed", ImGuiDataType_U64, &draft.seed, &kFirst, &kLast);
  offerStory(context, {.kind = StoryTarget::Kind::seed, .input = ref});
  return isChanged;
}

void drawFill(ViewContext& context) {
  InputsState& state = context.state.inputs;
  // Beside the panel: the numbers that it draws stay in sight.
  const ImGuiWindow* panel = ImGui::GetCurrentWindow()->RootWindow;
  ImGui::SetNextWindowPos({panel->Pos.x + panel->Size.x + 8 * context.theme.unit,
                           ImGui::GetWindowPos().y + 8 * context.theme.unit},
                          ImGuiCond_Appearing);
  if (!ImGui::BeginPopup("fill")) return;
  const InputRef ref = activeInput(context.state);
  ImGui::Text("Fill %s", inputTitle(ref.name));
  ImGui::PushItemWidth(14 * ImGui::GetFontSize());
  bool isChanged = drawFillKinds(state.draft);
  isChanged |= drawFillSliders(context, state.draft);
  if (isChanged) {
    context.editor.change([&](Scene& scene) { fillInput(scene, ref, state.draft); });
  }
  auto constant = static_cast<double>(state.constant);
  if (dragNumber("one number", constant, 0.02f, "%.2f")) {
    state.draft.kind = Fill::Kind::typed;
    const float value = state.constant = static_cast<float>(constant);
    context.editor.change([&](Scene& scene) {
      const Matrix& values = findInput(scene, ref)->values;
      setBlock(scene, ref, 0, 0, Matrix::Constant(values.rows(), values.cols(), value));
    });
  }
  offerStory(context, {.kind = StoryTarget::Kind::constant, .input = ref});
  ImGui::PopItemWidth();
  ImGui::EndPopup();
}

void drawSentence(ViewContext& context) {
  InputsState& state = context.state.inputs;
  if (!ImGui::BeginPopup("sentence")) return;
  ImGui::TextUnformatted("Words between blanks become the tokens");
  ImGui::SetNextItemWidth(26 * ImGui::GetFontSize());
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const bool isDone = ImGui::InputText("##sentence", state.sentence.data(), state.sentence.size(),
                                       ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  if (ImGui::Button("Use") || isDone) {
    setSentence(context.editor, context.state, state.sentence.data());
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

/// The labels of the tokens that the cursor's matrix is about.
void rememberSentence(const Notation& notation, const Scene& scene, InputsState& state) {
  const auto side = rowTokens(scene, state.grid);
  const Shapes shapes = shapesOf(scene);
  std::string sentence;
  const Index count = side == Tokens::keys ? shapes.keys : shapes.queries;
  for (Index i = 0; i < count; ++i)
    sentence += (i ? " " : "") +
                (side == Tokens::keys ? keyLabel(notation, scene, i) : queryLabel(notation, scene, i));
  sentence.resize(std::min(sentence.size(), state.sentence.size() - 1));
  std::copy_n(sentence.c_str(), sentence.size() + 1, state.sentence.begin());
}

}  // namespace

void drawSourceMenu(ViewContext& context) {
  if (ImGui::Button((sourceText(context.scene) + " ▾##source").c_str())) ImGui::OpenPopup("source");
  nameRect("Source", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  ImGui::SetItemTooltip("Where Q, K and V come from");
  if (!ImGui::BeginPopup("source")) return;
  drawSourceSwitches(context);
  ImGui::EndPopup();
}

void drawInputPopups(ViewContext& context) {
  InputsState& state = context.state.inputs;
  if (std::exchange(state.opensMenu, false)) ImGui::OpenPopup("cell menu");
  drawCellMenu(context);
  if (std::exchange(state.opensFill, false)) {
    state.draft = suggestedFill(context.scene, activeInput(context.state));
    ImGui::OpenPopup("fill");
  }
  drawFill(context);
  if (std::exchange(state.opensLabel, false)) openText(context, CellText::Place::label);
  if (std::exchange(state.opensTokens, false)) {
    rememberSentence(context.state.notation, context.scene, state);
    ImGui::OpenPopup("sentence");
  }
  drawSentence(context);
}

}  // namespace attn
