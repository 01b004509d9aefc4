#include <gtest/gtest.h>

#include <map>

#include "app/session/document.h"
#include "app/session/folders.h"
#include "app/session/settings.h"
#include "core/error.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/core/scenes.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

Environment environmentOf(std::map<std::string, std::string> values) {
  return [values](const std::string& name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

TEST(Folders, FollowTheXdgSpecification) {
  const Folders usual = foldersOf(environmentOf({{"HOME", "/home/ada"}}));
  EXPECT_EQ(usual.config, "/home/ada/.config/attnscope");
  EXPECT_EQ(usual.state, "/home/ada/.local/state/attnscope");
  EXPECT_EQ(usual.data, "/home/ada/.local/share/attnscope");
  const Folders own = foldersOf(environmentOf({{"HOME", "/home/ada"},
                                               {"XDG_CONFIG_HOME", "/c"},
                                               {"XDG_STATE_HOME", "relative/is/ignored"},
                                               {"XDG_DATA_HOME", ""}}));
  EXPECT_EQ(own.config, "/c/attnscope");
  EXPECT_EQ(own.state, "/home/ada/.local/state/attnscope");
  EXPECT_EQ(own.data, "/home/ada/.local/share/attnscope");
  const Folders none = foldersOf(environmentOf({{"HOME", "here"}}));
  EXPECT_TRUE(none.config.empty() && none.state.empty() && none.data.empty());
}

class SettingsTest : public TemporaryDirectory {};

TEST_F(SettingsTest, ComeBackAsTheyWere) {
  Settings settings;
  settings.theme = Settings::Theme::light;
  settings.uiScale = 1.25;
  settings.layout = "[Window][Inputs]\nPos=0,0\n";
  settings.hiddenPanels = {"Mask"};
  settings.recentFiles = {"/a/\"b\".json", "/c\xff"};
  settings.digits = 5;
  settings.decimalComma = settings.queryAsColumn = true;
  settings.hintsDone = {"drag", "palette"};
  settings.firstToken = 1;
  SettingsFile file(in("new/folder/settings.json"));
  EXPECT_EQ(file.warning(), "");
  EXPECT_EQ(file.loaded(), Settings{});
  EXPECT_EQ(file.save(settings), "");
  const SettingsFile again(in("new/folder/settings.json"));
  EXPECT_EQ(again.warning(), "");
  settings.recentFiles[1] = "/c\uFFFD";  // JSON holds no broken UTF-8
  EXPECT_EQ(again.loaded(), settings);
}

TEST_F(SettingsTest, UnchangedSettingsAreNotWritten) {
  SettingsFile file(in("settings.json"));
  EXPECT_EQ(file.save(Settings{}), "");
  EXPECT_FALSE(fs::exists(in("settings.json")));
}

TEST_F(SettingsTest, OneBadValueKeepsTheOthersAndTheFile) {
  const std::string text = R"({"theme": "light", "ui_scale": 99, "digits": "many", "of the future": [1]})";
  write(in("settings.json"), text);
  SettingsFile file(in("settings.json"));
  EXPECT_EQ(file.warning(), in("settings.json").string() +
                                ": ui_scale: found 99, expected a number from 0.5 to 4 (and 1 more); "
                                "kept as settings.json.bad, the default is used");
  EXPECT_EQ(file.loaded().theme, Settings::Theme::light);
  EXPECT_EQ(file.loaded().uiScale, 1);
  EXPECT_EQ(read(in("settings.json.bad")), text);
  Settings changed = file.loaded();
  changed.uiScale = 2;
  EXPECT_EQ(file.save(changed), "");
  EXPECT_EQ(SettingsFile(in("settings.json")).loaded().uiScale, 2);
  EXPECT_EQ(read(in("settings.json.bad")), text);
}

TEST_F(SettingsTest, WhatIsNoJsonIsKeptAside) {
  for (const std::string text : {"", "{", "[1, 2]", "\xff\xfe", "{\"theme\": \"light\"} trailing"}) {
    write(in("settings.json"), text);
    const SettingsFile first(in("settings.json")), second(in("settings.json"));
    EXPECT_EQ(first.loaded(), Settings{});
    EXPECT_NE(first.warning(), "") << text;
    EXPECT_EQ(first.warning().find('\n'), std::string::npos);
    EXPECT_EQ(first.warning(), second.warning()) << "the same text is kept once";
  }
  EXPECT_EQ(read(in("settings.json.bad")), "");
  EXPECT_EQ(read(in("settings.json.bad-2")), "{");
}

TEST_F(SettingsTest, AFolderInTheWayIsAMessage) {
  write(in("file"), "x");
  SettingsFile file(in("file") / "attnscope" / "settings.json");
  Settings settings;
  settings.digits = 1;
  const std::string line = file.save(settings);
  EXPECT_TRUE(line.starts_with("settings are not kept: ")) << line;
  EXPECT_EQ(file.save(settings), "") << "told once";
  SettingsFile homeless{fs::path()};
  EXPECT_EQ(homeless.warning(), "");
  EXPECT_EQ(homeless.save(settings), "settings are not kept: no home folder");
}

TEST_F(SettingsTest, WhatIsNoFileIsLeftAlone) {
  fs::create_directory(in("settings.json"));
  SettingsFile file(in("settings.json"));
  EXPECT_EQ(file.warning(), in("settings.json").string() + ": not a regular file, expected settings");
  Settings settings;
  settings.digits = 1;
  EXPECT_NE(file.save(settings), "");
  EXPECT_TRUE(fs::is_directory(in("settings.json")));
}

TEST(RecentFiles, NewestFirstAndOnce) {
  std::vector<std::string> list;
  for (int i = 0; i < 20; ++i) rememberRecent(list, "/s/" + std::to_string(i) + ".json", 5);
  EXPECT_EQ(list,
            (std::vector<std::string>{"/s/19.json", "/s/18.json", "/s/17.json", "/s/16.json", "/s/15.json"}));
  rememberRecent(list, "/s/x/../17.json", 5);
  EXPECT_EQ(list[0], "/s/17.json");
  EXPECT_EQ(list.size(), 5u);
  rememberRecent(list, "relative.json", 5);
  EXPECT_TRUE(fs::path(list[0]).is_absolute());
  forgetRecent(list, "relative.json");
  EXPECT_EQ(list[0], "/s/17.json");
}

class DocumentTest : public TemporaryDirectory {
 protected:
  static ScenePointer scene(std::uint64_t seed) {
    return std::make_shared<const Scene>(narrow(randomScene({}, seed)));
  }
};

TEST_F(DocumentTest, ChangesAreSeenByContent) {
  Document document;
  const ScenePointer first = scene(1), second = scene(2), equal = scene(1);
  document.startWith(first);
  EXPECT_EQ(document.name(), "untitled");
  EXPECT_FALSE(document.isModified(first));
  EXPECT_TRUE(document.isModified(second));
  EXPECT_TRUE(document.isModified(second));
  EXPECT_FALSE(document.isModified(equal));
  document.isIn(in("b.json"), second);
  EXPECT_EQ(document.name(), "b.json");
  EXPECT_TRUE(document.isModified(first));
  EXPECT_FALSE(document.isModified(second));
  document.restored(in("b.json"));
  EXPECT_TRUE(document.isModified(second));
}

TEST_F(DocumentTest, SavedScenesOpen) {
  const ScenePointer first = scene(1);
  saveScene(in("a.json"), *first);
  Document document;
  document.isIn(in("a.json"), openScene(in("a.json")));
  EXPECT_FALSE(document.isModified(first));
  EXPECT_THROW(openScene(in("none.json")), Error);
}

}  // namespace
}  // namespace attn
