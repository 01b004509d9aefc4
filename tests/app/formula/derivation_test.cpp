// What is printed of a derivation: the printed operands of every step make its printed result, as far as
// their digits permit. Every number is taken as the interval of all that would be printed like it.
#include "app/formula/derivation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <regex>
#include <set>

#include "app/formula/latex.h"
#include "core/evaluate.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Interval {
  double low = 0, high = 0;
  bool isNan = false;
};

Interval nan() {
  return {0, 0, true};
}

Interval hull(std::initializer_list<double> values) {
  Interval all{kInfinity, -kInfinity};
  for (const double value : values) {
    if (std::isnan(value)) return nan();
    all.low = std::min(all.low, value), all.high = std::max(all.high, value);
  }
  return all;
}

template <class Combine>
Interval combined(Interval a, Interval b, const Combine& combine) {
  if (a.isNan || b.isNan) return nan();
  return hull(
      {combine(a.low, b.low), combine(a.low, b.high), combine(a.high, b.low), combine(a.high, b.high)});
}

template <class Map>
Interval mapped(Interval a, const Map& map) {  // rising
  return a.isNan ? a : Interval{map(a.low), map(a.high)};
}

Interval sum(Interval a, Interval b) {
  return combined(a, b, [](double x, double y) { return x + y; });
}
Interval minus(Interval a) {
  return a.isNan ? a : Interval{-a.high, -a.low};
}
Interval product(Interval a, Interval b) {
  return combined(a, b, [](double x, double y) { return x * y; });
}
Interval quotient(Interval a, Interval b) {
  const bool isAnything = !b.isNan && b.low <= 0 && b.high >= 0 && b.low < b.high;
  if (isAnything) return {-kInfinity, kInfinity};
  return combined(a, b, [](double x, double y) { return x / y; });
}

/// Evaluates a printed expression.
class Reader {
 public:
  Reader(std::string text, int digits, char mark) : text_(std::move(text)), digits_(digits), mark_(mark) {}

  Interval whole() {
    const Interval value = expression();
    if (at_ != text_.size()) ADD_FAILURE() << "cannot read " << text_ << " from " << text_.substr(at_);
    return value;
  }

 private:
  bool take(const std::string& word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }
  bool isAt(const std::string& word) const { return text_.compare(at_, word.size(), word) == 0; }

  Interval expression() {
    Interval value = term();
    while (true) {
      if (take(" + "))
        value = sum(value, term());
      else if (take(" − "))
        value = sum(value, minus(term()));
      else
        return value;
    }
  }

  Interval term() {
    Interval value = factor();
    while (true) {
      if (take("·"))
        value = product(value, factor());
      else if (take(" / "))
        value = quotient(value, factor());
      else
        return value;
    }
  }

  Interval factor() {
    const Interval value = primary();
    if (!take("²")) return value;
    if (value.isNan) return value;
    const double a = value.low * value.low, b = value.high * value.high;
    return {value.low <= 0 && value.high >= 0 ? 0 : std::min(a, b), std::max(a, b)};
  }

  Interval inside() {
    const Interval value = expression();
    EXPECT_TRUE(take(")")) << text_ << " at " << at_;
    return value;
  }

  Interval primary() {
    if (take("−")) return minus(factor());
    if (take("(")) return inside();
    if (take("√(")) return mapped(inside(), [](double x) { return std::sqrt(std::max(x, 0.0)); });
    if (take("exp(")) return mapped(inside(), [](double x) { return std::exp(x); });
    if (take("tanh(")) return mapped(inside(), [](double x) { return std::tanh(x); });
    if (take("σ(")) return mapped(inside(), [](double x) { return 1 / (1 + std::exp(-x)); });
    if (take("max(")) return largest();
    if (take("[")) return bracket();
    return number();
  }

  Interval largest() {
    Interval all{-kInfinity, -kInfinity};
    do {
      const Interval one = expression();
      if (one.isNan) all.isNan = true;
      all.low = std::max(all.low, one.low), all.high = std::max(all.high, one.high);
    } while (take(mark_ == ',' ? "; " : ", "));
    EXPECT_TRUE(take(")")) << text_ << " at " << at_;
    return all;
  }

  /// [a > 0], or what was left out with what it amounts to.
  Interval bracket() {
    const std::size_t end = text_.find(']', at_);
    for (const std::string words : {"terms: ", "at most "})
      if (const std::size_t found = text_.find(words, at_); found < end) at_ = found + words.size();
    const Interval value = expression();
    if (take("]")) return value;
    EXPECT_TRUE(take(" > 0]")) << text_ << " at " << at_;
    if (value.isNan) return value;
    return {value.low > 0 ? 1.0 : 0.0, value.high > 0 ? 1.0 : 0.0};
  }

