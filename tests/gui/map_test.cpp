#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cmath>
#include <limits>

#include "core/io/block_text.h"
#include "core/io/scene_json.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

/// The centre of a cell of a map with so many columns and rows on the screen.
ImVec2 cellAt(const ItemRect& map, Index across, Index down, Index columns, Index rows) {
  const auto part = [](Index i, Index count) {
    return (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
  };
  return {map.min.x + map.size().x * part(across, columns), map.min.y + map.size().y * part(down, rows)};
}

void pointAt(GuiDriver& gui, const char* map, Index across, Index down, Index columns, Index rows) {
  gui.moveTo(cellAt(gui.rect(map), across, down, columns, rows));
  gui.frames(3);
}

void openOptions(GuiDriver& gui, const char* gear) {
  gui.click(gear);
  gui.frames(2);
}

std::shared_ptr<const Scene> changed(void (*change)(Scene&)) {
  Scene scene = *defaultScene();
  change(scene);
  return std::make_shared<const Scene>(scene);
}

TEST(Maps, APairIsTheSameInEveryMap) {
  GuiDriver gui;
  runCommand(gui.app(), "maps.backward");
  gui.frames(4);
  for (const char* map : {"Scores/map", "Weights/map", "dScores/map", "dWeights/map"}) {
    pointAt(gui, map, 1, 5, 8, 8);
    EXPECT_EQ(gui.state().hover.query, 5) << map;
    EXPECT_EQ(gui.state().hover.key, 1) << map;
  }
  pointAt(gui, "dQ/map", 3, 6, 4, 8);
  EXPECT_EQ(gui.state().hover.query, 6);
  EXPECT_EQ(gui.state().hover.dimension, 3);
  EXPECT_FALSE(gui.state().hover.key);
  for (const char* map : {"dK/map", "dV/map"}) {
    pointAt(gui, map, 2, 4, 4, 8);
    EXPECT_EQ(gui.state().hover.key, 4) << map;
    EXPECT_FALSE(gui.state().hover.query) << map;
  }
}

/// How many letters the last frame drew in a rectangle: those that are not of the white spot of the atlas.
int lettersIn(const ItemRect& rect) {
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  int corners = 0;
  for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
    for (const ImDrawVert& corner : list->VtxBuffer)
      corners += std::abs(corner.uv.y - white.y) > 0.01f && corner.pos.x > rect.min.x &&
                 corner.pos.x < rect.max.x && corner.pos.y > rect.min.y && corner.pos.y < rect.max.y;
  return corners / 4;
}

TEST(Maps, NumbersLoseDigitsBeforeTheyGo) {
  GuiDriver gui(changed([](Scene& scene) { scene.scale.temperature = 0.5f; }));
  runCommand(gui.app(), "present.start");
  gui.frames(4);
  for (const char* map : {"Scores/map", "Weights/map"}) {
    EXPECT_LT(gui.rect(map).size().x, 8 * 40.0f) << map;  // large type in narrow cells
    EXPECT_GE(lettersIn(gui.rect(map)), 8 * 8) << map;
  }
}

/// One query with many keys, as in a first exercise with a cache: the row would be thinner than a pixel.
TEST(Maps, ALongRowOrColumnIsThickEnoughToBeSeen) {
  const PreciseScene read = readSceneJson(R"({"attnscope": 1, "heads": [{
    "q": {"fill": "normal", "rows": 1, "cols": 16, "seed": 5},
    "k": {"fill": "normal", "rows": 64, "cols": 16, "seed": 6},
    "v": {"fill": "normal", "rows": 64, "cols": 1, "seed": 7}}]})",
                                          "one query");
  const auto scene = std::make_shared<const Scene>(narrow(read));
  for (const bool isTurned : {false, true}) {
    GuiDriver gui(scene);
    gui.state().notation.queriesAreColumns = isTurned;
    gui.frames(4);
    for (const char* map : {"Scores/map", "Weights/map", "Mask/painter"}) {
      const ImVec2 size = gui.rect(map).size();
      EXPECT_GE(std::min(size.x, size.y), 20) << map << (isTurned ? " turned" : "");
      EXPECT_GE(std::max(size.x, size.y), 100) << map << (isTurned ? " turned" : "");
    }
  }
}

