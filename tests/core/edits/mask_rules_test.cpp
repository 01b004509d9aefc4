#include "core/edits/mask_rules.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/evaluate.h"
#include "core/same_scene.h"
#include "tests/core/edits/random_scene.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

Scene plain(Index heads, Index queries, Index keys) {
  return narrow(randomScene({.heads = heads, .queries = queries, .keys = keys}, 1));
}

/// '#' for a visible pair, '.' for a hidden one, a line a query.
std::string picture(const Scene& scene, Index head = 0) {
  const Shapes s = shapesOf(scene);
  std::string text;
  for (Index i = 0; i < s.queries; ++i, text += '\n')
    for (Index j = 0; j < s.keys; ++j) text += hiddenBy(scene, head, i, j).isVisible() ? '#' : '.';
  return text;
}

template <class Edit>
std::string refusal(Edit edit) {
  try {
    edit();
  } catch (const Error& error) {
    return error.what();
  }
  return "(done)";
}

TEST(MaskRules, AddReplaceRemove) {
  Scene scene = plain(1, 3, 3);
  const Scene before = scene;
  addRule(scene, CausalRule{});
  addRule(scene, WindowRule{2});
  EXPECT_EQ(picture(scene), "#..\n##.\n.##\n");
  replaceRule(scene, 0, PaddingLengthRule{1});
  EXPECT_EQ(picture(scene), "#..\n#..\n...\n");
  EXPECT_EQ(rowsWithoutKeys(scene, 0), (std::vector<Index>{2}));
  removeRule(scene, 0);
  removeRule(scene, 0);
  EXPECT_TRUE(sameScene(scene, before));
}

TEST(MaskRules, WhatDoesNotFitIsRefused) {
  Scene scene = plain(2, 2, 3);
  const Scene before = scene;
  EXPECT_EQ(refusal([&] { addRule(scene, PaddingFlagsRule{{true}}); }),
            "masks[0].flags: length 1, expected 3");
  EXPECT_EQ(refusal([&] { addRule(scene, WindowRule{0}); }), "masks[0].width: 0, expected at least 1");
  EXPECT_EQ(refusal([&] { removeRule(scene, 0); }), "masks: rule 0, expected one of 0");
  EXPECT_EQ(refusal([&] { paint(scene, onePair(2, 0), false); }),
            "mask: pairs (1, 1) at (2, 0), expected them inside (2, 3)");
  EXPECT_EQ(refusal([&] { paint(scene, onePair(0, 0), false, 2); }), "mask: head 2, expected 0 to 1");
  EXPECT_TRUE(sameScene(scene, before));
}

TEST(MaskRules, Painting) {
  Scene scene = plain(2, 3, 4);
  paint(scene, onePair(0, 1), false);
  EXPECT_EQ(picture(scene), "#.##\n####\n####\n");
  paint(scene, rectangle(2, 3, 1, 2), false);
  EXPECT_EQ(picture(scene), "#.##\n##..\n##..\n");
  paint(scene, wholeRow(scene, 1), true);
  EXPECT_EQ(picture(scene), "#.##\n####\n##..\n");
  paint(scene, wholeColumn(scene, 0), false);
  EXPECT_EQ(picture(scene), "..##\n.###\n.#..\n");
  EXPECT_EQ(scene.masks.size(), 1u);
  paint(scene, onePair(0, 0), true, 1);
  EXPECT_EQ(picture(scene, 0), "..##\n.###\n.#..\n");
  EXPECT_EQ(picture(scene, 1), "#.##\n.###\n.#..\n");
  paint(scene, onePair(0, 1), true);  // all heads
  EXPECT_EQ(picture(scene, 0), ".###\n.###\n.#..\n");
  EXPECT_EQ(picture(scene, 1), "####\n.###\n.#..\n");
  EXPECT_NO_THROW(check(scene));
}

