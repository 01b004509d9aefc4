// A letter that its font lacks is drawn as "?": no frame may have one.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/views/view.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

/// How many "?" the last frame drew, in any font that has one: they are found by their place in the atlas.
int questionMarksDrawn() {
  int count = 0;
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    const ImFontGlyph* mark = font->FindGlyphNoFallback('?');
    if (!mark) continue;
    for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
      for (const ImDrawVert& corner : list->VtxBuffer)
        count += corner.uv.x == mark->U0 && corner.uv.y == mark->V0;
  }
  return count;
}

/// The first scene, whose own title asks something, under another one.
SharedScene plainScene() {
  Scene scene = *defaultScene();
  scene.title = "a scene";
  return std::make_shared<const Scene>(std::move(scene));
}

TEST(Glyphs, AQuestionMarkIsFound) {
  GuiDriver gui(plainScene(), GuiDriver::Screen::none, 1920, 1080);
  EXPECT_EQ(questionMarksDrawn(), 0);
  gui.app().editor().change([](Scene& scene) { scene.title = "how? why?"; });
  gui.frames(3);
  EXPECT_EQ(questionMarksDrawn(), 2);
}

TEST(Glyphs, EveryPanelHasAllItsLetters) {
  GuiDriver gui(plainScene(), GuiDriver::Screen::none, 1920, 1080);
  for (const View& view : allViews()) {
    gui.state().layout.maximised = view.title;
    gui.frames(4);
    EXPECT_EQ(questionMarksDrawn(), 0) << view.title;
  }
  gui.state().inputs.folded = ~0U;
  gui.state().layout.maximised = "Inputs";
  gui.frames(2);
  EXPECT_EQ(questionMarksDrawn(), 0) << "folded inputs";
}

TEST(Glyphs, MenusAndTheHelpPageHaveAllTheirLetters) {
  GuiDriver gui(plainScene(), GuiDriver::Screen::none, 1920, 1080);
  for (const char* menu : {"File", "Edit", "View", "Panel", "Inputs", "Heads", "Maps", "Mask", "Help"}) {
    gui.click(std::string("MainMenuBar/") + menu);
    gui.frames(2);
    EXPECT_EQ(questionMarksDrawn(), 0) << menu;
    gui.press(ImGuiKey_Escape);
    gui.frames(2);
  }
  gui.state().isHelpOpen = true;
  gui.frames(3);
  EXPECT_EQ(questionMarksDrawn(), 0) << "help";
}

/// Tooltips, popups and messages are not in those frames: their texts are read from the sources.
TEST(Glyphs, TheFontHasEveryCharacterInTheSourcesOfTheWindow) {
  GuiDriver gui;
  const ImFont& font = *gui.app().theme().words;
  const fs::path app = fs::path(ATTNSCOPE_SOURCE_DIR) / "app";
  int files = 0;
  for (const char* folder : {"", "views", "commands", "files"})
    for (const auto& entry : fs::directory_iterator(app / folder)) {
      if (entry.path().extension() != ".cpp") continue;
      ++files;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const std::string bytes = text.str();
      for (const char *at = bytes.data(), *end = at + bytes.size(); at < end;) {
        unsigned int letter = 0;
        at += std::max(1, ImTextCharFromUtf8(&letter, at, end));
        if (letter < 0x80) continue;
        EXPECT_TRUE(font.FindGlyphNoFallback(static_cast<ImWchar>(letter)))
            << entry.path() << " has U+" << std::hex << letter;
      }
    }
  EXPECT_GT(files, 30);
}

}  // namespace
}  // namespace attn
