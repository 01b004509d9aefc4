// What every lab has to do, and what each shows besides. The scaling lab has a file of its own.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cmath>

#include "core/io/scene_json.h"
#include "core/labs/cost_curves.h"
#include "core/labs/mask_cases.h"
#include "core/labs/normalisation.h"
#include "core/labs/query_design.h"
#include "core/labs/receptive.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

constexpr auto kNoScreen = GuiDriver::Screen::none;

struct Lab {
  const char *id, *title, *slider, *figure;
  int downTo;  // how many times the arrow key goes down from the first control to the slider
};

const Lab kLabs[] = {
    {"labs.scaling", "Scaling lab", "σ", "variance of the scores, over d_k", 1},
    {"labs.query", "Query lab", "β", "output", 2},
    {"labs.cost", "Cost lab", "n_q", "share of the operations, over n", 1},
    {"labs.normalisation", "Normalisation lab", "γ", "layer norm: which y move with x", 3},
    {"labs.receptive", "Receptive field lab", "layers n", "what the node sees, layer by layer", 2},
    {"labs.mask", "Mask lab", "sentence", "cross-attention, sentence 2: who sees whom", 5},
};

class EveryLab : public testing::TestWithParam<Lab> {
 protected:
  std::string item(const char* label) const { return std::string(GetParam().title) + "/" + label; }
  std::string figure() const { return item("figure ") + GetParam().figure; }
  void open(GuiDriver& gui) {
    runCommand(gui.app(), GetParam().id);
    gui.app().settle();
    gui.frames(4);
  }
};

TEST_P(EveryLab, OpensFromItsMenuAndClosesAgain) {
  GuiDriver gui;
  EXPECT_FALSE(gui.has(item("title")));
  gui.menu("Labs", GetParam().title);
  gui.frames(3);
  EXPECT_TRUE(gui.has(figure()));
  EXPECT_TRUE(gui.has(item("Send to the window")));
  runCommand(gui.app(), GetParam().id);
  gui.frames(2);
  EXPECT_FALSE(gui.has(item("title")));
  EXPECT_TRUE(gui.has("Weights/title"));
}

TEST_P(EveryLab, ADragIsOneStepThatIsUndoneAndSaved) {
  GuiDriver gui;
  open(gui);
  gui.drag(item(GetParam().slider), {70, 0});
  EXPECT_FALSE(gui.scene().labs == Labs{});
  EXPECT_EQ(gui.app().editor().steps(), 1u);
  const Scene back = narrow(readSceneJson(writeSceneJson(gui.scene()), "scene.json", 1 << 30));
  EXPECT_TRUE(back.labs == gui.scene().labs);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_TRUE(gui.scene().labs == Labs{});
}

/// From the panel's first control, which has the keyboard when the lab opens.
TEST_P(EveryLab, WorksByKeys) {
  GuiDriver gui;
  open(gui);
  ASSERT_EQ(gui.state().panels.focused, GetParam().title);
  for (int i = 0; i < GetParam().downTo; ++i) gui.press(ImGuiKey_DownArrow);
  gui.press(ImGuiKey_Space);
  gui.press(ImGuiKey_RightArrow);
  gui.press(ImGuiKey_RightArrow);
  gui.press(ImGuiKey_Space);
  EXPECT_FALSE(gui.scene().labs == Labs{});
}

TEST_P(EveryLab, SendsASceneThatCanBeUndone) {
  GuiDriver gui;
  open(gui);
  gui.click(item("Send to the window"));
  gui.results();
  gui.frames(4);
  EXPECT_NE(shapesOf(gui.scene()), shapesOf(*defaultScene()));
  EXPECT_TRUE(gui.has("Weights/map"));
  EXPECT_FALSE(gui.has(item("title")));  // it covered the panels
  EXPECT_TRUE(gui.app().editor().refusal().empty());
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(shapesOf(gui.scene()), shapesOf(*defaultScene()));
}

/// In small and in large windows, and large letters for an audience: everything has its place, and what an
/// audience has to guess is gone.
TEST_P(EveryLab, FitsEveryWindowAndHidesItsValues) {
  for (const auto& [width, height] : {std::pair{640, 480}, {1100, 720}, {1280, 720}, {3840, 2160}}) {
    GuiDriver gui(defaultScene(), kNoScreen, width, height);
    open(gui);
    EXPECT_TRUE(gui.withoutPlace().empty()) << gui.withoutPlace();
    gui.press(ImGuiKey_F5);
    gui.frames(4);
    EXPECT_TRUE(gui.withoutPlace().empty()) << gui.withoutPlace();
    if (width > 640) {
      ASSERT_TRUE(gui.has(figure())) << width;
      EXPECT_LT(gui.rect(figure()).max.y, static_cast<float>(height)) << "beneath the window's edge";
    }
    gui.state().presenter.hidesValues = true;
    gui.frames(3);
    EXPECT_FALSE(gui.has(figure()));
  }
}

INSTANTIATE_TEST_SUITE_P(Labs, EveryLab, testing::ValuesIn(kLabs), [](const auto& info) {
  std::string name = info.param.title;
  std::erase(name, ' ');
  return name;
});

void open(GuiDriver& gui, const char* id) {
  runCommand(gui.app(), id);
  gui.frames(4);
}

