// A pinned state beside the present one: either, their difference, and what lies between.
#include <gtest/gtest.h>

#include <cmath>

#include "core/edits/blend.h"
#include "core/evaluate.h"
#include "core/same_scene.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

struct CompareTest : testing::Test {
  GuiDriver gui{defaultScene(), GuiDriver::Screen::none, 1280, 720};

  bool run(const char* command) {
    const bool isRun = runCommand(gui.app(), command);
    gui.frames(4);
    return isRun;
  }
  void setTemperature(double value) {
    gui.app().editor().change([=](Scene& scene) { scene.scale.temperature = value; });
    gui.frames(4);
  }
  void addToken() {
    gui.app().editor().change([](Scene& scene) {
      scene.queryLabels.clear(), scene.keyLabels.clear();
      for (auto& head : scene.source.given)
        for (auto* input : {&head.k, &head.v}) {
          Matrix& m = input->values;
          m.conservativeResize(m.rows() + 1, m.cols());
          m.row(m.rows() - 1).setZero();
        }
    });
    gui.frames(4);
  }
  CompareState& state() { return gui.state().compare; }
  Editor& editor() { return gui.app().editor(); }
  /// What the panel's map is drawn from.
  const float* shownIn(const std::string& panel) { return gui.state().maps.facts.at(panel + "/map").values; }
};

TEST_F(CompareTest, MapsShowAOrBOrTheirDifference) {
  const StackOf<float> a = gui.results().probs;
  EXPECT_FALSE(gui.has("Compare/A"));
  EXPECT_TRUE(run("compare.pin"));
  setTemperature(4);
  const StackOf<float>& b = gui.results().probs;
  ASSERT_NE(a.at(0, 5, 1), b.at(0, 5, 1));
  EXPECT_EQ(shownIn("Weights")[41], b.head(0)[41]);
  gui.click("Compare/A");
  gui.frames(2);
  EXPECT_EQ(shownIn("Weights")[41], a.head(0)[41]);
  gui.click("Compare/B − A");
  gui.frames(2);
  EXPECT_EQ(shownIn("Weights")[41], b.head(0)[41] - a.head(0)[41]);
  EXPECT_EQ(gui.scene().scale.temperature, 4);
  gui.click("Compare/B");
  gui.frames(2);
  EXPECT_EQ(shownIn("Weights")[41], b.head(0)[41]);
  EXPECT_EQ(editor().steps(), 1u);  // looking is no step
}

TEST_F(CompareTest, CommandsDoTheSame) {
  EXPECT_FALSE(run("compare.showA"));
  EXPECT_TRUE(run("compare.pin"));
  setTemperature(4);
  EXPECT_TRUE(run("compare.showA"));
  EXPECT_EQ(state().showing, Showing::pinned);
  EXPECT_TRUE(run("compare.showDifference"));
  EXPECT_EQ(state().showing, Showing::difference);
  EXPECT_TRUE(run("compare.showB"));
  EXPECT_EQ(state().showing, Showing::present);
  EXPECT_FALSE(run("compare.keep"));
  EXPECT_TRUE(run("compare.back"));
  EXPECT_EQ(gui.scene().scale.temperature, 1);
  EXPECT_EQ(editor().steps(), 2u);
  EXPECT_TRUE(run("compare.showA"));
  EXPECT_TRUE(run("compare.unpin"));
  EXPECT_EQ(state().showing, Showing::present);
  EXPECT_FALSE(gui.has("Compare/A"));
}

TEST_F(CompareTest, EveryComparedPanelDrawsTheDifference) {
  run("maps.backward");
  run("maps.lines");
  gui.state().layout.show("Raw scores", true);
  run("compare.pin");
  setTemperature(4);
  run("compare.showDifference");
  for (const char* panel :
       {"Raw scores", "Scores", "Weights", "Output", "dWeights", "dScores", "dQ", "dK", "dV"})
    EXPECT_GT(gui.state().maps.facts.at(std::string(panel) + "/map").serial >> 32, std::uint64_t{1} << 31)
        << panel;
  EXPECT_GT(gui.state().lines.lines.serial, std::uint64_t{1} << 31);
  EXPECT_EQ(shownIn("Raw scores")[5], 0);  // a temperature does not change them
  EXPECT_EQ(gui.withoutPlace(), "");
}

