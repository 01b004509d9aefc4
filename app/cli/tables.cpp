#include "app/cli/tables.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <ostream>
#include <vector>

#include "core/io/result_arrays.h"

namespace attn {
namespace {

// Beyond this many rows or columns only the first and the last few are shown; and so many heads.
constexpr Index kMost = 12;
constexpr Index kEdge = 5;
constexpr Index kHeadsShown = 8;
constexpr std::size_t kLabelWidth = 16;

using Cell = std::function<std::string(Index row, Index col)>;
using Names = std::vector<std::string>;

/// The indices that are shown; −1 stands for "…".
std::vector<Index> shown(Index count, bool all = false) {
  std::vector<Index> indices;
  for (Index i = 0; i < count; ++i)
    if (all || count <= kMost || i < kEdge || i >= count - kEdge)
      indices.push_back(i);
    else if (i == kEdge)
      indices.push_back(-1);
  return indices;
}

/// Characters, not bytes: labels are UTF-8.
std::size_t widthOf(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width > widthOf(text) ? width - widthOf(text) : 0, ' ');
  return right ? space + text : text + space;
}

std::string number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  char text[32];
  const double size = std::abs(value);
  std::snprintf(text, sizeof text, value != 0 && (size < 1e-3 || size >= 1e5) ? "%.3e" : "%.4f", value);
  return std::string(text) == "-0.0000" ? "0.0000" : text;
}

void printTable(std::ostream& out, const std::string& title, const Names& rows, const Names& cols,
                const Cell& cell, bool allRows = false) {
  const std::vector<Index> rowsShown = shown(static_cast<Index>(rows.size()), allRows);
  const std::vector<Index> colsShown = shown(static_cast<Index>(cols.size()));
  const auto name = [](const Names& names, Index i) {
    return i < 0 ? std::string("…") : names[static_cast<std::size_t>(i)];
  };
  const auto text = [&](Index i, Index j) { return i < 0 || j < 0 ? std::string("…") : cell(i, j); };
  std::size_t head = 0;
  for (const Index i : rowsShown) head = std::max(head, widthOf(name(rows, i)));
  std::vector<std::size_t> widths;
  for (const Index j : colsShown) {
    widths.push_back(widthOf(name(cols, j)));
    for (const Index i : rowsShown) widths.back() = std::max(widths.back(), widthOf(text(i, j)));
  }
  const auto printLine = [&](const std::string& first, const auto& cellOf) {
    std::string line = "  " + padded(first, head, false);
    for (std::size_t c = 0; c < colsShown.size(); ++c)
      line += "  " + padded(cellOf(colsShown[c]), widths[c], true);
    out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
  };
  out << title << '\n';
  printLine("", [&](Index j) { return name(cols, j); });
  for (const Index i : rowsShown) printLine(name(rows, i), [&](Index j) { return text(i, j); });
  out << '\n';
}

Names numbered(const std::string& prefix, Index count) {
  Names names;
  for (Index i = 0; i < count; ++i) names.push_back(prefix + std::to_string(i));
  return names;
}

/// On one line: a control character could do anything to a terminal.
std::string plain(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' ';
  return text;
}

/// Labels of tokens, shortened so that a column stays a column.
Names labels(const std::vector<std::string>& given, char letter, Index count) {
  Names names;
  for (Index i = 0; i < count; ++i) {
    std::string& name = names.emplace_back(plain(tokenLabel(given, letter, i)));
    if (widthOf(name) <= kLabelWidth) continue;
    while (widthOf(name) >= kLabelWidth) name.pop_back();
    name += "…";
  }
  return names;
}

/// One row of the measures' table: its flags in words.
template <class T>
std::string flagsOf(const ResultsOf<T>& r, Index h, Index i) {
  if (r.maskedRows.at(h, i, 0)) return "sees no key";
  if (r.nonFiniteRows.at(h, i, 0)) return "not finite";
  return r.saturatedRows.at(h, i, 0) ? "saturated" : "";
}