TEST(QueryLab, TheQueryIsDraggedInThePicture) {
  GuiDriver gui;
  open(gui, "labs.query");
  const ItemRect before = gui.rect("Query lab/query");
  gui.dragFrom(before.centre(), {30, 0});
  EXPECT_GT(gui.scene().labs.query.alongFirst, 5);
  EXPECT_NEAR(gui.scene().labs.query.alongSecond, 4, 0.5);
  EXPECT_EQ(gui.app().editor().steps(), 1u);
  EXPECT_GT(gui.rect("Query lab/query").centre().x, before.centre().x + 20);
}

TEST(QueryLab, DrawnKeysBringTheirControlsAndTwoHeadsTwoHeads) {
  GuiDriver gui;
  open(gui, "labs.query");
  EXPECT_FALSE(gui.has("Query lab/draws"));
  gui.click("Query lab/keys drawn around such means");
  gui.frames(2);
  gui.click("Query lab/one key stretched along its mean");
  gui.frames(2);
  EXPECT_TRUE(gui.has("Query lab/by variance"));
  gui.click("Query lab/two heads, one for each");
  gui.click("Query lab/Send to the window");
  EXPECT_EQ(shapesOf(gui.scene()).heads, 2);
  EXPECT_EQ(gui.scene().source.given[1].k.values,
            sceneOf(gui.scene().labs.query, 0).source.given[1].k.values);
}

TEST(CostLab, MeasuresBesideTheWindow) {
  GuiDriver gui;
  gui.app().editor().change([](Scene& scene) {
    scene.labs.cost.modelWidth = 1024;
    scene.labs.cost.heads = 16;
  });
  open(gui, "labs.cost");
  gui.click("Cost lab/Measure this engine");
  EXPECT_TRUE(gui.app().isAnimating());
  gui.drag("Cost lab/n_q", {-40, 0});  // it answers meanwhile
  EXPECT_LT(gui.scene().labs.cost.queries, 512);
  gui.app().settle();
  gui.frames(60);
  EXPECT_FALSE(gui.app().isAnimating());
  EXPECT_TRUE(gui.has("Cost lab/figure seconds on one core, over n"));
}

TEST(NormLab, AClickChoosesTheNumberAndShowsWhatMoves) {
  GuiDriver gui;
  open(gui, "labs.normalisation");
  gui.click("Normalisation lab/x[2][4]");
  gui.frames(2);
  EXPECT_EQ(gui.scene().labs.norm.row, 2);
  EXPECT_EQ(gui.scene().labs.norm.col, 4);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j) {
      const std::string at = " moves[" + std::to_string(i) + "][" + std::to_string(j) + "]";
      EXPECT_EQ(gui.has("Normalisation lab/layer norm: which y move with x" + at), i == 2) << at;
      EXPECT_EQ(gui.has("Normalisation lab/batch norm: which y move with x" + at), j == 4) << at;
    }
}

TEST(ReceptiveLab, ANodeIsChosenAndTheSceneCanBeLookedAt) {
  GuiDriver gui;
  open(gui, "labs.receptive");
  gui.click("Receptive field lab/node 9");
  EXPECT_EQ(gui.scene().labs.receptive.node, 9);
  gui.click("Receptive field lab/strongest weights of the scene");
  gui.results();
  gui.frames(4);
  EXPECT_FALSE(gui.has("Receptive field lab/tokens"));
  EXPECT_TRUE(gui.has("Receptive field lab/node 7"));
  EXPECT_FALSE(gui.has("Receptive field lab/node 8"));  // the scene has eight tokens
}

TEST(ReceptiveLab, SaysWhatItCannotLookAt) {
  Scene scene = *defaultScene();
  for (auto& head : scene.source.given) head.q.values.conservativeResize(3, Eigen::NoChange);
  scene.queryLabels.clear();
  scene.labs.receptive.targets = ReceptiveLab::Targets::scene;
  GuiDriver gui(std::make_shared<const Scene>(scene));
  open(gui, "labs.receptive");
  EXPECT_FALSE(gui.has("Receptive field lab/node 0"));
  EXPECT_TRUE(gui.has("Receptive field lab/layers n"));
}

TEST(MaskLab, AnAttentionIsChosenInTheStack) {
  GuiDriver gui;
  open(gui, "labs.mask");
  gui.click("Mask lab/decoder self-attention");
  gui.frames(2);
  EXPECT_EQ(gui.scene().labs.mask.module, MaskLab::Module::decoderSelf);
  EXPECT_TRUE(gui.has("Mask lab/figure decoder self-attention, sentence 2: who sees whom"));
  gui.click("Mask lab/encoder, as in BERT");
  gui.frames(2);
  EXPECT_EQ(gui.scene().labs.mask.module, MaskLab::Module::encoderSelf);
  EXPECT_FALSE(gui.has("Mask lab/target 1"));
}

TEST(MaskLab, ASentenceIsChosenInTheBatch) {
  GuiDriver gui;
  open(gui, "labs.mask");
  gui.click("Mask lab/target sentence 3");
  EXPECT_EQ(gui.scene().labs.mask.sentence, 2);
  gui.click("Mask lab/source sentence 1");
  EXPECT_EQ(gui.scene().labs.mask.sentence, 0);
}

TEST(MaskLab, WithoutTheMaskALeakIsSeen) {
  GuiDriver gui;
  open(gui, "labs.mask");
  EXPECT_TRUE(gui.has("Mask lab/pairs"));
  gui.click("Mask lab/key padding mask in use");
  gui.frames(2);
  EXPECT_TRUE(gui.has("Mask lab/pairs with a leak"));
  gui.click("Mask lab/Send to the window");
  EXPECT_TRUE(gui.scene().masks.empty());
  EXPECT_EQ(gui.scene().keyLabels[4], "<pad>");
}

}  // namespace
}  // namespace attn
