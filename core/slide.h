#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/matrix.h"

namespace attn {

/// How panels share a window: rows and columns of panels that lie side by side without gaps, and stacks of
/// panels that share one place.
struct Tile {
  enum class Kind { panel, row, column, tabs };
  Kind kind = Kind::panel;
  std::string panel;           // its title; of tabs: the one in front
  std::vector<Tile> children;  // of a row (left to right), a column (top to bottom), or tabs (only panels)
  float share = 1;             // of the parent's extent, relative to its siblings

  bool operator==(const Tile&) const = default;
};

/// A cell whose derivation is shown: a stage by its name for files.
struct ExplainedCell {
  std::string stage;
  Index head = 0, row = 0, col = 0;

  bool operator==(const ExplainedCell&) const = default;
};

/// A page of a lecture: which panels the audience sees, and which head and query are chosen then. The engine
/// keeps it and computes nothing of it.
struct Slide {
  static constexpr int kMost = 9;
  int number = 1;  // 1 to 9
  Tile panels;     // only those that are seen
  Index head = 0, query = 0;
  bool hidesValues = false;
  std::optional<std::size_t> story = std::nullopt;  // which of the scene's stories a step plays
  std::optional<ExplainedCell> explains = std::nullopt;

  bool operator==(const Slide&) const = default;
};

/// Throws Error with one line where the slides are not in the order of their numbers, each there once, or one
/// has panels that no window could show.
void check(const std::vector<Slide>& slides);

}  // namespace attn
