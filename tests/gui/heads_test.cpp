#include <gtest/gtest.h>

#include "app/views/head_actions.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

struct HeadsTest : testing::Test {
  GuiDriver gui{defaultScene(), GuiDriver::Screen::none, 1280, 900};

  const std::vector<GivenHeadOf<float>>& heads() const { return gui.scene().source.given; }
  HeadsState& state() { return gui.state().heads; }
  Index chosen() { return gui.state().selection.head; }
  void choose(const char* path, const char* item) {
    gui.click(path, 1);
    gui.frames(2);
    gui.click(std::string("//") + item);
    gui.frames(3);
  }
  bool run(const char* command) {
    const bool isRun = runCommand(gui.app(), command);
    gui.frames(3);
    return isRun;
  }
};

TEST_F(HeadsTest, AClickChoosesAHeadAndItsInputs) {
  gui.click("Heads/Head 2");
  EXPECT_EQ(chosen(), 1);
  gui.click("Inputs/Q[0][0]");
  gui.type("9");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(heads()[1].q.values(0, 0), 9);
  EXPECT_EQ(heads()[0].q.values(0, 0), 1.6f);
}

TEST_F(HeadsTest, TheButtonAddsAHeadOfNoise) {
  gui.click("Heads/+ head");
  gui.frames(2);
  ASSERT_EQ(heads().size(), 3u);
  EXPECT_EQ(chosen(), 2);
  EXPECT_EQ(heads()[2].q.fill.kind, Fill::Kind::normal);
  EXPECT_TRUE(gui.has("Heads/Head 3"));
}

TEST_F(HeadsTest, TheMenuDuplicatesMovesAndRemoves) {
  const Matrix first = heads()[0].q.values, second = heads()[1].q.values;
  choose("Heads/Head 1", "Duplicate head");
  ASSERT_EQ(heads().size(), 3u);
  EXPECT_EQ(heads()[1].q.values, first);
  choose("Heads/Head 1", "Remove head");
  ASSERT_EQ(heads().size(), 2u);
  choose("Heads/Head 1", "Move later");
  EXPECT_EQ(heads()[0].q.values, second);
  choose("Heads/Head 2", "Move earlier");
  EXPECT_EQ(heads()[0].q.values, first);
  choose("Heads/Head 1", "Add head after");
  EXPECT_EQ(heads()[2].q.values, second);
}

TEST_F(HeadsTest, DraggingAHeadOntoAnotherReordersThem) {
  const Matrix first = heads()[0].q.values;
  const ImVec2 from = gui.rect("Heads/Head 1").centre(), to = gui.rect("Heads/Head 2").centre();
  gui.dragFrom(from, {to.x - from.x, to.y - from.y});
  gui.frames(2);
  EXPECT_EQ(heads()[1].q.values, first);
  EXPECT_EQ(gui.app().editor().steps(), 1u);
}

TEST_F(HeadsTest, AverageAndMaximumAreChoicesOfWhatTheMapsShow) {
  gui.click("Heads/Average");
  EXPECT_EQ(state().choice, HeadChoice::average);
  const StackOf<float>& probs = gui.results().probs;
  const StackOf<float>& average = state().together.at("Average").values;
  EXPECT_FLOAT_EQ(average.at(0, 5, 1), (probs.at(0, 5, 1) + probs.at(1, 5, 1)) / 2);
  gui.click("Heads/Maximum");
  EXPECT_EQ(state().choice, HeadChoice::maximum);
  EXPECT_EQ(state().together.at("Maximum").values.at(0, 5, 1),
            std::max(probs.at(0, 5, 1), probs.at(1, 5, 1)));
  gui.click("Heads/Head 1");
  EXPECT_EQ(state().choice, HeadChoice::one);
}

TEST_F(HeadsTest, TheAverageFollowsTheNumbers) {
  const float before = state().together.at("Average").values.at(0, 0, 0);
  gui.click("Inputs/Q[0][0]");
  gui.type("-9");
  gui.press(ImGuiKey_Enter);
  gui.frames(2);
  const StackOf<float>& probs = gui.results().probs;
  const float after = state().together.at("Average").values.at(0, 0, 0);
  EXPECT_NE(after, before);
  EXPECT_FLOAT_EQ(after, (probs.at(0, 0, 0) + probs.at(1, 0, 0)) / 2);
}

TEST_F(HeadsTest, ComparesTwoHeadsOrShowsTheirDifference) {
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
  gui.frame();
  gui.click("Heads/Head 2");
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
  gui.frames(3);
  EXPECT_EQ(state().compared, 1);
  EXPECT_EQ(chosen(), 0);
  EXPECT_TRUE(gui.has("Heads/chosen"));
  EXPECT_TRUE(gui.has("Heads/compared"));
  gui.click("Heads/A − B");
  gui.frames(3);
  EXPECT_TRUE(gui.has("Heads/difference 1 − 2"));
  const StackOf<float>& probs = gui.results().probs;
  EXPECT_EQ(state().together.at("difference 1 − 2").values.at(0, 5, 1),
            probs.at(0, 5, 1) - probs.at(1, 5, 1));
  gui.click("Heads/all");
  gui.frames(3);
  EXPECT_FALSE(state().compared.has_value());
  EXPECT_TRUE(gui.has("Heads/Head 1"));
}

TEST_F(HeadsTest, SoloShowsOneHeadLarge) {
  gui.doubleClick("Heads/Head 2");
  gui.frames(3);
  EXPECT_TRUE(state().isSolo);
  EXPECT_TRUE(gui.has("Heads/solo"));
  EXPECT_FALSE(gui.has("Heads/Head 1"));
  gui.click("Heads/all");
  gui.frames(2);
  EXPECT_TRUE(gui.has("Heads/Head 1"));
}

