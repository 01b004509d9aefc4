#include "app/presenter/presenter.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/layout_slides.h"
#include "app/presenter/hidden_values.h"
#include "app/views/view.h"
#include "core/io/scene_json.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

constexpr auto kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift, kAlt = ImGuiMod_Alt;

std::vector<std::string> seen(GuiDriver& gui) {
  return panelsInSight(gui.state().layout);
}

void showOnly(GuiDriver& gui, const std::vector<std::string>& panels) {
  for (const View& view : allViews())
    gui.state().layout.show(view.title, std::find(panels.begin(), panels.end(), view.title) != panels.end());
  gui.frames(2);
}

/// Slide 2 has the weights, slide 5 scores and mask.
void saveTwoSlides(GuiDriver& gui) {
  showOnly(gui, {"Weights"});
  gui.press(kCtrl | ImGuiKey_2);
  showOnly(gui, {"Scores", "Mask"});
  gui.press(kCtrl | ImGuiKey_5);
  runCommand(gui.app(), "view.defaultLayout");
  gui.frames(2);
}

using Panels = std::vector<std::string>;

TEST(Presenter, ShowsPanelsWithoutMenusAndBringsTheWindowBack) {
  GuiDriver gui;
  const Panels before = seen(gui);
  gui.press(ImGuiKey_F5);
  gui.frames(2);
  EXPECT_TRUE(gui.state().presenter.isOn);
  EXPECT_EQ(seen(gui), (Panels{"Scores", "Weights", "Output"}));
  EXPECT_FALSE(gui.has("MainMenuBar/File"));
  EXPECT_FALSE(gui.has("Weights/menu"));
  EXPECT_FALSE(gui.has("Weights/⚙"));
  EXPECT_TRUE(gui.has("Weights/map"));
  gui.press(ImGuiKey_Escape);
  gui.frames(2);
  EXPECT_FALSE(gui.state().presenter.isOn);
  EXPECT_EQ(seen(gui), before);
  EXPECT_TRUE(gui.has("MainMenuBar/File"));
}

TEST(Presenter, FewPanelsAreTheChosenOnes) {
  GuiDriver gui;
  showOnly(gui, {"Inputs", "Output"});
  runCommand(gui.app(), "present.start");
  gui.frames(2);
  EXPECT_EQ(seen(gui), (Panels{"Inputs", "Output"}));
  gui.state().layout.show("Output", false);
  runCommand(gui.app(), "present.start");
  gui.frames(2);
  EXPECT_EQ(seen(gui), (Panels{"Inputs", "Output"}));  // the window has kept its own
  runCommand(gui.app(), "present.start");
  gui.frames(2);
  EXPECT_EQ(seen(gui), (Panels{"Inputs"}));  // and the lecture its own
}

TEST(Presenter, TypeIsAThirtiethOfTheHeight) {
  for (const auto& [width, height] : {std::pair(1280, 720), {1920, 1080}, {3840, 2160}, {800, 600}}) {
    GuiDriver gui(defaultScene(), GuiDriver::Screen::none, width, height);
    gui.press(ImGuiKey_F5);
    gui.frames(2);
    const Theme& theme = gui.app().theme();
    const float least = static_cast<float>(height) / 30;
    constexpr float kLetters = 0.826f;  // of a line of the type: what is above and below is no letter
    EXPECT_GE(kLetters * theme.words->FontSize, least) << height;
    EXPECT_GE(theme.small->FontSize, least) << height;  // labels of axes, tables
    EXPECT_LT(theme.words->FontSize, 1.4f * least) << height;
    gui.press(ImGuiKey_F5);
    gui.frames(2);
    EXPECT_EQ(gui.app().theme().words->FontSize, 16);
  }
}

