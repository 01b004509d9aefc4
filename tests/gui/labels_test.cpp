#include "app/views/labels.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cmath>

#include "app/views/writing.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

TEST(Labels, NumbersAreWrittenAsPeopleWriteThem) {
  EXPECT_EQ(numberText(Notation{}, -1.25), "−1.25");
  EXPECT_EQ(numberText(Notation{}, 0), "0.00");
  EXPECT_EQ(numberText(Notation{}, 314159), "3.1·10⁵");
  EXPECT_EQ(numberText(Notation{}, -2.5e-12), "−2.5·10⁻¹²");
  EXPECT_EQ(numberText(Notation{}, -INFINITY), "−∞");
  EXPECT_EQ(numberText(Notation{}, NAN), "NaN");
}

TEST(Labels, TicksAreShort) {
  EXPECT_EQ(tickText(Notation{}, 0), "0");
  EXPECT_EQ(tickText(Notation{}, -5), "−5");
  EXPECT_EQ(tickText(Notation{}, 0.25), "0.25");
  EXPECT_EQ(tickText(Notation{}, 20000), "20000");
  EXPECT_EQ(tickText(Notation{}, 200000), "2·10⁵");
  EXPECT_EQ(tickText(Notation{}, 1e-6), "10⁻⁶");
  EXPECT_EQ(tickText(Notation{}, -1e10), "−10¹⁰");
}

TEST(Labels, AnAxisIsWrittenInTheSameWay) {
  char text[16];
  const Notation notation;
  writeSeconds(-10, text, sizeof text, tickData(notation));
  EXPECT_STREQ(text, "−10 s");
  writeTick(1e5, text, sizeof text, tickData(notation));
  EXPECT_STREQ(text, "10⁵");
}

TEST(Labels, ArabicIsJoinedAndReadFromRightToLeft) {
  // Seen before lam, lam and alef in one after it, mim alone; what is read first stands at the right.
  EXPECT_EQ(asWritten("سلام"), "\ufee1\ufefc\ufeb3");
  EXPECT_EQ(asWritten("ابجد"), "\ufeaa\ufea0\ufe91\ufe8d");
  EXPECT_EQ(asWritten("گل"), "\ufede\ufb94");  // a letter of Persian
  EXPECT_EQ(asWritten("ـبـ"), "ـ\ufe92ـ");     // between strokes that join
}

TEST(Labels, HebrewIsTurnedAndWhatIsInItIsNot) {
  EXPECT_EQ(asWritten("שלום"), "םולש");
  EXPECT_EQ(asWritten("שלום abc 12"), "abc 12 םולש");
  EXPECT_EQ(asWritten("say שלום 12"), "say םולש 12");
  EXPECT_EQ(asWritten("אב\u05b8ג"), "גב\u05b8א");  // a mark stays behind its letter
  EXPECT_EQ(asWritten("plain “é” 猫"), "plain “é” 猫");
}

TEST(Labels, PointingAtTheStripOfEditsTellsItsNumbers) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::none, 1920, 1080);
  gui.click("Gradients/edits");
  gui.frames(2);
  gui.app().editor().change([](Scene& scene) { scene.scale.temperature = 3; });
  gui.frames(3);
  gui.hover("Gradients/edit strip");
  const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
  ASSERT_TRUE(tooltip);
  EXPECT_TRUE(tooltip->Active);
}

}  // namespace
}  // namespace attn
