// What an audience is not to see yet.
#include "app/presenter/hidden_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

class HiddenValues : public testing::Test {
 protected:
  HiddenValues() {
    gui_.press(ImGuiKey_F5);
    gui_.frames(2);
  }
  bool isHidden(Index row, Index col) { return isValueHidden(gui_.state(), "Weights/map", row, col); }
  void pointAt(Index row, Index col) {
    const ItemRect map = gui_.rect("Weights/map");
    const auto n = static_cast<float>(gui_.results().shapes.keys);
    gui_.moveTo({map.min.x + map.size().x * (static_cast<float>(col) + 0.5f) / n,
                 map.min.y + map.size().y * (static_cast<float>(row) + 0.5f) / n});
    gui_.frames(2);
  }

  GuiDriver gui_{defaultScene(), GuiDriver::Screen::offscreen, 1280, 720};
};

TEST_F(HiddenValues, AKeyHidesAllAndRevealsAll) {
  EXPECT_FALSE(isHidden(0, 0));
  gui_.press(ImGuiKey_H);
  EXPECT_TRUE(isHidden(0, 0));
  gui_.moveTo({5, 5});
  gui_.frames(2);
  gui_.press(ImGuiKey_R);
  EXPECT_FALSE(isHidden(0, 0));
  runCommand(gui_.app(), "present.hide");
  EXPECT_TRUE(isHidden(0, 0));
  gui_.press(ImGuiKey_Escape);
  EXPECT_FALSE(isHidden(0, 0));  // the window hides nothing
}

TEST_F(HiddenValues, TheOneUnderThePointerIsRevealedAlone) {
  gui_.press(ImGuiKey_H);
  pointAt(2, 1);
  gui_.press(ImGuiKey_R);
  EXPECT_FALSE(isHidden(2, 1));
  EXPECT_TRUE(isHidden(1, 2));
  runCommand(gui_.app(), "present.reveal");
  EXPECT_TRUE(isHidden(2, 1));
}

TEST_F(HiddenValues, CellsShowNoNumber) {
  gui_.state().layout.maximised = "Weights";
  gui_.moveTo({5, 5});
  gui_.frames(2);
  const Image open = gui_.picture();
  gui_.press(ImGuiKey_H);
  gui_.moveTo({5, 5});
  gui_.frames(2);
  const Image hidden = gui_.picture();
  gui_.state().maps.showsNumbers = false;
  gui_.frames(2);
  const Image bare = gui_.picture();
  const ItemRect map = gui_.rect("Weights/map");
  const auto differs = [&](const Image& a, const Image& b) {
    int count = 0;
    for (int y = static_cast<int>(map.min.y); y < static_cast<int>(map.max.y); ++y)
      for (int x = static_cast<int>(map.min.x); x < static_cast<int>(map.max.x); ++x)
        count += a.at(x, y)[0] != b.at(x, y)[0];
    return count;
  };
  EXPECT_GT(differs(open, hidden), 100);  // other signs
  EXPECT_GT(differs(hidden, bare), 50);   // but signs
}

TEST_F(HiddenValues, ColoursAreHiddenOnRequest) {
  gui_.state().maps.showsNumbers = false;
  gui_.press(ImGuiKey_H);
  gui_.moveTo({5, 5});
  gui_.frames(2);
  const ItemRect map = gui_.rect("Weights/map");
  const auto coloursOfDiagonal = [&] {
    const Image image = gui_.picture();
    std::set<int> colours;
    for (int i = 0; i < 8; ++i) {
      const float share = (static_cast<float>(i) + 0.5f) / 8;
      const std::uint8_t* pixel = image.at(static_cast<int>(map.min.x + map.size().x * share),
                                           static_cast<int>(map.min.y + map.size().y * share));
      colours.insert(pixel[0] * 65536 + pixel[1] * 256 + pixel[2]);
    }
    return colours.size();
  };
  EXPECT_GT(coloursOfDiagonal(), 4u);
  gui_.press(ImGuiKey_C);
  EXPECT_EQ(coloursOfDiagonal(), 1u);
  gui_.state().presenter.revealed.insert({"Weights/map", 3, 3});
  gui_.frames(2);
  EXPECT_EQ(coloursOfDiagonal(), 2u);
  runCommand(gui_.app(), "present.hideColours");
  gui_.frames(2);
  EXPECT_GT(coloursOfDiagonal(), 4u);
}

