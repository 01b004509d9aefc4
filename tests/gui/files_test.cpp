// New, open, save and quit as a person does them, in the window's own dialogs.
#include <gtest/gtest.h>

#include "app/session_keeper.h"
#include "core/io/npz.h"
#include "core/same_scene.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

constexpr ImGuiKeyChord kSave = ImGuiMod_Ctrl | ImGuiKey_S, kNew = ImGuiMod_Ctrl | ImGuiKey_N,
                        kOpen = ImGuiMod_Ctrl | ImGuiKey_O, kQuit = ImGuiMod_Ctrl | ImGuiKey_Q;

class Files : public TemporaryDirectory {
 protected:
  Desktop desktop() const {
    return {[home = directory_.string()](const std::string& name) -> std::optional<std::string> {
              if (name == "HOME") return home;
              return std::nullopt;
            },
            nullptr};
  }
  GuiDriver start(SharedScene scene = defaultScene()) const {
    return GuiDriver(std::move(scene), GuiDriver::Screen::none, 1280, 720, desktop());
  }
  Folders folders() const { return {in("config"), in("state"), in("data")}; }
};

void edit(GuiDriver& gui, float temperature = 2) {
  gui.app().editor().change([=](Scene& scene) { scene.scale.temperature = temperature; });
  gui.frames(2);
}

bool isAsked(const GuiDriver& gui) {
  return gui.has("//Discard changes");
}

TEST_F(Files, SavingAnUntitledSceneAsksForAName) {
  GuiDriver gui = start();
  edit(gui);
  gui.press(kSave);
  gui.frames(3);
  ASSERT_TRUE(gui.app().documents().dialog().isOpen());
  gui.press(ImGuiMod_Ctrl | ImGuiKey_A);
  gui.type(in("cat").string());
  gui.press(ImGuiKey_Enter);
  gui.frames(2);
  EXPECT_FALSE(gui.app().documents().isModified());
  EXPECT_TRUE(sameScene(*openScene(in("cat.json")), gui.scene()));
  EXPECT_EQ(gui.app().documents().recent().front(), in("cat.json").string());
  edit(gui, 3);
  gui.press(kSave);  // has a name now
  EXPECT_FALSE(gui.app().documents().dialog().isOpen());
  EXPECT_EQ(openScene(in("cat.json"))->scale.temperature, 3);
}

TEST_F(Files, AnExistingFileIsReplacedOnlyOnASecondWord) {
  write(in("old.json"), "precious");
  GuiDriver gui = start();
  gui.press(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S);
  FileDialog& dialog = gui.app().documents().dialog();
  gui.frames(3);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_A);
  gui.type(in("old.json").string());
  gui.click("//Save");
  gui.frames(2);
  EXPECT_EQ(read(in("old.json")), "precious");
  EXPECT_TRUE(dialog.isOpen());
  gui.click("//Replace");
  gui.frames(2);
  EXPECT_FALSE(dialog.isOpen());
  EXPECT_TRUE(sameScene(*openScene(in("old.json")), gui.scene()));
}

TEST_F(Files, TheQuestionComesOnceAndEachAnswerDoesWhatItSays) {
  GuiDriver gui = start();
  const SharedScene first = gui.app().editor().shared();
  gui.press(kNew);
  EXPECT_FALSE(isAsked(gui));  // there is nothing to lose
  edit(gui);
  gui.press(kNew);
  gui.frames(2);
  ASSERT_TRUE(isAsked(gui));
  gui.click("//Cancel");
  gui.frames(2);
  EXPECT_FALSE(isAsked(gui));
  EXPECT_EQ(gui.scene().scale.temperature, 2);
  gui.press(kNew);
  gui.frames(2);
  gui.click("//Discard changes");
  gui.frames(2);
  EXPECT_FALSE(isAsked(gui));
  EXPECT_TRUE(sameScene(gui.scene(), *first));
}

