#include "app/views/map_pointer.h"

#include <imgui.h>

#include <cmath>

#include "app/presenter/hidden_values.h"
#include "app/views/compare.h"
#include "app/views/labels.h"
#include "app/views/widgets.h"

namespace attn {
namespace {

std::string named(const MapFrame& frame, Map::Axis axis, Index i) {
  const std::string label = axisLabel(frame.context.state.notation, frame.context.shown, axis, i);
  return axis == Map::Axis::dimensions ? "dimension " + label : label;
}

void replace(std::string& text, const std::string& mark, const std::string& by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
    text.replace(at, mark.size(), by);
}

/// Where several cells lie under one pixel, the colour is not that of this one.
std::string reductionText(const MapFrame& frame) {
  const HeatmapPicture& picture = frame.picture;
  const float across = static_cast<float>(frame.across.count) / (picture.max.x - picture.min.x);
  const float down = static_cast<float>(frame.down.count) / (picture.max.y - picture.min.y);
  if (across <= 1 && down <= 1) return "";
  return picture.reduction == Reduction::largest ? "The pixel shows the largest of the cells under it."
                                                 : "The pixel shows the average of the cells under it.";
}

void drawTooltip(const MapFrame& frame, Index row, Index col) {
  const Theme& theme = frame.context.theme;
  const PresenterState& presenter = frame.context.state.presenter;
  if (presenter.isOn && (presenter.hasSpotlight || presenter.hasLaser))
    return;  // they point at the cell itself
  if (!ImGui::BeginTooltip()) return;
  ImGui::PushTextWrapPos(22 * ImGui::GetFontSize());
  sectionLabel(theme, cellTitle(frame, row, col).c_str());
  ImGui::PushFont(theme.numbers);
  ImGui::TextUnformatted(cellValue(frame, row, col).c_str());
  ImGui::PopFont();
  ImGui::PushStyleColor(ImGuiCol_Text, theme.faint);
  const std::string meaning = cellMeaning(frame, row, col), reduction = reductionText(frame);
  if (!meaning.empty()) ImGui::TextUnformatted(meaning.c_str());
  if (!reduction.empty()) ImGui::TextUnformatted(reduction.c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void markEverywhere(const MapFrame& frame, Index row, Index col) {
  pointAtValue(frame.context.state, frame.key, row, col);
  for (Hover* hover : {&frame.context.state.nextHover, &frame.context.state.maps.cursor.last}) {
    hoveredOn(*hover, frame.map.rowsAre) = row;
    hoveredOn(*hover, frame.map.columns) = col;
  }
}

/// Of all heads together, the chosen one's is explained.
void rememberCell(const MapFrame& frame, Index row, Index col) {
  const Map& map = frame.map;
  ViewState& state = frame.context.state;
  state.explain.pointed.reset();
  if (!map.stage) return;
  const Index head = map.heads > 1 ? state.selection.head : map.head;
  state.explain.pointed = Cell{*map.stage, head, row, col};
}

/// The next tooltip goes beneath the map, which it then does not hide; where there is no room, beside the
/// cell.
void placeBeside(const MapFrame& frame, ImVec2 min, ImVec2 max) {
  const ImGuiViewport& screen = *ImGui::GetMainViewport();
  const float gap = 6 * frame.context.theme.unit, foot = frame.picture.clipMax.y + gap;
  const bool isLeft = min.x < screen.GetCenter().x, isUpper = min.y < screen.GetCenter().y;
  const bool isBeneath = foot + 8 * ImGui::GetTextLineHeight() < screen.Pos.y + screen.Size.y;
  const float x = isLeft ? max.x + (isBeneath ? 0 : gap) : min.x - (isBeneath ? 0 : gap);
  const float y = isBeneath ? foot : isUpper ? max.y + gap : min.y - gap;
  ImGui::SetNextWindowPos({x, y}, ImGuiCond_Always,
                          {isLeft ? 0.0f : 1.0f, isBeneath || isUpper ? 0.0f : 1.0f});
}

bool isClicked() {
  const ImVec2 dragged = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0);
  return ImGui::IsMouseReleased(ImGuiMouseButton_Left) && std::hypot(dragged.x, dragged.y) < 4;
}

}  // namespace

std::string cellTitle(const MapFrame& frame, Index row, Index col) {
  const char* between = frame.map.columns == Map::Axis::dimensions ? ", " : " → ";
  return named(frame, frame.map.rowsAre, row) + between + named(frame, frame.map.columns, col);
}

std::string cellValue(const MapFrame& frame, Index row, Index col) {
  const Notation& notation = frame.context.state.notation;
  const std::string operands = operandsText(frame.context, frame.map.values + row * frame.map.cols + col);
  return shownValue(frame.context.state, frame.key, row, col,
                    exactText(notation, frame.value(row, col)) + (operands.empty() ? "" : " = " + operands));
}

std::string cellMeaning(const MapFrame& frame, Index row, Index col) {
  if (frame.isHidden(row, col)) return "The mask hides this pair.";
  std::string meaning = frame.map.meaning;
  if (*showingText(frame.context)) meaning = showingText(frame.context) + (". " + meaning);
  replace(meaning, "{row}", named(frame, frame.map.rowsAre, row));
  replace(meaning, "{column}", named(frame, frame.map.columns, col));
  if (frame.map.heads > 1)
    meaning = (frame.context.state.heads.choice == HeadChoice::average ? "The average over all heads. "
                                                                       : "The largest of all heads. ") +
              meaning;
  return meaning;
}

void followPointer(const MapFrame& frame, double across, double down) {
  const auto a = static_cast<Index>(std::floor(across)), d = static_cast<Index>(std::floor(down));
  if (a < 0 || d < 0 || a >= frame.across.count || d >= frame.down.count) return;
  const Index row = frame.rowOf(a, d), col = frame.colOf(a, d);
  markEverywhere(frame, row, col);
  rememberCell(frame, row, col);
  MapCursor& cursor = frame.context.state.maps.cursor;
  if (cursor.map == frame.key) cursor.row = row, cursor.col = col;  // the keyboard goes on from here
  drawTooltip(frame, row, col);
}

void pointAt(const MapFrame& frame, Index row, Index col, ImVec2 min, ImVec2 max) {
  markEverywhere(frame, row, col);
  rememberCell(frame, row, col);
  placeBeside(frame, min, max);
  drawTooltip(frame, row, col);
}

void chooseQuery(const MapFrame& frame, Index row, Index col) {
  Index& query = frame.context.state.selection.query;
  if (frame.map.rowsAre == Map::Axis::queries) query = row;
  if (frame.map.columns == Map::Axis::queries) query = col;
  explainPointed(frame.context.state);
}

void chooseByClick(const MapFrame& frame) {
  ViewState& state = frame.context.state;
  if (!isClicked()) return;
  if (state.nextHover.query) state.selection.query = *state.nextHover.query;
  explainPointed(state);
}

}  // namespace attn
