#include "app/formula/latex.h"

#include <gtest/gtest.h>

#include <random>

#include "app/formula/pipeline.h"
#include "core/error.h"
#include "tests/app/formula/fake_font.h"
#include "tests/core/edits/random_scene.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

std::string refusal(std::string_view latex) {
  try {
    parseLatex(latex);
  } catch (const Error& error) {
    return error.what();
  }
  return "(read)";
}

/// The tree in brackets: "frac(Q,sqrt(d))".
std::string shown(const Formula& f) {
  constexpr const char* kNames[] = {"",       "",       "_",      "",       "frac", "sqrt",
                                    "script", "limits", "fenced", "matrix", "hat"};
  if (f.kind == Formula::Kind::run || f.kind == Formula::Kind::sign) return f.text;
  if (f.isNothing()) return "";
  std::string text = kNames[static_cast<std::size_t>(f.kind)];
  if (f.kind == Formula::Kind::space) return text;
  text += "(" + f.open;
  for (std::size_t i = 0; i < f.children.size(); ++i) text += (i ? "," : "") + shown(f.children[i]);
  return text + f.close + ")";
}

TEST(FormulaLatex, Trees) {
  EXPECT_EQ(shown(parseLatex("\\frac{QK^\\top}{\\sqrt{d_k}}")), "frac((Q,script(K,,⊤)),sqrt(script(d,k,)))");
}

TEST(FormulaLatex, ShortArguments) {
  EXPECT_EQ(shown(parseLatex("x^2_i")), "script(x,i,2)");
  EXPECT_EQ(shown(parseLatex("\\frac ab")), "frac(a,b)");
  EXPECT_EQ(shown(parseLatex("\\sum_i^n x")), "(limits(∑,i,n),x)");
  EXPECT_EQ(shown(parseLatex("\\left( a \\rightarrow b \\right]")), "fenced(((a,→,b)])");
  EXPECT_EQ(shown(parseLatex("a-b")), "(a,−,b)");
  EXPECT_EQ(shown(parseLatex("\\begin{pmatrix}1&2\\\\3\\end{pmatrix}")), "fenced((matrix(1,2,3,)))");
  EXPECT_EQ(shown(parseLatex("\\hat{q} \\mathrm{two words} π")), "(hat(q),two wordsπ)");
}

TEST(FormulaLatex, ErrorsNameThePosition) {
  EXPECT_EQ(refusal("\\frac{a"), "formula, position 8: found the end of the text, expected \"}\"");
  EXPECT_EQ(refusal("\\frac{a}"), "formula, position 9: found the end of the text, expected an argument");
  EXPECT_EQ(refusal("a}b"), "formula, position 2: found \"}b\", expected the end of the formula");
  EXPECT_EQ(refusal("x + \\foo y"),
            "formula, position 5: found \"\\\\foo y\", expected a command that is known");
  EXPECT_EQ(refusal("x_1_2"), "formula, position 4: found \"_2\", expected one subscript");
  EXPECT_EQ(refusal("^2"), "formula, position 1: found \"^2\", expected something before it");
  EXPECT_EQ(refusal("\\left(a"), "formula, position 8: found the end of the text, expected \"\\right\"");
  EXPECT_EQ(refusal("\\left<a\\right>"),
            "formula, position 6: found \"<a\\\\right>\", expected one of ( ) [ ] | \\{ \\} \\| .");
  EXPECT_EQ(refusal("\\begin{cases}"),
            "formula, position 7: found \"{cases}\", expected matrix, pmatrix, bmatrix or vmatrix");
  EXPECT_EQ(refusal("\\begin{matrix}a"),
            "formula, position 16: found the end of the text, expected \"\\end{matrix}\"");
  EXPECT_EQ(refusal("\\part{x}{a}"), "formula, position 6: found \"{x}{a}\", expected the number of a part");
  EXPECT_EQ(refusal("a\xff"), "formula, position 2: found \"\\ufffd\", expected a character of a formula");
  EXPECT_EQ(refusal("\\"), "formula, position 1: found \"\\\\\", expected a command that is known");
}

TEST(FormulaLatex, DeepNestingIsRefused) {
  const std::string line = refusal(std::string(100000, '{'));
  EXPECT_NE(line.find("expected at most 64 levels"), std::string::npos) << line;
}

TEST(FormulaLatex, RandomTextIsReadOrRefusedInOneLine) {
  std::mt19937 random(3);
  constexpr const char* kPieces[] = {"{",
                                     "}",
                                     "\\frac",
                                     "^",
                                     "_",
                                     "x",
                                     "&",
                                     "\\\\",
                                     "\\left(",
                                     "\\right)",
                                     "\\begin{matrix}",
                                     "\\end{matrix}",
                                     "\\sum",
                                     "1",
                                     "\xc3",
                                     "\n",
                                     "\\",
                                     "\\part{1}",
                                     "\\text{",
                                     " "};
  int read = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::size_t n = 1 + random() % 8; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
    const std::string line = refusal(text);
    read += line == "(read)";
    ASSERT_EQ(line.find('\n'), std::string::npos) << line;
    ASSERT_LT(line.size(), 200u);
  }
  EXPECT_GT(read, 500);
}

Scene plainScene() {
  return narrow(randomScene({}, 1));
}

