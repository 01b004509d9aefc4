#include "core/io/scene_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/fill.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const fs::path kSource = ATTNSCOPE_SOURCE_DIR;

std::string fileText(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Scene reread(const Scene& scene) {
  return narrow(readSceneJson(writeSceneJson(scene), "scene.json"));
}

/// The same shape and the same bits, except that any NaN is like any other.
template <class M>
void expectSame(const M& found, const M& expected, const char* name) {
  ASSERT_EQ(found.rows(), expected.rows()) << name;
  ASSERT_EQ(found.cols(), expected.cols()) << name;
  for (Index i = 0; i < found.size(); ++i) {
    const auto a = found.data()[i], b = expected.data()[i];
    EXPECT_TRUE(std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b)) << name << " " << i << ": " << +a;
  }
}

void expectSame(const InputOf<float>& found, const InputOf<float>& expected, const char* name) {
  expectSame(found.values, expected.values, name);
  EXPECT_EQ(found.fill, expected.fill) << name;
}

void expectSame(const std::optional<InputOf<float>>& found, const std::optional<InputOf<float>>& expected,
                const char* name) {
  ASSERT_EQ(found.has_value(), expected.has_value()) << name;
  if (found) expectSame(*found, *expected, name);
}

void expectSame(const SourceOf<float>& found, const SourceOf<float>& expected) {
  EXPECT_EQ(found.kind, expected.kind);
  ASSERT_EQ(found.given.size(), expected.given.size());
  for (std::size_t h = 0; h < found.given.size(); ++h) {
    expectSame(found.given[h].q, expected.given[h].q, "q");
    expectSame(found.given[h].k, expected.given[h].k, "k");
    expectSame(found.given[h].v, expected.given[h].v, "v");
  }
  expectSame(found.x, expected.x, "x");
  expectSame(found.other, expected.other, "x_kv");
  ASSERT_EQ(found.projected.size(), expected.projected.size());
  for (std::size_t h = 0; h < found.projected.size(); ++h) {
    expectSame(found.projected[h].wq, expected.projected[h].wq, "w_q");
    expectSame(found.projected[h].wk, expected.projected[h].wk, "w_k");
    expectSame(found.projected[h].wv, expected.projected[h].wv, "w_v");
  }
  expectSame(found.wo, expected.wo, "w_o");
}

bool same(const CausalRule& a, const CausalRule& b) {
  return a.alignment == b.alignment;
}
bool same(const PaddingLengthRule& a, const PaddingLengthRule& b) {
  return a.length == b.length;
}
bool same(const PaddingFlagsRule& a, const PaddingFlagsRule& b) {
  return a.isPadding == b.isPadding;
}
bool same(const WindowRule& a, const WindowRule& b) {
  return a.width == b.width;
}
bool same(const PrefixRule& a, const PrefixRule& b) {
  return a.length == b.length && a.alignment == b.alignment;
}
bool same(const DocumentsRule& a, const DocumentsRule& b) {
  return a.ofQuery == b.ofQuery && a.ofKey == b.ofKey;
}
bool same(const PaintedRule& a, const PaintedRule& b) {
  const auto sameCells = [](const Bytes& x, const Bytes& y) {
    return x.rows() == y.rows() && x.cols() == y.cols() && x == y;
  };
  return std::equal(a.mayAttend.begin(), a.mayAttend.end(), b.mayAttend.begin(), b.mayAttend.end(),
                    sameCells);
}

void expectSame(const MaskRule& found, const MaskRule& expected) {
  ASSERT_EQ(found.index(), expected.index());
  std::visit(
      [&](const auto& rule) { EXPECT_TRUE(same(rule, std::get<std::decay_t<decltype(rule)>>(expected))); },
      found);
}