TEST_F(CompareTest, TheSliderEvaluatesWhatLiesBetween) {
  const Scene a = gui.scene();
  run("compare.pin");
  gui.app().editor().change([](Scene& scene) {
    scene.scale.temperature = 4;
    scene.source.given[0].q.values(5, 0) = -3;
  });
  gui.frames(4);
  const Scene b = gui.scene();
  state().position = 0.25;
  gui.frames(3);
  EXPECT_TRUE(sameScene(gui.scene(), blend(a, b, 0.25)));
  EXPECT_EQ(gui.results().probs.at(0, 5, 1), evaluate(blend(a, b, 0.25)).probs.at(0, 5, 1));
  EXPECT_TRUE(sameScene(*editor().kept(), b));
  state().position = 0;
  gui.frames(3);
  EXPECT_TRUE(sameScene(gui.scene(), a));
  state().position = 1;
  gui.frames(3);
  EXPECT_FALSE(editor().isLooking());
  EXPECT_EQ(editor().steps(), 1u);
}

TEST_F(CompareTest, TheSliderCanBeDraggedAndLeavesTheSceneAlone) {
  run("compare.pin");
  setTemperature(3);
  gui.drag("Compare/position", {-40, 0});
  EXPECT_LT(state().position, 1);
  EXPECT_LT(gui.scene().scale.temperature, 3);
  EXPECT_EQ(editor().steps(), 1u);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Z);  // takes back what was done before, not the look
  EXPECT_EQ(gui.scene().scale.temperature, 1);
  EXPECT_FALSE(editor().isLooking());
  EXPECT_EQ(state().position, 1);
}

TEST_F(CompareTest, AChangeBeginsFromWhatIsSeen) {
  run("compare.pin");
  setTemperature(3);
  state().position = 0.5;
  gui.frames(3);
  gui.app().editor().change([](Scene& scene) { scene.cap = 5; });
  gui.frames(3);
  EXPECT_DOUBLE_EQ(gui.scene().scale.temperature, 2);
  EXPECT_EQ(gui.scene().cap, 5);
  EXPECT_EQ(state().position, 1);
  run("edit.undo");
  EXPECT_DOUBLE_EQ(gui.scene().scale.temperature, 3);
}

TEST_F(CompareTest, WhatLiesBetweenCanBeKept) {
  run("compare.pin");
  setTemperature(3);
  state().position = 0.5;
  gui.frames(3);
  gui.click("Compare/Keep");
  gui.frames(3);
  EXPECT_DOUBLE_EQ(gui.scene().scale.temperature, 2);
  EXPECT_FALSE(editor().isLooking());
  EXPECT_EQ(editor().steps(), 2u);
  run("edit.undo");
  state().position = 0.25;
  gui.frames(3);
  EXPECT_TRUE(run("compare.keep"));
  EXPECT_DOUBLE_EQ(gui.scene().scale.temperature, 1.5);
}

TEST_F(CompareTest, OtherShapesHaveNoDifferenceAndNothingBetween) {
  run("compare.pin");
  addToken();
  run("compare.showDifference");
  EXPECT_EQ(gui.app().comparison().obstacle(), "A has 8 keys, B has 9");
  state().position = 0.5;
  gui.frames(3);
  EXPECT_EQ(state().position, 1);
  EXPECT_FALSE(editor().isLooking());
  EXPECT_FALSE(gui.has("Weights/map"));  // a line in its place
  EXPECT_TRUE(gui.has("Output/map"));    // as many queries, as many dimensions: that can be subtracted
  gui.click("Compare/A");
  gui.frames(3);
  EXPECT_TRUE(gui.has("Weights/map"));
}

TEST_F(CompareTest, MeasuresShowBoth) {
  const Results& results = gui.results();
  const float before = results.measures.entropyShare.at(0, 2, 0);
  run("compare.pin");
  setTemperature(5);
  const auto pinned = gui.app().comparison().pinned(state());
  ASSERT_TRUE(pinned);
  EXPECT_EQ(pinned->results.measures.entropyShare.at(0, 2, 0), before);
  EXPECT_TRUE(pinned->results.made.backward);  // the gradients' bars want it, of A as of B
  gui.frames(2);
  EXPECT_EQ(gui.withoutPlace(), "");
}

TEST_F(CompareTest, NumbersThatAreNoneAreTold) {
  run("compare.pin");
  gui.app().editor().change([](Scene& scene) { scene.source.given[0].q.values(1, 0) = std::nanf(""); });
  run("mask.causal");
  run("compare.showDifference");
  gui.hover("Weights/map");
  EXPECT_TRUE(std::isnan(shownIn("Weights")[8]));
  EXPECT_EQ(gui.withoutPlace(), "");
}

TEST_F(CompareTest, SavingKeepsTheSceneNotTheLook) {
  run("compare.pin");
  setTemperature(3);
  state().position = 0.5;
  gui.frames(3);
  EXPECT_EQ(gui.app().documents().ownScene()->scale.temperature, 3);
  EXPECT_TRUE(gui.app().documents().isModified());
}

}  // namespace
}  // namespace attn
