#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cmath>

#include "app/formula/pipeline.h"
#include "core/evaluate.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

class ScaleTest : public testing::Test {
 protected:
  GuiDriver gui;
  ScaleTest() {
    gui.state().layout.maximised = "Scale";
    gui.frames(3);
  }
  const Scale& scale() { return gui.scene().scale; }
  void choose(std::string_view combo, std::string_view item) {
    gui.click(combo);
    gui.frames(3);
    gui.click(item);
    gui.frames(3);
  }
  void typeInto(std::string_view item, std::string_view text) {
    gui.frames(30);
    gui.doubleClick(item);
    gui.frames(2);
    gui.press(ImGuiMod_Ctrl | ImGuiKey_A);
    gui.type(text);
    gui.press(ImGuiKey_Enter);
    gui.frames(2);
  }
};

TEST_F(ScaleTest, EveryDivisorCanBeChosen) {
  choose("Scale/Divisor", "//d_k");
  EXPECT_EQ(scale().rule, Scale::Rule::keyWidth);
  choose("Scale/Divisor", "//1");
  EXPECT_EQ(scale().rule, Scale::Rule::none);
  choose("Scale/Divisor", "//number");
  EXPECT_EQ(scale().rule, Scale::Rule::number);
  typeInto("Scale/Number", "2.5");
  EXPECT_EQ(scale().number, 2.5);
  const auto& head = gui.scene().source.given[0];
  const float difference = head.q.values.row(0).dot(head.k.values.row(0) - head.k.values.row(2));
  const Results results = evaluate(gui.scene());
  EXPECT_NEAR(results.probs.at(0, 0, 0) / results.probs.at(0, 0, 2), std::exp(difference / 2.5), 1e-4);
}

TEST_F(ScaleTest, WhatCannotBeIsRefusedAndNamed) {
  choose("Scale/Divisor", "//number");
  typeInto("Scale/Number", "-3");
  EXPECT_EQ(scale().number, 1);
  EXPECT_NE(gui.app().editor().refusal().find("expected a number above 0"), std::string::npos);
  typeInto("Scale/Number", "nan");
  EXPECT_EQ(scale().number, 1);
}

TEST_F(ScaleTest, QkNormAndCapHaveTheirNumbers) {
  gui.click("Scale/QK-norm");
  ASSERT_TRUE(scale().qkNormGain);
  gui.frames(2);
  typeInto("Scale/gain", "4");
  EXPECT_EQ(scale().qkNormGain, 4.0);
  gui.click("Scale/Cap");
  gui.frames(2);
  typeInto("Scale/c", "1.5");
  EXPECT_EQ(gui.scene().cap, 1.5);
  gui.click("Scale/Cap");
  gui.click("Scale/QK-norm");
  EXPECT_FALSE(gui.scene().cap);
  EXPECT_FALSE(scale().qkNormGain);
}

TEST_F(ScaleTest, AlibiHasASlopeAHead) {
  gui.click("Scale/ALiBi");
  ASSERT_TRUE(gui.scene().alibi);
  EXPECT_TRUE(gui.scene().alibi->slopes.empty());
  gui.frames(2);
  typeInto("Scale/slope", "0.75");
  ASSERT_EQ(gui.scene().alibi->slopes.size(), 2u);
  EXPECT_EQ(gui.scene().alibi->slopes[0], 0.75);
  EXPECT_EQ(gui.scene().alibi->slopes[1], std::exp2(-8));
  gui.click("Scale/default slopes");
  EXPECT_TRUE(gui.scene().alibi->slopes.empty());
}

TEST_F(ScaleTest, NormalisersWithALogitShowIt) {
  EXPECT_FALSE(gui.has("Scale/Logit"));
  choose("Scale/Normaliser", "//softmax with a sink");
  EXPECT_EQ(gui.scene().normaliser.kind, Normaliser::Kind::sink);
  typeInto("Scale/Logit", "-1.25");
  EXPECT_EQ(gui.scene().normaliser.logit, -1.25);
  choose("Scale/Normaliser", "//sparsemax");
  EXPECT_EQ(gui.scene().normaliser.kind, Normaliser::Kind::sparsemax);
  EXPECT_FALSE(gui.has("Scale/Logit"));
}

TEST_F(ScaleTest, TheFormulaFollowsTheSwitches) {
  gui.state().formulaBar.isShown = false;
  gui.frames(2);
  const float before = gui.rect("Scale/formula").size().x;
  gui.click("Scale/Cap");
  gui.frames(2);
  EXPECT_GT(gui.rect("Scale/formula").size().x, before + 30);
  EXPECT_TRUE(gui.has("Scale/cap formula"));
}

TEST_F(ScaleTest, PointingAtASwitchMarksItsPart) {
  gui.hover("Scale/Divisor");
  EXPECT_EQ(gui.state().scale.markedStage, static_cast<int>(PipelineStage::scale));
  gui.hover("Scale/Normaliser");
  EXPECT_EQ(gui.state().scale.markedStage, static_cast<int>(PipelineStage::normalise));
  gui.hover("Scale/title");
  EXPECT_EQ(gui.state().scale.markedStage, -1);
}

TEST_F(ScaleTest, LeavesTheWholeFormulaToTheBar) {
  EXPECT_FALSE(gui.has("Scale/formula"));
  EXPECT_TRUE(gui.has("Scale/scale formula"));
  gui.press(ImGuiKey_F5);  // there is no bar while presenting
  gui.frames(3);
  EXPECT_TRUE(gui.state().presenter.isOn);
  gui.state().layout.show("Scale", true);
  gui.state().layout.maximised = "Scale";
  gui.frames(3);
  EXPECT_TRUE(gui.has("Scale/formula"));
}

TEST(ScalePanel, TheSourceOfQKVHasALineOfItsOwn) {
  GuiDriver gui(openScene(ATTNSCOPE_SOURCE_DIR "/assets/scenes/causal_sentence.json"));
  gui.state().formulaBar.isShown = false;
  gui.frames(3);
  ASSERT_TRUE(gui.has("Scale/source formula"));
  EXPECT_GE(gui.rect("Scale/source formula").min.y, gui.rect("Scale/formula").max.y);
}

TEST(ScalePanel, AllOfAProjectedSceneIsInSight) {
  for (const char* name : {"causal_sentence", "two_heads", "cross_attention"}) {
    GuiDriver gui(openScene(ATTNSCOPE_SOURCE_DIR "/assets/scenes/" + std::string(name) + ".json"));
    const ImGuiWindow& panel = *ImGui::FindWindowByName("Scale");
    EXPECT_LE(gui.rect("Scale/normaliser formula").max.y, panel.InnerRect.Max.y - panel.WindowPadding.y)
        << name;
  }
}

TEST(ScalePanel, FormulasStayInsideANarrowPanel) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::none, 1280, 720);
  gui.state().formulaBar.isShown = false;
  gui.app().editor().change([](Scene& scene) {
    scene.cap = 5, scene.scale.qkNormGain = 10, scene.alibi = Alibi{}, scene.masks = {CausalRule{}};
    scene.normaliser.kind = Normaliser::Kind::sink;
  });
  gui.frames(3);
  const float right = gui.rect("Scale/title").max.x;
  EXPECT_GT(gui.rect("Scale/formula").max.x, right);  // so long that it scrolls, by itself
  for (const char* name :
       {"Scale/Temperature", "Scale/scale formula", "Scale/cap formula", "Scale/alibi formula"})
    EXPECT_LE(gui.rect(name).max.x, right) << name;
}

}  // namespace
}  // namespace attn
