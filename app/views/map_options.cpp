#include "app/views/map_options.h"

#include <imgui.h>

#include <string>

#include "app/views/labels.h"
#include "app/views/number_control.h"
#include "app/views/panel_text.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

/// A panel may have several maps: only the one that was asked for shows them.
std::string popupOf(const char* label) {
  return "options of " + std::string(label);
}

void chooseColours(MapFrame& frame) {
  std::optional<Colormap>& chosen = frame.options.colormap;
  ImGui::SetNextItemWidth(11 * ImGui::GetFontSize());
  if (ImGui::BeginCombo("Colours", chosen ? nameOf(*chosen) : "automatic")) {
    if (ImGui::Selectable("automatic", !chosen)) chosen.reset();
    for (const Colormap map : kColormaps)
      if (ImGui::Selectable(nameOf(map), chosen == map)) chosen = map;
    ImGui::EndCombo();
  }
  if (ImGui::RadioButton("Linear", !frame.options.isLogarithmic)) frame.options.isLogarithmic = false;
  ImGui::SameLine();
  if (ImGui::RadioButton("Logarithmic", frame.options.isLogarithmic)) frame.options.isLogarithmic = true;
  ImGui::SetItemTooltip("Colour by the logarithm of the magnitude: small numbers become visible");
}

std::string rangeText(const MapFrame& frame, float value) {
  return writeNumber(static_cast<double>(value), frame.context.state.notation);
}

void chooseRange(MapFrame& frame) {
  std::optional<MapRange>& range = frame.options.range;
  if (ImGui::RadioButton("Automatic range", !range)) range.reset();
  ImGui::SameLine();
  if (ImGui::RadioButton("Fixed", range.has_value()) && !range)
    range = MapRange{frame.picture.low, frame.picture.high};
  if (range) {
    const bool isLeast = frame.picture.isLogarithmic;
    ImGui::SetNextItemWidth(7 * ImGui::GetFontSize());
    typeNumber(isLeast ? "Least##low" : "Lowest##low", range->low);
    ImGui::SetNextItemWidth(7 * ImGui::GetFontSize());
    typeNumber("Highest##high", range->high);
    const MapRange used{frame.picture.low, frame.picture.high};
    if (!(*range == used))
      ImGui::TextDisabled("Drawn from %s to %s", rangeText(frame, used.low).c_str(),
                          rangeText(frame, used.high).c_str());
  }
  ImGui::BeginDisabled(range.has_value() || !frame.map.stack || frame.map.stack->heads() < 2);
  ImGui::Checkbox("One range for all heads", &frame.options.sharesRange);
  ImGui::EndDisabled();
}

void chooseLook(MapFrame& frame) {
  MapOptions& options = frame.options;
  const bool isOfQueries = frame.map.rowsAre == Map::Axis::queries;
  if (ImGui::RadioButton(isOfQueries ? "Queries as rows" : "Tokens as rows", !options.isTransposed))
    options.isTransposed = false;
  ImGui::SameLine();
  if (ImGui::RadioButton("as columns", options.isTransposed)) options.isTransposed = true;
  ImGui::Checkbox("Numbers in the cells", &options.showsNumbers);
  if (frame.map.isWeights) ImGui::Checkbox("Sums of the rows", &options.showsRowSums);
  ImGui::BeginDisabled(!frame.map.stack || frame.map.stack->heads() < 2);
  ImGui::Checkbox("All heads side by side", &options.showsAllHeads);
  ImGui::EndDisabled();
  ImGui::TextDisabled("Cells smaller than a pixel show");
  if (ImGui::RadioButton("the largest", options.reduction == Reduction::largest))
    options.reduction = Reduction::largest;
  ImGui::SetItemTooltip("So that a thin line never vanishes");
  ImGui::SameLine();
  if (ImGui::RadioButton("the average", options.reduction == Reduction::average))
    options.reduction = Reduction::average;
  if (ImGui::Button("Show the whole map")) frame.context.state.maps.zooms.erase(frame.key);
  ImGui::SetItemTooltip("So does a double click on it");
}

void offerCopies(MapFrame& frame) {
  ImGui::TextDisabled("Copy as");
  const auto offer = [&](const char* label, BlockFormat format) {
    ImGui::SameLine();
    if (!ImGui::SmallButton(label)) return;
    ImGui::SetClipboardText(textOfMap(frame, format).c_str());
    frame.context.state.status = std::to_string(frame.down.count) + " × " +
                                 std::to_string(frame.across.count) + " numbers copied as " + label;
    ImGui::CloseCurrentPopup();
  };
  offer("spreadsheet", BlockFormat::spreadsheet);
  offer("NumPy", BlockFormat::numpy);
  offer("LaTeX", BlockFormat::latex);
}

}  // namespace

void mapCaption(ViewContext& context, const char* text) {
  const Index heads = context.results.shapes.heads;
  const HeadChoice choice = context.state.heads.choice;
  std::string caption = text;
  if (heads > 1 && choice == HeadChoice::one)
    caption += ", head " + std::to_string(context.state.selection.head + 1);
  if (heads > 1 && choice != HeadChoice::one)
    caption += (choice == HeadChoice::average ? ", average of " : ", maximum of ") + std::to_string(heads) +
               " heads";
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled(
      "%s", elided(caption, ImGui::GetContentRegionAvail().x - 2 * ImGui::GetFrameHeight()).c_str());
  drawGear(context);
}

void drawGear(ViewContext& context) {
  if (context.state.presenter.isOn) return;
  const float width = ImGui::GetFrameHeight();
  ImGui::SameLine(0, 0);
  const float right = ImGui::GetWindowContentRegionMax().x - width;
  ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), right));
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0, 0, 0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, ImGui::GetStyle().FramePadding.y));
  if (ImGui::Button("⚙##gear", {width, 0})) openMapOptions("map");
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  if (ImGui::BeginItemTooltip()) {
    ImGui::TextColored(context.theme.text, "How this map is drawn");
    ImGui::EndTooltip();
  }
}

void openMapOptions(const char* label) {
  ImGui::OpenPopup(popupOf(label).c_str());
}

void drawMapOptions(MapFrame& frame) {
  if (!ImGui::BeginPopup(popupOf(frame.map.label).c_str())) return;
  chooseColours(frame);
  ImGui::Separator();
  chooseRange(frame);
  ImGui::Separator();
  chooseLook(frame);
  ImGui::Separator();
  offerCopies(frame);
  ImGui::EndPopup();
}

std::string textOfMap(const MapFrame& frame, BlockFormat format) {
  const ConstMatrixView<float> values(frame.map.values, frame.map.rows, frame.map.cols);
  return blockText(frame.options.isTransposed ? Matrix(values.transpose()) : Matrix(values), format,
                   frame.context.state.notation);
}

}  // namespace attn
