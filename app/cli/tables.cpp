#include "app/cli/tables.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <ostream>
#include <vector>

#include "core/measures/cost.h"

namespace attn {
namespace {

// Beyond this many rows or columns only the first and the last few are shown.
constexpr Index kMost = 12;
constexpr Index kEdge = 5;

using Cell = std::function<std::string(Index row, Index col)>;
using Names = std::vector<std::string>;

/// The indices that are shown; −1 stands for "…".
std::vector<Index> shown(Index count) {
  std::vector<Index> indices;
  for (Index i = 0; i < count; ++i)
    if (count <= kMost || i < kEdge || i >= count - kEdge)
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
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  char text[32];
  const double size = std::abs(value);
  std::snprintf(text, sizeof text, value != 0 && (size < 1e-3 || size >= 1e5) ? "%.3e" : "%.4f", value);
  return text;
}

void printTable(std::ostream& out, const std::string& title, const Names& rows, const Names& cols,
                const Cell& cell) {
  const std::vector<Index> rowsShown = shown(static_cast<Index>(rows.size()));
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

/// Labels of tokens; control characters would break the table.
Names labels(const std::vector<std::string>& given, const std::string& prefix, Index count) {
  Names names = given.empty() ? numbered(prefix, count) : given;
  for (std::string& name : names)
    for (char& c : name)
      if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' ';
  return names;
}

/// One row of the measures' table: its flags in words.
template <class T>
std::string flagsOf(const ResultsOf<T>& r, Index h, Index i) {
  if (r.maskedRows.at(h, i, 0)) return "sees no key";
  if (r.nonFiniteRows.at(h, i, 0)) return "not a number";
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
  const AllGradientNorms& n = r.norms;
  const std::pair<const char*, const GradientNorms*> all[] = {
      {"dOut", &n.out}, {"dO", &n.headOut}, {"dP", &n.probs}, {"dScores", &n.scores}, {"dQ", &n.q},
      {"dK", &n.k},     {"dV", &n.v},       {"dX", &n.x},     {"dX_kv", &n.other},    {"dW_Q", &n.wq},
      {"dW_K", &n.wk},  {"dW_V", &n.wv},    {"dW_O", &n.wo}};
  Names rows, cols = {"all"};
  std::vector<const GradientNorms*> norms;
  for (const auto& [name, norm] : all)
    if (!norm->ofHead.empty()) rows.emplace_back(name), norms.push_back(norm);
  for (Index h = 0; r.shapes.heads > 1 && h < r.shapes.heads; ++h)
    cols.push_back("head " + std::to_string(h + 1));
  const auto perHead = [&](const GradientNorms& norm) {
    return static_cast<Index>(norm.ofHead.size()) == r.shapes.heads;
  };
  printTable(out, "norms of the gradients", rows, cols, [&](Index i, Index j) {
    const GradientNorms& norm = *norms[static_cast<std::size_t>(i)];
    if (j == 0) return number(norm.all);
    return perHead(norm) ? number(norm.ofHead[static_cast<std::size_t>(j - 1)]) : std::string();
  });
}

/// Operations that a textbook's loops take, stage by stage.
template <class T>
void printCost(std::ostream& out, const SceneOf<T>& scene) {
  std::vector<StageCost> stages = forwardCost(scene);
  stages.push_back({"forward", totalOf(stages), {}});
  stages.push_back({"backward", totalOf(backwardCost(scene)), {}});
  Names rows;
  for (const StageCost& stage : stages) rows.push_back(stage.stage);
  const Names cols = {"multiplications", "additions", "divisions", "exponentials"};
  printTable(out, "operations", rows, cols, [&](Index i, Index j) {
    const OperationCount& n = stages[static_cast<std::size_t>(i)].count;
    const std::uint64_t counts[] = {n.multiplications, n.additions, n.divisions, n.exponentials};
    return std::to_string(counts[j]);
  });
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
                 const std::string& kernels) {
  const Shapes& s = r.shapes;
  const Names queries = labels(scene.queryLabels, "q", s.queries),
              keys = labels(scene.keyLabels, "k", s.keys);
  if (!scene.title.empty()) out << scene.title << '\n';
  out << s.heads << (s.heads == 1 ? " head, " : " heads, ") << s.queries
      << (s.queries == 1 ? " query × " : " queries × ") << s.keys << (s.keys == 1 ? " key" : " keys")
      << ", d_k " << s.keyWidth << ", d_v " << s.valueWidth << ", " << kernels << " kernels\n\n";
  for (Index h = 0; h < s.heads; ++h) {
    if (s.heads > 1) out << "── head " << h + 1 << " ──\n\n";
    printMap(out, "scores", r.scores, h, queries, keys);
    printMap(out, "weights", r.probs, h, queries, keys);
    printMap(out, "output of the head", r.headOut, h, queries, numbered("", s.valueWidth));
    printMeasures(out, r, queries, h);
  }
  // One head without W_O is its own output, and has just been printed.
  if (s.heads > 1 || scene.source.wo)
    printTable(out, scene.source.wo ? "output: all heads · W_O" : "output: all heads side by side", queries,
               numbered("", s.outWidth),
               [&](Index i, Index j) { return number(static_cast<double>(r.out(i, j))); });
  printNorms(out, r);
  printCost(out, scene);
}

template void printTables(std::ostream&, const Scene&, const Results&, const std::string&);
template void printTables(std::ostream&, const PreciseScene&, const PreciseResults&, const std::string&);

}  // namespace attn