  int power() {
    const std::string digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const int sign = take("⁻") ? -1 : 1;
    int value = 0;
    for (bool isDigit = true; isDigit;) {
      isDigit = false;
      for (int d = 0; d < 10; ++d)
        if (take(digits[d])) value = 10 * value + d, isDigit = true;
    }
    return sign * value;
  }

  bool isAtPower() const {
    for (const char* digit : {"⁻", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"})
      if (isAt(digit)) return true;
    return false;
  }

  Interval number() {
    if (take("∞")) return {kInfinity, kInfinity};
    if (take("NaN")) return nan();
    const std::size_t start = at_;
    std::size_t mark = std::string::npos;
    while (at_ < text_.size() &&
           (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == mark_)) {
      if (text_[at_] == mark_) mark = at_;
      ++at_;
    }
    std::string digits = text_.substr(start, at_ - start);
    if (digits.empty()) return ADD_FAILURE() << "no number in " << text_ << " at " << at_, Interval{};
    std::replace(digits.begin(), digits.end(), ',', '.');
    const int decimals = mark == std::string::npos ? 0 : static_cast<int>(at_ - mark - 1);
    if (digits == "10" && isAtPower()) return around(1, 0, power());
    const std::size_t before = at_;
    if (take("·10")) {
      if (isAtPower()) return around(std::stod(digits), decimals, power());
      at_ = before;
    }
    return around(std::stod(digits), decimals, 0);
  }

  /// All that is printed as this number. One with fewer digits than are asked for is that number itself.
  Interval around(double mantissa, int decimals, int power) const {
    const double scale = std::pow(10.0, power), value = mantissa * scale;
    if (value == 0) return {0, 0};
    const int count = std::max(1, digits_);
    const int needed = power < 0 ? count - 1
                       : power > 0 || mantissa >= 1
                           ? (power > 0 ? count : digits_)
                           : count - 1 - static_cast<int>(std::floor(std::log10(mantissa)));
    const double half =
        decimals < needed ? 1e-6 * std::abs(value) : 0.5 * std::pow(10.0, -decimals) * scale * (1 + 1e-9);
    return {value - half, value + half};
  }

  std::string text_;
  int digits_;
  char mark_;
  std::size_t at_ = 0;
};

bool agree(Interval found, Interval printed) {
  if (found.isNan || printed.isNan) return found.isNan == printed.isNan;
  const double slack = 1e-9 * (1 + std::min(std::abs(printed.low), 1e300));
  return found.low <= printed.high + slack && found.high >= printed.low - slack;
}

std::string joined(const std::vector<PrintedPiece>& pieces) {
  std::string text;
  for (const PrintedPiece& piece : pieces) text += piece.text;
  return text;
}

/// The digits of LaTeX, without the numbers of parts.
std::string digitsOf(const std::string& text) {
  std::string digits;
  for (const char c : std::regex_replace(text, std::regex("\\\\part\\{[0-9]+\\}"), ""))
    if (std::isdigit(static_cast<unsigned char>(c))) digits += c;
  return digits;
}

std::string digitsOfText(std::string text) {
  const std::pair<const char*, const char*> kPowers[] = {{"⁰", "0"}, {"¹", "1"}, {"²", "2"}, {"³", "3"},
                                                         {"⁴", "4"}, {"⁵", "5"}, {"⁶", "6"}, {"⁷", "7"},
                                                         {"⁸", "8"}, {"⁹", "9"}};
  for (const auto& [from, to] : kPowers)
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from))
      text.replace(at, std::string(from).size(), to);
  std::string digits;
  for (const char c : text)
    if (std::isdigit(static_cast<unsigned char>(c))) digits += c;
  return digits;
}

struct Tally {
  int lines = 0, vacuous = 0;
};

