#include <gtest/gtest.h>

#include "core/io/scene_json.h"
#include "core/labs/scaling_picture.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

void open(GuiDriver& gui) {
  runCommand(gui.app(), "labs.scaling");
  gui.frames(3);
}

TEST(ScalingLab, IsClosedUntilItsMenuOpensIt) {
  GuiDriver gui;
  EXPECT_FALSE(gui.has("Scaling lab/title"));
  gui.menu("Labs", "Scaling lab");
  gui.frames(3);
  EXPECT_TRUE(gui.has("Scaling lab/figure q·k at d_k = 64, and theory"));
  EXPECT_TRUE(gui.has("Scaling lab/figure variance of the scores, over d_k"));
  runCommand(gui.app(), "labs.scaling");
  gui.frames(2);
  EXPECT_FALSE(gui.has("Scaling lab/title"));
}

/// The first trials are there with the first frame, the rest while the person looks.
TEST(ScalingLab, DrawsAtOnceAndGoesOnBesideTheWindow) {
  GuiDriver gui;
  gui.app().editor().change([](Scene& scene) { scene.labs.scaling.trials = 1024; });
  runCommand(gui.app(), "labs.scaling");
  gui.frames(2);
  EXPECT_TRUE(gui.has("Scaling lab/figure variance of the scores, over d_k"));
  EXPECT_TRUE(gui.state().labs.isBusy());
  EXPECT_TRUE(gui.app().isAnimating());
  gui.app().settle();
  gui.frames(60);  // so that no tooltip is expected either
  EXPECT_FALSE(gui.app().isAnimating());
}

TEST(ScalingLab, ADragIsLiveAndOneStepOfUndo) {
  GuiDriver gui;
  open(gui);
  gui.drag("Scaling lab/μ", {25, 0});
  EXPECT_GT(gui.scene().labs.scaling.mean, 0.2);
  EXPECT_EQ(gui.app().editor().steps(), 1u);
  EXPECT_NE(writeSceneJson(gui.scene()).find("\"scaling\""), std::string::npos);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(gui.scene().labs.scaling.mean, 0);
}

TEST(ScalingLab, SendsWhatItMarks) {
  GuiDriver gui;
  open(gui);
  gui.click("Scaling lab/nothing");
  EXPECT_EQ(gui.scene().labs.scaling.rule, ScalingLab::Rule::none);
  gui.click("Scaling lab/Send to the window");
  gui.frames(3);
  const ScalingLab lab = gui.scene().labs.scaling;
  const Scene expected = sceneOf(lab);
  EXPECT_EQ(gui.scene().source.given[0].k.values, expected.source.given[0].k.values);
  EXPECT_EQ(gui.scene().scale.rule, Scale::Rule::none);
  EXPECT_EQ(lab.rule, ScalingLab::Rule::none);
  EXPECT_TRUE(gui.has("Weights/map"));
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(shapesOf(gui.scene()), shapesOf(*defaultScene()));
}

TEST(ScalingLab, AClickIntoACurveChoosesTheWidth) {
  GuiDriver gui;
  open(gui);
  const ItemRect chart = gui.rect("Scaling lab/figure largest weight, over d_k");
  gui.clickAt({chart.max.x - 30, chart.centre().y});
  EXPECT_EQ(gui.scene().labs.scaling.keyWidth, 4096);
  gui.frames(2);
  EXPECT_TRUE(gui.has("Scaling lab/figure q·k at d_k = 4096, and theory"));
}

TEST(ScalingLab, WorksByKeys) {
  GuiDriver gui;
  open(gui);
  ASSERT_EQ(gui.state().panels.focused, "Scaling lab");
  gui.press(ImGuiKey_DownArrow);
  gui.press(ImGuiKey_DownArrow);  // μ, σ, d_k
  gui.press(ImGuiKey_Space);
  gui.press(ImGuiKey_RightArrow);
  gui.press(ImGuiKey_Space);
  EXPECT_EQ(gui.scene().labs.scaling.keyWidth, 128);
}

/// In the last row nobody can ask what a band is; that is no answer to guess, so it stays.
TEST(ScalingLab, SaysWhatItsLinesMean) {
  GuiDriver gui;
  open(gui);
  EXPECT_TRUE(gui.has("Scaling lab/legend of the curves"));
  gui.press(ImGuiKey_F5);
  gui.state().presenter.hidesValues = true;
  gui.frames(3);
  gui.click("Scaling lab/legend");  // large letters leave room for one at a time
  gui.frames(2);
  EXPECT_TRUE(gui.has("Scaling lab/legend of the curves"));
}

/// What an audience has to guess: charts and numbers alike.
TEST(ScalingLab, HidesItsValuesFromAnAudience) {
  GuiDriver gui;
  open(gui);
  gui.press(ImGuiKey_F5);
  gui.frames(3);
  EXPECT_TRUE(gui.has("Scaling lab/figure variance of the scores, over d_k"));
  gui.state().presenter.hidesValues = true;
  gui.frames(3);
  EXPECT_FALSE(gui.has("Scaling lab/figure variance of the scores, over d_k"));
  EXPECT_TRUE(gui.withoutPlace().empty());
}

TEST(ScalingLab, ANarrowPanelHasPages) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::none, 700, 600);
  open(gui);
  EXPECT_TRUE(gui.has("Scaling lab/entropy"));
  gui.click("Scaling lab/entropy");
  gui.frames(2);
  EXPECT_TRUE(gui.has("Scaling lab/figure entropy −Σ p ln p, over d_k"));
}

}  // namespace
}  // namespace attn