TEST(Maps, TransposedTheSamePairLiesElsewhere) {
  GuiDriver gui;
  ASSERT_TRUE(runCommand(gui.app(), "maps.transpose"));
  gui.frames(3);
  for (const char* map : {"Scores/map", "Weights/map"}) {
    pointAt(gui, map, 5, 1, 8, 8);
    EXPECT_EQ(gui.state().hover.query, 5) << map;
    EXPECT_EQ(gui.state().hover.key, 1) << map;
  }
  pointAt(gui, "Output/map", 6, 2, 8, 4);
  EXPECT_EQ(gui.state().hover.query, 6);
  EXPECT_EQ(gui.state().hover.dimension, 2);
  ASSERT_TRUE(runCommand(gui.app(), "maps.transpose"));
  EXPECT_FALSE(gui.state().maps.options["Weights"].isTransposed);
}

TEST(Maps, AClickChoosesTheQueryAndADragDoesNot) {
  GuiDriver gui;
  gui.clickAt(cellAt(gui.rect("Weights/map"), 2, 6, 8, 8));
  EXPECT_EQ(gui.state().selection.query, 6);
  gui.frames(30);
  gui.dragFrom(cellAt(gui.rect("Scores/map"), 2, 3, 8, 8), {40, 20});
  EXPECT_EQ(gui.state().selection.query, 6);
}

TEST(Maps, TheWheelZoomsAndADoubleClickShowsTheWhole) {
  GuiDriver gui;
  const ItemRect before = gui.rect("Weights/map");
  gui.moveTo(before.centre());
  gui.wheel(3);
  EXPECT_GT(gui.rect("Weights/map").size().x, before.size().x * 1.05f);
  const MapZoom zoom = gui.state().maps.zooms["Weights/map"];
  EXPECT_GT(zoom.left, 0);
  EXPECT_LT(zoom.right, 8);
  for (int i = 0; i < 60; ++i) gui.wheel(1);
  EXPECT_GE(gui.state().maps.zooms["Weights/map"].right - gui.state().maps.zooms["Weights/map"].left, 0.99);
  gui.clickAt(before.centre());
  gui.clickAt(before.centre());
  gui.frames(3);
  EXPECT_NEAR(gui.rect("Weights/map").size().x, before.size().x, 1);
  gui.wheel(3);
  ASSERT_TRUE(runCommand(gui.app(), "maps.whole"));
  gui.frames(3);
  EXPECT_NEAR(gui.rect("Weights/map").size().x, before.size().x, 1);
}

TEST(Maps, OptionsBelongToTheirPanel) {
  GuiDriver gui;
  openOptions(gui, "Weights/⚙");
  gui.click("//Logarithmic");
  gui.click("//as columns");
  gui.click("//the average");
  gui.click("//Numbers in the cells");
  gui.click("//Sums of the rows");
  gui.press(ImGuiKey_Escape);
  const MapOptions& weights = gui.state().maps.options["Weights"];
  EXPECT_TRUE(weights.isLogarithmic);
  EXPECT_TRUE(weights.isTransposed);
  EXPECT_EQ(weights.reduction, Reduction::average);
  EXPECT_FALSE(weights.showsNumbers);
  EXPECT_FALSE(weights.showsRowSums);
  EXPECT_FALSE(gui.state().maps.options["Scores"].isLogarithmic);
  EXPECT_FALSE(gui.state().maps.options["Scores"].isTransposed);
}

TEST(Maps, ARightClickOpensTheOptionsToo) {
  GuiDriver gui;
  gui.clickAt(gui.rect("Scores/map").centre(), 1);
  gui.frames(2);
  gui.click("//Logarithmic");
  EXPECT_TRUE(gui.state().maps.options["Scores"].isLogarithmic);
}

TEST(Maps, ARangeCanBeTyped) {
  GuiDriver gui;
  openOptions(gui, "Scores/⚙");
  gui.click("//Fixed");
  gui.frames(2);
  ASSERT_TRUE(gui.state().maps.options["Scores"].range);
  gui.doubleClick("//Highest");
  gui.press(ImGuiMod_Ctrl | ImGuiKey_A);
  gui.type("12.5");
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.state().maps.options["Scores"].range->high, 12.5f);
  gui.click("//Automatic range");
  EXPECT_FALSE(gui.state().maps.options["Scores"].range);
}

