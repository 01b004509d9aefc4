#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "app/gpu/colormap.h"
#include "core/fill.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

constexpr auto kOffscreen = GuiDriver::Screen::offscreen;

Rgb pixelAt(const Image& image, ImVec2 place) {
  const std::uint8_t* pixel = image.at(static_cast<int>(place.x), static_cast<int>(place.y));
  return {pixel[0], pixel[1], pixel[2]};
}

/// A place in a cell; (0.5, 0.5) is its centre.
ImVec2 placeIn(const ItemRect& map, Index across, Index down, Index columns, Index rows, float x = 0.5f,
               float y = 0.5f) {
  const auto share = [](Index i, float part, Index count) {
    return (static_cast<float>(i) + part) / static_cast<float>(count);
  };
  return {map.min.x + map.size().x * share(across, x, columns),
          map.min.y + map.size().y * share(down, y, rows)};
}

void expectColour(const Rgb& found, const Rgb& expected, const std::string& what) {
  EXPECT_NEAR(found.r, expected.r, 3) << what;
  EXPECT_NEAR(found.g, expected.g, 3) << what;
  EXPECT_NEAR(found.b, expected.b, 3) << what;
}

std::size_t coloursOf(const Image& image, const ItemRect& map, Index across, Index down, Index n) {
  std::set<std::tuple<int, int, int>> colours;
  for (float x = 0.15f; x < 0.85f; x += 0.02f) {
    const Rgb found = pixelAt(image, placeIn(map, across, down, n, n, x, 0.5f));
    colours.insert({found.r, found.g, found.b});
  }
  return colours.size();
}

/// A map of scores that is exactly these numbers: Q is the matrix, K the identity, nothing divides.
std::shared_ptr<const Scene> sceneOfScores(const Matrix& scores) {
  Scene scene;
  GivenHeadOf<float> head;
  head.q.values = scores;
  head.k.values = Matrix::Identity(scores.cols(), scores.cols());
  head.v.values = Matrix::Ones(scores.cols(), 1);
  scene.source.given = {head};
  scene.scale.rule = Scale::Rule::none;
  return std::make_shared<const Scene>(scene);
}

/// The window with its results there, and no numbers over the colours.
struct Opened : GuiDriver {
  explicit Opened(const SharedScene& scene) : GuiDriver(scene, kOffscreen) {
    state().maps.showsNumbers = false;
    results();
    frames(3);
  }
};

TEST(MapPixels, SignedNumbersAreColouredAroundZero) {
  Matrix scores(3, 3);
  scores << -4, -2, 0, 1, 2, 3, 4, 0.5f, -0.5f;
  Opened gui(sceneOfScores(scores));
  const Image image = gui.picture();
  const ItemRect map = gui.rect("Scores/map");
  const ColormapTable table = tableOf(Colormap::blueRed);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j)
      expectColour(pixelAt(image, placeIn(map, j, i, 3, 3)), colourAt(table, (scores(i, j) + 4) / 8),
                   std::to_string(i) + ", " + std::to_string(j));
}

TEST(MapPixels, TheLogarithmIsThatOfTheColourScale) {
  Matrix scores(3, 3);
  scores << -1, -0.1f, -0.01f, 0.001f, 0.01f, 0.1f, 1, 0, 0.5f;
  Opened gui(sceneOfScores(scores));
  MapOptions& options = gui.state().maps.options["Scores"];
  options.isLogarithmic = true;
  for (const bool isDiverging : {true, false}) {
    options.colormap = isDiverging ? Colormap::blueRed : Colormap::cividis;
    options.range = MapRange{1e-3f, 1};
    gui.frames(2);
    const Image image = gui.picture();
    const ItemRect map = gui.rect("Scores/map");
    const ColormapTable table = tableOf(*options.colormap);
    const ColourScale scale{1e-3f, 1, true, isDiverging};
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j)
        expectColour(pixelAt(image, placeIn(map, j, i, 3, 3)), colourAt(table, shareOf(scale, scores(i, j))),
                     std::to_string(scores(i, j)));
  }
}

TEST(MapPixels, TransposedTheRowsAreColumns) {
  Matrix scores(2, 3);
  scores << -4, -2, 0, 1, 2, 4;
  Opened gui(sceneOfScores(scores));
  gui.state().maps.options["Scores"].isTransposed = true;
  gui.frames(2);
  const Image image = gui.picture();
  const ItemRect map = gui.rect("Scores/map");
  const ColormapTable table = tableOf(Colormap::blueRed);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 3; ++j)
      expectColour(pixelAt(image, placeIn(map, i, j, 2, 3)), colourAt(table, (scores(i, j) + 4) / 8),
                   std::to_string(i) + ", " + std::to_string(j));
}

