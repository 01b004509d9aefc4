#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/evaluate.h"
#include "core/io/block_text.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

using Kind = UpstreamOf<float>::Kind;

class GradientsTest : public testing::Test {
 protected:
  GuiDriver gui{defaultScene(), GuiDriver::Screen::none, 1920, 1080};
  const UpstreamOf<float>& upstream() { return gui.scene().upstream; }
  void open(std::string_view page) {
    gui.click("Gradients/" + std::string(page));
    gui.frames(3);
  }
  void choose(std::string_view kind) {
    open("upstream");
    gui.click("Gradients/dOut");
    gui.frames(3);
    gui.click("//" + std::string(kind));
    gui.frames(3);
  }
};

TEST_F(GradientsTest, AClickChoosesWhatHeadsAndRowsAreAbout) {
  gui.click("Gradients/dV");
  EXPECT_EQ(gui.state().gradients.chosen, GradientName::v);
  open("heads");
  ASSERT_TRUE(gui.has("Gradients/head 2"));
  gui.click("Gradients/head 2");
  EXPECT_EQ(gui.state().selection.head, 1);
  open("rows");
  EXPECT_TRUE(gui.has("Gradients/because"));
}

TEST_F(GradientsTest, ProjectionsHaveGradientsToo) {
  EXPECT_FALSE(gui.has("Gradients/dW_Q"));
  auto scene = std::make_shared<Scene>();
  scene->source.kind = SourceOf<float>::Kind::projected;
  scene->source.x.values = Matrix::Random(5, 4);
  scene->source.projected.resize(2);
  for (auto& head : scene->source.projected)
    head.wq.values = head.wk.values = head.wv.values = Matrix::Random(4, 2);
  scene->source.wo = InputOf<float>{Matrix::Random(4, 4), {}};
  gui.app().editor().open(scene);
  gui.frames(3);
  for (const char* name : {"dX", "dW_Q", "dW_K", "dW_V", "dW_O"})
    EXPECT_TRUE(gui.has("Gradients/" + std::string(name))) << name;
  EXPECT_FALSE(gui.has("Gradients/dY"));
}

TEST_F(GradientsTest, ADragIsSeenInTheStrip) {
  open("edits");
  ASSERT_TRUE(gui.has("Gradients/edit strip"));
  const NormHistory& history = gui.state().gradients.history;
  EXPECT_EQ(history.size(), 1u);
  gui.frames(30);
  EXPECT_EQ(history.size(), 1u);  // nothing was edited
  gui.drag("Scale/Temperature", {40, 0});
  gui.frames(2);
  ASSERT_GT(history.size(), 1u);
  const auto q = static_cast<std::size_t>(GradientName::q);
  const auto& newest = history[history.size() - 1];
  EXPECT_NEAR(newest.ofHead[0][q], evaluate(gui.scene()).norms.q.ofHead[0], 1e-5);
  EXPECT_NE(newest.ofHead[0][q], history[0].ofHead[0][q]);
}

TEST_F(GradientsTest, AnInfiniteNormIsAtTheTopOfTheStrip) {
  open("edits");
  for (const float norm : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(),
                           std::numeric_limits<float>::denorm_min(), 0.0f}) {
    gui.app().editor().change([&](Scene& scene) {
      scene.upstream.kind = Kind::given;
      scene.upstream.matrix = Matrix::Constant(8, shapesOf(scene).outWidth, norm);
    });
    gui.results();
    gui.frames(4);
    EXPECT_EQ(gui.withoutPlace(), "") << norm;
    if (std::isinf(norm)) {
      const NormHistory& history = gui.state().gradients.history;
      EXPECT_TRUE(
          std::isinf(history[history.size() - 1].ofHead[0][static_cast<std::size_t>(GradientName::v)]));
    }
  }
}

TEST_F(GradientsTest, OneOutputCellIsChosenByClicking) {
  choose("one output cell");
  ASSERT_EQ(upstream().kind, Kind::cell);
  const ItemRect cells = gui.rect("Gradients/upstream cells");
  const Index cols = shapesOf(gui.scene()).outWidth;
  gui.clickAt({cells.min.x + cells.size().x * 2.5f / static_cast<float>(cols),
               cells.min.y + cells.size().y * 5.5f / 8});
  EXPECT_EQ(upstream().row, 5);
  EXPECT_EQ(upstream().col, 2);
  EXPECT_EQ(gui.results().d.out.sum(), 1);
  gui.drag("Gradients/row", {-20, 0});
  EXPECT_LT(upstream().row, 5);
}

TEST_F(GradientsTest, AGivenMatrixIsEditedAndPasted) {
  choose("a given matrix");
  ASSERT_EQ(upstream().kind, Kind::given);
  EXPECT_EQ(upstream().matrix.rows(), 8);
  EXPECT_EQ(upstream().matrix.sum(), static_cast<float>(upstream().matrix.size()));
  gui.drag("Gradients/value", {50, 0});
  EXPECT_GT(upstream().matrix(0, 0), 1);
  const Matrix block = Matrix::Random(8, upstream().matrix.cols());
  ImGui::SetClipboardText(writeBlock(block, BlockFormat::numpy).c_str());
  gui.click("Gradients/paste");
  EXPECT_EQ(upstream().matrix, block);
  ImGui::SetClipboardText("1 2\n3 4");
  gui.click("Gradients/paste");
  EXPECT_EQ(upstream().matrix, block);
  EXPECT_NE(gui.state().status.find("paste: (2, 2), expected (8, "), std::string::npos);
  gui.click("Gradients/zeros");
  EXPECT_EQ(upstream().matrix.norm(), 0);
  gui.click("Gradients/copy");
  EXPECT_EQ(readBlock(ImGui::GetClipboardText()), upstream().matrix);
  gui.click("Gradients/fill with ones");
  EXPECT_EQ(upstream().matrix.minCoeff(), 1);
}

TEST_F(GradientsTest, ATargetThatIsReachedHasNoGradient) {
  choose("a target");
  ASSERT_EQ(upstream().kind, Kind::target);
  EXPECT_GT(gui.results().loss, 0);
  gui.click("Gradients/output as it is");
  EXPECT_NEAR(gui.results().loss, 0, 1e-9);
}

TEST_F(GradientsTest, SwitchingBackLosesNothing) {
  choose("a given matrix");
  gui.drag("Gradients/value", {50, 0});
  const Matrix typed = upstream().matrix;
  gui.frames(30);
  choose("ones");
  EXPECT_EQ(upstream().kind, Kind::ones);
  choose("a given matrix");
  EXPECT_EQ(upstream().matrix, typed);
}

TEST(GradientsPanel, EveryPageFitsTheSmallestWindow) {
  GuiDriver gui;
  const float right = gui.rect("Gradients/title").max.x;
  EXPECT_LE(gui.rect("Gradients/upstream").max.x, right);
  gui.click("Gradients/upstream");
  gui.app().editor().change([](Scene& scene) {
    const Shapes shapes = shapesOf(scene);
    scene.upstream.kind = Kind::target;
    scene.upstream.matrix = Matrix::Ones(shapes.queries, shapes.outWidth);
  });
  gui.frames(3);
  for (const char* name : {"copy", "paste", "zeros", "fill with ones", "output as it is", "value", "column"})
    EXPECT_LE(gui.rect("Gradients/" + std::string(name)).max.x, right + 1) << name;
}

}  // namespace
}  // namespace attn
