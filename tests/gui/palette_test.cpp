#include "app/palette/palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/files/example_scenes.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/gui/gui_driver.h"

namespace attn {
namespace {

/// The texts in the order in which they would be offered.
std::vector<std::string> ranked(const std::vector<std::string>& texts, const std::string& search,
                                const std::vector<std::string>& used = {}) {
  std::vector<PaletteEntry> entries;
  for (const std::string& text : texts) entries.push_back({"Group", text, "", ""});
  std::vector<std::string> found;
  for (const PaletteHit& hit : rankEntries(entries, search, used)) found.push_back(entries[hit.entry].text);
  return found;
}

using Texts = std::vector<std::string>;

TEST(Fuzzy, ABeginningComesBeforeAWordsBeginningBeforeTheMiddle) {
  EXPECT_EQ(ranked({"The mask", "Unmask", "Mask it"}, "mask"), (Texts{"Mask it", "The mask", "Unmask"}));
  EXPECT_EQ(ranked({"Some water", "Saturation", "Scale and sat"}, "sat"),
            (Texts{"Saturation", "Scale and sat", "Some water"}));
}

TEST(Fuzzy, NeighboursComeBeforeScatteredLetters) {
  EXPECT_EQ(ranked({"Clear one dusty era", "A code"}, "code").front(), "A code");
  EXPECT_EQ(ranked({"Set to 0", "Solo"}, "so").front(), "Solo");
}

TEST(Fuzzy, BeginningsOfWordsAreInitials) {
  EXPECT_EQ(ranked({"Undo", "Circle", "Copy as LaTeX"}, "cl").front(), "Copy as LaTeX");
  EXPECT_EQ(ranked({"Dark theme", "Default layout"}, "dl"), (Texts{"Default layout"}));
}

TEST(Fuzzy, OfAlikeMatchesTheShorterComesFirst) {
  EXPECT_EQ(ranked({"Show the average of all heads", "Show the average"}, "average").front(),
            "Show the average");
}

TEST(Fuzzy, WordsMayStandInAnyOrderAndBeOfTheGroup) {
  EXPECT_EQ(ranked({"Dark theme", "Light theme"}, "theme dark"), (Texts{"Dark theme"}));
  EXPECT_EQ(ranked({"Dark theme"}, "group dark"), (Texts{"Dark theme"}));
  EXPECT_TRUE(ranked({"Dark theme"}, "dark zebra").empty());
  EXPECT_TRUE(ranked({"Dark theme"}, "krad").empty());  // the order of letters counts
}

TEST(Fuzzy, TheMatchedLettersAreTheOnesThatCount) {
  const auto ranges = [](const char* word, const char* text) { return fuzzyMatch(word, text)->ranges; };
  EXPECT_EQ(ranges("th", "Weights: the"), (std::vector<TextRange>{{9, 11}}));  // not the t and h of Weights
  EXPECT_EQ(ranges("DL", "Default layout"), (std::vector<TextRange>{{0, 1}, {8, 9}}));
  EXPECT_EQ(ranges("√d", "by √d"), (std::vector<TextRange>{{3, 7}}));  // three bytes of the root and a d
  EXPECT_FALSE(fuzzyMatch("ü", "é"));
  EXPECT_TRUE(fuzzyMatch("ae", std::string(200, 'a') + "e"));
}

TEST(Fuzzy, WithoutASearchWhatWasUsedComesFirst) {
  EXPECT_EQ(ranked({"A", "B", "C"}, ""), (Texts{"A", "B", "C"}));
  EXPECT_EQ(ranked({"A", "B", "C"}, "", {"C", "B"}), (Texts{"C", "B", "A"}));
}

class PaletteTest : public TemporaryDirectory {
 protected:
  PaletteTest() { gui_.frames(2); }

  void open() {
    gui_.press(ImGuiMod_Ctrl | ImGuiKey_P);
    gui_.frames(2);
    ASSERT_TRUE(gui_.has("//palette search"));
  }
  const PaletteEntry& chosen() {
    const PaletteState& palette = gui_.state().palette;
    return palette.entries[palette.hits.at(palette.chosen).entry];
  }
  bool isOpen() { return gui_.has("//palette search"); }