void expectSame(const Scene& found, const Scene& expected) {
  EXPECT_EQ(found.title, expected.title);
  EXPECT_EQ(found.queryLabels, expected.queryLabels);
  EXPECT_EQ(found.keyLabels, expected.keyLabels);
  expectSame(found.source, expected.source);
  EXPECT_EQ(found.scale.rule, expected.scale.rule);
  EXPECT_EQ(found.scale.number, expected.scale.number);
  EXPECT_EQ(found.scale.temperature, expected.scale.temperature);
  EXPECT_EQ(found.scale.qkNormGain, expected.scale.qkNormGain);
  EXPECT_EQ(found.cap, expected.cap);
  ASSERT_EQ(found.alibi.has_value(), expected.alibi.has_value());
  EXPECT_EQ(found.alibi.value_or(Alibi{}).slopes, expected.alibi.value_or(Alibi{}).slopes);
  ASSERT_EQ(found.bias.size(), expected.bias.size());
  for (std::size_t h = 0; h < found.bias.size(); ++h) expectSame(found.bias[h], expected.bias[h], "bias");
  ASSERT_EQ(found.masks.size(), expected.masks.size());
  for (std::size_t i = 0; i < found.masks.size(); ++i) expectSame(found.masks[i], expected.masks[i]);
  EXPECT_EQ(found.normaliser.kind, expected.normaliser.kind);
  EXPECT_EQ(found.normaliser.logit, expected.normaliser.logit);
  EXPECT_EQ(found.upstream.kind, expected.upstream.kind);
  EXPECT_EQ(found.upstream.row, expected.upstream.row);
  EXPECT_EQ(found.upstream.col, expected.upstream.col);
  expectSame(found.upstream.matrix, expected.upstream.matrix, "upstream");
  EXPECT_EQ(found.saturationThreshold, expected.saturationThreshold);
  EXPECT_EQ(found.slides, expected.slides);
}

InputOf<float> fillOf(Fill fill, Index rows, Index cols) {
  InputOf<float> input{Matrix(rows, cols), fill};
  refill(input);
  return input;
}

/// Two given heads of three queries and four keys, three projected heads, and something in every field.
Scene fullScene() {
  Scene scene = narrow(randomScene({.heads = 2, .queries = 3, .keys = 4}, 1));
  const Scene projected = narrow(projectedScene(3, 3, 4, true, 50));
  SourceOf<float>& source = scene.source;
  source.x = projected.source.x;
  source.other = projected.source.other;
  source.projected = projected.source.projected;
  source.wo = fillOf({.kind = Fill::Kind::orthonormal, .seed = 3}, 6, 5);
  source.given[0].q.values.row(0) << -0.0f, kInfinity, -kInfinity;
  source.given[0].k.values(0, 0) = std::numeric_limits<float>::quiet_NaN();
  source.given[1].q =
      fillOf({.kind = Fill::Kind::normal, .mean = 0.1, .deviation = 1e-7, .seed = ~0ull}, 3, 3);
  source.given[1].k = fillOf({.kind = Fill::Kind::uniform, .low = -0.3, .high = 2e9, .seed = 0}, 4, 3);
  source.projected[2].wq = fillOf({.kind = Fill::Kind::identity}, 5, 3);
  scene.title = "tabs\tquotes\" back\\slash é \xf0\x9f\x90\x88 \x01\x7f";
  scene.queryLabels = {"", "b", "\n"};
  scene.keyLabels = {"k1", "k2", "k3", "k4"};
  scene.scale = {Scale::Rule::keyWidth, 0.1, 1.0 / 3.0, 5.5};
  scene.cap = 30;
  scene.alibi = Alibi{{0.5, 1e-300}};
  scene.bias = {narrow(randomScene({.queries = 3, .keyWidth = 4}, 9)).source.given[0].q,
                fillOf({.kind = Fill::Kind::normal, .seed = 4}, 3, 4)};
  const Bytes cells = (Bytes(3, 4) << 1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1).finished();
  scene.masks = {CausalRule{},
                 CausalRule{Alignment::bottomRight},
                 PaddingLengthRule{3},
                 PaddingFlagsRule{{false, true, false, true}},
                 WindowRule{2},
                 PrefixRule{1, Alignment::bottomRight},
                 DocumentsRule{{0, -1, 2147483647}, {0, 0, 1, 1}},
                 PaintedRule{{cells}},
                 PaintedRule{{cells, Bytes::Ones(3, 4)}}};
  scene.normaliser = {Normaliser::Kind::sink, -2.5};
  scene.upstream = {UpstreamOf<float>::Kind::target, 2, 1, Matrix::Constant(3, 5, 0.1f)};
  scene.saturationThreshold = 0.9;
  const Tile weights{Tile::Kind::panel, "Weights", {}, 0.3f}, scores{Tile::Kind::panel, "Scores", {}, 1};
  const Tile tabs{Tile::Kind::tabs, "Weights", {weights, scores}, 1};
  scene.slides = {
      {1, {Tile::Kind::row, "", {tabs, {Tile::Kind::column, "", {scores, weights}, 2}}, 1}, 1, 2, true},
      {9, weights, 0, 0, false}};
  return scene;
}

