#pragma once
#include <imgui.h>

#include <optional>
#include <string>

#include "app/views/inputs.h"

namespace attn {

struct Notation;
struct ViewContext;

/// A matrix of numbers on the screen. Only what can be seen is drawn, so that 65,536 rows cost no more than
/// 20; the headers stay in sight while the cells scroll under them.
struct GridFrame {
  InputRef ref;
  const Matrix& values;  // of the scene as edited
  ImVec2 origin;         // of the corner between the headers; moves with the scrolling
  ImVec2 clipMin, clipMax;
  float labelWidth = 0, cellWidth = 0, rowHeight = 0;

  Index rows() const { return values.rows(); }
  Index cols() const { return values.cols(); }
  ImVec2 size() const {
    return {labelWidth + cellWidth * static_cast<float>(cols()), rowHeight * static_cast<float>(rows() + 1)};
  }
  /// The corner as it is seen: at the edge while the grid is scrolled past it.
  ImVec2 corner() const;
  ImVec2 cellMin(CellPlace cell) const {
    return {origin.x + labelWidth + cellWidth * static_cast<float>(cell.col),
            origin.y + rowHeight * static_cast<float>(cell.row + 1)};
  }
  ImVec2 cellMax(CellPlace cell) const { return cellMin({cell.row + 1, cell.col + 1}); }
  ImVec2 labelMin(Index row) const { return {corner().x, cellMin({row, 0}).y}; }
  ImVec2 labelMax(Index row) const { return {corner().x + labelWidth, cellMin({row + 1, 0}).y}; }

  /// The cell that is nearest to a place.
  CellPlace nearest(ImVec2 place) const;
  bool isOnLabels(ImVec2 place) const { return place.x < corner().x + labelWidth; }
  bool isOnHeads(ImVec2 place) const { return place.y < corner().y + rowHeight; }
  /// The cells that can be seen.
  CellBlock visible() const;
};

GridFrame layOutGrid(const ViewContext& context, const InputRef& ref, const Matrix& values);

/// The label of a row (its token, or the number of a dimension) and of a column.
std::string rowTitle(const Notation& notation, const Scene& scene, InputName grid, Index row);
std::string columnTitle(const Notation& notation, const Scene& scene, InputName grid, Index col);

/// As many digits of a number as fit into the width: "−3.14", "3e+09", "NaN".
std::string fittingNumber(const Notation& notation, float value, float width, const ImFont& font);

/// The largest finite magnitude; 0 where there is none.
float largestMagnitude(const Matrix& values);

void paintGrid(const ViewContext& context, const GridFrame& grid);

}  // namespace attn