TEST(Maps, CopyGivesTheNumbersAsTheyLie) {
  GuiDriver gui;
  const auto copied = [&](const char* format) {
    openOptions(gui, "Output/⚙");
    gui.click(std::string("//") + format);
    gui.frames(2);
    return readBlock(ImGui::GetClipboardText());
  };
  const Results results = evaluate(gui.scene());
  for (const char* format : {"spreadsheet", "NumPy", "LaTeX"})
    EXPECT_EQ(copied(format), results.headOut[0]) << format;
  EXPECT_EQ(gui.state().status, "8 × 4 numbers copied as LaTeX");
  gui.state().maps.options["Output"].isTransposed = true;
  gui.frames(2);
  EXPECT_EQ(copied("NumPy"), results.headOut[0].transpose());
}

TEST(Maps, SharedRangesAreThoseOfAllHeads) {
  GuiDriver gui(changed([](Scene& scene) { scene.source.given[1].q.values *= 20; }));
  gui.frames(2);
  const float own = gui.state().maps.facts["Scores/map"].extent.high;
  gui.state().maps.options["Scores"].sharesRange = true;
  gui.frames(2);
  const Extent& shared = gui.state().maps.shared["Scores"].extent;
  EXPECT_GT(shared.high, 2 * own);
  gui.state().selection.head = 1;
  gui.frames(2);
  EXPECT_EQ(gui.state().maps.facts["Scores/map"].extent.high, shared.high);
}

TEST(Maps, AverageAndMaximumAreMadeOnceAnEvaluation) {
  GuiDriver gui;
  const StackOf<float> weights = gui.results().probs;
  gui.state().heads.choice = HeadChoice::average;
  gui.frames(2);
  const MapTogether& together = gui.state().maps.together["Weights"];
  EXPECT_FLOAT_EQ(together.values.at(0, 5, 1), (weights.at(0, 5, 1) + weights.at(1, 5, 1)) / 2);
  const auto serial = together.serial;
  gui.frames(5);
  EXPECT_EQ(together.serial, serial);
  gui.state().heads.choice = HeadChoice::maximum;
  gui.frames(2);
  EXPECT_EQ(together.values.at(0, 5, 1), std::max(weights.at(0, 5, 1), weights.at(1, 5, 1)));
  EXPECT_NE(together.serial, serial);
}

TEST(Maps, AllHeadsSideBySideChooseOne) {
  GuiDriver gui;
  ASSERT_TRUE(runCommand(gui.app(), "maps.allHeads"));
  gui.frames(3);
  ASSERT_TRUE(gui.has("Weights/Head 2"));
  gui.click("Weights/Head 2");
  EXPECT_EQ(gui.state().selection.head, 1);
  ASSERT_TRUE(runCommand(gui.app(), "maps.allHeads"));
  gui.frames(3);
  EXPECT_TRUE(gui.has("Weights/map"));
}

TEST(Maps, CommandsDoWhatTheySay) {
  GuiDriver gui;
  EXPECT_FALSE(gui.has("dQ/title"));
  gui.menu("Maps", "Backward maps");
  gui.frames(3);
  for (const char* panel : {"dWeights", "dScores", "dQ", "dK", "dV"})
    EXPECT_TRUE(gui.has(std::string(panel) + "/map")) << panel;
  EXPECT_FALSE(gui.has("dX/title"));  // Q, K and V are not made from X
  EXPECT_TRUE(gui.results().made.dProbs);
  gui.menu("Maps", "Backward maps");
  gui.frames(3);
  EXPECT_FALSE(gui.has("dQ/title"));
  ASSERT_TRUE(runCommand(gui.app(), "maps.numbers"));
  EXPECT_FALSE(gui.state().maps.showsNumbers);
  ASSERT_TRUE(runCommand(gui.app(), "maps.logarithmic"));
  EXPECT_TRUE(gui.state().maps.options["Weights"].isLogarithmic);
}

