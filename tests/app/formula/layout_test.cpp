#include "app/formula/layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "app/formula/latex.h"
#include "tests/app/formula/fake_font.h"

namespace attn {
namespace {

constexpr float kSize = 100;
constexpr float kTolerance = 1e-2f;

FormulaLayout laid(const std::string& latex) {
  return layOut(parseLatex(latex), FakeFont(), kSize);
}

bool isInside(const FormulaRect& inner, const FormulaRect& outer) {
  return inner.x >= outer.x - kTolerance && inner.y >= outer.y - kTolerance &&
         inner.right() <= outer.right() + kTolerance && inner.bottom() <= outer.bottom() + kTolerance;
}

bool overlap(const FormulaRect& a, const FormulaRect& b) {
  return a.x < b.right() - kTolerance && b.x < a.right() - kTolerance && a.y < b.bottom() - kTolerance &&
         b.y < a.bottom() - kTolerance;
}

bool isGlyphRun(const DrawCommand& command) {
  return std::holds_alternative<GlyphRun>(command.shape);
}

/// What must hold of every layout.
void expectSound(const FormulaLayout& layout) {
  const FormulaRect outer = {0, 0, layout.width, layout.height()};
  for (const DrawCommand& command : layout.commands) {
    ASSERT_TRUE(isInside(command.rect, outer));
    ASSERT_TRUE(std::isfinite(command.rect.x + command.rect.y + command.rect.width + command.rect.height));
    ASSERT_GE(command.rect.width, 0);
  }
  for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
    const LaidBox& box = layout.boxes[i];
    ASSERT_TRUE(isInside(box.rect, outer));
    if (i == 0) continue;
    ASSERT_GE(box.parent, 0);
    ASSERT_LT(static_cast<std::size_t>(box.parent), i);
    ASSERT_TRUE(isInside(box.rect, layout.boxes[static_cast<std::size_t>(box.parent)].rect));
    for (std::size_t j = 0; j < i; ++j)
      ASSERT_FALSE(layout.boxes[j].parent == box.parent && overlap(layout.boxes[j].rect, box.rect));
  }
  for (std::size_t i = 0; i < layout.commands.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const DrawCommand &a = layout.commands[i], &b = layout.commands[j];
      const bool drawn =
          std::holds_alternative<Polyline>(a.shape) || std::holds_alternative<Polyline>(b.shape);
      ASSERT_FALSE(!drawn && overlap(a.rect, b.rect));
    }
}

const GlyphRun& runOf(const FormulaLayout& layout, const std::string& text) {
  for (const DrawCommand& command : layout.commands)
    if (const auto* run = std::get_if<GlyphRun>(&command.shape); run && run->text == text) return *run;
  throw std::runtime_error("no run \"" + text + "\"");
}

FormulaRect rectOfRun(const FormulaLayout& layout, const std::string& text) {
  for (const DrawCommand& command : layout.commands)
    if (const auto* run = std::get_if<GlyphRun>(&command.shape); run && run->text == text)
      return command.rect;
  throw std::runtime_error("no run \"" + text + "\"");
}

template <class Shape>
std::vector<DrawCommand> commandsOf(const FormulaLayout& layout) {
  std::vector<DrawCommand> found;
  for (const DrawCommand& command : layout.commands)
    if (std::holds_alternative<Shape>(command.shape)) found.push_back(command);
  return found;
}

float middleX(const FormulaRect& rect) {
  return rect.x + rect.width / 2;
}

TEST(FormulaLayout, RunsOfARowShareTheirBaseline) {
  const FormulaLayout layout = laid("a + q = \\mathrm{x}");
  ASSERT_NO_FATAL_FAILURE(expectSound(layout));
  for (const DrawCommand& command : layout.commands)
    EXPECT_FLOAT_EQ(std::get<GlyphRun>(command.shape).baseline.y, layout.ascent);
  EXPECT_FLOAT_EQ(layout.ascent, 70);
  EXPECT_FLOAT_EQ(layout.descent, 20);
}

TEST(FormulaLayout, NeighboursOfOneStyleAreOneRun) {
  EXPECT_EQ(laid("QK").commands.size(), 1u);
  EXPECT_EQ(laid("Q2").commands.size(), 2u);
  EXPECT_EQ(runOf(laid("QK"), "QK").style, FontStyle::italic);
  EXPECT_EQ(runOf(laid("12.5"), "12.5").style, FontStyle::upright);
}

TEST(FormulaLayout, AFractionIsCentredOnItsLine) {
  const FormulaLayout layout = laid("\\frac{abcd}{x}");
  ASSERT_NO_FATAL_FAILURE(expectSound(layout));
  const auto rules = commandsOf<FilledRule>(layout);
  ASSERT_EQ(rules.size(), 1u);
  const FormulaRect line = rules[0].rect, above = rectOfRun(layout, "abcd"), below = rectOfRun(layout, "x");
  EXPECT_NEAR(middleX(above), middleX(line), kTolerance);
  EXPECT_NEAR(middleX(below), middleX(line), kTolerance);
  EXPECT_LT(above.bottom(), line.y);
  EXPECT_GT(below.y, line.bottom());
  EXPECT_GT(line.width, above.width);
  EXPECT_NEAR(line.y + line.height / 2, layout.ascent - FakeFont().axisHeight(kSize), kTolerance);
}

TEST(FormulaLayout, AMinusBesideAFractionIsAtItsLine) {
  const FormulaLayout layout = laid("-\\frac{a}{b}");
  EXPECT_FLOAT_EQ(runOf(layout, "−").baseline.y, layout.ascent);
  EXPECT_FLOAT_EQ(runOf(layout, "−").baseline.x, 0) << "a sign in front has no space before it";
}

TEST(FormulaLayout, SignsBetweenThingsHaveSpace) {
  const FormulaLayout between = laid("a + b"), alone = laid("a b");
  EXPECT_NEAR(between.width - alone.width, 60 + 2 * 22, kTolerance);
  EXPECT_NEAR(laid("a = - b").width - laid("a = b").width, 60, kTolerance);
}

TEST(FormulaLayout, ARootCoversWhatIsInside) {
  const FormulaLayout layout = laid("\\sqrt{d_k}");
  ASSERT_NO_FATAL_FAILURE(expectSound(layout));
  const auto lines = commandsOf<Polyline>(layout);
  ASSERT_EQ(lines.size(), 1u);
  const auto& points = std::get<Polyline>(lines[0].shape).points;
  const FormulaRect d = rectOfRun(layout, "d"), k = rectOfRun(layout, "k");
  EXPECT_LT(points[3].x, d.x);
  EXPECT_LT(points[3].y, d.y);
  EXPECT_GE(points[4].x, k.right() - kTolerance);
  EXPECT_FLOAT_EQ(points[3].y, points[4].y);
}

TEST(FormulaLayout, ScriptsAreSmallerAndApart) {
  const FormulaLayout layout = laid("x_i^2");
  ASSERT_NO_FATAL_FAILURE(expectSound(layout));
  const GlyphRun &x = runOf(layout, "x"), &i = runOf(layout, "i"), &two = runOf(layout, "2");
  EXPECT_FLOAT_EQ(i.size, 70);
  EXPECT_GT(i.baseline.y, x.baseline.y);
  EXPECT_LT(two.baseline.y, x.baseline.y);
  EXPECT_FLOAT_EQ(i.baseline.x, two.baseline.x);
  EXPECT_GE(laid("x^{y^{z^{w}}}").commands.back().rect.height, 0.5f * 70 - kTolerance) << "still legible";
}

TEST(FormulaLayout, ASumHasItsLimitsBelowAndAbove) {
  const FormulaLayout layout = laid("\\sum_{i=1}^{n} a");
  ASSERT_NO_FATAL_FAILURE(expectSound(layout));
  const FormulaRect sum = rectOfRun(layout, "∑"), n = rectOfRun(layout, "n"), a = rectOfRun(layout, "a");
  EXPECT_LT(n.bottom(), sum.y);
  EXPECT_NEAR(middleX(n), middleX(sum), kTolerance);
  EXPECT_GT(rectOfRun(layout, "i").y, sum.bottom());
  EXPECT_GT(a.x, sum.right());
  EXPECT_NEAR(sum.y + sum.height / 2, layout.ascent - FakeFont().axisHeight(kSize), kTolerance);
}

TEST(FormulaLayout, BracketsGrowWithWhatTheyHold) {
  const FormulaLayout low = laid("\\left(a\\right)");
  EXPECT_EQ(commandsOf<Polyline>(low).size(), 0u) << "the font's own brackets";
  for (const auto& [open, close] : {std::pair{"(", ")"}, {"[", "]"}, {"\\{", "\\}"}, {"|", "|"}}) {
    const FormulaLayout high = laid("\\left" + std::string(open) + "\\frac{a}{b}\\right" + close);
    ASSERT_NO_FATAL_FAILURE(expectSound(high));
    const auto fences = commandsOf<Polyline>(high);
    ASSERT_EQ(fences.size(), 2u);
    EXPECT_LT(fences[0].rect.y, rectOfRun(high, "a").y);
    EXPECT_GT(fences[0].rect.bottom(), rectOfRun(high, "b").bottom());
    EXPECT_FLOAT_EQ(fences[0].rect.height, fences[1].rect.height);
    EXPECT_LT(fences[0].rect.right(), rectOfRun(high, "a").x);
    EXPECT_GT(fences[1].rect.x, rectOfRun(high, "b").right());
    // Its middle is on the axis.
    EXPECT_NEAR(fences[0].rect.y + fences[0].rect.height / 2, high.ascent - FakeFont().axisHeight(kSize),
                kTolerance);
  }
  EXPECT_EQ(commandsOf<Polyline>(laid("\\left\\|\\frac{a}{b}\\right\\|")).size(), 4u);
  EXPECT_EQ(commandsOf<Polyline>(laid("\\left.\\frac{a}{b}\\right|")).size(), 1u);
}

TEST(FormulaLayout, AMatrixAlignsItsColumnsAndRows) {
  const FormulaLayout layout = laid("A = \\begin{bmatrix} a & bcd \\\\ efg & \\frac{h}{i} \\end{bmatrix}");
  ASSERT_NO_FATAL_FAILURE(expectSound(layout));
  EXPECT_FLOAT_EQ(runOf(layout, "a").baseline.y, runOf(layout, "bcd").baseline.y);
  EXPECT_NEAR(middleX(rectOfRun(layout, "a")), middleX(rectOfRun(layout, "efg")), kTolerance);
  EXPECT_NEAR(middleX(rectOfRun(layout, "bcd")), middleX(rectOfRun(layout, "h")), kTolerance);
  EXPECT_EQ(commandsOf<Polyline>(layout).size(), 2u);
}

TEST(FormulaLayout, AHatIsAboveAndInside) {
  for (const char* latex : {"\\hat{q}", "\\hat{i}", "\\hat{abc}", "\\hat{.}"}) {
    const FormulaLayout layout = laid(latex);
    ASSERT_NO_FATAL_FAILURE(expectSound(layout));
    const auto hats = commandsOf<Polyline>(layout);
    ASSERT_EQ(hats.size(), 1u);
    const DrawCommand& letter = layout.commands[0];
    EXPECT_LE(hats[0].rect.bottom(), letter.rect.y + kTolerance);
    EXPECT_NEAR(middleX(hats[0].rect), middleX(letter.rect), kTolerance);
  }
}

TEST(FormulaLayout, PartsAreFoundByPoint) {
  const FormulaLayout layout = laid("a + \\part{1}{\\frac{x}{\\part{2}{y}}}");
  const auto centre = [](const FormulaRect& rect) {
    return FormulaPoint{middleX(rect), rect.y + rect.height / 2};
  };
  EXPECT_EQ(layout.partAt(centre(rectOfRun(layout, "a"))), -1);
  EXPECT_EQ(layout.partAt(centre(rectOfRun(layout, "x"))), 1);
  EXPECT_EQ(layout.partAt(centre(rectOfRun(layout, "y"))), 2);
  EXPECT_EQ(layout.partAt({-5, -5}), -1);
  EXPECT_FALSE(layout.rectOf(7));
  EXPECT_TRUE(isInside(*layout.rectOf(2), *layout.rectOf(1)));
  for (const DrawCommand& command : layout.commands)
    EXPECT_TRUE(!isGlyphRun(command) || command.part == layout.partAt(centre(command.rect)));
}

TEST(FormulaLayout, APartAroundAPartKeepsBoth) {
  const FormulaLayout layout = laid("\\part{1}{\\part{2}{x}}");
  EXPECT_TRUE(layout.rectOf(1));
  EXPECT_TRUE(layout.rectOf(2));
  EXPECT_EQ(layout.commands[0].part, 2);
}

TEST(FormulaLayout, EverythingScalesWithTheSize) {
  const Formula formula = parseLatex("\\frac{\\sqrt{x_i^2}}{\\sum_j \\left(\\frac{a}{b}\\right)}");
  const FormulaLayout one = layOut(formula, FakeFont(), 10), ten = layOut(formula, FakeFont(), 100);
  EXPECT_NEAR(ten.width, 10 * one.width, 0.05f);
  EXPECT_NEAR(ten.height(), 10 * one.height(), 0.05f);
}

/// Any formula of the grammar.
std::string anyLatex(std::mt19937& random, int depth) {
  const auto inner = [&] { return anyLatex(random, depth - 1); };
  if (depth == 0) {
    constexpr const char* kAtoms[] = {"x", "Q", "12",      "\\alpha",       "-",
                                      "+", "=", "\\infty", "\\mathrm{abc}", "\\,"};
    return kAtoms[random() % std::size(kAtoms)];
  }
  switch (random() % 12) {
    case 0:
      return "\\frac{" + inner() + "}{" + inner() + "}";
    case 1:
      return "\\sqrt{" + inner() + "}";
    case 2:
      return "{" + inner() + "}_{" + inner() + "}";
    case 3:
      return "{" + inner() + "}^{" + inner() + "}";
    case 4:
      return "{" + inner() + "}_{" + inner() + "}^{" + inner() + "}";
    case 5:
      return "\\sum_{" + inner() + "}^{" + inner() + "}";
    case 6:
      return "\\left(" + inner() + "\\right)";
    case 7:
      return "\\left[" + inner() + "\\right|";
    case 8:
      return "\\begin{bmatrix}" + inner() + "&" + inner() + "\\\\" + inner() + "\\end{bmatrix}";
    case 9:
      return "\\hat{" + inner() + "}";
    case 10:
      return "\\part{3}{" + inner() + "}";
    default:
      return inner() + " " + inner();
  }
}

TEST(FormulaLayout, AnyFormulaIsSound) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::string latex = anyLatex(random, 1 + round % 5);
    ASSERT_NO_FATAL_FAILURE(expectSound(laid(latex))) << latex;
  }
}

TEST(FormulaLayout, NothingIsNothing) {
  EXPECT_EQ(laid("").width, 0);
  EXPECT_TRUE(laid("").commands.empty());
  ASSERT_NO_FATAL_FAILURE(expectSound(laid("\\frac{}{}")));
}

}  // namespace
}  // namespace attn