template <class T>
void printMeasures(std::ostream& out, const ResultsOf<T>& r, const Names& queries, Index h) {
  const MeasuresOf<T>& m = r.measures;
  const StackOf<T>* columns[] = {&m.largestWeight, &m.entropy,      &m.entropyShare,
                                 &m.effectiveKeys, &m.jacobianNorm, &m.jacobianEigenvalue};
  const Names names = {"max weight", "entropy", "of ln n", "eff. keys", "‖Jacobian‖", "max eigenvalue", ""};
  printTable(out, "measures of each row", queries, names, [&](Index i, Index j) {
    return j == 6 ? flagsOf(r, h, i) : number(static_cast<double>(columns[j]->at(h, i, 0)));
  });
}

template <class T>
void printNorms(std::ostream& out, const ResultsOf<T>& r) {
  const std::vector<NamedNorms> norms = normsOf(r.norms);
  Names rows, cols = {"all"};
  for (const NamedNorms& each : norms) rows.push_back(each.name);
  for (Index h = 0; r.shapes.heads > 1 && h < r.shapes.heads; ++h)
    cols.push_back("head " + std::to_string(h));
  const auto cell = [&](Index i, Index j) {
    const GradientNorms& norm = *norms[static_cast<std::size_t>(i)].norms;
    if (j == 0) return number(norm.all);
    const bool perHead = static_cast<Index>(norm.ofHead.size()) == r.shapes.heads;
    return perHead ? number(norm.ofHead[static_cast<std::size_t>(j - 1)]) : std::string();
  };
  printTable(out, "norms of the gradients", rows, cols, cell, true);
}

/// Operations that a textbook's loops take, stage by stage.
void printCost(std::ostream& out, const std::vector<StageCost>& stages) {
  Names rows;
  for (const StageCost& stage : stages) rows.push_back(stage.stage);
  const auto cell = [&](Index i, Index j) {
    const OperationCount& n = stages[static_cast<std::size_t>(i)].count;
    const std::uint64_t counts[] = {n.multiplications, n.additions, n.divisions, n.exponentials};
    return std::to_string(counts[j]);
  };
  printTable(out, "operations", rows, {"multiplications", "additions", "divisions", "exponentials"}, cell,
             true);
}

template <class T>
void printMap(std::ostream& out, const std::string& title, const StackOf<T>& map, Index h, const Names& rows,
              const Names& cols) {
  printTable(out, title, rows, cols,
             [&](Index i, Index j) { return number(static_cast<double>(map.at(h, i, j))); });
}

}  // namespace

template <class T>
void printTables(std::ostream& out, const SceneOf<T>& scene, const ResultsOf<T>& r,
                 const std::vector<StageCost>& operations, const std::string& kernels) {
  const Shapes& s = r.shapes;
  const Names queries = labels(scene.queryLabels, 'q', s.queries),
              keys = labels(scene.keyLabels, 'k', s.keys);
  if (!scene.title.empty()) out << plain(scene.title) << '\n';
  out << s.heads << (s.heads == 1 ? " head, " : " heads, ") << s.queries
      << (s.queries == 1 ? " query × " : " queries × ") << s.keys << (s.keys == 1 ? " key" : " keys")
      << ", d_k " << s.keyWidth << ", d_v " << s.valueWidth << ", " << kernels << " kernels\n\n";
  for (Index h = 0; h < std::min(s.heads, kHeadsShown); ++h) {
    if (s.heads > 1) out << "── head " << h << " ──\n\n";
    printMap(out, "scores", r.scores, h, queries, keys);
    printMap(out, "weights", r.probs, h, queries, keys);
    printMap(out, "output of the head", r.headOut, h, queries, numbered("", s.valueWidth));
    printMeasures(out, r, queries, h);
  }
  if (s.heads > kHeadsShown)
    out << "── … " << s.heads - kHeadsShown << " more heads: -o and --json have them all ──\n\n";
  // One head without W_O is its own output, and has just been printed.
  if (s.heads > 1 || scene.source.wo)
    printTable(out, scene.source.wo ? "output: all heads · W_O" : "output: all heads side by side", queries,
               numbered("", s.outWidth),
               [&](Index i, Index j) { return number(static_cast<double>(r.out(i, j))); });
  printNorms(out, r);
  printCost(out, operations);
}

template void printTables(std::ostream&, const Scene&, const Results&, const std::vector<StageCost>&,
                          const std::string&);
template void printTables(std::ostream&, const PreciseScene&, const PreciseResults&,
                          const std::vector<StageCost>&, const std::string&);

}  // namespace attn