TEST(MaskRules, PaintingAllowsNothingThatAnotherRuleHides) {
  Scene scene = plain(1, 2, 2);
  addRule(scene, CausalRule{});
  scene.bias = {{Matrix::Zero(2, 2), {}}};
  scene.bias[0].values(0, 1) = -INFINITY;
  paint(scene, onePair(0, 1), true);
  const HiddenBy hidden = hiddenBy(scene, 0, 0, 1);
  EXPECT_EQ(hidden.rules, (std::vector<std::size_t>{0}));
  EXPECT_TRUE(hidden.bias);
  EXPECT_TRUE(hiddenBy(scene, 0, 1, 0).isVisible());
}

TEST(MaskRules, InWords) {
  const Shapes s = shapesOf(plain(2, 3, 4));
  EXPECT_EQ(ruleText(CausalRule{}, s), "causal, top-left");
  EXPECT_EQ(ruleText(CausalRule{Alignment::bottomRight}, s), "causal, bottom-right");
  EXPECT_EQ(ruleText(WindowRule{3}, s), "window 3");
  EXPECT_EQ(ruleText(PaddingLengthRule{2}, s), "padding: 2 keys");
  EXPECT_EQ(ruleText(PaddingFlagsRule{{true, false, false, false}}, s), "padding: 1 key");
  EXPECT_EQ(ruleText(PaddingLengthRule{4}, s), "padding: none");
  EXPECT_EQ(ruleText(PrefixRule{2}, s), "prefix 2, top-left");
  EXPECT_EQ(ruleText(DocumentsRule{{0, 0, 7}, {0, 7, 7, 3}}, s), "documents: 3");
  EXPECT_EQ(ruleText(PaintedRule{{Bytes::Ones(3, 4)}}, s), "painted: nothing blocked");
  EXPECT_EQ(ruleText(PaintedRule{{Bytes::Zero(3, 4), Bytes::Ones(3, 4)}}, s),
            "painted per head: 12 pairs blocked");
}

TEST(MaskRules, Presets) {
  Scene scene = plain(1, 3, 3);
  scene.keyLabels = {"a", "b", "[PAD]"};
  applyPreset(scene, MaskPreset::bertEncoder);
  EXPECT_EQ(picture(scene), "##.\n##.\n##.\n");
  applyPreset(scene, MaskPreset::gptDecoder);
  EXPECT_EQ(picture(scene), "#..\n##.\n###\n");
  scene.masks = {PaddingLengthRule{1}, CausalRule{}};
  applyPreset(scene, MaskPreset::t5Cross);
  EXPECT_EQ(picture(scene), "#..\n#..\n#..\n");
  applyPreset(scene, MaskPreset::t5EncoderSelf);
  EXPECT_EQ(picture(scene), "#..\n#..\n#..\n");
  applyPreset(scene, MaskPreset::t5DecoderSelf);
  EXPECT_EQ(picture(scene), "#..\n##.\n###\n");
  for (const MaskPreset preset : kMaskPresets) {
    applyPreset(scene, preset);
    EXPECT_NO_THROW(check(scene));
    EXPECT_FALSE(presetText(preset).empty());
  }
}

TEST(MaskRules, RowsWithoutKeysAreThoseThatEvaluateFlags) {
  Dice dice(1);
  int flagged = 0;
  for (int round = 0; round < 300; ++round) {
    const Scene scene = anyScene(dice, round % 2 ? AnySource::given : AnySource::self);
    const Results results = evaluate(scene);
    for (Index h = 0; h < results.shapes.heads; ++h) {
      std::vector<Index> expected;
      for (Index i = 0; i < results.shapes.queries; ++i)
        if (results.maskedRows.at(h, i, 0)) expected.push_back(i);
      ASSERT_EQ(rowsWithoutKeys(scene, h), expected);
      flagged += static_cast<int>(expected.size());
    }
  }
  EXPECT_GT(flagged, 10);
}

}  // namespace
}  // namespace attn