TEST_F(HiddenValues, TablesAreHiddenAndRevealedToo) {
  gui_.state().layout.maximised = "Saturation";
  gui_.press(ImGuiKey_H);
  gui_.frames(2);
  EXPECT_TRUE(isValueHidden(gui_.state(), "Saturation", 1, 2));
  const ItemRect row = gui_.rect("Saturation/" + gui_.scene().queryLabels.at(1));
  gui_.moveTo({row.min.x + 0.45f * row.size().x, row.centre().y});
  gui_.frames(2);
  gui_.press(ImGuiKey_R);
  EXPECT_EQ(gui_.state().presenter.revealed.size(), 1u);
  EXPECT_EQ(gui_.state().presenter.revealed.begin()->of, "Saturation");
  EXPECT_EQ(gui_.state().presenter.revealed.begin()->row, 1);
}

TEST_F(HiddenValues, TheHistogramTellsNothing) {
  gui_.state().layout.maximised = "Saturation";
  gui_.state().saturation.page = SaturationState::Page::scores;
  gui_.moveTo({5, 5});
  gui_.frames(5);
  gui_.results();
  gui_.frames(3);
  const std::string secret = "Saturation/legend: theory: mean ?, σ ?";
  const float labels = gui_.rect("Saturation/histogram").min.x;
  EXPECT_FALSE(gui_.has(secret));
  gui_.press(ImGuiKey_H);
  gui_.frames(2);
  EXPECT_TRUE(gui_.has(secret));
  EXPECT_LT(gui_.rect("Saturation/histogram").min.x, labels);  // nor do its axes
  gui_.hover(secret);
  gui_.frames(2);
  gui_.press(ImGuiKey_R);
  gui_.frames(2);
  EXPECT_FALSE(gui_.has(secret));
}

TEST_F(HiddenValues, TheStripOfEditsTellsNothing) {
  gui_.state().layout.maximised = "Gradients";
  gui_.app().editor().change([](Scene& scene) { scene.scale.temperature = 2; });
  gui_.moveTo({5, 5});
  gui_.frames(5);
  gui_.results();
  gui_.frames(5);
  ASSERT_TRUE(gui_.has("Gradients/edit strip"));
  const float labels = gui_.rect("Gradients/edit strip").min.x;
  gui_.press(ImGuiKey_H);
  gui_.frames(3);
  const ItemRect strip = gui_.rect("Gradients/edit strip");
  EXPECT_LT(strip.min.x, labels);
  const auto strongColours = [&] {
    const Image image = gui_.picture();
    int count = 0;
    for (int y = static_cast<int>(strip.min.y) + 2; y < static_cast<int>(strip.max.y) - 2; ++y)
      for (int x = static_cast<int>(strip.min.x) + 2; x < static_cast<int>(strip.max.x) - 2; ++x) {
        const std::uint8_t* pixel = image.at(x, y);
        const auto [least, most] = std::minmax({pixel[0], pixel[1], pixel[2]});
        count += most - least > 60;
      }
    return count;
  };
  EXPECT_GT(strongColours(), 50);
  gui_.press(ImGuiKey_C);
  gui_.frames(3);
  EXPECT_LT(strongColours(), 10);
}

TEST_F(HiddenValues, TheDerivationIsFoldedToItsBeginning) {
  gui_.state().layout.maximised = "Explain";
  gui_.moveTo({5, 5});
  gui_.frames(3);
  EXPECT_FALSE(gui_.state().explain.shown);
  gui_.press(ImGuiKey_H);
  gui_.frames(2);
  EXPECT_EQ(gui_.state().explain.shown, 1);
  gui_.press(ImGuiKey_PageDown);
  EXPECT_EQ(gui_.state().explain.shown, 2);
  gui_.press(ImGuiKey_R);
  EXPECT_FALSE(gui_.state().explain.shown);
}

TEST_F(HiddenValues, BelongToTheSlide) {
  gui_.press(ImGuiKey_H);
  gui_.press(ImGuiMod_Ctrl | ImGuiKey_1);
  gui_.press(ImGuiKey_R);
  gui_.press(ImGuiMod_Ctrl | ImGuiKey_2);
  EXPECT_TRUE(gui_.scene().slides.at(0).hidesValues);
  gui_.press(ImGuiKey_1);
  EXPECT_TRUE(isHidden(0, 0));
  gui_.press(ImGuiKey_2);
  EXPECT_FALSE(isHidden(0, 0));
}

}  // namespace
}  // namespace attn
