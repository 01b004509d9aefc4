// A letter that no font has is drawn as U+FFFD: no frame of our own may have one. Letters that people bring
// along come from whatever font has them.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/platform/system_fonts.h"
#include "app/theme.h"
#include "app/views/view.h"
#include "core/io/scene_json.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr ImWchar kUnknown = 0xfffd;

/// How many signs for an unknown letter the last frame drew, in any font that has one: they are found by
/// their place in the atlas.
int unknownDrawn() {
  int count = 0;
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    const ImFontGlyph* mark = font->FindGlyphNoFallback(kUnknown);
    if (!mark) continue;
    for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
      for (const ImDrawVert& corner : list->VtxBuffer)
        count += corner.uv.x == mark->U0 && corner.uv.y == mark->V0;
  }
  return count;
}

/// The last character that there can be; it is for private use.
constexpr const char* kNobodys = "\U0010fffd";

TEST(Glyphs, ALetterThatNoFontHasLooksLikeNoOther) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::none, 1920, 1080);
  EXPECT_EQ(unknownDrawn(), 0);
  gui.app().editor().change([](Scene& scene) { scene.title = std::string("how? why?") + kNobodys; });
  gui.app().settle();
  gui.frames(3);
  EXPECT_EQ(unknownDrawn(), 1);
}

/// Hebrew, Armenian, Georgian and a face that lies beyond 16 bits: not among the letters of the interface.
TEST(Glyphs, TokensMayBeInAnyScript) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::none, 1920, 1080);
  const std::vector<std::string> words = {"שלום", "բարև", "გამარჯობა", "😀"};
  gui.app().editor().change([&](Scene& scene) {
    for (std::size_t i = 0; i < words.size(); ++i) scene.queryLabels[i] = scene.keyLabels[i] = words[i];
  });
  gui.frame();
  EXPECT_TRUE(gui.app().isAnimating());  // the frames go on until the letters are there
  gui.app().settle();
  gui.frames(3);
  EXPECT_EQ(unknownDrawn(), 0);
  EXPECT_TRUE(gui.app().theme().small->FindGlyphNoFallback(U'😀'));
  EXPECT_FALSE(gui.app().isAnimating());
  const ImFont* before = gui.app().theme().words;
  gui.frames(3);
  EXPECT_EQ(gui.app().theme().words, before);  // made once
  gui.state().appearance.scale = 2;
  gui.frames(2);
  EXPECT_EQ(unknownDrawn(), 0);
}

/// Letters that come later are of the same face as those that are there: an é is as wide as an e.
TEST(Glyphs, LettersThatComeLaterAreOfTheSameFace) {
  GuiDriver gui;
  EXPECT_FALSE(gui.app().theme().words->FindGlyphNoFallback(U'é'));
  gui.app().editor().change([](Scene& scene) { scene.queryLabels[0] = "été"; });
  gui.frame();
  gui.app().settle();
  gui.frames(3);
  const Theme& theme = gui.app().theme();
  for (const ImFont* font : {theme.words, theme.heading, theme.small, theme.cells, theme.numbers}) {
    ASSERT_TRUE(font->FindGlyphNoFallback(U'é'));
    EXPECT_EQ(font->FindGlyph(U'é')->AdvanceX, font->FindGlyph('e')->AdvanceX);
  }
}

TEST(Glyphs, WhatIsTypedInAnyScriptIsWhatIsSaved) {
  GuiDriver gui;
  const std::string label = std::string("猫 😀") + kNobodys;
  gui.doubleClick("Inputs/Q row 1");
  gui.type(label);
  gui.press(ImGuiKey_Enter);
  EXPECT_EQ(gui.scene().queryLabels[1], label);
  EXPECT_NE(writeSceneJson(gui.scene()).find(label), std::string::npos);
}

TEST(Glyphs, ATurnedTokenIsEditedAsItWasTyped) {
  Scene scene = *defaultScene();
  scene.queryLabels[1] = scene.keyLabels[1] = "שלום";
  GuiDriver gui(std::make_shared<const Scene>(std::move(scene)));
  gui.doubleClick("Inputs/Q row 1");
  EXPECT_STREQ(gui.state().inputs.text.text.data(), "שלום");
}

