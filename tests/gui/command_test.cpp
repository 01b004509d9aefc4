// Commands that go together, one after the other. Each alone is in every_command_test.cpp.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/io/block_text.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

class CommandTest : public TemporaryDirectory {
 protected:
  GuiDriver start(GuiDriver::Screen screen = GuiDriver::Screen::none) {
    Desktop desktop;
    desktop.environment = [home =
                               directory_.string()](const std::string& name) -> std::optional<std::string> {
      if (name == "HOME") return home;
      return std::nullopt;
    };
    desktop.open = [this](const fs::path& path) {
      opened_ = path;
      return std::string();
    };
    return GuiDriver(defaultScene(), screen, 800, 500, desktop);
  }
  /// The size that a PNG says it has.
  static std::pair<int, int> sizeOfPng(const fs::path& file) {
    const std::string bytes = read(file);
    const auto number = [&](std::size_t at) {
      int value = 0;
      for (std::size_t i = 0; i < 4; ++i) value = value * 256 + static_cast<unsigned char>(bytes.at(at + i));
      return value;
    };
    return {number(16), number(20)};
  }

  fs::path opened_;
};

void setTemperature(GuiDriver& gui, float value) {
  gui.app().editor().change([=](Scene& scene) { scene.scale.temperature = value; });
  gui.frames(2);
}

TEST_F(CommandTest, FilesAreMadeOpenedAndSaved) {
  GuiDriver gui = start();
  setTemperature(gui, 3);
  runCommand(gui.app(), "file.saveAs");
  gui.app().documents().dialog().setTyped(in("a.json").string());
  gui.app().documents().dialog().accept();
  EXPECT_EQ(openScene(in("a.json"))->scale.temperature, 3);
  setTemperature(gui, 5);
  runCommand(gui.app(), "file.save");
  EXPECT_EQ(openScene(in("a.json"))->scale.temperature, 5);
  runCommand(gui.app(), "file.new");
  EXPECT_EQ(gui.scene().scale.temperature, 1);
  EXPECT_TRUE(gui.app().documents().document().file().empty());
  runCommand(gui.app(), "file.open");
  gui.app().documents().dialog().setTyped(in("a.json").string());
  gui.app().documents().dialog().accept();
  gui.app().settle();
  EXPECT_EQ(gui.scene().scale.temperature, 5);
  runCommand(gui.app(), "file.quit");
  EXPECT_TRUE(gui.app().isQuitting());
}

TEST_F(CommandTest, UndoAndRedo) {
  GuiDriver gui = start();
  EXPECT_FALSE(runCommand(gui.app(), "edit.undo"));
  setTemperature(gui, 3);
  EXPECT_TRUE(runCommand(gui.app(), "edit.undo"));
  EXPECT_EQ(gui.scene().scale.temperature, 1);
  EXPECT_TRUE(runCommand(gui.app(), "edit.redo"));
  EXPECT_EQ(gui.scene().scale.temperature, 3);
}

TEST_F(CommandTest, PicturesOfTheWindowHaveItsSizeTimesTheFactor) {
  GuiDriver gui = start(GuiDriver::Screen::offscreen);
  const std::pair<const char*, int> wanted[] = {
      {"file.picture", 1}, {"file.picture2", 2}, {"file.picture4", 4}};
  for (const auto& [id, factor] : wanted) {
    runCommand(gui.app(), id);
    gui.frame();
    ASSERT_EQ(gui.app().lastPicture().parent_path(), directory_) << gui.state().status;
    EXPECT_EQ(sizeOfPng(gui.app().lastPicture()), std::pair(800 * factor, 500 * factor)) << id;
    EXPECT_NE(gui.state().status.find(gui.app().lastPicture().string()), std::string::npos);
  }
  EXPECT_EQ(fileCount(), 3);  // none was written over
  gui.frames(2);
  gui.click("//Open picture");
  EXPECT_EQ(opened_, gui.app().lastPicture());
  runCommand(gui.app(), "file.pictures");
  EXPECT_EQ(opened_, directory_);
}

TEST_F(CommandTest, APictureOfAPanelShowsItAlone) {
  GuiDriver gui = start(GuiDriver::Screen::offscreen);
  gui.state().panels.focused = "Weights";
  const ImVec2 size = gui.rect("Weights/title").size();
  runCommand(gui.app(), "panel.picture");
  gui.frame();
  const auto [width, height] = sizeOfPng(gui.app().lastPicture());
  EXPECT_NEAR(static_cast<float>(width), 2 * (size.x + 32), 12);
  EXPECT_NE(gui.app().lastPicture().filename().string().find("weights"), std::string::npos);
  EXPECT_TRUE(gui.has("Scores/title"));  // the window itself is as it was
}

