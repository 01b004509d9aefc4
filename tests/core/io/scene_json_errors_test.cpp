#include <gtest/gtest.h>

#include "core/error.h"
#include "core/io/scene_json.h"

namespace attn {
namespace {

/// Heads with v as given, in otherwise the smallest scene.
std::string sceneText(const std::string& v, const std::string& rest = "") {
  return R"({"attnscope": 1, "heads": [{"q": [[1]], "k": [[1], [2]], "v": )" + v + "}]" + rest + "}";
}

/// The error line of a text, without the name of the file.
std::string refusal(const std::string& text, std::uint64_t memoryLimit = 1 << 20) {
  const std::string start = "scene.json: ";
  try {
    readSceneJson(text, "scene.json", memoryLimit);
  } catch (const Error& error) {
    const std::string line = error.what();
    EXPECT_EQ(line.substr(0, start.size()), start);
    return line.substr(start.size());
  }
  return "(read)";
}

std::string refusalOf(const std::string& rest) {
  return refusal(sceneText("[[1], [2]]", ", " + rest));
}

TEST(SceneJsonErrors, WhatIsNotJson) {
  EXPECT_EQ(refusal(""),
            "line 1, column 1: not JSON: unexpected end of input, expected '[', '{', or a literal, at \"\"");
  EXPECT_EQ(refusal("{\n  \"attnscope\": nul\n}"),
            "line 2, column 19: not JSON: invalid literal, at \"  \\\"attnscope\\\": nul\"");
  EXPECT_EQ(
      refusal("{\"attnscope\": 1"),
      "line 1, column 16: not JSON: unexpected end of input, expected '}', at \"{\\\"attnscope\\\": 1\"");
  EXPECT_EQ(
      refusal("{\"attnscope\": 1}]"),
      "line 1, column 17: not JSON: unexpected ']', expected end of input, at \"{\\\"attnscope\\\": 1}]\"");
  EXPECT_EQ(refusal("{\"title\": \"\xff\"}"),
            "line 1, column 12: not JSON: invalid string: ill-formed UTF-8 byte, at \"{\\\"title\\\": "
            "\\\"\\ufffd\"");
  EXPECT_EQ(refusal("{\"title\":\n\"a\tb\"}"),
            "line 2, column 3: not JSON: invalid string: control character U+0009 (HT) must be escaped to "
            "\\u0009 or \\t, at \"\\\"a\\t\"");
  EXPECT_EQ(refusal(sceneText("[[1], [2]]") + '\0' + "x"),
            "line 1, column 76: found a NUL byte, expected text");
}

TEST(SceneJsonErrors, DeepNesting) {
  const std::string line =
      "[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]: found more than 16 levels of brackets, "
      "expected a scene";
  EXPECT_EQ(refusal(std::string(100000, '['), 1 << 30), line);
  EXPECT_EQ(refusal(std::string(100000, '[') + std::string(100000, ']'), 1 << 30), line);
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_TRUE(
      refusal(objects, 1 << 30).ends_with("a.a.a: found more than 16 levels of brackets, expected a scene"));
}

TEST(SceneJsonErrors, Versions) {
  EXPECT_EQ(refusal("{}"), "found no \"attnscope\", expected this key");
  EXPECT_EQ(refusal("[1]"), "found a list of length 1, expected an object with attnscope");
  EXPECT_EQ(refusal(R"({"attnscope": 2, "new": 1})"), "attnscope: found version 2, expected version 1");
  EXPECT_EQ(refusal(R"({"attnscope": "1"})"), "attnscope: found \"1\", expected a whole number");
}

TEST(SceneJsonErrors, Keys) {
  EXPECT_EQ(refusalOf(R"("scale": {"temprature": 2})"),
            "scale: found the unknown key \"temprature\", expected only rule, number, temperature, qk_norm");
  EXPECT_EQ(refusalOf(R"("\n\u0000\u007f": 2)"),
            "found the unknown key \"\\n\\u0000\\u007f\", expected only attnscope, title, tokens, source, "
            "x, x_kv, "
            "heads, w_o, parked, scale, cap, alibi, bias, masks, normalise, upstream, saturation_threshold, "
            "slides, stories, labs");
  EXPECT_EQ(refusalOf(R"("scale": {"rule": "dk", "number": 1, "rule": "none"})"),
            "scale: found the key \"rule\" twice, expected it once");
  EXPECT_EQ(refusalOf(R"("cap": 1, "cap": 1)"), "found the key \"cap\" twice, expected it once");
  EXPECT_EQ(refusal(R"({"attnscope": 1})"), "found no \"heads\", expected this key");
  EXPECT_EQ(refusal(R"({"attnscope": 1, "heads": []})"),
            "heads: found an empty list, expected one or more heads");
  EXPECT_EQ(refusal(R"({"attnscope": 1, "heads": [{"q": [[1]], "v": [[1]]}]})"),
            "heads[0]: found no \"k\", expected this key");
  EXPECT_EQ(refusal(R"({"attnscope": 1, "heads": [{}]})"),
            "heads[0]: found no matrix, expected q, k, v or w_q, w_k, w_v");
  EXPECT_EQ(refusal(R"({"attnscope": 1, "heads": [{"w_q": [[1]], "w_k": [[1]], "w_v": [[1]]}]})"),
            "found no \"x\", expected this key");
  const std::string given = R"("q": [[1]], "k": [[1]], "v": [[1]])",
                    projected = R"("w_q": [[1]], "w_k": [[1]], "w_v": [[1]])";
  EXPECT_EQ(refusal(R"({"attnscope": 1, "heads": [{)" + given + "}, {" + projected + "}]}"),
            "heads[1]: found matrices that an earlier head does not have, expected them in the first heads");
  EXPECT_EQ(refusal(R"({"attnscope": 1, "heads": [{)" + given + ", " + projected + "}]}"),
            "found heads with both q, k, v and w_q, w_k, w_v, expected a \"source\", given or projected");
}

TEST(SceneJsonErrors, Matrices) {
  EXPECT_EQ(refusal(sceneText(R"([[1, 2, 3], [1, 2, "abc"]])")),
            "heads[0].v[1][2]: found \"abc\", expected a number");
  EXPECT_EQ(refusal(sceneText(R"([[1], [null]])")), "heads[0].v[1][0]: found null, expected a number");
  EXPECT_EQ(refusal(sceneText("[[1, 2], [1]]")),
            "heads[0].v[1]: found a row of length 1, expected 2 as in the first row");
  EXPECT_EQ(refusal(sceneText("[[1, 2], [1, 1e999]]")),
            "heads[0].v[1][1]: found 1e999, expected a number within ±1.7e308");
  EXPECT_EQ(refusalOf("\"cap\": -1e999"), "cap: found -1e999, expected a number within ±1.7e308");
  EXPECT_EQ(refusal("1e999"), "found 1e999, expected a number within ±1.7e308");
  EXPECT_EQ(refusal(sceneText("[]")), "heads[0].v: found an empty list, expected one or more rows");
  EXPECT_EQ(refusal(sceneText("[[], []]")),
            "heads[0].v[0]: found an empty list, expected one or more numbers");
  EXPECT_EQ(refusal(sceneText("[1, 2]")), "heads[0].v[0]: found 1, expected a list of numbers");
  EXPECT_EQ(refusal(sceneText("7")), "heads[0].v: found 7, expected a list of rows or a fill");
  EXPECT_EQ(refusal(sceneText("[[1], [\"" + std::string(1000, 'a') + "\"]]")),
            "heads[0].v[1][0]: found \"" + std::string(40, 'a') + "...\", expected a number");
  EXPECT_EQ(refusalOf(R"("bias": {"heads": []})"),
            "bias.heads: found an empty list, expected one or more matrices");
  EXPECT_EQ(refusalOf(R"("bias": {"heads": [[[1, 2]]], "rows": 1})"),
            "bias: found the unknown key \"rows\", expected only heads");
}

TEST(SceneJsonErrors, Fills) {
  const auto fill = [](const std::string& rest) {
    return refusal(sceneText("{\"fill\": \"normal\"" + rest + "}"));
  };
  EXPECT_EQ(fill(""), "heads[0].v: found no \"rows\", expected this key");
  EXPECT_EQ(fill(R"(, "rows": -3, "cols": 2)"),
            "heads[0].v.rows: found -3, expected a whole number of at least 1");
  EXPECT_EQ(fill(R"(, "rows": 2, "cols": 0)"),
            "heads[0].v.cols: found 0, expected a whole number of at least 1");
  EXPECT_EQ(fill(R"(, "rows": 2.5, "cols": 1)"), "heads[0].v.rows: found 2.5, expected a whole number");
  EXPECT_EQ(
      fill(R"(, "rows": 9223372036854775808, "cols": 1)"),
      "heads[0].v.rows: found 9223372036854775808, expected a whole number of at most 9223372036854775807");
  EXPECT_EQ(fill(R"(, "rows": 2, "cols": 1, "seed": -1)"),
            "heads[0].v.seed: found -1, expected a whole number of at least 0");
  EXPECT_EQ(fill(R"(, "rows": 2, "cols": 1, "low": 1)"),
            "heads[0].v: found the unknown key \"low\", expected only fill, rows, cols, mean, std, seed");
  EXPECT_EQ(refusal(sceneText(R"({"fill": "zeros", "rows": 2, "cols": 1})")),
            "heads[0].v.fill: found \"zeros\", expected one of normal, uniform, orthonormal, identity");
  EXPECT_EQ(refusal(sceneText(R"({"rows": 2, "cols": 1})")),
            "heads[0].v: found no \"fill\", expected this key");
}

TEST(SceneJsonErrors, Memory) {
  const auto fill = [](const std::string& rows, const std::string& cols) {
    return R"({"fill": "identity", "rows": )" + rows + R"(, "cols": )" + cols + "}";
  };
  EXPECT_EQ(
      refusal(sceneText(fill("1000000", "1000000"))),
      "heads[0].v: found a fill of shape (1000000, 1000000), expected at most 65536 numbers for the memory "
      "available");
  EXPECT_EQ(
      refusal(sceneText(fill("9223372036854775807", "9223372036854775807"))),
      "heads[0].v: found a fill of shape (9223372036854775807, 9223372036854775807), expected at most 65536 "
      "numbers for the memory available");
  // Each fits, both together do not.
  EXPECT_EQ(refusal(sceneText(fill("2", "20000"), ", \"x\": " + fill("30000", "1"))),
            "x: found a fill of shape (30000, 1), expected at most 25536 numbers for the memory available");
  EXPECT_EQ(refusal(sceneText("[[1], [2]]"), 240),
            "found 75 bytes of text, expected at most 10 for the memory available");
  // More than any machine has, with the limit that the machine sets.
  EXPECT_THROW(readSceneJson(sceneText(fill("1000000000", "1000000000")), "scene.json"), Error);
}

TEST(SceneJsonErrors, Choices) {
  EXPECT_EQ(refusalOf(R"("source": "x")"), "source: found \"x\", expected one of given, projected");
  EXPECT_EQ(refusalOf(R"("scale": {"rule": 3})"),
            "scale.rule: found 3, expected one of sqrt, none, dk, number");
  EXPECT_EQ(refusalOf(R"("scale": {"rule": "number"})"), "scale: found no \"number\", expected this key");
  EXPECT_EQ(refusalOf(R"("scale": "sqrt")"),
            "scale: found \"sqrt\", expected an object with rule, number, temperature, qk_norm");
  EXPECT_EQ(refusalOf(R"("cap": true)"), "cap: found true, expected a number");
  EXPECT_EQ(refusalOf(R"("title": 1)"), "title: found 1, expected a string");
  EXPECT_EQ(refusalOf(R"("tokens": [1])"), "tokens[0]: found 1, expected a string");
  EXPECT_EQ(refusalOf(R"("tokens": "a b")"), "tokens: found \"a b\", expected an object with queries, keys");
  EXPECT_EQ(refusalOf(R"("alibi": 1)"), "alibi: found 1, expected true or a list of slopes");
  EXPECT_EQ(refusalOf(R"("alibi": [])"), "alibi: found an empty list, expected one or more slopes");
  EXPECT_EQ(refusalOf(R"("normalise": "Softmax")"),
            "normalise: found \"Softmax\", expected one of softmax, sink, sparsemax, entmax15, sigmoid");
  EXPECT_EQ(refusalOf(R"("upstream": "zeros")"),
            "upstream: found \"zeros\", expected ones or an object with cell, given or target");
  EXPECT_EQ(refusalOf(R"("upstream": {"cell": [1]})"),
            "upstream.cell: found a list of length 1, expected [row, column]");
  EXPECT_EQ(refusalOf(R"("upstream": {})"),
            "upstream: found no \"kind\", expected this key, or one of cell, given, target");
  EXPECT_EQ(refusalOf(R"("upstream": {"given": [[1]], "target": [[1]]})"),
            "upstream: found both given and target, expected one of them");
}

TEST(SceneJsonErrors, Masks) {
  const auto mask = [](const std::string& rule) { return refusalOf("\"masks\": [" + rule + "]"); };
  EXPECT_EQ(mask("{}"), "masks[0]: found no \"rule\", expected this key");
  EXPECT_EQ(mask("\"causal\""), "masks[0]: found \"causal\", expected an object with rule");
  EXPECT_EQ(
      mask(R"({"rule": "random"})"),
      "masks[0].rule: found \"random\", expected one of causal, padding, window, prefix, documents, painted");
  EXPECT_EQ(mask(R"({"rule": "causal", "align": "left"})"),
            "masks[0].align: found \"left\", expected one of top-left, bottom-right");
  EXPECT_EQ(mask(R"({"rule": "padding"})"), "masks[0]: found no length and no flags, expected one of them");
  EXPECT_EQ(mask(R"({"rule": "padding", "length": 1, "flags": []})"),
            "masks[0]: found both length and flags, expected one of them");
  EXPECT_EQ(mask(R"({"rule": "padding", "flags": [2]})"),
            "masks[0].flags[0]: found 2, expected true, false, 1 or 0");
  EXPECT_EQ(mask(R"({"rule": "window", "width": 0})"),
            "masks[0].width: found 0, expected a whole number of at least 1");
  EXPECT_EQ(mask(R"({"rule": "prefix", "length": -1})"),
            "masks[0].length: found -1, expected a whole number of at least 0");
  EXPECT_EQ(mask(R"({"rule": "documents", "ids": [4294967296]})"),
            "masks[0].ids[0]: found 4294967296, expected a whole number of at most 2147483647");
  EXPECT_EQ(mask(R"({"rule": "documents", "ids": [1], "keys": [1]})"),
            "masks[0]: found the unknown key \"keys\", expected only rule, ids");
  EXPECT_EQ(mask(R"({"rule": "painted", "may_attend": [[1, 0.5]]})"),
            "masks[0].may_attend[0][1]: found 0.5, expected true, false, 1 or 0");
  EXPECT_EQ(mask(R"({"rule": "painted", "may_attend": {"heads": 1}})"),
            "masks[0].may_attend.heads: found 1, expected a list of matrices");
}

TEST(SceneJsonErrors, Slides) {
  const auto slides = [](const std::string& list) { return refusalOf("\"slides\": [" + list + "]"); };
  const std::string one = R"("panels": {"panel": "Weights"})";
  EXPECT_EQ(slides(R"({"number": 1, )" + one + "}"), "(read)");
  EXPECT_EQ(slides(R"({"number": 1})"), "slides[0]: found no \"panels\", expected this key");
  EXPECT_EQ(
      slides(R"({"number": 1, "size": 2, )" + one + "}"),
      "slides[0]: found the unknown key \"size\", expected only number, panels, head, query, hides_values, "
      "story, explains");
  EXPECT_EQ(slides(R"({"number": 1, "panels": {}})"),
            "slides[0].panels: found an object, expected an object with panel, row, column or tabs");
  EXPECT_EQ(slides(R"({"number": 1, "panels": {"row": []}})"),
            "slides[0].panels.row: found an empty list, expected one or more panels");
  EXPECT_EQ(slides(R"({"number": 10, )" + one + "}"), "slides: slide 10: expected a number from 1 to 9");
  EXPECT_EQ(slides(R"({"number": 2, )" + one + R"(}, {"number": 2, )" + one + "}"),
            "slides: slide 2: expected slides in the order of their numbers, each once");
  EXPECT_EQ(slides(R"({"number": 1, "panels": {"panel": "Weights", "share": 0}})"),
            "slides: slide 1.panels.share: expected a number above 0");
  EXPECT_EQ(slides(R"({"number": 1, "panels": {"tabs": [{"row": [{"panel": "Weights"}]}]}})"),
            "slides: slide 1.panels: expected only panels among tabs");
}

TEST(SceneJsonErrors, WhatDoesNotFitTogether) {
  EXPECT_EQ(refusal(sceneText("[[1], [2], [3]]")), "v: shape (3, 1), expected (2, 1)");
  EXPECT_EQ(refusalOf(R"("scale": {"temperature": 0})"), "scale.temperature: 0, expected a number above 0");
  EXPECT_EQ(refusalOf(R"("cap": "inf")"), "cap: inf, expected a number above 0");
}

}  // namespace
}  // namespace attn