TEST(Glyphs, TheSystemIsAskedForFonts) {
  EXPECT_TRUE(systemFontsFor({0x10fffd}).empty());
  const auto fonts = systemFontsFor({U'a', U'b', 0x10fffd});
  ASSERT_EQ(fonts.size(), 1u);  // one has both
  EXPECT_TRUE(fs::exists(fonts[0].file));
}

TEST(Glyphs, EveryPanelHasAllItsLetters) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::none, 1920, 1080);
  for (const View& view : allViews()) {
    gui.state().layout.maximised = view.title;
    gui.frames(4);
    EXPECT_EQ(unknownDrawn(), 0) << view.title;
  }
  gui.state().inputs.folded = ~0U;
  gui.state().layout.maximised = "Inputs";
  gui.frames(2);
  EXPECT_EQ(unknownDrawn(), 0) << "folded inputs";
}

TEST(Glyphs, MenusAndTheHelpPageHaveAllTheirLetters) {
  GuiDriver gui(defaultScene(), GuiDriver::Screen::none, 1920, 1080);
  for (const char* menu :
       {"File", "Edit", "View", "Panel", "Inputs", "Heads", "Maps", "Mask", "Labs", "Help"}) {
    gui.click(std::string("MainMenuBar/") + menu);
    gui.frames(2);
    EXPECT_EQ(unknownDrawn(), 0) << menu;
    gui.press(ImGuiKey_Escape);
    gui.frames(2);
  }
  gui.state().isHelpOpen = true;
  gui.frames(3);
  EXPECT_EQ(unknownDrawn(), 0) << "help";
}

/// The letters beyond ASCII of a file.
Letters lettersOf(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  const std::string bytes = text.str();
  Letters letters;
  for (const char *at = bytes.data(), *end = at + bytes.size(); at < end;) {
    unsigned int letter = 0;
    at += std::max(1, ImTextCharFromUtf8(&letter, at, end));
    if (letter >= 0x80) letters.insert(letter);
  }
  return letters;
}

/// Tooltips, popups, messages and lessons are not in those frames: their texts are read from the sources.
TEST(Glyphs, TheFontsHaveEveryCharacterInTheSources) {
  GuiDriver gui;
  const Theme& theme = gui.app().theme();
  int files = 0;
  for (const char* folder : {"app", "core/explain", "core/lessons", "core/labs", "core/edits", "assets"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ATTNSCOPE_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".json") continue;
      ++files;
      for (const char32_t letter : lettersOf(entry.path()))
        for (const ImFont* font : {theme.words, theme.heading, theme.small, theme.cells})
          EXPECT_TRUE(font->FindGlyphNoFallback(static_cast<ImWchar>(letter)))
              << entry.path() << " has U+" << std::hex << static_cast<unsigned>(letter);
    }
  EXPECT_GT(files, 150);
}

TEST(Glyphs, FormulasHaveAllTheirSigns) {
  GuiDriver gui;
  const Theme& theme = gui.app().theme();
  const Letters signs = lettersOf(fs::path(ATTNSCOPE_SOURCE_DIR) / "app/formula/latex.cpp");
  EXPECT_GT(signs.size(), 30u);
  for (const char32_t letter : signs)
    for (const ImFont* font : theme.formula)
      EXPECT_TRUE(font->FindGlyphNoFallback(static_cast<ImWchar>(letter)))
          << std::hex << static_cast<unsigned>(letter);
  for (const char32_t letter : std::u32string(U"αβγδεηθκλμνπρστφχψω∂ℓ"))
    for (const ImFont* font : theme.formulaItalic)
      EXPECT_TRUE(font->FindGlyphNoFallback(static_cast<ImWchar>(letter)))
          << std::hex << static_cast<unsigned>(letter);
}

}  // namespace
}  // namespace attn
