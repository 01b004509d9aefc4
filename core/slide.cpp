#include "core/slide.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/explain/explain.h"

namespace attn {
namespace {

constexpr int kDeepest = 5;  // a file with more would have too many levels of brackets
constexpr std::size_t kMostChildren = 64;

void expect(bool holds, const std::string& where, const std::string& expected) {
  if (!holds) throw Error(where + ": expected " + expected);
}

void check(const Tile& tile, const std::string& where, int depth) {
  expect(depth <= kDeepest, where, "at most 5 rows, columns and tabs within each other");
  expect(std::isfinite(tile.share) && tile.share > 0, where + ".share", "a number above 0");
  if (tile.kind == Tile::Kind::panel)
    return expect(!tile.panel.empty(), where + ".panel", "the title of a panel");
  expect(!tile.children.empty() && tile.children.size() <= kMostChildren, where,
         "1 to 64 panels side by side");
  for (const Tile& child : tile.children) {
    expect(tile.kind != Tile::Kind::tabs || child.kind == Tile::Kind::panel, where, "only panels among tabs");
    check(child, where, depth + 1);
  }
}

}  // namespace

void check(const std::vector<Slide>& slides) {
  int before = 0;
  for (const Slide& slide : slides) {
    const std::string where = "slides: slide " + std::to_string(slide.number);
    expect(slide.number >= 1 && slide.number <= Slide::kMost, where, "a number from 1 to 9");
    expect(slide.number > before, where, "slides in the order of their numbers, each once");
    expect(slide.head >= 0 && slide.query >= 0, where, "a head and a query from 0");
    before = slide.number;
    check(slide.panels, where + ".panels", 0);
    if (!slide.explains) continue;
    expect(stageNamed(slide.explains->stage).has_value(), where + ".explains.stage",
           "the name of a stage, such as probs; found " + slide.explains->stage);
    const ExplainedCell& cell = *slide.explains;
    expect(cell.head >= 0 && cell.row >= 0 && cell.col >= 0, where + ".explains", "a head and a cell from 0");
  }
}

}  // namespace attn