TEST(Pipeline, ThePlainFormula) {
  EXPECT_EQ(
      withoutParts(pipelineLatex(plainScene())),
      "\\mathrm{out} = {\\operatorname{softmax}}\\left(\\frac{{Q K^{\\top}}}{{\\sqrt{d_k}}}\\right)\\,{V}");
}

TEST(Pipeline, EverySwitchShows) {
  Scene scene = narrow(projectedScene(2, 4, 3, true, 1));
  scene.scale = {.rule = Scale::Rule::keyWidth, .temperature = 0.5, .qkNormGain = 8};
  scene.cap = 30;
  scene.bias = {{Matrix::Zero(4, 3), {}}};
  scene.alibi.emplace();
  scene.masks = {CausalRule{}};
  scene.normaliser = {Normaliser::Kind::sigmoid, -2};
  EXPECT_EQ(
      withoutParts(pipelineLatex(scene)),
      "\\mathrm{out} = "
      "{\\operatorname{Concat}_h}\\left({\\sigma}\\left({30\\,\\tanh}\\left(\\frac{1}{{30}}\\,"
      "\\frac{{8}\\,{\\hat{Q}_h \\hat{K}_h^{\\top}}}{{\\tau\\,d_k}}\\right) + {B} - {m_h\\left|i-j\\right|} "
      "+ "
      "{M} - {2}\\right)\\,{V_h}\\right)\\,{W^{O}},\\qquad {Q_h = X W_h^{Q},\\quad K_h = Y "
      "W_h^{K},\\quad V_h = Y W_h^{V}}");
  EXPECT_EQ(
      stageLatex(scene, PipelineStage::scale),
      "s_{ij} = \\frac{8\\,\\hat{q}_i \\cdot \\hat{k}_j}{\\tau\\,d_k},\\quad d_k = 3,\\quad \\tau = 0.5");
  EXPECT_EQ(stageLatex(scene, PipelineStage::output), "\\mathrm{out} = \\left[O_1 \\; O_{2}\\right] W^{O}");
}

TEST(Pipeline, TokensAsColumnsTurnEveryFormulaAndACommaStandsInEveryNumber) {
  Scene scene = narrow(projectedScene(3, 4, 3, true, 1));
  scene.scale.temperature = 0.5;
  scene.cap = 2.5;
  scene.alibi.emplace();
  const Notation turned{.decimalComma = true, .queriesAreColumns = true};
  const auto written = [&](PipelineStage stage) { return stageLatex(scene, stage, turned); };
  EXPECT_EQ(written(PipelineStage::scale),
            "s_{ji} = \\frac{q_i \\cdot k_j}{\\tau\\,\\sqrt{d_k}},\\quad d_k = 3,\\quad \\tau = 0{,}5");
  EXPECT_EQ(written(PipelineStage::cap), "s_{ji} \\to 2{,}5\\,\\tanh\\left(\\frac{s_{ji}}{2{,}5}\\right)");
  EXPECT_EQ(written(PipelineStage::normalise), "p_{ji} = \\frac{e^{s_{ji}}}{\\sum_l e^{s_{li}}}");
  EXPECT_EQ(written(PipelineStage::score), "q_i \\cdot k_j = \\sum_{t=1}^{d_k} q_{ti}\\,k_{tj}");
  EXPECT_EQ(written(PipelineStage::output),
            "\\mathrm{out} = W^{O} \\begin{bmatrix} O_1 \\\\ \\vdots \\\\ O_{3} \\end{bmatrix}");
  for (const PipelineStage stage : kPipelineStages) {
    scene.bias = {{Matrix::Zero(4, 3), {}}};
    EXPECT_EQ(written(stage).find("_{ij}"), std::string::npos) << written(stage);
    EXPECT_NO_THROW(parseLatex(written(stage))) << written(stage);
  }
  EXPECT_NE(pipelineLatex(scene, turned).find("2{,}5"), std::string::npos);
}

TEST(Pipeline, EverySceneHasAFormulaWithItsStages) {
  Dice dice(1);
  for (int round = 0; round < 300; ++round) {
    Scene scene = anyScene(dice, round % 2 ? AnySource::given : AnySource::cross);
    constexpr Scale::Rule kRules[] = {Scale::Rule::none, Scale::Rule::sqrtKeyWidth, Scale::Rule::keyWidth,
                                      Scale::Rule::number};
    scene.scale.rule = kRules[dice.below(4)];
    if (dice.oneIn(2)) scene.scale.temperature = 1e9;
    if (dice.oneIn(2)) scene.scale.qkNormGain = -1.5;
    if (dice.oneIn(2)) scene.cap = 50;
    scene.normaliser = {static_cast<Normaliser::Kind>(dice.below(5)), dice.oneIn(2) ? 0.0 : 1e-20};
    const FormulaLayout layout = layOut(formulaOf(scene), FakeFont(), 20);
    for (const PipelineStage stage : kPipelineStages) {
      const bool given = scene.source.kind == SourceOf<float>::Kind::given;
      const bool shown = usesStage(scene, stage) && !(stage == PipelineStage::source && given);
      ASSERT_EQ(layout.rectOf(static_cast<int>(stage)).has_value(), shown)
          << static_cast<int>(stage) << ": " << pipelineLatex(scene);
      ASSERT_GT(layOut(formulaOf(scene, stage), FakeFont(), 20).width, 0);
    }
  }
}

}  // namespace
}  // namespace attn