TEST_F(Files, QuittingCanSaveFirst) {
  saveScene(in("cat.json"), *defaultScene());
  GuiDriver gui = start();
  gui.app().documents().open(in("cat.json"));
  gui.app().settle();
  edit(gui, 4);
  gui.press(kQuit);
  gui.frames(6);
  EXPECT_FALSE(gui.app().isQuitting());
  gui.press(ImGuiKey_Enter);  // Save has the keyboard
  EXPECT_TRUE(gui.app().isQuitting());
  EXPECT_EQ(openScene(in("cat.json"))->scale.temperature, 4);
}

TEST_F(Files, ASaveThatFailsDoesNotQuit) {
  GuiDriver gui = start();
  saveScene(in("cat.json"), *defaultScene());
  gui.app().documents().open(in("cat.json"));
  gui.app().settle();
  edit(gui, 4);
  std::filesystem::remove(in("cat.json"));
  std::filesystem::create_directory(in("cat.json"));
  gui.app().quit();
  gui.frames(6);
  gui.click("//Save");
  gui.frames(2);
  EXPECT_FALSE(gui.app().isQuitting());
  EXPECT_TRUE(gui.app().documents().isModified());
  EXPECT_NE(gui.state().status.find("cat.json"), std::string::npos) << gui.state().status;
}

TEST_F(Files, UndoingEverythingLeavesNothingToSave) {
  GuiDriver gui = start();
  edit(gui);
  EXPECT_TRUE(gui.app().documents().isModified());
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Z);
  gui.app().quit();
  EXPECT_TRUE(gui.app().isQuitting());
}

TEST_F(Files, TheDialogOpensAFileFromTheKeyboard) {
  Scene scene = *defaultScene();
  scene.scale.temperature = 7;
  std::filesystem::create_directory(in("scenes"));
  saveScene(in("scenes/warm.json"), scene);
  GuiDriver gui = start();
  gui.press(kOpen);
  gui.frames(3);
  gui.type("sce");
  gui.press(ImGuiKey_Tab);
  EXPECT_EQ(gui.app().documents().dialog().typed(), "scenes/");
  gui.press(ImGuiKey_Enter);
  gui.frames(4);
  EXPECT_EQ(gui.app().documents().dialog().folder(), in("scenes"));
  gui.press(ImGuiKey_DownArrow);
  EXPECT_EQ(gui.app().documents().dialog().typed(), "warm.json");
  gui.press(ImGuiKey_Enter);
  gui.app().settle();
  gui.frames(2);
  EXPECT_EQ(gui.scene().scale.temperature, 7);
  EXPECT_EQ(gui.app().documents().document().file(), in("scenes/warm.json"));
}

TEST_F(Files, ABadFileSaysWhyAndLeavesTheScene) {
  write(in("bad.json"), "{\"heads\": 3");
  GuiDriver gui = start();
  const SharedScene before = gui.app().editor().shared();
  gui.app().documents().open(in("bad.json"));
  gui.app().settle();
  gui.frames(2);
  EXPECT_EQ(gui.app().editor().shared(), before);
  EXPECT_NE(gui.state().status.find("bad.json"), std::string::npos) << gui.state().status;
  EXPECT_TRUE(gui.app().documents().recent().empty());
}

TEST_F(Files, AnArchiveIsSavedUnderAnotherName) {
  GuiDriver gui = start();
  gui.app().documents().restore(defaultScene(), in("in.npz"));
  gui.app().documents().save();
  EXPECT_TRUE(gui.app().documents().dialog().isOpen());
  EXPECT_EQ(gui.app().documents().dialog().typed(), "in.json");
}

TEST_F(Files, SettingsAndLayoutComeBack) {
  {
    GuiDriver gui = start();
    gui.app().remember(folders());
    gui.state().appearance = {ThemeKind::dark, 1.5f};
    gui.state().layout.show("Mask", false);
    gui.state().layout.stackWith("Heads", "Gradients");
    gui.app().documents().recent() = {"/a/b.json"};
    gui.app().finish();
  }
  GuiDriver gui = start();
  gui.app().remember(folders());
  EXPECT_EQ(gui.state().appearance.theme, ThemeKind::dark);
  EXPECT_EQ(gui.state().appearance.scale, 1.5f);
  EXPECT_TRUE(gui.state().layout.isHidden("Mask"));
  EXPECT_TRUE(gui.state().layout.isStacked("Heads"));
  EXPECT_EQ(gui.app().documents().recent(), std::vector<std::string>{"/a/b.json"});
}