TEST(SceneJson, RoundTripKeepsEverything) {
  const Scene scene = fullScene();
  ASSERT_NO_THROW(check(scene));
  expectSame(reread(scene), scene);
}

TEST(SceneJson, RoundTripKeepsTheOtherKind) {
  Scene scene = fullScene();
  scene.source.kind = SourceOf<float>::Kind::projected;
  scene.source.wo = std::nullopt;
  scene.alibi = Alibi{};
  scene.bias.resize(1);
  scene.masks.pop_back();
  scene.upstream = {UpstreamOf<float>::Kind::cell, 2, 5, {}};
  ASSERT_NO_THROW(check(scene));
  expectSame(reread(scene), scene);
  scene.source.given.clear();
  expectSame(reread(scene), scene);
}

TEST(SceneJson, RoundTripOfASceneWithNothingSet) {
  const Scene scene = narrow(givenScene(matrix({{1}}), matrix({{2}}), matrix({{3}})));
  expectSame(reread(scene), scene);
}

TEST(SceneJson, RoundTripOfEveryWord) {
  Scene scene = narrow(givenScene(matrix({{1}}), matrix({{2}}), matrix({{3}})));
  using Rule = Scale::Rule;
  using Kind = Normaliser::Kind;
  for (const Rule rule : {Rule::none, Rule::sqrtKeyWidth, Rule::keyWidth, Rule::number}) {
    scene.scale.rule = rule;
    expectSame(reread(scene), scene);
  }
  for (const Kind kind : {Kind::softmax, Kind::sink, Kind::sparsemax, Kind::entmax15, Kind::sigmoid}) {
    scene.normaliser.kind = kind;
    expectSame(reread(scene), scene);
  }
}

TEST(SceneJson, RoundTripOfEveryUpstream) {
  using Kind = UpstreamOf<float>::Kind;
  Scene scene = narrow(givenScene(matrix({{1}, {2}}), matrix({{2}}), matrix({{3, 4}})));
  const Matrix given = Matrix::Constant(2, 2, 0.3f);
  for (const Kind kind : {Kind::ones, Kind::cell, Kind::given, Kind::target})
    for (const Index row : {0, 1})
      for (const Matrix& values : {Matrix(), given}) {
        scene.upstream = {kind, row, 0, values};
        if (values.size() == 0 && (kind == Kind::given || kind == Kind::target)) continue;
        // A matrix that is not in use has no kind of its own.
        expectSame(reread(scene), scene);
      }
}

TEST(SceneJson, LabelsOfOneSideOnly) {
  Scene scene = narrow(givenScene(matrix({{1}}), matrix({{2}}), matrix({{3}})));
  scene.keyLabels = {"key"};
  expectSame(reread(scene), scene);
  scene.keyLabels.swap(scene.queryLabels);
  expectSame(reread(scene), scene);
}

TEST(SceneJson, FloatsAreShortAndReadBackExactly) {
  // The last one is the float that rounding its shortest digits through double misses.
  const std::vector<float> values = {0.1f,     -1.5f, 1e20f,       16777216.0f, 3.4028235e38f,
                                     1.4e-45f, 1e-5f, 0.33333334f, 1234567.0f,  7.038531e-26f};
  Scene scene = narrow(givenScene(matrix({{1}}), matrix({{2}}), matrix({{3}})));
  scene.source.given[0].v.values =
      Eigen::Map<const Matrix>(values.data(), 1, static_cast<Index>(values.size()));
  const std::string text = writeSceneJson(scene);
  EXPECT_NE(text.find("[[0.1, -1.5, 1e+20, 16777216, 3.4028235e+38, 1e-45, 1e-05, 0.33333334, 1234567, "),
            std::string::npos)
      << text;
  expectSame(narrow(readSceneJson(text, "scene.json")), scene);
}

/// Heads with v as given, in otherwise the smallest scene.
std::string sceneText(const std::string& v, const std::string& rest = "") {
  return R"({"attnscope": 1, "heads": [{"q": [[1]], "k": [[1], [2]], "v": )" + v + "}]" + rest + "}";
}