TEST(Presenter, NumbersInCellsAreAThirtiethToo) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::offscreen, 1280, 720);
  showOnly(gui, {"Weights", "Output"});
  gui.press(ImGuiKey_F5);
  gui.moveTo({2, 2});
  gui.frames(3);
  const ItemRect map = gui.rect("Weights/map");
  const Image image = gui.picture();
  const float side = map.size().x / 8, height = map.size().y / 8;
  const auto inked = [&](int x, int y) {
    const std::uint8_t* paper =
        image.at(static_cast<int>(map.min.x + 2.5f * side), static_cast<int>(map.min.y + 3.12f * height));
    const std::uint8_t* pixel = image.at(x, y);
    return std::abs(pixel[0] - paper[0]) + std::abs(pixel[1] - paper[1]) + std::abs(pixel[2] - paper[2]) >
           150;
  };
  const auto pixel = [](float place) { return static_cast<int>(place); };
  int top = 10000, bottom = 0;  // of the number in row 3, column 2
  for (int y = pixel(map.min.y + 3.15f * height); y < pixel(map.min.y + 3.85f * height); ++y)
    for (int x = pixel(map.min.x + 2.15f * side); x < pixel(map.min.x + 2.85f * side); ++x)
      if (inked(x, y)) top = std::min(top, y), bottom = std::max(bottom, y);
  EXPECT_GE(bottom - top + 1, 15);  // digits of lines that are 24 pixels high
}

TEST(Presenter, ColoursAreStrong) {
  GuiDriver gui;
  for (const ThemeKind kind : {ThemeKind::light, ThemeKind::dark}) {
    gui.state().appearance.theme = kind;
    gui.frames(2);
    const auto contrast = [&] {
      const auto light = [](const ImVec4& c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; };
      return std::abs(light(gui.app().theme().text) - light(gui.app().theme().panel));
    };
    const float before = contrast();
    gui.press(ImGuiKey_F5);
    gui.frames(2);
    EXPECT_EQ(contrast(), 1);
    EXPECT_GT(contrast(), before);
    gui.press(ImGuiKey_F5);
    gui.frames(2);
    EXPECT_EQ(contrast(), before);
  }
}

TEST(Presenter, AClickerUnfoldsTheDerivationBeforeItTurnsToTheNextSlide) {
  GuiDriver gui;
  showOnly(gui, {"Weights", "Explain"});
  gui.state().explain.cell = Cell{Stage::probs, 0, 5, 2};
  saveSlide(gui.app(), 1);
  saveSlide(gui.app(), 2);
  showSlide(gui.app(), 1);
  gui.frames(3);
  for (int step = 1; step <= 2; ++step) {
    gui.press(ImGuiKey_PageDown);
    gui.frames(2);
    EXPECT_EQ(gui.state().explain.shown, step);
    EXPECT_EQ(gui.state().presenter.slide, 1);
  }
  for (int i = 0; i < 300 && gui.state().presenter.slide == 1; ++i) gui.press(ImGuiKey_PageDown);
  EXPECT_EQ(gui.state().presenter.slide, 2);
}

TEST(Presenter, SlidesAreSavedShownAndRemovedByKeys) {
  GuiDriver gui;
  saveTwoSlides(gui);
  ASSERT_EQ(gui.scene().slides.size(), 2u);
  EXPECT_EQ(gui.scene().slides[1].number, 5);
  gui.press(ImGuiKey_F5);
  gui.frames(2);
  EXPECT_EQ(seen(gui), (Panels{"Scores", "Mask"}));  // the last one
  gui.press(ImGuiKey_2);
  gui.frames(2);
  EXPECT_EQ(seen(gui), (Panels{"Weights"}));
  gui.press(ImGuiKey_3);
  EXPECT_NE(gui.state().status.find("There is no slide 3"), std::string::npos);
  EXPECT_EQ(seen(gui), (Panels{"Weights"}));
  gui.click("Slides/5");
  gui.frames(2);
  EXPECT_EQ(seen(gui), (Panels{"Scores", "Mask"}));
  gui.press(kCtrl | kShift | ImGuiKey_5);
  gui.frames(2);
  EXPECT_FALSE(gui.has("Slides/5"));
  EXPECT_TRUE(gui.has("Slides/2"));
  gui.press(ImGuiKey_Escape);
  gui.frames(2);
  gui.press(kAlt | ImGuiKey_2);
  EXPECT_TRUE(gui.state().presenter.isOn);
  EXPECT_EQ(seen(gui), (Panels{"Weights"}));
}

