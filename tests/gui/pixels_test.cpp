#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "app/gpu/colormap.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

constexpr auto kOffscreen = GuiDriver::Screen::offscreen;

/// A place in a cell of an n × n map; (0.5, 0.5) is its centre.
ImVec2 placeIn(const ItemRect& map, Index row, Index col, Index n, float across, float down) {
  const auto share = [&](Index i, float part) {
    return (static_cast<float>(i) + part) / static_cast<float>(n);
  };
  return {map.min.x + map.size().x * share(col, across), map.min.y + map.size().y * share(row, down)};
}

Rgb pixelAt(const Image& image, ImVec2 place) {
  const std::uint8_t* pixel = image.at(static_cast<int>(place.x), static_cast<int>(place.y));
  return {pixel[0], pixel[1], pixel[2]};
}

TEST(Pixels, CellsHaveTheColoursOfTheColormap) {
  GuiDriver gui(defaultScene(), kOffscreen);
  gui.state().maps.showsNumbers = false;
  gui.frames(2);
  const Image image = gui.picture();
  const ItemRect map = gui.rect("Weights/map");
  const ColormapTable table = tableOf(gui.state().maps.sequential);
  const auto& weights = gui.results().probs;
  for (Index i = 0; i < 8; ++i)
    for (Index j = 0; j < 8; ++j) {
      const Rgb found = pixelAt(image, placeIn(map, i, j, 8, 0.5f, 0.5f));
      const Rgb expected = colourAt(table, weights.at(0, i, j));
      EXPECT_NEAR(found.r, expected.r, 2) << i << ", " << j;
      EXPECT_NEAR(found.g, expected.g, 2) << i << ", " << j;
      EXPECT_NEAR(found.b, expected.b, 2) << i << ", " << j;
    }
}

TEST(Pixels, HiddenCellsAreHatched) {
  GuiDriver gui(defaultScene(), kOffscreen);
  gui.state().maps.showsNumbers = false;
  gui.press(ImGuiMod_Ctrl | ImGuiKey_M);
  gui.frames(2);
  const Image image = gui.picture();
  const ItemRect map = gui.rect("Weights/map");
  const auto coloursOf = [&](Index row, Index col) {
    std::set<std::tuple<int, int, int>> colours;
    for (float across = 0.2f; across < 0.8f; across += 0.02f) {
      const Rgb found = pixelAt(image, placeIn(map, row, col, 8, across, 0.5f));
      colours.insert({found.r, found.g, found.b});
    }
    return colours.size();
  };
  EXPECT_EQ(coloursOf(0, 7), 2u);  // paper and ink
  EXPECT_EQ(coloursOf(7, 0), 1u);
}

TEST(Pixels, AnIdleFrameUploadsNothing) {
  GuiDriver gui(defaultScene(), kOffscreen);
  const auto uploads = gui.app().heatmaps().uploads();
  EXPECT_GT(uploads, 0u);
  gui.frames(10);
  EXPECT_EQ(gui.app().heatmaps().uploads(), uploads);
  gui.drag("Scale/Temperature", {10, 0});
  EXPECT_GT(gui.app().heatmaps().uploads(), uploads);
}

TEST(Pixels, TwoRunsAreTheSame) {
  const auto take = [] {
    GuiDriver gui(defaultScene(), kOffscreen, 640, 480);
    return gui.picture().rgba;
  };
  EXPECT_EQ(take(), take());
}

}  // namespace
}  // namespace attn