TEST(SceneJson, EachFillReplays) {
  const auto read = [](const std::string& fill) {
    return readSceneJson(sceneText(fill), "scene.json").source.given[0].v;
  };
  const auto expectFill = [&](const std::string& text, Fill expected) {
    const InputOf<double> found = read(text);
    EXPECT_EQ(found.fill, expected) << text;
    expectSame(found.values, filled(expected, 2, 3), text.c_str());
    // The file keeps the fill, not the numbers.
    Scene scene = narrow(readSceneJson(sceneText(text), "scene.json"));
    EXPECT_NE(writeSceneJson(scene).find(text), std::string::npos) << writeSceneJson(scene);
  };
  expectFill(R"({"fill": "normal", "rows": 2, "cols": 3, "mean": 0.5, "std": 2, "seed": 7})",
             {.kind = Fill::Kind::normal, .mean = 0.5, .deviation = 2, .seed = 7});
  expectFill(
      R"({"fill": "uniform", "rows": 2, "cols": 3, "low": 0, "high": 0.1, "seed": 18446744073709551615})",
      {.kind = Fill::Kind::uniform, .low = 0, .high = 0.1, .seed = ~0ull});
  expectFill(R"({"fill": "orthonormal", "rows": 2, "cols": 3, "seed": 9})",
             {.kind = Fill::Kind::orthonormal, .seed = 9});
  expectFill(R"({"fill": "identity", "rows": 2, "cols": 3})", {.kind = Fill::Kind::identity});
  EXPECT_EQ(read(R"({"fill": "normal", "rows": 2, "cols": 3})").fill, Fill{.kind = Fill::Kind::normal});
}

TEST(SceneJson, ShortAndLongFormsAgree) {
  const std::string v = "[[1], [2]]";
  const auto read = [&](const std::string& rest) { return readSceneJson(sceneText(v, rest), "scene.json"); };
  EXPECT_EQ(read(R"(, "normalise": "sigmoid")").normaliser.kind, Normaliser::Kind::sigmoid);
  EXPECT_EQ(read(R"(, "normalise": {"kind": "sigmoid"})").normaliser.kind, Normaliser::Kind::sigmoid);
  EXPECT_TRUE(read(R"(, "alibi": true)").alibi->slopes.empty());
  EXPECT_FALSE(read(R"(, "alibi": false)").alibi);
  EXPECT_EQ(read(R"(, "bias": {"heads": [[[1, 2]]]})").bias.size(), 1u);
  EXPECT_EQ(read(R"(, "bias": [[1, 2]])").bias.size(), 1u);
  EXPECT_EQ(read(R"(, "upstream": "ones")").upstream.kind, UpstreamOf<double>::Kind::ones);
  EXPECT_EQ(read(R"(, "masks": [{"rule": "padding", "flags": [0, true]}])").masks.size(), 1u);
  EXPECT_EQ(readSceneJson("\xef\xbb\xbf" + sceneText(v), "scene.json").source.given.size(), 1u);
}

TEST(SceneFiles, EveryOneReadsAndIsWrittenAsItStands) {
  std::size_t count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(kSource / "assets" / "scenes")) {
    const std::string name = entry.path().filename().string(), text = fileText(entry.path());
    const Scene scene = narrow(readSceneJson(text, name));
    EXPECT_FALSE(scene.title.empty()) << name;
    EXPECT_EQ(writeSceneJson(scene), text) << name;
    ++count;
  }
  EXPECT_GE(count, 4u);
}

TEST(SceneFiles, TheExampleOfTheDocumentationIsByHand) {
  const std::string page = fileText(kSource / "docs" / "scene-format.md"), fence = "```json\n";
  const std::size_t start = page.find(fence) + fence.size();
  EXPECT_EQ(page.substr(start, page.find("```", start) - start),
            fileText(kSource / "assets" / "scenes" / "by_hand.json"));
}

TEST(SceneJson, QkNormAloneStandsForTheCosine) {
  const std::string heads = R"("heads": [{"q": [[1]], "k": [[1]], "v": [[1]]}])";
  const auto ruleOf = [&](const std::string& scale) {
    return readSceneJson(R"({"attnscope": 1, )" + heads + R"(, "scale": )" + scale + "}", "s").scale.rule;
  };
  EXPECT_EQ(ruleOf("{}"), Scale::Rule::sqrtKeyWidth);
  EXPECT_EQ(ruleOf(R"({"qk_norm": 5})"), Scale::Rule::none);
  EXPECT_EQ(ruleOf(R"({"rule": "sqrt", "qk_norm": 5})"), Scale::Rule::sqrtKeyWidth);
}

}  // namespace
}  // namespace attn