TEST(Maps, GradientsOfXAreThereOnceItIsProjected) {
  Scene scene;
  scene.source.kind = SourceOf<float>::Kind::projected;
  scene.source.x.values = Matrix::Random(5, 3);
  ProjectedHeadOf<float> head;
  head.wq.values = head.wk.values = head.wv.values = Matrix::Random(3, 2);
  scene.source.projected = {head};
  GuiDriver gui(std::make_shared<const Scene>(scene));
  runCommand(gui.app(), "maps.backward");
  gui.frames(4);
  pointAt(gui, "dX/map", 2, 4, 3, 5);
  EXPECT_EQ(gui.state().hover.query, 4);
  EXPECT_EQ(gui.state().hover.dimension, 2);
}

TEST(Maps, WhatWoMakesOfAllHeadsIsTheOutput) {
  Scene scene;
  scene.source.kind = SourceOf<float>::Kind::projected;
  scene.source.x.values = Matrix::Random(5, 3);
  ProjectedHeadOf<float> head;
  head.wq.values = head.wk.values = head.wv.values = Matrix::Random(3, 2);
  scene.source.projected = {head, head};
  scene.source.wo = InputOf<float>{Matrix::Random(4, 6), {}};
  GuiDriver gui(std::make_shared<const Scene>(scene));
  gui.frames(4);
  const Results results = evaluate(scene);
  pointAt(gui, "Output/map", 5, 4, 6, 5);
  EXPECT_EQ(gui.state().hover.query, 4);
  EXPECT_EQ(gui.state().hover.dimension, 5);
  gui.app().copyPanel("Output");
  EXPECT_EQ(readBlock(ImGui::GetClipboardText()), results.out);
  gui.click("Output/head");
  gui.frames(2);
  pointAt(gui, "Output/map", 1, 4, 2, 5);
  EXPECT_EQ(gui.state().hover.dimension, 1);
  gui.app().copyPanel("Output");
  EXPECT_EQ(readBlock(ImGui::GetClipboardText()), results.headOut[0]);
}

TEST(Maps, NoVertexIsEverNonFinite) {
  const float odd[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                       -std::numeric_limits<float>::infinity(), 3e38f, 1e-44f};
  for (const float value : odd) {
    Scene scene = *defaultScene();
    scene.source.given[0].q.values(2, 0) = value;
    scene.source.given[0].v.values(1, 1) = value;
    GuiDriver gui(std::make_shared<const Scene>(scene));
    runCommand(gui.app(), "maps.backward");
    for (const bool isLogarithmic : {false, true})
      for (const bool isFixed : {false, true})
        for (const float scale : {1.0f, 3.0f}) {
          gui.state().appearance.scale = scale;
          for (const char* panel : {"Scores", "Weights", "Output", "dQ"}) {
            MapOptions& options = gui.state().maps.options[panel];
            options.isLogarithmic = isLogarithmic;
            if (isFixed) options.range = MapRange{value, -value};
          }
          gui.frames(2);
          gui.moveTo({640, 200});
          gui.wheel(2);
          ASSERT_EQ(gui.withoutPlace(), "") << value;
        }
  }
}

TEST(Maps, AnIdleFrameLooksForNothing) {
  GuiDriver gui;
  gui.frames(2);
  for (auto& [key, facts] : gui.state().maps.facts) facts.extent.high = 123;
  gui.frames(3);
  for (auto& [key, facts] : gui.state().maps.facts) EXPECT_EQ(facts.extent.high, 123) << key;
  gui.drag("Scale/Temperature", {10, 0});
  for (auto& [key, facts] : gui.state().maps.facts) EXPECT_NE(facts.extent.high, 123) << key;
}

/// Numbers are multiples of a power of ten where they are small: without it they would be wrong.
TEST(Map, TellsThePowerOfTenAlsoWithoutItsColourBar) {
  Scene small = *defaultScene();
  small.scale.temperature = 1000;
  for (const int height : {720, 400}) {
    GuiDriver gui(std::make_shared<const Scene>(small), GuiDriver::Screen::none, 1920, height);
    gui.frames(3);
    ASSERT_EQ(gui.has("Scores/colour bar"), height == 720);
    EXPECT_EQ(gui.has("Scores/factor"), height == 400);
  }
}

}  // namespace
}  // namespace attn