void expectRecomputes(const PrintedLine& line, const Notation& notation, Tally& tally) {
  const int digits = notation.digits < 0 ? 3 : notation.digits;
  const char mark = notation.decimalComma ? ',' : '.';
  if (line.folded > 0) return;
  for (const PrintedPiece* piece : {&line.name, &line.result})
    EXPECT_NO_THROW(parseLatex(piece->latex)) << piece->latex;
  EXPECT_EQ(digitsOf(line.result.latex), digitsOfText(line.result.text));
  for (const PrintedPiece& piece : line.symbols) EXPECT_NO_THROW(parseLatex(piece.latex)) << piece.latex;
  for (const PrintedPiece& piece : line.numbers) {
    EXPECT_NO_THROW(parseLatex(piece.latex)) << piece.latex;
    EXPECT_EQ(digitsOf(piece.latex), digitsOfText(piece.text)) << piece.latex;
  }
  if (line.numbers.empty()) return;
  const Interval found = Reader(joined(line.numbers), digits, mark).whole();
  const Interval printed = Reader(line.result.text, digits, mark).whole();
  EXPECT_TRUE(agree(found, printed)) << textOf(line) << "\nis between " << found.low << " and " << found.high;
  ++tally.lines;
  tally.vacuous += found.high - found.low > 1e3;
}

void forEachCell(const Scene& scene, const std::function<void(const Cell&)>& visit) {
  for (int n = 0; n < kStageCount; ++n) {
    const auto stage = static_cast<Stage>(n);
    const StageShape shape = stageShape(scene, stage);
    for (Index h = 0; h < shape.heads; ++h)
      for (Index i = 0; i < shape.rows; ++i)
        for (Index j = 0; j < shape.cols; ++j) visit({stage, h, i, j});
  }
}

/// How many lines were recomputed, by the stage of the cell that they belong to.
using Lines = std::array<int, kStageCount>;

Lines walk(const PreciseScene& precise, const Notation& notation = {}) {
  const Scene scene = narrow(precise);
  const Results results = evaluate(scene, Wanted::everything());
  Tally tally;
  Lines ofStage{};
  forEachCell(scene, [&](const Cell& cell) {
    if (testing::Test::HasFailure()) return;  // one cell tells enough
    const PrintedDerivation printed =
        printDerivation(scene, explainChain(scene, results, cell), notation, false);
    for (const PrintedSection& section : printed.sections)
      for (const PrintedLine& line : section.lines) {
        const int before = tally.lines;
        expectRecomputes(line, notation, tally);
        ofStage[static_cast<std::size_t>(section.cell.stage)] += tally.lines - before;
      }
    EXPECT_EQ(printed.sections.back().cell, cell);
  });
  EXPECT_GT(tally.lines, 100);
  EXPECT_LT(tally.vacuous, tally.lines / 50);  // intervals that say nothing
  return ofStage;
}

PaintedRule painted(std::initializer_list<std::initializer_list<double>> rows) {
  return {{matrix(rows).cast<std::uint8_t>()}};
}

struct NamedScene {
  const char* name;
  PreciseScene (*make)();
};

const NamedScene kScenes[] = {
    {"a plain scene",
     [] {
       return randomScene({1, 3, 4, 2, 3}, 11);
     }},
    {"causal self-attention with a target",
     [] {
       PreciseScene scene = projectedScene(2, 4, 4, false, 31);
       scene.masks = {CausalRule{}};
       scene.upstream.kind = UpstreamOf<double>::Kind::target;
       scene.upstream.matrix = noise(4, 6, 77).values;
       return scene;
     }},
    {"cross-attention with padding",
     [] {
       PreciseScene scene = projectedScene(2, 3, 5, true, 41);
       scene.masks = {PaddingLengthRule{4}};
       return scene;
     }},
    {"QK-norm, temperature and a zero vector",
     [] {
       PreciseScene scene = randomScene({1, 3, 4, 3, 2}, 52);
       scene.scale = {.rule = Scale::Rule::keyWidth, .temperature = 0.8, .qkNormGain = 7};
       scene.source.given[0].q.values.row(1).setZero();
       return scene;
     }},
    {"cap, ALiBi and a bias that hides",
     [] {
       PreciseScene scene = randomScene({2, 4, 5, 3, 2}, 61, 2);
       scene.cap = 1.5;
       scene.alibi = Alibi{};
       scene.bias = {noise(4, 5, 62), noise(4, 5, 63)};
       scene.bias[0].values(1, 2) = -kInfinity;
       return scene;
     }},
    {"a sink and rows that see nothing",
     [] {
       PreciseScene scene = projectedScene(1, 4, 4, false, 81);
       scene.masks = {painted({{1, 1, 0, 1}, {0, 0, 0, 0}, {1, 1, 1, 1}, {0, 0, 1, 0}})};
       scene.normaliser = {.kind = Normaliser::Kind::sink, .logit = 0.3};
       return scene;
     }},
    {"sparsemax",
     [] {
       PreciseScene scene = randomScene({1, 4, 5, 3, 2}, 82);
       scene.normaliser.kind = Normaliser::Kind::sparsemax;
       return scene;
     }},
    {"1.5-entmax and one cell's gradient",
     [] {
       PreciseScene scene = randomScene({1, 3, 4, 3, 2}, 83);
       scene.normaliser.kind = Normaliser::Kind::entmax15;
       scene.upstream.kind = UpstreamOf<double>::Kind::cell;
       scene.upstream.row = 1, scene.upstream.col = 1;
       return scene;
     }},
    {"sigmoid, a window, another divisor",
     [] {
       PreciseScene scene = randomScene({1, 3, 4, 3, 2}, 84);
       scene.normaliser = {.kind = Normaliser::Kind::sigmoid, .logit = -0.5};
       scene.masks = {WindowRule{2}};
       scene.scale = {.rule = Scale::Rule::number, .number = 3};
       return scene;
     }},
    {"NaN and infinity",
     [] {
       PreciseScene scene = randomScene({1, 3, 4, 2, 2}, 95);
       scene.source.given[0].q.values(1, 0) = kInfinity;
       scene.source.given[0].v.values(2, 1) = std::nan("");
       return scene;
     }},
    {"many terms of which most are left out",
     [] {
       return randomScene({1, 3, 20, 40, 2}, 96);
     }},
    {"everything projected, with QK-norm, a cap and a gradient that is given",
     [] {
       PreciseScene scene = projectedScene(2, 3, 4, true, 98);
       scene.scale.qkNormGain = 3;
       scene.cap = 2;
       scene.upstream.kind = UpstreamOf<double>::Kind::given;
       scene.upstream.matrix = noise(3, shapesOf(scene).outWidth, 99).values;
       return scene;
     }},
};