TEST(Presenter, ASlideExplainsItsCell) {
  GuiDriver gui;
  showOnly(gui, {"Weights", "Explain"});
  explainCell(gui.state(), {Stage::probs, 1, 5, 2});
  saveSlide(gui.app(), 1);
  explainCell(gui.state(), {Stage::scores, 0, 3, 1});
  saveSlide(gui.app(), 2);
  showOnly(gui, {"Weights"});
  saveSlide(gui.app(), 3);
  EXPECT_FALSE(gui.scene().slides.at(2).explains);
  showSlide(gui.app(), 1);
  EXPECT_EQ(gui.state().explain.cell, (Cell{Stage::probs, 1, 5, 2}));
  showSlide(gui.app(), 2);
  EXPECT_EQ(gui.state().explain.cell, (Cell{Stage::scores, 0, 3, 1}));
  showSlide(gui.app(), 3);
  EXPECT_EQ(gui.state().explain.cell, (Cell{Stage::scores, 0, 3, 1}));
}

TEST(Presenter, SlidesAreUndone) {
  GuiDriver gui;
  saveTwoSlides(gui);
  gui.press(kCtrl | kShift | ImGuiKey_2);
  EXPECT_EQ(gui.scene().slides.size(), 1u);
  gui.press(kCtrl | ImGuiKey_Z);
  EXPECT_EQ(gui.scene().slides.size(), 2u);
  gui.press(kCtrl | ImGuiKey_Z);
  EXPECT_EQ(gui.scene().slides.size(), 1u);
  gui.press(kCtrl | ImGuiKey_Z);
  EXPECT_TRUE(gui.scene().slides.empty());
  EXPECT_FALSE(gui.app().editor().canUndo());
}

TEST(Presenter, SlidesBelongToTheScene) {
  GuiDriver gui;
  gui.state().selection = {1, 3};
  saveTwoSlides(gui);
  const Scene reread = narrow(readSceneJson(writeSceneJson(gui.scene()), "scene"));
  EXPECT_EQ(reread.slides, gui.scene().slides);
  GuiDriver other(std::make_shared<const Scene>(reread));
  other.press(ImGuiKey_F5);
  other.frames(2);
  EXPECT_EQ(seen(other), (Panels{"Weights"}));  // the first one
  EXPECT_EQ(other.state().selection.head, 1);
  EXPECT_EQ(other.state().selection.query, 3);
}

TEST(Presenter, AClickerStepsThroughTheSlides) {
  GuiDriver gui;
  saveTwoSlides(gui);
  gui.press(ImGuiKey_F5);
  gui.press(ImGuiKey_PageUp);
  EXPECT_EQ(gui.state().presenter.slide, 2);
  gui.press(ImGuiKey_PageUp);
  EXPECT_EQ(gui.state().presenter.slide, 2);
  gui.press(ImGuiKey_PageDown);
  EXPECT_EQ(gui.state().presenter.slide, 5);
  runCommand(gui.app(), "present.previous");
  EXPECT_EQ(gui.state().presenter.slide, 2);
  runCommand(gui.app(), "present.next");
  EXPECT_EQ(gui.state().presenter.slide, 5);
  gui.press(ImGuiKey_Escape);
  gui.frames(2);
  EXPECT_FALSE(runCommand(gui.app(), "present.next"));
}

TEST(Presenter, TheClickersKeysDoNotMoveInMaps) {
  GuiDriver gui;
  gui.press(ImGuiKey_F5);
  gui.frames(2);
  gui.press(ImGuiKey_F6);
  gui.frames(2);
  gui.press(ImGuiKey_DownArrow);
  ASSERT_EQ(gui.state().hover.query, 1);
  gui.press(ImGuiKey_PageDown);
  EXPECT_EQ(gui.state().hover.query, 1);
}