  GuiDriver gui_;
};

TEST_F(PaletteTest, ACommandIsRunByKeysAlone) {
  open();
  gui_.type("dark th");
  EXPECT_EQ(chosen().text, "Dark theme");
  gui_.press(ImGuiKey_Enter);
  gui_.frames(2);
  EXPECT_FALSE(isOpen());
  EXPECT_EQ(gui_.state().appearance.theme, ThemeKind::dark);
  open();
  EXPECT_EQ(chosen().text, "Dark theme");  // as the last one used
}

TEST_F(PaletteTest, ArrowsGoRoundAndEscCloses) {
  open();
  const std::string first = chosen().text;
  gui_.press(ImGuiKey_DownArrow);
  EXPECT_EQ(gui_.state().palette.chosen, 1u);
  gui_.press(ImGuiKey_UpArrow);
  gui_.press(ImGuiKey_UpArrow);
  EXPECT_EQ(gui_.state().palette.chosen, gui_.state().palette.hits.size() - 1);
  gui_.press(ImGuiKey_PageUp);
  EXPECT_EQ(gui_.state().palette.chosen, gui_.state().palette.hits.size() - 9);
  gui_.press(ImGuiKey_Escape);
  gui_.frames(2);
  EXPECT_FALSE(isOpen());
  open();
  gui_.press(ImGuiMod_Ctrl | ImGuiKey_P);
  gui_.frames(2);
  EXPECT_FALSE(isOpen());
}

TEST_F(PaletteTest, TheMouseChoosesAndAClickElsewhereCloses) {
  open();
  gui_.type("light");
  gui_.click("//Light theme");
  gui_.frames(2);
  EXPECT_FALSE(isOpen());
  EXPECT_EQ(gui_.state().appearance.theme, ThemeKind::light);
  EXPECT_FALSE(gui_.state().appearance.followsSystem);
  open();
  gui_.clickAt({5, 715});
  gui_.frames(2);
  EXPECT_FALSE(isOpen());
}

TEST_F(PaletteTest, WhatCannotBeDoneNowSaysWhy) {
  open();
  gui_.type("previous head");
  EXPECT_FALSE(chosen().isReady);
  EXPECT_EQ(chosen().obstacle, "This is the first head");
  gui_.press(ImGuiKey_Enter);
  gui_.frames(2);
  EXPECT_TRUE(isOpen());
  EXPECT_NE(gui_.state().status.find("This is the first head"), std::string::npos);
  gui_.press(ImGuiKey_Escape);
  gui_.app().editor().change([](Scene& scene) { scene.scale.temperature = 2; });
  gui_.frames(2);
  open();
  gui_.type("undo");
  EXPECT_TRUE(chosen().isReady);  // although undo is the text field's while one types
  gui_.press(ImGuiKey_Enter);
  gui_.frames(2);
  EXPECT_EQ(gui_.scene().scale.temperature, 1);
}

TEST_F(PaletteTest, PanelsComeIntoSightWithTheKeyboard) {
  open();
  gui_.type("raw sc");
  EXPECT_EQ(chosen().group, "Panel");
  gui_.press(ImGuiKey_Enter);
  gui_.frames(3);
  EXPECT_TRUE(gui_.has("Raw scores/title"));
  EXPECT_EQ(gui_.state().panels.focused, "Raw scores");
}

TEST_F(PaletteTest, ScenesAreOpened) {
  write(in("mine.json"), read(ATTNSCOPE_SOURCE_DIR "/assets/scenes/by_hand.json"));
  gui_.app().documents().recent() = {in("mine.json").string()};
  open();
  EXPECT_EQ(chosen().text, "mine.json");  // recent scenes first
  gui_.type("two queries hand");
  EXPECT_EQ(chosen().group, "Example");
  gui_.press(ImGuiKey_Enter);
  gui_.frames(3);
  EXPECT_EQ(gui_.scene().title, "Two queries, three keys, by hand");
  EXPECT_TRUE(gui_.app().documents().document().file().empty());
  open();
  gui_.type("mine.js");
  gui_.press(ImGuiKey_Enter);
  gui_.app().settle();
  EXPECT_EQ(gui_.app().documents().document().file(), in("mine.json"));
}

TEST_F(PaletteTest, TheCommandOpensIt) {
  runCommand(gui_.app(), "help.palette");
  gui_.frames(2);
  EXPECT_TRUE(isOpen());
  gui_.type("all commands");
  gui_.frames(2);
  EXPECT_TRUE(gui_.has("//All commands and keys"));
}

TEST_F(PaletteTest, TheMenuHasTheExamples) {
  gui_.click("MainMenuBar/File");
  gui_.frames(2);
  gui_.hover("//Open example");
  gui_.frames(20);
  gui_.click("//Four tokens, two heads, projected");
  gui_.frames(3);
  EXPECT_EQ(gui_.scene().title, "Four tokens, two heads, projected");
}

TEST(ExampleScenes, AreAllThatTheFolderHasUnderTheirOwnTitles) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ATTNSCOPE_SOURCE_DIR "/assets/scenes"))
    files += entry.path().extension() == ".json";
  EXPECT_EQ(exampleScenes().size(), files);
  for (const ExampleScene& example : exampleScenes())
    EXPECT_EQ(openExample(example)->title, example.title) << example.name;
}

}  // namespace
}  // namespace attn