TEST_F(Files, WhatACrashLeftBehindIsOfferedAndRestored) {
  {
    GuiDriver gui = start();
    gui.app().remember(folders());
    edit(gui, 6);
  }  // without finish(), as a crash would end it
  GuiDriver gui = start();
  gui.app().remember(folders());
  gui.frames(3);
  gui.frames(3);
  ASSERT_TRUE(gui.has("//Restore"));
  gui.press(ImGuiKey_Space);  // it has the keyboard
  gui.frames(2);
  EXPECT_EQ(gui.scene().scale.temperature, 6);
  EXPECT_TRUE(gui.app().documents().isModified());
  EXPECT_FALSE(gui.app().session()->isAsking());
}

TEST_F(Files, ACleanExitLeavesNothingToRestore) {
  {
    GuiDriver gui = start();
    gui.app().remember(folders());
    edit(gui, 6);
    gui.app().finish();
  }
  GuiDriver gui = start();
  gui.app().remember(folders());
  EXPECT_FALSE(gui.app().session()->isAsking());
}

TEST_F(Files, AHomeThatCannotBeWrittenIsSaidOnce) {
  write(in("config"), "a file where the folder would be");
  GuiDriver gui = start();
  gui.app().remember(folders());
  gui.state().appearance.scale = 1.2f;
  gui.frames(300);
  EXPECT_NE(gui.state().status.find("settings are not kept"), std::string::npos) << gui.state().status;
  gui.state().status.clear();
  gui.frames(300);
  EXPECT_EQ(gui.state().status, "");
}

TEST_F(Files, ShortcutsWaitForTheAnswer) {
  GuiDriver gui = start();
  edit(gui);
  gui.press(kQuit);
  gui.frames(2);
  gui.press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(gui.scene().scale.temperature, 2);
}

TEST_F(Files, AnArchiveIsCalledByItsName) {
  const float q[] = {1, 2, 3, 4};
  NpzWriter archive(in("tiny.npz"));
  for (const char* name : {"q", "k", "v"}) archive.add(name, {2, 2}, q);
  archive.commit();
  EXPECT_EQ(openScene(in("tiny.npz"))->title, "tiny");
  GuiDriver shown = start(openScene(in("tiny.npz")));  // as `attnscope shot` does
  EXPECT_EQ(shown.app().documentTitle(), "tiny");
  GuiDriver gui = start();
  gui.app().documents().open(in("tiny.npz"));
  gui.results();
  EXPECT_EQ(gui.app().documentTitle(), "tiny.npz");
  EXPECT_FALSE(gui.app().documents().isModified());
}

TEST_F(Files, AFileThatIsDroppedIsOpened) {
  saveScene(in("cat.json"), *defaultScene());
  write(in("notes.txt"), "no scene");
  GuiDriver gui = start();
  gui.app().takeDropped({});
  EXPECT_EQ(gui.app().documents().generation(), 0u);
  gui.app().takeDropped({in("notes.txt"), in("cat.json")});
  gui.results();
  gui.frames(2);
  EXPECT_EQ(gui.app().documentTitle(), "cat.json");
  gui.app().takeDropped({in("notes.txt")});
  gui.results();
  gui.frames(2);
  EXPECT_NE(gui.state().status.find("notes.txt"), std::string::npos);
  EXPECT_EQ(gui.app().documentTitle(), "cat.json");
}

TEST_F(Files, ADroppedFileAsksAboutUnsavedChanges) {
  saveScene(in("cat.json"), *defaultScene());
  GuiDriver gui = start();
  edit(gui);
  gui.app().takeDropped({in("cat.json")});
  gui.frames(6);
  ASSERT_TRUE(isAsked(gui));
  EXPECT_EQ(gui.scene().scale.temperature, 2);
  gui.click("//Discard changes");
  gui.results();
  EXPECT_EQ(gui.scene().scale.temperature, 1);
}

}  // namespace
}  // namespace attn