TEST(Presenter, TheScreenGoesBlackAndComesBack) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::offscreen, 640, 360);
  gui.press(ImGuiKey_F5);
  const auto isBlack = [&] {
    const Image image = gui.picture();
    return std::all_of(image.rgba.begin(), image.rgba.end(),
                       [&, i = 0](std::uint8_t byte) mutable { return i++ % 4 == 3 || byte == 0; });
  };
  EXPECT_FALSE(isBlack());
  gui.press(ImGuiKey_B);
  EXPECT_TRUE(isBlack());
  gui.press(ImGuiKey_Period);
  EXPECT_FALSE(isBlack());
  runCommand(gui.app(), "present.black");
  gui.press(ImGuiKey_Escape);  // back to the slide, not to the window
  EXPECT_TRUE(gui.state().presenter.isOn);
  EXPECT_FALSE(isBlack());
  gui.press(ImGuiKey_B);
  gui.press(ImGuiKey_PageDown);
  EXPECT_FALSE(isBlack());
}

TEST(Presenter, SpotlightDimsAllButTheDisc) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::offscreen, 1280, 720);
  gui.state().appearance.theme = ThemeKind::light;
  gui.press(ImGuiKey_F5);
  gui.moveTo({640, 10});
  const auto at = [&](int x, int y) { return static_cast<int>(gui.picture().at(x, y)[0]); };
  gui.frames(2);
  const int far = at(8, 700);
  gui.press(ImGuiKey_S);
  EXPECT_LT(at(8, 700), far / 2);
  EXPECT_EQ(at(640, 3), 255);
  gui.press(ImGuiKey_S);
  EXPECT_EQ(at(8, 700), far);
  runCommand(gui.app(), "present.spotlight");
  EXPECT_TRUE(gui.state().presenter.hasSpotlight);
}

TEST(Presenter, TheLaserDotIsRedAndFollows) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::offscreen, 1280, 720);
  gui.press(ImGuiKey_F5);
  gui.press(ImGuiKey_L);
  const auto isRed = [&](int x, int y) {
    const Image image = gui.picture();
    const std::uint8_t* pixel = image.at(x, y);
    return pixel[0] > 200 && pixel[1] < 80 && pixel[2] < 80;
  };
  gui.moveTo({300, 300});
  gui.frames(2);
  EXPECT_TRUE(isRed(304, 300));
  gui.moveTo({900, 500});
  gui.frames(2);
  EXPECT_FALSE(isRed(304, 300));
  EXPECT_TRUE(isRed(904, 500));
  runCommand(gui.app(), "present.laser");
  EXPECT_FALSE(gui.state().presenter.hasLaser);
}

TEST(Presenter, PlainKeysDoNothingInTheWindow) {
  GuiDriver gui;
  for (const ImGuiKey key :
       {ImGuiKey_B, ImGuiKey_S, ImGuiKey_L, ImGuiKey_H, ImGuiKey_R, ImGuiKey_C, ImGuiKey_1})
    gui.press(key);
  const PresenterState& presenter = gui.state().presenter;
  EXPECT_FALSE(presenter.isOn || presenter.isBlack || presenter.hasLaser || presenter.hasSpotlight ||
               presenter.hidesValues || presenter.hidesColours);
}

TEST(Presenter, DigitsAreTypedAmongTheInputs) {
  GuiDriver gui;
  saveTwoSlides(gui);
  showOnly(gui, {"Inputs"});
  gui.press(ImGuiKey_F5);
  gui.press(kCtrl | ImGuiKey_G);
  gui.frames(2);
  const auto shown = gui.state().presenter.slide;
  gui.press(ImGuiKey_2);
  EXPECT_EQ(gui.state().presenter.slide, shown);
  gui.press(kAlt | ImGuiKey_2);
  EXPECT_EQ(gui.state().presenter.slide, 2);
}