TEST(PrintedDerivation, EveryCellOfEveryStageOfTenScenesRecomputes) {
  static_assert(std::size(kScenes) >= 10);
  Lines all{};
  std::set<int> stages;
  for (const NamedScene& named : kScenes) {
    SCOPED_TRACE(named.name);
    const PreciseScene scene = named.make();
    const Lines lines = walk(scene);
    for (int n = 0; n < kStageCount; ++n) {
      all[static_cast<std::size_t>(n)] += lines[static_cast<std::size_t>(n)];
      if (stageShape(scene, static_cast<Stage>(n)).rows > 0) stages.insert(n);
    }
    if (HasFailure()) return;
  }
  EXPECT_EQ(stages.size(), static_cast<std::size_t>(kStageCount));
  for (int n = 0; n < kStageCount; ++n)
    EXPECT_GT(all[static_cast<std::size_t>(n)], 0) << stageName(static_cast<Stage>(n));
}

TEST(PrintedDerivation, RecomputesInOtherNotations) {
  const PreciseScene scene = projectedScene(2, 3, 4, true, 97);
  walk(scene, {.digits = 1, .decimalComma = true, .first = 1});
  walk(scene, {.digits = 6, .decimalComma = false, .first = 1});
  walk(scene, {.digits = 2, .decimalComma = true, .first = 1, .queriesAreColumns = true});
}

PrintedDerivation print(const PreciseScene& precise, const Cell& cell, const Notation& notation = {},
                        bool isComplete = false) {
  const Scene scene = narrow(precise);
  const Results results = evaluate(scene, Wanted::everything());
  return printDerivation(scene, explainChain(scene, results, cell), notation, isComplete);
}

TEST(PrintedDerivation, ReadsAsAPersonWouldWriteIt) {
  const PreciseScene scene = givenScene(matrix({{1, 2}}), matrix({{2, 1}, {-1, 0.5}}), matrix({{3}, {1}}));
  EXPECT_EQ(textOf(print(scene, {Stage::probs, 0, 0, 1})),
            "raw[0,1] = q[0,0]·k[1,0] + q[0,1]·k[1,1] = 1·(−1) + 2·0.5 = 0\n"
            "√d_k = √(2) = 1.414\n"
            "scaled[0,1] = raw[0,1] / √d_k = 0 / 1.414 = 0\n"
            "s[0,1] = scaled[0,1] = 0\n"
            "max = max(s[0,0], s[0,1]) = max(2.828, 0) = 2.828, subtracted from every score, so that nothing "
            "overflows\n"
            "e[0] = exp(s[0,0] − max) = exp(2.828 − 2.828) = 1\n"
            "e[1] = exp(s[0,1] − max) = exp(0 − 2.828) = 0.0591\n"
            "Σe = e[0] + e[1] = 1 + 0.0591 = 1.059\n"
            "p[0,1] = e[1] / Σe = 0.0591 / 1.059 = 0.0558\n");
}