TEST_F(HeadsTest, CommandsDoTheSame) {
  EXPECT_FALSE(run("heads.previous"));
  EXPECT_TRUE(run("heads.next"));
  EXPECT_EQ(chosen(), 1);
  EXPECT_TRUE(run("heads.previous"));
  EXPECT_EQ(chosen(), 0);
  EXPECT_TRUE(run("heads.average"));
  EXPECT_EQ(state().choice, HeadChoice::average);
  EXPECT_TRUE(run("heads.maximum"));
  EXPECT_EQ(state().choice, HeadChoice::maximum);
  EXPECT_TRUE(run("heads.one"));
  EXPECT_EQ(state().choice, HeadChoice::one);
  EXPECT_FALSE(run("heads.difference"));
  EXPECT_TRUE(run("heads.compare"));
  EXPECT_EQ(state().compared, 1);
  EXPECT_TRUE(run("heads.difference"));
  EXPECT_TRUE(state().showsDifference);
  EXPECT_TRUE(run("heads.compare"));
  EXPECT_FALSE(state().compared.has_value());
  EXPECT_TRUE(run("heads.solo"));
  EXPECT_TRUE(state().isSolo);
  EXPECT_TRUE(run("heads.solo"));
  EXPECT_TRUE(run("heads.add"));
  EXPECT_EQ(heads().size(), 3u);
  EXPECT_EQ(chosen(), 1);
  const Matrix added = heads()[1].q.values;
  EXPECT_TRUE(run("heads.later"));
  EXPECT_EQ(heads()[2].q.values, added);
  EXPECT_EQ(chosen(), 2);
  EXPECT_TRUE(run("heads.earlier"));
  EXPECT_EQ(chosen(), 1);
  EXPECT_TRUE(run("heads.duplicate"));
  EXPECT_EQ(heads()[2].q.values, added);
  EXPECT_TRUE(run("heads.remove"));
  EXPECT_TRUE(run("heads.remove"));
  EXPECT_TRUE(run("heads.remove"));
  EXPECT_EQ(heads().size(), 1u);
  EXPECT_FALSE(run("heads.remove"));
  EXPECT_FALSE(gui.has("Heads/Average"));
}

TEST_F(HeadsTest, TheComparedHeadIsFollowedThroughMoves) {
  EXPECT_TRUE(run("heads.add"));
  gui.state().selection.head = 0;
  compareWith(gui.state(), 2);
  moveHeadTo(gui.app().editor(), gui.state(), 2, 1);
  EXPECT_EQ(state().compared, 1);
  moveHeadTo(gui.app().editor(), gui.state(), 0, 2);
  EXPECT_EQ(state().compared, 0);
  EXPECT_EQ(chosen(), 2);
  removeHeadAt(gui.app().editor(), gui.state(), 0);
  EXPECT_FALSE(state().compared.has_value());
  EXPECT_EQ(chosen(), 1);
}

TEST_F(HeadsTest, SummariesAreMeansOverTheRows) {
  const Results& results = gui.results();
  const HeadSummary summary = summaryOf(results, 1);
  double largest = 0;
  for (Index row = 0; row < 8; ++row)
    largest += static_cast<double>(results.measures.largestWeight.at(1, row, 0));
  EXPECT_NEAR(summary.largestWeight, largest / 8, 1e-6);
  EXPECT_EQ(summary.rows, 8);
}

/// Twelve heads, their average and maximum, in the smallest window: all are in sight and can be chosen.
TEST(HeadsInLittleRoom, ManyAreAllInSight) {
  Scene scene = *defaultScene();
  while (scene.source.given.size() < 12) scene.source.given.push_back(scene.source.given.front());
  GuiDriver gui(std::make_shared<const Scene>(scene));
  const ImGuiWindow& panel = *ImGui::FindWindowByName("Heads");
  for (const char* name : {"Head 1", "Head 7", "Head 12", "Average", "Maximum"}) {
    const ItemRect map = gui.rect("Heads/" + std::string(name));
    EXPECT_LE(map.max.y, panel.InnerRect.Max.y) << name;
    EXPECT_GT(map.size().x, 25) << name;
    EXPECT_EQ(map.size().x, gui.rect("Heads/Head 1").size().x) << name;
  }
  gui.click("Heads/Head 12");
  EXPECT_EQ(gui.state().selection.head, 11);
}

TEST(HeadsInLittleRoom, MapsToCompareAreAllCells) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::none, 1280, 720);
  ASSERT_TRUE(runCommand(gui.app(), "heads.compare"));
  gui.frames(4);
  EXPECT_GT(gui.rect("Heads/chosen").size().y, 70);
  EXPECT_GT(gui.rect("Heads/compared").size().y, 70);
  gui.state().layout.maximised = "Heads";
  gui.frames(4);
  EXPECT_TRUE(gui.has("Heads/colour bar"));
}

TEST_F(HeadsTest, ComparedHeadsCanHaveTheWholeWindow) {
  run("heads.compare");
  const float before = gui.rect("Heads/compared").size().x;
  gui.click("Heads/larger");
  gui.frames(3);
  EXPECT_GT(gui.rect("Heads/compared").size().x, 2 * before);
  EXPECT_TRUE(gui.has("Heads/chosen"));
  gui.click("Heads/smaller");
  gui.frames(3);
  EXPECT_EQ(gui.rect("Heads/compared").size().x, before);
}

}  // namespace
}  // namespace attn