TEST(MapPixels, NaNAndInfinityHaveSignsOfTheirOwn) {
  Matrix scores = Matrix::Zero(4, 4);
  scores(1, 1) = std::numeric_limits<float>::quiet_NaN();  // spoils its row of products
  Opened gui(sceneOfScores(scores));
  gui.state().maps.options["Scores"].showsNumbers = false;
  gui.frames(2);
  const Image image = gui.picture();
  const ItemRect map = gui.rect("Scores/map");
  EXPECT_EQ(coloursOf(image, map, 1, 1, 4), 2u);
  EXPECT_EQ(coloursOf(image, map, 2, 2, 4), 1u);
}

TEST(MapPixels, HiddenPairsAreHatchedInBothOrientations) {
  Scene scene = *defaultScene();
  scene.masks = {CausalRule{}};
  Opened gui(std::make_shared<const Scene>(scene));
  EXPECT_EQ(coloursOf(gui.picture(), gui.rect("Scores/map"), 7, 0, 8), 2u);
  EXPECT_EQ(coloursOf(gui.picture(), gui.rect("Scores/map"), 0, 7, 8), 1u);
  runCommand(gui.app(), "maps.transpose");
  gui.frames(3);
  EXPECT_EQ(coloursOf(gui.picture(), gui.rect("Scores/map"), 7, 0, 8), 1u);
  EXPECT_EQ(coloursOf(gui.picture(), gui.rect("Scores/map"), 0, 7, 8), 2u);
}

TEST(MapPixels, TheSamePairIsFramedInTheOtherMaps) {
  Opened gui(defaultScene());
  const Image before = gui.picture();
  gui.moveTo(placeIn(gui.rect("Weights/map"), 1, 5, 8, 8));
  gui.frames(3);
  const Image after = gui.picture();
  const ItemRect scores = gui.rect("Scores/map");
  const auto differs = [&](Index across, Index down) {  // the dark line before the left edge of the cell
    ImVec2 place = placeIn(scores, across, down, 8, 8, 0.0f, 0.5f);
    place.x -= 1;
    return !(pixelAt(before, place) == pixelAt(after, place));
  };
  EXPECT_TRUE(differs(1, 5));   // the pair
  EXPECT_TRUE(differs(1, 2));   // its column
  EXPECT_FALSE(differs(4, 2));  // neither
}

/// Many tokens: one cell is much smaller than a pixel.
TEST(MapPixels, AThinLineOfManyTokensDoesNotVanish) {
  constexpr Index kTokens = 1500;
  Matrix scores = Matrix::Zero(kTokens, 1);
  Scene scene;
  GivenHeadOf<float> head;
  head.q.values = Matrix::Ones(kTokens, 1);
  head.k.values = scores;
  head.k.values(733, 0) = 5;
  head.v.values = Matrix::Ones(kTokens, 1);
  scene.source.given = {head};
  Opened gui(std::make_shared<const Scene>(scene));
  gui.frames(3);
  const ItemRect map = gui.rect("Scores/map");
  ASSERT_LT(map.size().x, 300);
  const auto marked = [&] {
    const Image image = gui.picture();
    int count = 0;
    const Rgb paper = colourAt(tableOf(Colormap::blueRed), 0.5f);
    for (float x = map.min.x + 0.5f; x < map.max.x; ++x)
      count += std::abs(pixelAt(image, {x, map.centre().y}).b - paper.b) > 40;
    return count;
  };
  EXPECT_GE(marked(), 1);
  EXPECT_LE(marked(), 2);
  gui.state().maps.options["Scores"].reduction = Reduction::average;
  gui.frames(3);
  EXPECT_EQ(marked(), 0);
}

TEST(MapPixels, AverageOfAllHeadsIsUploadedWhenChosen) {
  Opened gui(defaultScene());
  const Rgb one = pixelAt(gui.picture(), placeIn(gui.rect("Weights/map"), 1, 5, 8, 8));
  gui.state().heads.choice = HeadChoice::average;
  gui.frames(2);
  const float value = gui.state().maps.together["Weights"].values.at(0, 5, 1);
  const ItemRect map = gui.rect("Weights/map");
  const Rgb average = pixelAt(gui.picture(), placeIn(map, 1, 5, 8, 8));
  EXPECT_FALSE(one == average);
  expectColour(average, colourAt(tableOf(Colormap::viridis), value), "average");
  gui.state().heads.choice = HeadChoice::maximum;
  gui.frames(2);
  EXPECT_FALSE(average == pixelAt(gui.picture(), placeIn(map, 1, 5, 8, 8)));
}

}  // namespace
}  // namespace attn