TEST(PrintedDerivation, FollowsTheNotation) {
  const PreciseScene scene = givenScene(matrix({{1.5, 2}}), matrix({{2, 0.25}}), matrix({{3}}));
  EXPECT_EQ(
      textOf(print(scene, {Stage::rawScores, 0, 0, 0}, {.digits = 1, .decimalComma = true, .first = 1})),
      "raw[1,1] = q[1,1]·k[1,1] + q[1,2]·k[1,2] = 1,5·2 + 2·0,2 = 3,5\n");
  const std::string latex =
      latexOf(print(scene, {Stage::rawScores, 0, 0, 0}, {.decimalComma = true, .first = 1}));
  EXPECT_NE(latex.find("q_{1,1}"), std::string::npos) << latex;
  EXPECT_NE(latex.find("1{,}5"), std::string::npos) << latex;
  EXPECT_EQ(latex.find("\\part"), std::string::npos) << latex;
}

TEST(PrintedDerivation, LongSumsAreLeftOutInTheMiddleUnlessAllIsWanted) {
  const PreciseScene scene = randomScene({1, 2, 40, 64, 2}, 5);
  const PrintedDerivation brief = print(scene, {Stage::probs, 0, 0, 20});
  EXPECT_TRUE(brief.hasLeftOut);
  EXPECT_LT(textOf(brief).size(), 2500u);
  EXPECT_NE(textOf(brief).find("[54 terms: "), std::string::npos) << textOf(brief);
  EXPECT_NE(textOf(brief).find("e[20] = "), std::string::npos);  // its own is always there
  EXPECT_NE(textOf(brief).find("⋮ 17 more steps like these\n"), std::string::npos) << textOf(brief);
  const PrintedDerivation whole = print(scene, {Stage::probs, 0, 0, 20}, {}, true);
  EXPECT_FALSE(whole.hasLeftOut);
  EXPECT_NE(textOf(whole).find("e[13] = "), std::string::npos);
}

TEST(PrintedDerivation, WhatIsHiddenOrNotANumberSaysWhy) {
  PreciseScene scene = randomScene({1, 3, 3, 2, 2}, 12);
  scene.masks = {painted({{0, 0, 0}, {1, 1, 1}, {1, 1, 1}}), CausalRule{}};
  scene.source.given[0].k.values(0, 1) = std::nan("");
  const Notation one{.first = 1};
  EXPECT_EQ(textOf(print(scene, {Stage::probs, 0, 1, 2}, one)),
            "s[2,3] = −∞, hidden by mask rule 2 (causal)\np[2,3] = 0, a hidden pair has no weight\n");
  EXPECT_EQ(textOf(print(scene, {Stage::headOut, 0, 0, 0}, one)),
            "o[1,1] = 0, nothing to add: the mask leaves no pair\n");
  const std::string nan = textOf(print(scene, {Stage::rawScores, 0, 1, 0}, one));
  EXPECT_NE(nan.find("NaN, not a number, because k[1,2] is none"), std::string::npos) << nan;
}

TEST(PrintedDerivation, TheChainOfAGradientBeginsWithWhatFlowsIn) {
  PreciseScene scene = projectedScene(2, 3, 3, false, 7);
  const PrintedDerivation printed = print(scene, {Stage::dWq, 1, 0, 0});
  std::vector<Stage> stages;
  for (const PrintedSection& section : printed.sections) stages.push_back(section.cell.stage);
  EXPECT_EQ(stages, (std::vector<Stage>{Stage::dOut, Stage::dHeadOut, Stage::dProbs, Stage::dScores,
                                        Stage::dScores, Stage::dScaledScores, Stage::dQ, Stage::dWq}));
  const std::string text = textOf(printed);
  EXPECT_NE(text.find("J["), std::string::npos) << text;
}

TEST(PrintedDerivation, OperandsLeadToTheirCells) {
  const PreciseScene scene = givenScene(matrix({{1, 2}}), matrix({{2, 1}}), matrix({{3}}));
  const PrintedDerivation printed = print(scene, {Stage::rawScores, 0, 0, 0});
  const Cell wanted{Stage::k, 0, 0, 1};
  EXPECT_NE(std::find(printed.targets.begin(), printed.targets.end(), wanted), printed.targets.end());
  EXPECT_NE(printed.sections[0].lines[0].numbers[0].latex.find("\\part{"), std::string::npos);
}

}  // namespace
}  // namespace attn