TEST_F(CommandTest, ThemesAndSizes) {
  GuiDriver gui = start();
  runCommand(gui.app(), "view.dark");
  gui.frame();
  EXPECT_EQ(gui.app().theme().kind, ThemeKind::dark);
  runCommand(gui.app(), "view.light");
  gui.frame();
  EXPECT_EQ(gui.app().theme().kind, ThemeKind::light);
  fs::create_directories(in(".config/gtk-3.0"));
  write(in(".config/gtk-3.0/settings.ini"), "[Settings]\ngtk-theme-name = Adwaita-dark\n");
  runCommand(gui.app(), "view.systemTheme");
  gui.frame();
  EXPECT_EQ(gui.app().theme().kind, ThemeKind::dark);
  const float before = gui.app().theme().words->FontSize;
  runCommand(gui.app(), "view.larger");
  runCommand(gui.app(), "view.larger");
  gui.frame();
  EXPECT_GT(gui.app().theme().words->FontSize, before);  // other letters, not stretched ones
  runCommand(gui.app(), "view.smaller");
  EXPECT_NEAR(gui.state().appearance.scale, 1.1f, 0.01f);
  runCommand(gui.app(), "view.normalSize");
  gui.frame();
  EXPECT_EQ(gui.app().theme().words->FontSize, before);
}

TEST_F(CommandTest, TheDefaultLayoutComesBack) {
  GuiDriver gui = start();
  gui.state().layout.show("Inputs", false);
  runCommand(gui.app(), "view.defaultLayout");
  gui.frames(2);
  EXPECT_TRUE(gui.has("Inputs/title"));
}

TEST_F(CommandTest, PanelsFromTheKeyboard) {
  GuiDriver gui = start();
  gui.state().panels.focused.clear();
  runCommand(gui.app(), "panel.next");
  gui.frames(2);
  EXPECT_EQ(gui.state().panels.focused, "Inputs");
  runCommand(gui.app(), "panel.next");
  gui.frames(2);
  EXPECT_EQ(gui.state().panels.focused, "Scores");
  runCommand(gui.app(), "panel.previous");
  gui.frames(2);
  EXPECT_EQ(gui.state().panels.focused, "Inputs");
  runCommand(gui.app(), "panel.maximise");
  EXPECT_EQ(gui.state().layout.maximised, "Inputs");
  runCommand(gui.app(), "panel.maximise");
  EXPECT_EQ(gui.state().layout.maximised, "");
  runCommand(gui.app(), "panel.menu");
  gui.frames(2);
  EXPECT_TRUE(gui.has("//Hide"));
  gui.press(ImGuiKey_Escape);
  runCommand(gui.app(), "panel.hide");
  EXPECT_TRUE(gui.state().layout.isHidden("Inputs"));
  EXPECT_FALSE(runCommand(gui.app(), "panel.hide"));
}

TEST_F(CommandTest, PanelsAreResizedFromTheKeyboard) {
  GuiDriver gui = start();
  const auto sizeAfter = [&](const char* id) {
    EXPECT_TRUE(runCommand(gui.app(), id)) << id;
    gui.frames(2);
    const ItemRect weights = gui.rect("Weights/title"), beneath = gui.rect("Scale/title");
    return ImVec2(weights.size().x, beneath.min.y - weights.min.y);
  };
  gui.click("Weights/title");
  const ImVec2 wide = sizeAfter("panel.wider"), narrow = sizeAfter("panel.narrower");
  EXPECT_GT(wide.x, narrow.x + 5);
  EXPECT_EQ(wide.y, narrow.y);
  const ImVec2 tall = sizeAfter("panel.taller"), low = sizeAfter("panel.shorter");
  EXPECT_GT(tall.y, low.y + 5);
  EXPECT_EQ(tall.x, low.x);
  EXPECT_NEAR(low.x, narrow.x, 1);
  for (int i = 0; i < 50; ++i) runCommand(gui.app(), "panel.wider");
  gui.frames(2);
  EXPECT_GT(gui.rect("Scores/title").size().x, 5);  // neighbours are pushed, not lost
  runCommand(gui.app(), "panel.maximise");
  EXPECT_FALSE(runCommand(gui.app(), "panel.narrower"));
}

TEST_F(CommandTest, TheNumbersOfAPanelCanBePastedElsewhere) {
  GuiDriver gui = start();
  gui.state().panels.focused = "Weights";
  runCommand(gui.app(), "panel.copy");
  const Matrix pasted = readBlock(ImGui::GetClipboardText());
  const StackOf<float>& weights = gui.results().probs;
  ASSERT_EQ(pasted.rows(), weights.rows());
  EXPECT_EQ(pasted(3, 1), weights.at(0, 3, 1));
}

TEST_F(CommandTest, HeadsAndMasks) {
  GuiDriver gui = start();
  EXPECT_FALSE(runCommand(gui.app(), "heads.previous"));
  runCommand(gui.app(), "heads.next");
  EXPECT_EQ(gui.state().selection.head, 1);
  runCommand(gui.app(), "heads.previous");
  EXPECT_EQ(gui.state().selection.head, 0);
  runCommand(gui.app(), "mask.causal");
  EXPECT_EQ(gui.scene().masks.size(), 1u);
  runCommand(gui.app(), "mask.clear");
  EXPECT_TRUE(gui.scene().masks.empty());
}

TEST_F(CommandTest, TheHelpPageFindsAndRunsCommands) {
  GuiDriver gui = start();
  runCommand(gui.app(), "help.commands");
  gui.frames(3);
  ASSERT_TRUE(gui.has("Help/search"));
  gui.type("dark th");
  gui.press(ImGuiKey_Enter);
  gui.frames(2);
  EXPECT_EQ(gui.state().appearance.theme, ThemeKind::dark);
  EXPECT_FALSE(gui.state().isHelpOpen);
}

}  // namespace
}  // namespace attn
