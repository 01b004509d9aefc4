#include "app/help/hints.h"

#include <gtest/gtest.h>

#include "app/session_keeper.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

class Hints : public TemporaryDirectory {
 protected:
  void start(GuiDriver& gui) {
    gui.app().remember({in("config"), in("state"), in("data")});
    gui.frames(3);
  }
  static bool isShown(GuiDriver& gui) { return gui.has("Status/Got it"); }
};

TEST_F(Hints, AreNeverInPictures) {
  GuiDriver gui;  // as `shot` has it: nothing is remembered
  EXPECT_FALSE(isShown(gui));
  EXPECT_FALSE(hasHints(gui.app()));
}

TEST_F(Hints, GoAwayWhenTheirThingWasDone) {
  GuiDriver gui;
  start(gui);
  ASSERT_TRUE(isShown(gui));
  const auto isDone = [&](const char* id) { return gui.state().hints.done.contains(id); };
  EXPECT_FALSE(isDone("change"));
  gui.app().editor().change([](Scene& scene) { scene.scale.temperature = 2; });
  gui.frames(2);
  EXPECT_TRUE(isDone("change"));
  EXPECT_FALSE(isDone("palette"));
  gui.press(ImGuiMod_Ctrl | ImGuiKey_P);
  gui.press(ImGuiKey_Escape);
  EXPECT_TRUE(isDone("palette"));
  gui.moveTo({2, 2});
  gui.moveTo(gui.rect("Weights/map").centre());
  gui.frames(3);
  EXPECT_TRUE(isDone("point"));
  EXPECT_TRUE(isShown(gui));
  EXPECT_FALSE(isDone("lesson"));
  gui.click("Status/Lessons (F9)");
  gui.frames(3);
  gui.click("Lesson/begin");
  gui.frames(3);
  EXPECT_TRUE(isDone("lesson"));
  gui.press(ImGuiKey_F5);
  gui.press(ImGuiKey_F5);
  gui.frames(2);
  EXPECT_FALSE(isShown(gui));
}

TEST_F(Hints, ThatWerePutAwayDoNotComeBack) {
  {
    GuiDriver gui;
    start(gui);
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(isShown(gui)) << i;
      gui.click("Status/Got it");
      gui.frames(2);
    }
    EXPECT_FALSE(isShown(gui));
    gui.app().finish();
  }
  GuiDriver gui;
  start(gui);
  EXPECT_FALSE(isShown(gui));
  runCommand(gui.app(), "help.hints");
  gui.frames(2);
  EXPECT_TRUE(isShown(gui));
  runCommand(gui.app(), "help.hints");
  gui.frames(2);
  EXPECT_FALSE(isShown(gui));
}

}  // namespace
}  // namespace attn