TEST(Presenter, TheLayoutOfTheWindowIsTheOneThatIsRemembered) {
  const Layout before = defaultLayout();
  const Tile tiles = tilesInSight(before);
  EXPECT_EQ(panelsInSight(layoutShowing(tiles, {"Scores", "Weights", "Nothing"})),
            (Panels{"Scores", "Weights"}));
  EXPECT_TRUE(panelsInSight(layoutShowing({Tile::Kind::panel, "Gone", {}, 1}, {"Scores"})).empty());
  Layout shown = layoutShowing({Tile::Kind::panel, "Scores", {}, 1}, {"Scores", "Weights"});
  shown.show("Weights", true);
  EXPECT_EQ(panelsInSight(shown), (Panels{"Scores", "Weights"}));
}

/// One frame of the window that the audience sees.
void drawAudience(Application& audience, const Application& lecturer) {
  audience.makeCurrent();
  audience.imitate(lecturer, 1);
  showToAudience(audience.state());
  ImGui::GetIO().DisplaySize = {1920, 1080};
  ImGui::GetIO().DeltaTime = 1.0f / 60;
  if (audience.prepare()) ImGui::GetIO().Fonts->SetTexID(reinterpret_cast<ImTextureID>(1));
  ImGui::NewFrame();
  audience.frame();
  ImGui::Render();
  lecturer.makeCurrent();
}

TEST(Presenter, ASecondWindowShowsTheSlideAndTheFirstKeepsItsControls) {
  GuiDriver gui;
  saveTwoSlides(gui);
  const Panels before = seen(gui);
  gui.press(kShift | ImGuiKey_F5);
  gui.press(ImGuiKey_2);
  gui.press(ImGuiKey_H);
  gui.frames(2);
  EXPECT_EQ(seen(gui), before);
  EXPECT_TRUE(gui.has("MainMenuBar/File"));
  Application audience(gui.app().editor().shared());
  audience.recordItems(true);
  for (int i = 0; i < 3; ++i) drawAudience(audience, gui.app());
  EXPECT_EQ(panelsInSight(audience.state().layout), (Panels{"Weights"}));
  EXPECT_TRUE(audience.items().find("Weights/map"));
  EXPECT_FALSE(audience.items().find("MainMenuBar/File"));
  EXPECT_GE(audience.theme().words->FontSize, 36);
  EXPECT_TRUE(isValueHidden(audience.state(), "Weights/map", 0, 0));
  EXPECT_FALSE(isValueHidden(gui.state(), "Weights/map", 0, 0));  // the lecturer sees what is hidden there
  gui.press(ImGuiKey_PageDown);
  drawAudience(audience, gui.app());
  EXPECT_EQ(panelsInSight(audience.state().layout), (Panels{"Scores", "Mask"}));
  runCommand(gui.app(), "present.audience");
  EXPECT_FALSE(gui.state().presenter.hasAudience);
  EXPECT_EQ(seen(gui), before);
}

TEST(Presenter, WhatOnlyTheAudienceSeesIsComputed) {
  GuiDriver gui;
  showOnly(gui, {"dQ"});
  gui.press(kCtrl | ImGuiKey_1);
  showOnly(gui, {"Mask"});
  gui.app().editor().change([](Scene& scene) { scene.scale.temperature = 2; });
  EXPECT_FALSE(gui.results().made.backward);
  gui.press(kShift | ImGuiKey_F5);
  gui.press(ImGuiKey_1);
  gui.frames(2);
  EXPECT_TRUE(gui.results().made.backward);
}

TEST(Presenter, ASlideOfPanelsThatAreNotKnownIsNotShown) {
  Scene scene = *defaultScene();
  scene.slides = {{1, {Tile::Kind::panel, "From the future", {}, 1}, 0, 0, false}};
  GuiDriver gui(std::make_shared<const Scene>(scene));
  gui.press(ImGuiKey_F5);
  gui.frames(2);
  EXPECT_FALSE(seen(gui).empty());
  EXPECT_NE(gui.state().status.find("has no panel"), std::string::npos);
}

}  // namespace
}  // namespace attn
